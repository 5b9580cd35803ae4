# shellcheck shell=sh
# Steps of the use_* scripts. CTest sets CMAKE, CXX, SOURCE, BUILD and SCRATCH.
set -eu
: "${CMAKE:?}" "${CXX:?}" "${SOURCE:?}" "${BUILD:?}" "${SCRATCH:?}"

consumer=$SOURCE/tests/install/consumer
installed=$SCRATCH/installed
mkdir -p "$SCRATCH"

# Only correctness counts here, so compile as fast as possible.
configure() {
  "$CMAKE" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 "$@"
}

build() {
  "$CMAKE" --build "$1" --parallel "$(nproc)"
}

# install_from BUILD_DIR: installs, then moves the tree, which must not matter.
install_from() {
  rm -rf "$installed" "$SCRATCH/first"
  "$CMAKE" --install "$1" --prefix "$SCRATCH/first" >/dev/null
  mv "$SCRATCH/first" "$installed"
}

# build_consumer CMAKE_OPTION...
build_consumer() {
  configure -S "$consumer" -B "$SCRATCH/consumer" "$@"
  build "$SCRATCH/consumer"
  "$SCRATCH/consumer/consumer"
}

use_find_package() {
  rm -rf "$SCRATCH/consumer"
  build_consumer -DCMAKE_PREFIX_PATH="$installed" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
}

use_pkg_config() {
  PKG_CONFIG_PATH=$(dirname "$(find "$installed" -name heed.pc)")
  export PKG_CONFIG_PATH
  # shellcheck disable=SC2046  # flags
  (cd "$SCRATCH" && "$CXX" -std=c++20 "$consumer/main.cpp" -o by_pkg_config $(pkg-config --cflags --libs heed))
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir heed) "$SCRATCH/by_pkg_config"
}
