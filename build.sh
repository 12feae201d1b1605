#!/usr/bin/env bash
# One entry to build, serve, test and measure attention-lab. `./build.sh help` lists the targets.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

BUILD=build
GENERATED=web/attention/kernel/generated
SOURCES=(c/*.c)
WARNINGS=(-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes
  -Wdouble-promotion -Werror -ffp-contract=off)
# shellcheck disable=SC2054 # the comma is the option's
SANITIZE=(-g -O2 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all)
TESTS=(format lint types native js package browser engines faults size)

target_help() {
  cat <<TXT
./build.sh TARGET
  serve           build and serve the page; prints its address (PORT, default 4173)
  site            dist/site: the static page, embeds and one-file bundles (SITE_URL, where it will be read)
  wasm            the kernel: WebAssembly SIMD, relaxed SIMD and the JavaScript fallback, inlined as modules
  npm             dist/npm: the package with types, and its tarball
  consumers       the tarball in runtimes, bundlers, frameworks and compilers (minutes); prints a table
  reproduce       everything built once more in another folder and compared byte by byte
  native [cc…]    the C tests with gcc and clang under ASan and UBSan
  msan, valgrind  the same under MemorySanitizer (part of test native) and under valgrind
  test [name…]    everything, or the named parts: ${TESTS[*]}
  repeat N name…  the named tests N times, to the first failure (ENGINES=Chromium,Firefox names
                  the engines of the tests of engines, if not all)
  bench [option…] every goal of speed and size, against peers, in Node, Chromium and Firefox
                  (--quick, --engine NAME, --json FILE)
  examples        the examples and recipes, with the libraries, generators and frameworks they are for
  exhaustive      exp, log, tanh and 16-bit rounding over every float32 (minutes)
  fuzz [seconds [name…]]  libFuzzer on the entry points in C, 60 seconds each unless told
  properties [factor]     the random cases of the tests, 45 times as many unless told: above 10⁶
  mutate [option…] mistakes in c/ and web/attention/ that tests do not notice (--count, --seed, files)
  coverage        lines and branches that tests reach, of C and of JavaScript in Node and Chromium
  size            sizes against their budgets
  lighthouse [observed]  the article as a phone on a slow network gets it, against its goals
  clean           remove everything generated
It installs what is missing where it may (Debian, Ubuntu as root or with sudo), and else says how.
TXT
}

# usage TEXT…: how a target is called, and the end of all.
usage() {
  echo "build.sh: $*" >&2
  exit 2
}

is_count() { [[ $1 =~ ^[1-9][0-9]*$ ]]; }

# ---- what is needed -------------------------------------------------------------------------

# The Debian names carry a version, other systems' do not.
first_of() {
  local command
  for command in "$@"; do
    command -v "$command" && return
  done
  echo "$1"
}

have() {
  local command
  for command in "$@"; do
    command -v "$command" || return
  done
}

# can_have PACKAGES PROBE…: whether the command PROBE… succeeds, if need be after installing
# Debian packages.
can_have() {
  local packages=$1 as_root='env'
  shift
  "$@" >/dev/null 2>&1 && return
  [ "$(id -u)" -eq 0 ] || as_root='sudo -n'
  command -v apt-get >/dev/null && $as_root true 2>/dev/null || return
  echo "installing $packages" >&2
  # A mirror may fail once, and a fresh machine may be installing updates.
  local patient=(-qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300)
  $as_root apt-get "${patient[@]}" update >&2
  # shellcheck disable=SC2086 # several words on purpose
  $as_root DEBIAN_FRONTEND=noninteractive apt-get "${patient[@]}" install -y --no-install-recommends \
    $packages >/dev/null
  hash -r
  "$@" >/dev/null 2>&1
}

# need PACKAGES PROBE…: as can_have, and the end of all if not.
need() {
  local packages=$1 elsewhere
  can_have "$@" && return
  elsewhere=${packages%% *} elsewhere=${elsewhere%-1[0-9]}
  cat >&2 <<TXT
attention-lab needs $elsewhere. Install it with one of
  Debian, Ubuntu:  sudo apt-get install $packages
  Fedora:          sudo dnf install $elsewhere
  macOS:           brew install $elsewhere
For emscripten an emsdk on the PATH serves as well.
TXT
  exit 1
}

# Engines that could not be had, for the last lines of a test run.
NOT_RUN=()

# want ENGINE PACKAGES PROBE…: as can_have, and if not, a note.
want() {
  local engine=$1
  shift
  can_have "$@" && return
  NOT_RUN+=("$engine (Debian packages: $1)")
  false
}

need_emscripten() {
  # An emsdk has wasm2js in a folder beside that of emcc.
  have emcc >/dev/null && PATH="$PATH:$(dirname "$(command -v emcc)")/../bin"
  need emscripten have emcc wasm2js wasm-metadce
}

have_any() { have "$(first_of "$@")"; }

# Fused multiply-add got its final opcodes after Debian's emcc (3.1.6).
emcc_is_new() {
  local version
  version=$(emcc --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
  printf '%s\n' 3.1.69 "$version" | sort -VC
}

clang_can_sanitize() {
  echo 'int main(void) { return 0; }' | "$(first_of clang-14 clang)" -fsanitize=address,undefined -x c - -o /dev/null
}

need_clang() {
  need 'clang-14 libclang-rt-14-dev' clang_can_sanitize
  CLANG=$(first_of clang-14 clang)
}

need_chromium() {
  need 'chromium fonts-dejavu-core' have_any chromium chromium-browser google-chrome
  CHROMIUM=$(first_of chromium chromium-browser google-chrome)
  export CHROMIUM
}

# The same engine without windows takes half the processor's time for a page. Where Debian's package
# cannot be had the whole browser serves, as it does in tests of faults.
need_headless() {
  need_chromium
  if can_have chromium-headless-shell have chromium-headless-shell; then
    CHROMIUM=$(command -v chromium-headless-shell)
  fi
}

# The engines of tests/engines/driver.js, which takes an empty variable for a missing engine.
want_engines() {
  NOT_RUN=()
  [ -z "${ENGINES:-}" ] || NOT_RUN+=("engines that ENGINES does not name: $ENGINES")
  need_chromium
  need_modules tests/engines
  want Firefox firefox-esr have_any firefox-esr firefox &&
    FIREFOX=$(first_of firefox-esr firefox) || FIREFOX=
  want WebKitGTK 'webkit2gtk-driver xvfb' have WebKitWebDriver Xvfb &&
    WEBKIT_DRIVER=$(command -v WebKitWebDriver) || WEBKIT_DRIVER=
  NEWEST_NODE=$(echo "$PWD"/tests/engines/node_modules/node-*/bin/node)
  [ -x "$NEWEST_NODE" ] || { NOT_RUN+=('the newest Node (npm has it for Linux only)') NEWEST_NODE=; }
  export FIREFOX WEBKIT_DRIVER NEWEST_NODE
}

# What Vite needs; the package runs in older ones.
node_is_new() { printf '%s\n' 20.19.0 "$(node -p process.versions.node)" | sort -VC; }

need_node() {
  have node npm >/dev/null && node_is_new && return
  echo 'attention-lab needs Node.js 20.19 or newer with npm: https://nodejs.org' >&2
  exit 1
}

# alone COMMAND…: one at a time in this clone; who has waited finds fresh what another has built.
alone() {
  if ! have flock >/dev/null; then
    "$@"
    return
  fi
  mkdir -p "$BUILD"
  (
    flock -n 9 || { echo 'waiting for another build.sh in this folder' >&2 && flock 9; }
    "$@"
  ) 9>"$BUILD/lock"
}

# need_modules [FOLDER]: what FOLDER/package.json names.
need_modules() {
  need_node
  alone install_modules "${1:-.}"
}

# A lock file made on one platform may miss another's optional binaries: then install afresh.
install_modules() {
  local folder=$1 stamp=$1/node_modules/.package-lock.json
  [ -e "$stamp" ] && [ ! "$folder/package-lock.json" -nt "$stamp" ] && return
  (
    cd "$folder"
    npm ci --no-audit --no-fund --loglevel=error >&2 ||
      npm install --no-audit --no-fund --no-save --loglevel=error >&2
  )
  touch "$stamp"
}

# is_fresh FILE SOURCE…: whether FILE is newer than every file and folder of the sources, which change when a file goes.
is_fresh() {
  local file=$1
  shift
  [ -e "$file" ] && [ -z "$(find "$@" -newer "$file" -print -quit)" ]
}

# ---- kernel ---------------------------------------------------------------------------------

# -O3 would be a tenth larger and not faster, and so would be code twice for the values of a condition:
# of loops (unswitching), of what follows a branch (jump threading), of what is partly known already.
SMALL=(-O2 -mllvm -unswitch-threshold=0 -mllvm -jump-threading-threshold=0 -mllvm -enable-pre=false)

# link_wasm OUT EXPORTS FLAG…: one wasm module without imports, of C sources.
link_wasm() {
  local out=$1 exports=$2
  shift 2
  # Stages of the kernel stay functions of their own: put back into one loop, a long first call
  # would spend its life in an engine's baseline code.
  emcc "${WARNINGS[@]}" "${SMALL[@]}" -o "$out" --no-entry \
    -sTOTAL_STACK=65536 -sINITIAL_MEMORY=131072 -sALLOW_MEMORY_GROWTH=1 \
    -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=1 \
    -sEXPORTED_FUNCTIONS="$exports" -Wl,--export=__heap_base "$@"
  # emcc exports more, for JavaScript of its own.
  tr , '\n' <<<"$exports,_memory,___heap_base" |
    sed -E 's/^_(.*)/{"name":"\1","export":"\1","root":true}/' | paste -sd, - | sed 's/.*/[&]/' >"$out.json"
  # Names of functions stay where EMCC_CFLAGS asks for them, as CONTRIBUTING.md does to profile.
  wasm-metadce "$out" ${EMCC_CFLAGS:+-g} --all-features --graph-file="$out.json" -o "$out" >/dev/null
  rm "$out.json"
}

# link_relaxed OUT EXPORTS SOURCE…: the same with fused multiply-add. Where emcc is too old for it,
# by clang with emcc's headers; linked by hand, because clang would run emcc's wasm-opt, too old as well.
link_relaxed() {
  local out=$1 exports=$2 objects="$BUILD/relaxed"
  local features=(-msimd128 -mrelaxed-simd -mbulk-memory) strip=all
  [ -z "${EMCC_CFLAGS:-}" ] || strip=debug # as above
  shift 2
  if emcc_is_new; then
    link_wasm "$out" "$exports" "${features[@]}" -sMAXIMUM_MEMORY=4294967296 "$@"
    return
  fi
  need 'clang-19 lld-19' have clang-19 wasm-ld-19
  rm -rf "$objects"
  mkdir -p "$objects"
  printf '%s\n' "$@" | xargs -P 2 -I{} sh -c '"$@" -o "$0/$(basename {}).o"' "$objects" \
    clang-19 --target=wasm32-unknown-emscripten "--sysroot=$(em-config CACHE)/sysroot" \
    "${WARNINGS[@]}" "${features[@]}" "${SMALL[@]}" -mllvm -disable-lsr -c {}
  # shellcheck disable=SC2046 # a word for each function
  wasm-ld-19 --no-entry --strip-$strip --compress-relocations -z stack-size=65536 \
    --initial-memory=131072 --max-memory=4294967296 --export=__heap_base \
    $(echo ",$exports" | sed 's/,_/ --export=/g') -o "$out" "$objects"/*.o
}

# build_modules DIRECTORY NAME EXPORTS SOURCE…: NAME.wasm with SIMD, and NAME-plain.wasm without,
# which wasm2js turns into NAME-plain.js.
build_modules() {
  local base="$1/$2" exports=$3
  shift 3
  mkdir -p "$(dirname "$base")"
  link_wasm "$base.wasm" "$exports" -msimd128 -mbulk-memory -sMAXIMUM_MEMORY=4294967296 "$@"
  link_wasm "$base-plain.wasm" "$exports" -sMAXIMUM_MEMORY=2147418112 "$@"
  wasm2js -O2 "$base-plain.wasm" -o "$base-plain.js"
}

# All that attn.h declares.
exported_functions() {
  grep -oE '\battn_[a-z0-9_]+\(' c/attn.h | tr -d '(' | sort -u | sed 's/^/_/' | paste -sd, -
}

target_wasm() {
  need_node
  need_emscripten
  alone build_wasm
}

build_wasm() {
  is_fresh "$GENERATED/fallback.js" build.sh c web/build/e*-kernel.js web/attention/kernel/decode.js && return
  mkdir -p "$BUILD" "$GENERATED"
  touch "$BUILD/began"
  build_modules "$BUILD" kernel "$(exported_functions)" "${SOURCES[@]}"
  link_relaxed "$BUILD/kernel-relaxed.wasm" "$(exported_functions)" "${SOURCES[@]}"
  node web/build/embed-kernel.js "$BUILD" "$GENERATED"
  # What is changed meanwhile is not in it.
  touch -r "$BUILD/began" "$GENERATED/fallback.js"
}

# ---- site and package -----------------------------------------------------------------------

target_site() {
  need_modules
  target_wasm
  alone build_site
}

build_site() {
  local made="${SITE_URL:-}${BROWSER_COVERAGE:+ for coverage}"
  is_fresh dist/site/built build.sh package-lock.json web &&
    [ "$(cat dist/site/built)" = "$made" ] && return
  mkdir -p "$BUILD"
  touch "$BUILD/began"
  node web/build/site.js
  echo "$made" >dist/site/built
  touch -r "$BUILD/began" dist/site/built # as above
}

# The packed package in runtimes, bundlers, frameworks and compilers, about a gigabyte of tools, which
# are installed in a temporary folder.
target_consumers() {
  need_chromium
  target_npm
  node --test --test-reporter=spec tests/package/consumers/consumers.js
}

# Builds once more, in another folder.
target_reproduce() {
  target_npm
  node --test --test-reporter=spec tests/package/rebuild.js
}

target_serve() {
  target_site
  exec node web/build/serve.js
}

target_npm() {
  target_site
  alone node web/build/package.js
}

# ---- tests ----------------------------------------------------------------------------------

# build_native FOLDER CC FLAG…: in FOLDER every tests/c/*_test.c and every fuzz target with the
# driver that replays its corpus, each a program of its own with the whole library.
build_native() {
  local folder="$BUILD/$1" objects
  shift
  rm -rf "$folder"
  mkdir -p "$folder"
  printf '%s\n' "${SOURCES[@]##*/}" | xargs -P 2 -I{} "$@" "${WARNINGS[@]}" -c c/{} -o "$folder/{}.o"
  objects=("$folder"/*.o)
  basename -as .c tests/c/*_test.c | xargs -P 2 -I{} \
    "$@" "${WARNINGS[@]}" -Ic tests/c/{}.c "${objects[@]}" -lm -o "$folder/{}"
  basename -as .c tests/fuzz/*_fuzz.c | xargs -P 2 -I{} \
    "$@" "${WARNINGS[@]}" -Ic -Itests/c tests/fuzz/{}.c tests/fuzz/replay.c "${objects[@]}" -lm -o "$folder/{}"
}

# run_native FOLDER [COMMAND…]: runs all of these programs, two at a time, under COMMAND if there is one.
run_native() {
  local folder="$BUILD/$1"
  shift
  # shellcheck disable=SC2016 # for the inner shell
  printf '%s\n' "$folder"/*_test "$folder"/*_fuzz | xargs -P 2 -I{} sh -ec '
    program=$0 input=/dev/null
    case $program in *_fuzz) input=tests/fuzz/corpus/$(basename "$program" _fuzz).txt ;; esac
    echo "$program"
    "$@" "$program" <"$input"' {} "$@"
}

target_native() {
  need gcc have gcc
  need_clang
  local cc fused=0
  [ $# -gt 0 ] || set -- gcc "$CLANG"
  for cc in "$@"; do
    build_native "native-$(basename "$cc")" "$cc" "-DF32X4_FUSED=$fused" "${SANITIZE[@]}"
    run_native "native-$(basename "$cc")"
    fused=1 # as in the relaxed module, whose memory no sanitizer sees
  done
}

# Numbers that were never written and decide something.
target_msan() {
  need_clang
  if ! echo 'int main(void) { return 0; }' | "$CLANG" -fsanitize=memory -x c - -o /dev/null; then
    echo "NOT RUN: the tests under MemorySanitizer, which $CLANG lacks on this machine" >&2
    return
  fi
  local fused
  for fused in 0 1; do
    build_native "msan-$fused" "$CLANG" -DF32X4_FUSED=$fused -DHARNESS_MSAN -g -O1 -fno-omit-frame-pointer \
      -fsanitize=memory -fsanitize-memory-track-origins -fno-sanitize-recover=all
    run_native "msan-$fused"
  done
}

# The same in gcc's optimised code, and the heap.
target_valgrind() {
  need gcc have gcc
  need valgrind have valgrind
  local fused
  for fused in 0 1; do
    build_native "valgrind-$fused" gcc -DF32X4_FUSED=$fused -DHARNESS_VALGRIND -g -O2
    run_native "valgrind-$fused" valgrind --quiet --error-exitcode=1 --leak-check=full
  done
}

# Lines and branches that the tests reach: of C by the native tests, of JavaScript by Node's and by
# those in Chromium, for which the site is built as it is written; whoever next needs it builds it again.
target_coverage() {
  need_clang
  need llvm-14 have_any llvm-cov-14 llvm-cov
  need_chromium
  need_modules
  target_wasm
  local fused folder programs
  for fused in 0 1; do # as in the relaxed module
    folder="$BUILD/coverage-$fused"
    build_native "coverage-$fused" "$CLANG" -DF32X4_FUSED=$fused -O0 -fprofile-instr-generate -fcoverage-mapping
    LLVM_PROFILE_FILE="$folder/%p.profraw" run_native "coverage-$fused"
    "$(first_of llvm-profdata-14 llvm-profdata)" merge -o "$folder/c.profdata" "$folder"/*.profraw
    programs=("$folder"/*_test "$folder"/*_fuzz)
    "$(first_of llvm-cov-14 llvm-cov)" export -format=lcov -instr-profile "$folder/c.profdata" \
      "${programs[0]}" "${programs[@]/#/-object=}" >"$folder/c.lcov"
  done
  find tests/js -name '*.test.js' -print0 | sort -z |
    xargs -0 node --test --test-concurrency=2 --experimental-test-coverage \
      --test-reporter=dot --test-reporter-destination=stdout \
      --test-reporter=lcov --test-reporter-destination="$BUILD/js.lcov"
  export BROWSER_COVERAGE="$BUILD/coverage-browser"
  rm -rf "$BROWSER_COVERAGE"
  target_site
  node_tests tests/browser
  node tests/coverage.js "$BUILD"/coverage-[01]/c.lcov "$BUILD/js.lcov" "$BROWSER_COVERAGE"/*.lcov
}

# The program of tests/c/identity.c in every build of the library; identity.test.js compares.
build_identity() {
  local cc out="$BUILD/identity" sources=(tests/c/identity.c "${SOURCES[@]}")
  is_fresh "$out/identity-plain.js" build.sh c tests/c/identity.c && return
  mkdir -p "$out"
  for cc in gcc "$CLANG"; do
    "$cc" "${WARNINGS[@]}" -O2 -DIDENTITY_MAIN -Ic "${sources[@]}" -lm -o "$out/$(basename "$cc")"
  done
  build_modules "$out" identity _identity_hash,_identity_groups -Ic "${sources[@]}" # the last is its stamp
}

# node_tests DIRECTORY: Node's test runner on every *.test.js below.
node_tests() {
  find "$1" -name node_modules -prune -o -name '*.test.js' -print0 | xargs -0 node tests/run.js
}

test_format() {
  need clang-format-14 have_any clang-format-14 clang-format
  find c tests -name node_modules -prune -o -name '*.[ch]' -print0 |
    xargs -0 "$(first_of clang-format-14 clang-format)" --dry-run -Werror
  npx prettier --check --log-level warn .
}

test_lint() {
  npx eslint --max-warnings 0 .
  need clang-tidy-14 have_any clang-tidy-14 clang-tidy
  printf '%s\n' "${SOURCES[@]}" | xargs -P 2 -I{} \
    "$(first_of clang-tidy-14 clang-tidy)" --quiet --warnings-as-errors='*' {} -- -std=c11 -Ic
}

test_types() {
  need_modules tests/engines
  npx tsc -p tsconfig.json
}

test_native() {
  target_native
  target_msan
  build_identity
  node_tests tests/c
}

test_js() { node_tests tests/js; }

test_package() {
  need_chromium
  target_npm
  node_tests tests/package
}

test_browser() {
  need_headless
  target_site
  node_tests tests/browser
}

test_faults() {
  want_engines
  target_site
  node_tests tests/faults
}

test_engines() {
  want_engines
  need_headless
  need gcc have gcc
  need_clang
  build_identity
  target_site
  node_tests tests/engines
}

# What they are tried with is installed in a folder of its own, which a test does not need.
target_examples() {
  local folder=$BUILD/examples
  need hugo have hugo
  need jekyll have jekyll
  need_chromium
  target_npm
  mkdir -p "$folder"
  cp web/examples/*.js web/examples/package*.json web/examples/.npmrc "$folder"
  need_modules "$folder"
  (cd "$folder" && npm install --no-save --no-audit --no-fund --loglevel=error ../../dist/attention-lab-*.tgz)
  node_tests tests/examples
}

test_size() { target_size; }

target_test() {
  local names=("$@") name
  [ ${#names[@]} -gt 0 ] || names=("${TESTS[@]}")
  for name in "${names[@]}"; do
    [ "$(type -t "test_$name")" = function ] || usage "no test '$name'; there are: ${TESTS[*]}"
  done
  need_modules
  target_wasm
  for name in "${names[@]}"; do
    echo "== $name"
    "test_$name"
  done
  echo "all of: ${names[*]}: passed in ${SECONDS} s"
  [ ${#NOT_RUN[@]} -eq 0 ] || printf 'NOT RUN: %s\n' "${NOT_RUN[@]}"
}

# Flakes are looked for here; no test is tried again.
target_repeat() {
  local times=${1:-} run
  is_count "$times" || usage 'repeat N [name…]: N times the named tests, or all'
  shift
  for ((run = 1; run <= times; run++)); do
    echo "== run $run of $times"
    target_test "$@"
  done
}

# ---- measuring ------------------------------------------------------------------------------

target_bench() {
  target_npm
  need_modules tests/bench
  want_engines
  node tests/bench/bench.js "$@"
}

# The bounds of vmath.h and the rounding of half.c, without sanitizers, which would take hours.
target_exhaustive() {
  need gcc have gcc
  local name
  for name in vmath_exp vmath_log_tanh half; do
    gcc "${WARNINGS[@]}" -O2 -Ic "tests/c/${name}_test.c" "${SOURCES[@]}" -lm -o "$BUILD/$name-exhaustive"
    echo "$name"
    "$BUILD/$name-exhaustive" exhaustive
  done
}

# Begins with the committed corpus and what earlier runs found; an input that fails stays beside them.
target_fuzz() {
  local seconds=${1:-60} name out="$BUILD/fuzz" names=("${@:2}") all
  mapfile -t all < <(basename -as _fuzz.c tests/fuzz/*_fuzz.c)
  # What is no number libFuzzer takes for 0, which is without end.
  is_count "$seconds" || usage "fuzz [seconds [name…]]: '$seconds' is no number of seconds"
  for name in "${names[@]}"; do
    [ -e "tests/fuzz/${name}_fuzz.c" ] || usage "no fuzz target '$name'; there are: ${all[*]}"
  done
  [ ${#names[@]} -gt 0 ] || names=("${all[@]}")
  need_clang
  need_node
  mkdir -p "$out"
  for name in "${names[@]}"; do
    "$CLANG" "${WARNINGS[@]}" "${SANITIZE[@]}" -fsanitize=fuzzer -Ic -Itests/c \
      "tests/fuzz/${name}_fuzz.c" "${SOURCES[@]}" -lm -o "$out/$name"
    node tests/fuzz/corpus.js unpack "tests/fuzz/corpus/$name.txt" "$out/$name.corpus"
    "$out/$name" -max_len=64 -max_total_time="$seconds" -print_final_stats=1 \
      -artifact_prefix="$out/$name-" "$out/$name.corpus" >"$out/$name.log" 2>&1 ||
      { tail -n 40 "$out/$name.log" >&2 && exit 1; }
    echo "$name: $(sed -n 's/.*executed_units: *//p' "$out/$name.log") executions"
  done
}

# Mistakes in the kernel and the package that their tests do not notice: [--count=N] [--seed=N] [file…].
target_mutate() {
  need_clang
  need_modules
  target_wasm
  CC=$CLANG node tests/mutation/mutate.js "$@"
}

# The properties of tests/js on many more cases than a test run tries, 45 times as many unless told.
target_properties() {
  is_count "${1:-45}" || usage "properties [factor]: '$1' is no whole number"
  need_modules
  target_wasm
  local log="$BUILD/properties.log"
  grep -rlZ runs.js tests/js --include='*.test.js' | PROPERTY_FACTOR="${1:-45}" xargs -0 \
    node --test --test-concurrency=2 --test-reporter=spec | tee "$log"
  awk '/property cases$/ { sum += $(NF - 2) } END { print sum " property cases in all" }' "$log"
}

target_size() {
  target_npm
  node web/build/size.js
}

# Lighthouse has a folder of its own: a normal install does not fetch it.
target_lighthouse() {
  need_chromium
  target_site
  (cd tests/lighthouse && npm ci --no-audit --no-fund --loglevel=error >&2)
  node tests/lighthouse/run.js "$@"
}

target_clean() { rm -rf "$BUILD" dist "$GENERATED"; }

target=${1:-help}
case $target in -h | --help) target=help ;; esac
[ $# -gt 0 ] && shift
if [ "$(type -t "target_$target")" != function ]; then
  echo "build.sh: no target '$target'" >&2
  target_help >&2
  exit 2
fi
"target_$target" "$@"
