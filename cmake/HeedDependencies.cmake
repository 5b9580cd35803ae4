# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
# Headers alone too, and used by one source.
find_path(HEED_JSON_INCLUDE_DIR nlohmann/json.hpp REQUIRED)
mark_as_advanced(HEED_JSON_INCLUDE_DIR)
# Headers alone: Debian's CMake target for xsimd drags in xtl, which it does not need.
find_path(HEED_XSIMD_INCLUDE_DIR xsimd/xsimd.hpp REQUIRED)
mark_as_advanced(HEED_XSIMD_INCLUDE_DIR)
include(HeedBlas)
if(NOT TARGET heed::blas)
  message(FATAL_ERROR "heed: ${heed_blas_missing}")
endif()

if(HEED_BUILD_CLI)
  find_package(CLI11 REQUIRED)
endif()
if(HEED_BUILD_CLI OR HEED_BUILD_BENCH)
  find_package(nlohmann_json REQUIRED)
endif()
if(HEED_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()
if(HEED_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(PNG REQUIRED)
  find_package(EXPAT REQUIRED)
endif()
