#!/usr/bin/env bash
# The front door: builds, serves, tests and measures attention-lab. `./build.sh help` lists the targets.
# c/Makefile builds C, the scripts of package.json the rest; web/build/install.sh installs the tools.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source web/build/install.sh

help() {
  cat <<'TXT'
./build.sh TARGET
  serve           build and serve the page; prints its address (PORT, default 4173)
  dev             the sources as a page that reloads when a file is saved (PORT, default 5173)
  site            dist/site: the static page, embeds and one-file bundles (SITE_URL, where it will be read)
  wasm            compiles the kernel: WebAssembly SIMD, relaxed SIMD and the JavaScript fallback, as modules to commit
  npm             dist/npm: the package with types, and its tarball
  consumers [name…] the tarball in runtimes, bundlers, frameworks and compilers (minutes); prints a table
  reproduce       everything, built once more in another folder and compared byte by byte
  native [cc…]    the C tests with gcc and clang under ASan and UBSan
  msan, valgrind  the same under MemorySanitizer and under valgrind
  test [name…]    what a newcomer relies on, or the named parts:
                  native js lint types format package smoke
  test all        the same, unless it has passed since the last change, and the rest:
                  slow tidy msan recorded browser engines faults size
  test quick      what needs Node alone: js with a fifth of the random cases, lint, types, format
  repeat N name…  the named tests N times, to the first failure (ENGINES=Chromium,Firefox: in these engines)
  bench [option…] every goal of speed and size, against peers (--quick, --engine NAME, --json FILE)
  examples        the examples and recipes, with the libraries, generators and frameworks they are for
  exhaustive      exp, log, tanh and 16-bit rounding over every float32 (minutes)
  fuzz [seconds [name…]]  libFuzzer on the entry points in C, by default for 60 seconds each
  properties [factor [path…]]  the random cases of the tests, by default 45 times as many: above 10⁶
  mutate [option…] mistakes in c/, web/attention/ and web/diagnosis/ that tests do not notice (--count, --seed, --near, files)
  coverage        lines and branches that tests reach, of C and of JavaScript in Node and Chromium
  size            sizes against their budgets
  lighthouse [observed]  the article on a phone with a slow network, against its goals
  clean           remove everything generated
It installs missing tools on Debian and Ubuntu as root or with sudo, and elsewhere prints how to.
TXT
}

refuse() { echo "build.sh: $*" >&2 && exit 2; }
is_count() { [[ $1 =~ ^[1-9][0-9]*$ ]]; }
run() { npm run --silent "$@"; }
make_c() { make --no-print-directory -C c "$@"; }
wasm() { modules && need make emscripten clang-19 && alone build make_c wasm; }
# The committed modules serve where nothing that they are made of has changed, so most machines need no compiler.
kernel() { modules && { node web/build/compiled.js check || wasm; } && alone build run texts; }
site() { kernel && alone build build_site; }
package() { site && alone build run package; }

# Builds the site unless it is newer than its sources. The stamp has the date at which the build began.
build_site() {
  local stamp=dist/site/built made="${SITE_URL:-}${BROWSER_COVERAGE:+ for coverage}"
  [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$made" ] &&
    [ -z "$(find build.sh package-lock.json web -newer "$stamp" -print -quit)" ] && return
  touch build/began && run site && echo "$made" >"$stamp" && touch -r build/began "$stamp"
}

target=${1:-help}
[ $# -eq 0 ] || shift
case $target in
  help | -h | --help) help ;;
  serve) site && exec node web/build/serve.js ;;
  dev) kernel && run dev ;;
  wasm) wasm && node web/build/compiled.js record && run texts ;;
  site) site ;;
  npm) package ;;
  consumers) need chromium && package && CONSUMERS="$*" run consumers ;;
  reproduce) package && run reproduce ;;
  native) need make gcc clang && make_c native ${1:+NATIVE="$*"} ;;
  msan) need make clang && make_c msan ;;
  valgrind) need make gcc valgrind && make_c valgrind ;;
  exhaustive) need make gcc && make_c exhaustive ;;
  fuzz)
    is_count "${1:-60}" || refuse "fuzz [seconds [name…]]: '$1' is no number of seconds"
    need make clang && need_node && make_c fuzz FUZZ_SECONDS="${1:-60}" FUZZ="${*:2}"
    ;;
  test) source tests/parts.sh && run_tests "$@" ;;
  repeat)
    is_count "${1:-}" || refuse 'repeat N [name…]: N times the named tests, or all'
    source tests/parts.sh
    for ((i = 1; i <= $1; i++)); do echo "== run $i of $1" && run_tests "${@:2}"; done
    ;;
  bench) need chromium Firefox WebKitGTK && package && modules tests/bench && engines && run bench -- "$@" ;;
  examples)
    need hugo jekyll pandoc chromium && engines && package && mkdir -p build/examples
    cp web/examples/*.js web/examples/package*.json web/examples/.npmrc build/examples
    modules build/examples && run examples
    ;;
  properties)
    is_count "${1:-45}" || refuse "properties [factor [path…]]: '$1' is no whole number"
    [ $# -gt 1 ] || set -- "${1:-45}" tests/js
    kernel && PROPERTY_FACTOR=$1 run properties -- "${@:2}"
    ;;
  mutate) need clang && modules tests/engines && wasm && kernel && CC=$(path_of clang) run mutate -- "$@" ;;
  coverage)
    export BROWSER_COVERAGE=build/coverage-browser
    need make clang llvm chromium && engines && rm -rf $BROWSER_COVERAGE && site && run coverage
    ;;
  size) package && run size ;;
  lighthouse) need chromium && engines && site && modules tests/lighthouse && node tests/lighthouse/run.js "$@" ;;
  clean) rm -rf build dist && find web -path '*/generated/*' ! -name simd.js ! -name relaxed.js ! -name fallback.js -delete ;;
  *) help >&2 && refuse "no target '$target'" ;;
esac
