# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# Every switch of the build, besides CMake's own BUILD_SHARED_LIBS. Whoever embeds heed gets the library alone.
option(HEED_BUILD_CLI "Build the heed command" ${PROJECT_IS_TOP_LEVEL})
option(HEED_BUILD_EXAMPLES "Build the examples and run them as tests" ${PROJECT_IS_TOP_LEVEL})
option(HEED_BUILD_BENCH "Build heed_bench, the cases of bench/ under Google Benchmark" OFF)
option(HEED_BUILD_PYTHON "Build the Python package; needs Python with nanobind" OFF)
option(HEED_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(HEED_BUILD_REPO_TESTS "Add the tests of the repository itself: layering, format, docs, install" ON)
option(HEED_FUZZ "Add the fuzz targets of the file readers; needs clang++" OFF)
option(HEED_INSTALL "Add the install rules" ${PROJECT_IS_TOP_LEVEL})
option(HEED_WERROR "Treat warnings as errors" OFF)
option(HEED_UNITY "Compile small files of the library together" OFF)
option(HEED_AVX "On x86-64, compile the engine for AVX2 and AVX-512 too; what runs is picked by CPUID" ON)
set(HEED_SANITIZE "" CACHE STRING "Sanitizers for all targets, e.g. address,undefined or thread")
set(HEED_BLAS "" CACHE STRING "CBLAS to link, as library paths or names; empty picks OpenBLAS, OpenMP build first")
set(HEED_BLAS_INCLUDE_DIR "" CACHE PATH "Folder of the cblas.h that belongs to HEED_BLAS")

# Tests reach into src/, whose symbols a shared library hides.
if(BUILD_SHARED_LIBS AND HEED_BUILD_TESTS)
  message(FATAL_ERROR "The tests need the static library: set HEED_BUILD_TESTS=OFF or BUILD_SHARED_LIBS=OFF")
endif()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  else()
    # For heed's own folders alone: unoptimised, attention takes 3 to 15 times as long, and nothing would say so.
    set(CMAKE_BUILD_TYPE Release)
  endif()
endif()
