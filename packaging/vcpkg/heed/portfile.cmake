# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# The checkout that this port lies in.
cmake_path(ABSOLUTE_PATH CMAKE_CURRENT_LIST_DIR OUTPUT_VARIABLE SOURCE_PATH)
cmake_path(APPEND SOURCE_PATH "../../..")
cmake_path(NORMAL_PATH SOURCE_PATH)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
  -DHEED_BUILD_CLI=OFF
  -DHEED_BUILD_EXAMPLES=OFF
  -DHEED_BUILD_TESTS=OFF
  -DHEED_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/heed)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
