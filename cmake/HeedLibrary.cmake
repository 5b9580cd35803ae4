# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

file(GLOB_RECURSE heed_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.cpp")
file(GLOB_RECURSE heed_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/heed/*.h")

add_library(heed)
add_library(heed::heed ALIAS heed)
heed_configure_target(heed)
target_sources(heed
  PRIVATE ${heed_sources}
  PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${heed_headers})
target_compile_features(heed PUBLIC cxx_std_20)
target_include_directories(heed PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(heed PRIVATE OpenMP::OpenMP_CXX fmt::fmt ZLIB::ZLIB heed::blas)
# Headers alone, of no interest to whoever links libheed.
target_include_directories(heed SYSTEM PRIVATE "${HEED_XSIMD_INCLUDE_DIR}" "${HEED_JSON_INCLUDE_DIR}")

# Nearly every source checks its arguments, and fmt is slow to parse. An embedded build goes without; tools/tidy goes
# without and compiles file by file, which proves that each source includes what it uses.
if(PROJECT_IS_TOP_LEVEL)
  target_precompile_headers(heed PRIVATE "${PROJECT_SOURCE_DIR}/src/core/check.h")
endif()

# Kernels get every optimisation; the rest is not worth the wait. The rest are many small files, which compile faster
# together.
file(GLOB_RECURSE heed_kernels CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/kernels/*.cpp")
set_source_files_properties(${heed_kernels} PROPERTIES
  COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>"
  SKIP_PRECOMPILE_HEADERS ON
  SKIP_UNITY_BUILD_INCLUSION ON)
if(HEED_UNITY)
  set_target_properties(heed PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
endif()

# The attention engine, once per instruction set; which one runs is decided by CPUID. GCC 12's own intrinsics headers set
# off its warnings about uninitialised values. Without optimisation they are macros, which xsimd's AVX-512 code does not fit.
set(heed_engine "${PROJECT_SOURCE_DIR}/src/kernels/cpu/attention")
set(heed_tier_options
  "$<$<NOT:$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>:-O1>"
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized;-Wno-maybe-uninitialized>")
# Instrumented, the unrolled tiles take minutes to compile. What they touch is checked by guard pages in the tests.
if(HEED_SANITIZE)
  list(APPEND heed_tier_options -fno-sanitize=all)
endif()
set(heed_avx2_options -mavx2 -mfma)
set(heed_avx512_options -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma)
set_source_files_properties("${heed_engine}/tier_baseline.cpp" PROPERTIES COMPILE_OPTIONS "${heed_tier_options}")
if(NOT HEED_AVX)
  set_source_files_properties("${heed_engine}/tier_avx2.cpp" "${heed_engine}/tier_avx512.cpp" PROPERTIES
    HEADER_FILE_ONLY ON)
  set_source_files_properties("${heed_engine}/tiers.cpp" PROPERTIES COMPILE_DEFINITIONS HEED_NO_AVX)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # -O3 takes half as long again, and pays in the additive gradient alone.
  set_source_files_properties("${heed_engine}/tier_avx2.cpp" PROPERTIES
    COMPILE_OPTIONS "${heed_tier_options};${heed_avx2_options}")
  set_source_files_properties("${heed_engine}/tier_avx512.cpp" PROPERTIES
    COMPILE_OPTIONS "${heed_tier_options};$<$<CONFIG:Release>:-O3>;${heed_avx512_options}")
endif()

# Likewise the sums along a line.
set(heed_line "${PROJECT_SOURCE_DIR}/src/kernels/cpu/line")
set_source_files_properties("${heed_line}/tier_baseline.cpp" PROPERTIES COMPILE_OPTIONS "${heed_tier_options}")
if(NOT HEED_AVX)
  set_source_files_properties("${heed_line}/tier_avx2.cpp" "${heed_line}/tier_avx512.cpp" PROPERTIES
    HEADER_FILE_ONLY ON)
  set_source_files_properties("${heed_line}/tiers.cpp" PROPERTIES COMPILE_DEFINITIONS HEED_NO_AVX)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties("${heed_line}/tier_avx2.cpp" PROPERTIES
    COMPILE_OPTIONS "${heed_tier_options};${heed_avx2_options}")
  set_source_files_properties("${heed_line}/tier_avx512.cpp" PROPERTIES
    COMPILE_OPTIONS "${heed_tier_options};${heed_avx512_options}")
endif()

# Before 1.0 a minor release may change the ABI.
set_target_properties(heed PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  POSITION_INDEPENDENT_CODE ON
  INSTALL_RPATH_USE_LINK_PATH ON)

if(BUILD_SHARED_LIBS)
  target_compile_definitions(heed PRIVATE HEED_BUILDING)
  include(CheckLinkerFlag)
  set(heed_export_map "${PROJECT_SOURCE_DIR}/cmake/heed.map")
  check_linker_flag(CXX "-Wl,--version-script=${heed_export_map}" HEED_HAVE_VERSION_SCRIPT)
  if(HEED_HAVE_VERSION_SCRIPT)
    target_link_options(heed PRIVATE "-Wl,--version-script=${heed_export_map}")
    set_property(TARGET heed APPEND PROPERTY LINK_DEPENDS "${heed_export_map}")
  endif()
else()
  target_compile_definitions(heed PUBLIC HEED_STATIC)
endif()
