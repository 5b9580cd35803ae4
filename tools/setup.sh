# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# shellcheck shell=sh
# Packages, configure and build steps shared by ./heed, ./test and tools/. Source it with $root set.
: "${root:?}"

say() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# need_packages GROUP...: installs what is missing. A copy of the list stamps success, so that later runs ask nobody.
need_packages() {
  stamp=$root/build/packages.$(printf '%s' "$*" | tr ' ' -)
  cmp -s "$root/tools/packages.txt" "$stamp" && return 0
  mkdir -p "$root/build"
  # Elsewhere than on Debian the configure step says what is missing.
  if command -v dpkg-query >/dev/null; then
    missing=$(missing_packages "$@")
    # shellcheck disable=SC2086  # a list of names
    [ -z "$missing" ] || install_packages $missing
  fi
  cp "$root/tools/packages.txt" "$stamp"
}

missing_packages() {
  while read -r group package; do
    case " $* " in *" $group "*) ;; *) continue ;; esac
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) || status=
    case $status in *'ok installed') ;; *) printf '%s ' "$package" ;; esac
  done <"$root/tools/packages.txt"
}

# Says what is to be installed. Root does it; anybody else is asked first, or has said --yes.
install_packages() {
  command="apt-get update -qq && apt-get install -y -qq --no-install-recommends $*"
  say "these Debian packages are missing: $*"
  as_root=
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      refuse_to_install "su -c '$command'"
    elif [ "${yes-}" != yes ] && ! asked "install them with sudo?"; then
      refuse_to_install "sudo sh -c '$command'"
    fi
    as_root=sudo
  fi
  say "installing them"
  log=$root/build/packages.log
  if ! $as_root env DEBIAN_FRONTEND=noninteractive sh -c "$command" >"$log" 2>&1 </dev/null 9>&-; then
    cat "$log" >&2
    say "could not install the packages"
    exit 1
  fi
}

refuse_to_install() {
  say "nothing was installed; this command does it:"
  echo "$1" >&2
  exit 1
}

# asked QUESTION: whether somebody at the terminal says yes.
asked() {
  (: </dev/tty) 2>/dev/null || return 1
  printf '%s: %s [y/N] ' "${0##*/}" "$1" >/dev/tty
  read -r answer </dev/tty || return 1
  case $answer in [yY] | [yY][eE][sS]) ;; *) return 1 ;; esac
}

# need_python [--with PYTHON] FOLDER LIST...: makes build/FOLDER, a Python with the packages of tools/LIST from PyPI.
# Without a network the tests that need them are skipped.
need_python() {
  interpreter=python3
  [ "$1" != --with ] || { interpreter=$2 && shift 2; }
  python=$root/build/$1
  shift
  wanted=$(cd "$root/tools" && cat "$@")
  [ "$wanted" = "$(cat "$python/stamp" 2>/dev/null)" ] && "$python/bin/python" -c '' 2>/dev/null && return 0
  say "installing Python packages in build/${python##*/}"
  mkdir -p "$root/build"
  log=$python.log
  # shellcheck disable=SC2046  # a list of words
  if "$interpreter" -m venv --clear "$python" >"$log" 2>&1 9>&- &&
    (cd "$root/tools" && "$python/bin/python" -m pip install --quiet $(printf ' --requirement %s' "$@")) >>"$log" 2>&1 9>&-; then
    printf '%s' "$wanted" >"$python/stamp"
  else
    tail -n 3 "$log" >&2
    say "could not install them; the tests that need them will be skipped"
  fi
}

# with_python PRESET: switches the Python package on in a build that was configured without, once there is a Python for it.
with_python() {
  dir=$root/build/$1
  python=$root/build/python
  [ -f "$python/stamp" ] || return 0
  grep -qx 'HEED_BUILD_PYTHON:BOOL=ON' "$dir/CMakeCache.txt" &&
    grep -qxF "Python_EXECUTABLE:UNINITIALIZED=$python/bin/python" "$dir/CMakeCache.txt" && return 0
  cmake -DHEED_BUILD_PYTHON=ON "-DPython_EXECUTABLE=$python/bin/python" "$dir" >"$dir/configure.log" 2>&1 && return 0
  cat "$dir/configure.log" >&2
  say "configuring failed ($1, Python)"
  return 1
}

# One build at a time in a checkout.
lock_build() {
  mkdir -p "$root/build"
  exec 9>"$root/build/lock"
  flock 9
}

unlock_build() {
  exec 9>&-
}

# configure PRESET: runs CMake when it never ran, the presets have changed or the checkout was moved.
configure() {
  dir=$root/build/$1
  if cmp -s "$root/CMakePresets.json" "$dir/presets.stamp" &&
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$dir/CMakeCache.txt"; then
    return 0
  fi
  say "configuring ($1)"
  mkdir -p "$dir"
  if ! (cd "$root" && cmake --fresh --preset "$1") >"$dir/configure.log" 2>&1; then
    cat "$dir/configure.log" >&2
    say "configuring failed ($1)"
    return 1
  fi
  cp "$root/CMakePresets.json" "$dir/presets.stamp"
}

# build PRESET [TARGET...]: builds with progress on stderr.
build() {
  preset=$1
  shift
  [ $# -eq 0 ] || set -- --target "$@"
  say "building ($preset)"
  if ! cmake --build "$root/build/$preset" --parallel "$(nproc)" "$@" >&2 9>&-; then
    say "the build failed ($preset)"
    return 1
  fi
}
