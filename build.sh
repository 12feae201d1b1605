#!/usr/bin/env bash
# The front door: builds, serves, tests and measures attention-lab. `./build.sh help` lists the targets.
# c/Makefile builds C, the scripts of package.json the rest; web/build/install.sh installs the tools.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source web/build/install.sh

# What a newcomer relies on, and the rest.
FIRST='native js lint types format package smoke'
REST='msan browser engines faults size shares'

help() {
  cat <<TXT
./build.sh TARGET
  serve           build and serve the page; prints its address (PORT, default 4173)
  dev             the sources as a page that reloads when a file is saved (PORT, default 5173)
  site            dist/site: the static page, embeds and one-file bundles (SITE_URL, where it will be read)
  wasm            compiles the kernel: WebAssembly SIMD, relaxed SIMD and the JavaScript fallback, as modules to commit
  npm             dist/npm: the package with types, and its tarball
  consumers [name…] the tarball in runtimes, bundlers, frameworks and compilers (minutes); prints a table
  reproduce [wasm]  everything, or the modules, built once more in another folder and compared byte by byte
  native [cc…]    the C tests with gcc and clang under ASan and UBSan
  msan, valgrind [name…]  the same, or those of these names, under MemorySanitizer and under valgrind
  test [name…]    what a newcomer relies on, or the named parts:
                  $FIRST
  test all        the same, unless it has passed since the last change, and the rest:
                  $REST
  test quick      format, lint, types, native with gcc alone, js with a fifth of the random cases
  repeat N name…  the named tests N times, to the first failure (ENGINES=Chromium,Firefox: in these engines)
  bench [option…] every goal of speed and size, against peers (--quick, --engine NAME, --json FILE)
  examples [library]  the examples and recipes, with the libraries, generators and frameworks they are for
  exhaustive [share]  exp, log, tanh and 16-bit rounding over every float32 (minutes), or rounding of some
  fuzz [seconds [name…]]  libFuzzer on the entry points in C, by default for 60 seconds each
  properties [factor [path…]]  the random cases of the tests, by default 45 times as many: above 10⁶
  mutate [option…] mistakes in c/ and web/attention/ that tests do not notice (--count, --seed, --near, files)
  coverage [name]  lines and branches that tests reach, of C and of JavaScript in Node and Chromium
  size            sizes against their budgets
  lighthouse [observed|quick]  the article on a phone with a slow network, against its goals
  clean           remove everything generated
It installs missing tools on Debian and Ubuntu as root or with sudo, and elsewhere prints how to.
TXT
}

refuse() { echo "build.sh: $*" >&2 && exit 2; }

# depend_on_these FOLDER NAME…: takes all other dependencies out of a package.
depend_on_these() {
  (cd "$1" && rm -f package-lock.json && node -e "const { dependencies, ...rest } = require('./package.json');
    const kept = Object.entries(dependencies).filter(([name]) => process.argv.includes(name));
    fs.writeFileSync('package.json', JSON.stringify({ ...rest, dependencies: Object.fromEntries(kept) }));" "${@:2}")
}

# coverage_of NAME: the lines that the tests of one name reach of the sources of that name, in C and in Node.
coverage_of() {
  make_c coverage TESTS="$1_test" FUZZERS="$1_fuzz" BUILD=../build/share
  run coverage:node -- "tests/js/attention/$1.test.js"
  node tests/coverage.js --only "$1" build/share/coverage-[01]/c.lcov build/js.lcov
}

# targets PREFIX ALL [NAME…]: prints the targets of make for these names, or for all.
targets() { [ $# -eq 2 ] && echo "$2" || printf "$1%s " "${@:3}"; }
is_count() { [[ $1 =~ ^[1-9][0-9]*$ ]]; }
run() { npm run --silent "$@"; }
make_c() { make --no-print-directory -C c "$@"; }
wasm() { need_node && need make emscripten clang-19 && alone build make_c wasm; }
# The committed modules serve where nothing that they are made of has changed, so most machines need no compiler.
kernel() { need_node && { node web/build/compiled.js check || wasm; }; }
site() { modules && kernel && alone build build_site; }
package() { site && alone build run package; }

# Builds the site unless it is newer than its sources. The stamp has the date at which the build began.
build_site() {
  local stamp=dist/site/built made="${SITE_URL:-}${BROWSER_COVERAGE:+ for coverage}"
  [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$made" ] &&
    [ -z "$(find build.sh package-lock.json web -newer "$stamp" -print -quit)" ] && return
  run texts && touch build/began && run site && echo "$made" >"$stamp" && touch -r build/began "$stamp"
}

# quietly COMMAND…: prints the output of a command when it has ended, so that two may run side by side.
quietly() {
  local output status=passed
  output=$("$@" 2>&1) || status=FAILED
  printf '== %s\n%s\n%s: %s after %s s\n' "$*" "$output" "$*" $status $SECONDS
  [ $status = passed ]
}

# has_passed: whether `test` has passed since anything that it tests has changed.
has_passed() {
  local made=(-path ./.git -o -path ./build -o -path ./dist -o -name node_modules -o -name generated)
  [ -e build/passed ] && [ -z "$(find . \( "${made[@]}" \) -prune -o -type f -newer build/passed -print -quit)" ]
}

# run_tests [NAME…]: the parts that compute side by side, then those with browsers.
run_tests() {
  local names=("$@") beside=() browsing=() name
  case $* in
    '') read -ra names <<<"$FIRST" && mkdir -p build && touch build/begun ;;
    all) has_passed && read -ra names <<<"$REST" || read -ra names <<<"$FIRST $REST" ;;
    quick) names=(js sanitized lint types format) && export PROPERTY_FACTOR=0.2 ;;
  esac
  for name in "${names[@]}"; do
    case $name in
      format | lint | types | sanitized | native | msan | js) beside+=("$name") ;;
      smoke) browsing+=(tests/smoke.test.js) ;;
      package | browser | engines | faults) browsing+=("tests/$name") ;;
      size | shares) ;;
      *) refuse "no test '$name'; there are: quick all $FIRST $REST" ;;
    esac
  done
  # shellcheck disable=SC2046 # several words on purpose
  need make emscripten clang-19 $(tools_of "${names[@]}")
  modules tests/engines & # while the others are installed
  modules
  wasm
  wait $!
  engines
  [ ${#beside[@]} -eq 0 ] || printf '%s\n' "${beside[@]}" | xargs -P 2 -I{} ./build.sh quietly npm run --silent test:{} || exit 1
  case " ${names[*]} " in
    *' package '* | *' size '*) package ;;
    *' smoke '* | *' browser '* | *' engines '* | *' faults '*) site ;;
  esac
  case " ${names[*]} " in *' smoke '* | *' engines '*) make_c identity ;; esac
  # The newest Node takes less time to drive browsers. What these tests run in Node themselves is called `node`.
  [ ${#browsing[@]} -eq 0 ] ||
    NODE_COMPILE_CACHE=$PWD/build/compiled "${NEWEST_NODE:-node}" tests/run.js "${browsing[@]}"
  [[ " ${names[*]} " != *' size '* ]] || run test:size
  [[ " ${names[*]} " != *' shares '* ]] || shares
  [ -n "$*${ENGINES:-}" ] || mv build/begun build/passed
  echo "all of: ${names[*]}: passed in $SECONDS s"
  [ ${#NOT_RUN[@]} -eq 0 ] || printf 'NOT RUN: %s\n' "${NOT_RUN[@]}"
}

# A small share of every target that checks something and is no part of the tests: what nothing runs stops working.
shares() {
  xargs -P 2 -L 1 ./build.sh quietly ./build.sh <<TXT
mutate --near --count 4 --seed 2 c/rotary.c web/attention/rotary.js
consumers react-18
examples echarts
lighthouse quick
bench --engine none
reproduce wasm
fuzz 1 rotary
coverage rotary
valgrind rotary_test
exhaustive share
properties 2 tests/js/attention/rotary.test.js
TXT
}

target=${1:-help}
[ $# -eq 0 ] || shift
case $target in
  help | -h | --help) help ;;
  serve) site && exec node web/build/serve.js ;;
  dev) modules && kernel && run dev ;;
  wasm) wasm && node web/build/compiled.js record ;;
  site | quietly) "$target" "$@" ;;
  npm) package ;;
  consumers) need chromium && package && CONSUMERS="$*" run consumers ;;
  reproduce)
    case ${1:-npm} in
      npm) package ;;
      wasm) modules && wasm ;;
      *) refuse "reproduce [wasm]: '$1' is neither all nor the modules" ;;
    esac
    REPRODUCE=${1:-npm} run reproduce
    ;;
  native) need make gcc clang && make_c native ${1:+NATIVE="$*"} ;;
  msan) need make clang && make_c msan ;;
  # shellcheck disable=SC2046 # several words on purpose
  valgrind) need make gcc valgrind && make_c $(targets run-valgrind-0- valgrind "$@") ;;
  exhaustive) need make gcc && make_c $([ "${1:-}" = share ] && echo run-optimized-half_test || echo exhaustive) ;;
  fuzz)
    is_count "${1:-60}" || refuse "fuzz [seconds [name…]]: '$1' is no number of seconds"
    all=$(find tests/fuzz -name '*_fuzz.c' -exec basename -as _fuzz.c {} + | sort | xargs)
    for name in "${@:2}"; do
      [[ " $all " == *" $name "* ]] || refuse "no fuzz target '$name'; there are: $all"
    done
    need make clang && need_node && make_c fuzz FUZZ_SECONDS="${1:-60}" FUZZ="${*:2}"
    ;;
  test) run_tests "$@" ;;
  repeat)
    is_count "${1:-}" || refuse 'repeat N [name…]: N times the named tests, or all'
    for ((i = 1; i <= $1; i++)); do echo "== run $i of $1" && run_tests "${@:2}"; done
    ;;
  bench) need chromium Firefox WebKitGTK && package && modules tests/bench && engines && run bench -- "$@" ;;
  examples)
    [ $# -gt 0 ] || need hugo jekyll pandoc chromium
    engines && package && mkdir -p build/examples
    cp web/examples/*.js web/examples/package*.json web/examples/.npmrc build/examples
    if [ $# -eq 0 ]; then modules build/examples; else depend_on_these build/examples "$@"; fi
    (cd build/examples && npm install --no-save --no-audit --no-fund --loglevel=error ../../dist/attention-lab-*.tgz)
    if [ $# -eq 0 ]; then run examples; else node tests/run.js --named "$1" tests/examples/examples.test.js; fi
    ;;
  properties)
    is_count "${1:-45}" || refuse "properties [factor [path…]]: '$1' is no whole number"
    [ $# -gt 1 ] || set -- "${1:-45}" tests/js
    modules && wasm && PROPERTY_FACTOR=$1 run properties -- "${@:2}"
    ;;
  mutate) need clang && modules && modules tests/engines && wasm && CC=$(path_of clang) run mutate -- "$@" ;;
  coverage)
    need make clang llvm && modules && wasm
    if [ $# -gt 0 ]; then
      coverage_of "$1"
    else
      need chromium && engines
      export BROWSER_COVERAGE=build/coverage-browser
      rm -rf $BROWSER_COVERAGE && site && run coverage
    fi
    ;;
  size) package && run size ;;
  lighthouse) need chromium && engines && site && modules tests/lighthouse && node tests/lighthouse/run.js "$@" ;;
  clean) rm -rf build dist && find web -path '*/generated/*' ! -name simd.js ! -name relaxed.js ! -name fallback.js -delete ;;
  *) help >&2 && refuse "no target '$target'" ;;
esac
