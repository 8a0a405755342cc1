# The Debian packages that a build needs. Each is recognised by a command or file that it brings, not by dpkg's word, so
# a removed file is noticed and libraries from elsewhere under /usr/local count too.

# package:what shows that it is there. "/x" is a header below include/, "lib/x" a library, "share/x" a file below share/.
readonly needed_packages=(
  'cmake:cmake'
  'ninja-build:ninja'
  'g++:g++'
  'ccache:ccache'
  'git:git'
  'libgloo-dev:/gloo/context.h'
  'libopenmpi-dev:lib/openmpi/lib/libmpi.so'
  'openmpi-bin:mpirun'
  'libboost-dev:/boost/dll/shared_library.hpp'
  'libboost-filesystem-dev:lib/libboost_filesystem.so'
  'libtomlplusplus-dev:/toml++/toml.h'
  'nlohmann-json3-dev:/nlohmann/json.hpp'
  'libcli11-dev:/CLI/CLI.hpp'
  'libfmt-dev:/fmt/core.h'
  'libspdlog-dev:/spdlog/spdlog.h'
  'libbenchmark-dev:/benchmark/benchmark.h'
  'libgtest-dev:/gtest/gtest.h'
  'libgmock-dev:/gmock/gmock.h'
  'libjs-chart.js:share/javascript/chart.js/chart.min.js'
)

# What the tests need besides: the report's page is tried in a browser, Google Benchmark's compare.py (which needs SciPy) reads
# our JSON, and junit.xml is held against its schema.
readonly test_packages=(
  'chromium-headless-shell:chromium-headless-shell'
  'python3:python3'
  'libbenchmark-tools:share/benchmark/compare.py'
  'python3-scipy:share/doc/python3-scipy'
  'libxml2-utils:xmllint'
)

# Is that command, header or library there?
present() {
  case $1 in
    /*) [[ -e /usr/include$1 || -e /usr/local/include$1 ]] ;;
    share/*) [[ -e /usr/$1 || -e /usr/local/$1 ]] ;;
    lib/*) compgen -G "/usr/lib/*/${1#lib/}" >/dev/null || [[ -e /usr/local/$1 ]] ;;
    *) command -v -- "$1" >/dev/null ;;
  esac
}

# Prints the packages, of "package:evidence" arguments, whose evidence is missing.
missing_packages() {
  local entry
  for entry in "$@"; do
    present "${entry#*:}" || printf '%s\n' "${entry%%:*}"
  done
}

# version_at_least 3.25 3.25.1
version_at_least() { [[ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" == "$1" ]]; }

# Stops when the tools that are there are too old for C++20 and the presets.
check_tool_versions() {
  local cmake_version gcc_version
  cmake_version=$(cmake --version | sed -n '1s/[^0-9]*//p')
  version_at_least 3.25 "$cmake_version" ||
    die "CMake $cmake_version is too old, 3.25 or newer is needed ($(command -v cmake))" "use Debian 12 or newer, or put a newer CMake in PATH"
  [[ -z "${CXX:-}" ]] || return 0
  gcc_version=$(g++ -dumpfullversion)
  version_at_least 12 "$gcc_version" ||
    die "g++ $gcc_version is too old, 12 or newer is needed ($(command -v g++))" "install g++ 12 and set CXX to it"
}

# How this user becomes root, as words in the array `as_root`; stops with the command to run by hand if there is no way.
find_root() {
  local by_hand="as root: apt-get update && apt-get install --no-install-recommends $*"
  as_root=()
  command -v apt-get >/dev/null ||
    die "these are missing and there is no apt-get to install them: $*" "install what corresponds to these Debian packages, then run this again"
  if [[ "$(id -u)" == 0 ]]; then
    return
  elif ! command -v sudo >/dev/null; then
    die "these packages are missing, and you are not root and there is no sudo: $*" "$by_hand"
  elif sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
  elif [[ -t 0 && -t 2 ]] && printf 'sudo is needed to install: %s\n' "$*" >&2 && sudo -v; then
    as_root=(sudo -n)
  else
    die "these packages are missing, and sudo does not let you install them: $*" "$by_hand"
  fi
}

# install_packages LOG PACKAGE...
install_packages() {
  local log=$1 as_root
  shift
  find_root "$@"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  # A third-party source may be down while Debian's is up: the install decides.
  watched "$log.update" '' "${apt[@]}" update || true
  watched "$log" '' "${apt[@]}" install --no-install-recommends "$@" && return
  cat "$log.update" >>"$log"
  if looks_like_no_network "$log"; then
    die "cannot reach the Debian archive to install: $*" "connect to the network (or set apt's proxy), then run this again; log: $log"
  fi
  tail -n 15 "$log" >&2
  die "apt-get could not install: $* (log: $log)" "mend what apt-get says above, then run this again"
}

# ensure_packages LOG EVIDENCE...: installs what is missing, silent when nothing is.
ensure_packages() {
  local log=$1 missing
  shift
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  step 1 "Packages: installing ${missing[*]}"
  install_packages "$log" "${missing[@]}"
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]} == 0)) ||
    die "apt-get installed these, but what they bring is not where it should be: ${missing[*]}" "apt-get install --reinstall ${missing[*]}"
}
