# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# shellcheck shell=sh
# Steps of the use_* scripts. CTest sets CMAKE, CXX, SOURCE, BUILD and SCRATCH.
set -eu
: "${CMAKE:?}" "${CXX:?}" "${SOURCE:?}" "${BUILD:?}" "${SCRATCH:?}"

consumer=$SOURCE/tests/install/consumer
installed=$SCRATCH/installed
project=$SCRATCH/consumer
mkdir -p "$SCRATCH"

# Only correctness counts here, so compile as fast as possible.
configure() {
  "$CMAKE" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 "$@"
}

# install_from BUILD_DIR: installs, then moves the tree, which must not matter.
install_from() {
  rm -rf "$installed" "$SCRATCH/first"
  "$CMAKE" --install "$1" --prefix "$SCRATCH/first" >/dev/null
  mv "$SCRATCH/first" "$installed"
}

# configure_consumer CMAKE_OPTION...: in the folder $project.
configure_consumer() {
  configure -S "$consumer" -B "$project" "$@"
}

build_consumer() {
  configure_consumer "$@"
  "$CMAKE" --build "$project" --parallel "$(nproc)"
  "$project/consumer"
}

use_find_package() {
  project=$SCRATCH/find_package
  rm -rf "$project"
  build_consumer -DCMAKE_PREFIX_PATH="$installed" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
}

use_pkg_config() {
  PKG_CONFIG_PATH=$(dirname "$(find "$installed" -name heed.pc)")
  export PKG_CONFIG_PATH
  # shellcheck disable=SC2046  # flags
  (cd "$SCRATCH" && "$CXX" -std=c++20 "$consumer/main.cpp" -o by_pkg_config $(pkg-config --cflags --libs heed))
  LD_LIBRARY_PATH=$(pkg-config --variable=libdir heed) "$SCRATCH/by_pkg_config"
}
