# The parts of a test run; sourced by build.sh.
#
#   run_tests [NAME…]   what a newcomer relies on, or `all`, or `quick`, or the named parts
#
# Each part is an npm script, or a folder of tests that drive browsers. What computes comes first, two scripts at a time.
# shellcheck shell=bash

# What a newcomer relies on, and the rest.
FIRST='native js lint types format package smoke'
REST='slow tidy msan recorded browser engines faults size'

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

# side_by_side SCRIPT…: runs npm scripts, two at a time.
side_by_side() {
  export -f quietly
  [ $# -eq 0 ] || printf '%s\n' "$@" | xargs -P 2 -I{} bash -c 'quietly npm run --silent {}' || exit 1
}

# What Node alone can do in a minute and a half.
test_quick() {
  modules tests/engines # which types name
  kernel
  NOT_RUN+=('C and the slow tests in JavaScript (./build.sh test native slow)')
  PROPERTY_FACTOR=0.2 side_by_side test:js lint types format:check
}

# test_parts NAME…: what computes side by side, then what drives browsers.
test_parts() {
  local name scripts=() browsing=() all=" $* "
  for name in "$@"; do
    case $name in
      native | js | lint | types | format | tidy | msan | recorded) scripts+=("test:$name") ;;
      package | browser | engines | faults) browsing+=("tests/$name") ;;
      smoke) browsing+=(tests/smoke.test.js) ;;
      slow | size) ;;
      *) refuse "no test '$name'; there are: quick all $FIRST $REST" ;;
    esac
  done
  # shellcheck disable=SC2046 # several words on purpose
  need $(tools_of "$@")
  modules tests/engines & # while the others are installed
  [[ $all != *' recorded '* ]] || modules web/recording # the texts from which recorded runs are repeated
  [[ $all != *' native '* ]] || wasm # anew, to compare the bytes with those that are committed
  kernel
  wait $!
  engines
  [[ ! $all =~ ' package '|' size ' ]] || scripts=(build "${scripts[@]}") # and the site
  side_by_side "${scripts[@]}"
  [[ $all != *' slow '* ]] || side_by_side test:slow # one of them looks whether the built site stays as it is
  [[ ! $all =~ ' smoke '|' browser '|' engines '|' faults ' ]] || site
  [[ ! $all =~ ' smoke '|' engines ' ]] || make_c identity
  # The newest Node takes less time to drive browsers. What these tests run in Node themselves is called `node`.
  [ ${#browsing[@]} -eq 0 ] ||
    NODE_COMPILE_CACHE=$PWD/build/compiled "${NEWEST_NODE:-node}" tests/run.js "${browsing[@]}"
  [[ $all != *' size '* ]] || run size
}

# shellcheck disable=SC2086 # several words on purpose
run_tests() {
  mkdir -p build && touch build/begun
  case $* in
    '') test_parts $FIRST ;;
    all) if has_passed; then test_parts $REST; else test_parts $FIRST $REST; fi ;;
    quick) test_quick ;;
    *) test_parts "$@" ;;
  esac
  [ -n "$*${ENGINES:-}" ] || mv build/begun build/passed
  echo "test $*: passed in $SECONDS s"
  [ "$*" != all ] || node tests/measures.js $SECONDS
  [ ${#NOT_RUN[@]} -eq 0 ] || printf 'NOT RUN: %s\n' "${NOT_RUN[@]}"
}
