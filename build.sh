#!/usr/bin/env bash
# One entry to build, serve, test and measure attention-lab. `./build.sh help` lists the targets.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

BUILD=build
GENERATED=web/attention/kernel/generated
SOURCES=(c/*.c)
WARNINGS=(-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes
  -Wdouble-promotion -Werror -ffp-contract=off)

help() {
  cat <<'TXT'
./build.sh TARGET
  serve          build and serve the page; prints its address (PORT, default 4173)
  site           dist/site: the static page, embeds and one-file bundles
  wasm           the kernel: WebAssembly SIMD and its JavaScript fallback, inlined as modules
  npm            dist/npm: the package, with types, ready for `npm pack`
  native [cc…]   the C tests with gcc and clang under ASan and UBSan
  test [name…]   everything: format, lint, types, C, JavaScript, browser. A name is one of:
                 format lint types native js browser package size
  bench          kernel speed in Node as a share of the measured peak
  fuzz [seconds] libFuzzer on the C entry points (default 60 seconds each)
  size           sizes against their budgets
  clean          remove everything generated
TXT
}

# ---- what is needed -------------------------------------------------------------------------

# need PACKAGES COMMAND…: installs Debian packages unless every command is there.
need() {
  local packages=$1 missing=() command
  shift
  for command in "$@"; do
    command -v "$command" >/dev/null || missing+=("$command")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo -n)
  if command -v apt-get >/dev/null && { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }; then
    echo "installing $packages" >&2
    "${sudo[@]}" apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends $packages >/dev/null
    return
  fi
  cat >&2 <<TXT
attention-lab needs: ${missing[*]}. Install it with one of
  Debian, Ubuntu:  sudo apt-get install $packages
  Fedora:          sudo dnf install ${packages//-14/}
  macOS:           brew install ${packages//-14/}
An emsdk on the PATH serves as well for emcc.
TXT
  exit 1
}

need_node() {
  if ! command -v node >/dev/null || [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 20 ]; then
    echo 'attention-lab needs Node.js 20 or newer: https://nodejs.org' >&2
    exit 1
  fi
}

# A lock file made on one platform may miss another's optional binaries: then install afresh.
need_modules() {
  need_node
  [ node_modules/.package-lock.json -nt package-lock.json ] && return
  npm ci --no-audit --no-fund --loglevel=error >&2 ||
    npm install --no-audit --no-fund --no-save --loglevel=error >&2
  touch node_modules/.package-lock.json
}

# ---- kernel ---------------------------------------------------------------------------------

exported_functions() { grep -oE '\battn_[a-z_]+\(' c/attn.h | tr -d '(' | sort -u; }

# compile OUT FLAG…: one wasm module from all sources, exporting what attn.h declares.
compile() {
  local out=$1 exports
  shift
  exports=$(exported_functions | sed 's/^/_/' | paste -sd,)
  emcc "${WARNINGS[@]}" -O3 "$@" "${SOURCES[@]}" -o "$out" --no-entry \
    -sTOTAL_STACK=65536 -sINITIAL_MEMORY=131072 -sALLOW_MEMORY_GROWTH=1 \
    -sEXPORTED_FUNCTIONS="$exports" -Wl,--export=__heap_base
}

wasm() {
  need_node
  need 'emscripten' emcc wasm2js
  mkdir -p "$BUILD" "$GENERATED"
  if [ "$GENERATED/fallback.js" -nt build.sh ] &&
    [ -z "$(find c web/build/embed-kernel.js -newer "$GENERATED/fallback.js" -print -quit)" ]; then
    return
  fi
  compile "$BUILD/kernel.wasm" -msimd128 -sMAXIMUM_MEMORY=4294967296
  compile "$BUILD/fallback.wasm" -sMAXIMUM_MEMORY=2147418112
  wasm2js -O2 "$BUILD/fallback.wasm" -o "$BUILD/fallback.js"
  node web/build/embed-kernel.js "$BUILD" "$GENERATED"
}

# ---- native ---------------------------------------------------------------------------------

# Every tests/c/*_test.c is a program of its own, linked with the whole library.
native() {
  need 'gcc clang-14 libclang-rt-14-dev' gcc clang-14
  local compilers=("$@") cc test name
  [ ${#compilers[@]} -gt 0 ] || compilers=(gcc clang-14)
  for cc in "${compilers[@]}"; do
    mkdir -p "$BUILD/native-$cc"
    for test in tests/c/*_test.c; do
      name=$(basename "$test" .c)
      "$cc" "${WARNINGS[@]}" -g -O2 -fno-omit-frame-pointer \
        -fsanitize=address,undefined -fno-sanitize-recover=all -Ic \
        "$test" "${SOURCES[@]}" -lm -o "$BUILD/native-$cc/$name"
      echo "$cc $name"
      "$BUILD/native-$cc/$name"
    done
  done
}

clean() { rm -rf "$BUILD" dist "$GENERATED"; }

target=${1:-help}
[ $# -gt 0 ] && shift
case $target in
serve | site | wasm | npm | native | test | bench | fuzz | size | clean | help) "$target" "$@" ;;
*)
  echo "build.sh: no target '$target'" >&2
  help >&2
  exit 2
  ;;
esac
