# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# Defines heed::blas, the CBLAS behind the projections. Serves the build and, installed, consumers of the static library.
# HEED_BLAS and HEED_BLAS_INCLUDE_DIR override the search. Without one, heed_blas_missing says what to do.
if(TARGET heed::blas)
  return()
endif()

if(HEED_BLAS)
  set(heed_blas_libraries ${HEED_BLAS})
else()
  # Debian keeps one folder per threading variant. The OpenMP one shares its threads with ours.
  find_library(HEED_OPENBLAS_LIBRARY NAMES openblas PATH_SUFFIXES openblas-openmp)
  mark_as_advanced(HEED_OPENBLAS_LIBRARY)
  if(NOT HEED_OPENBLAS_LIBRARY)
    set(heed_blas_missing "OpenBLAS not found (Debian: libopenblas-openmp-dev); HEED_BLAS names another CBLAS")
    return()
  endif()
  set(heed_blas_libraries "${HEED_OPENBLAS_LIBRARY}")
endif()

find_path(HEED_CBLAS_DIR NAMES cblas.h HINTS "${HEED_BLAS_INCLUDE_DIR}" PATH_SUFFIXES openblas-openmp openblas)
mark_as_advanced(HEED_CBLAS_DIR)
if(NOT HEED_CBLAS_DIR)
  set(heed_blas_missing "cblas.h not found; HEED_BLAS_INCLUDE_DIR names its folder")
  return()
endif()

add_library(heed::blas INTERFACE IMPORTED)
target_link_libraries(heed::blas INTERFACE ${heed_blas_libraries})
target_include_directories(heed::blas SYSTEM INTERFACE "${HEED_CBLAS_DIR}")
