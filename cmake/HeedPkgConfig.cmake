# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# Writes heed.pc. A shared libheed stands alone; a static one names what the final link needs.

# Turns library paths into linker flags; what the linker would not find at run time gets an rpath.
function(heed_link_flags result)
  set(flags "")
  foreach(library IN LISTS ARGN)
    if(library MATCHES "^-")
      list(APPEND flags "${library}")
      continue()
    elseif(NOT IS_ABSOLUTE "${library}")
      list(APPEND flags "-l${library}")
      continue()
    endif()
    cmake_path(GET library PARENT_PATH dir)
    cmake_path(GET library STEM name)
    string(REGEX REPLACE "^lib" "" name "${name}")
    if(NOT dir IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND flags "-L${dir}" "-Wl,-rpath,${dir}")
    endif()
    list(APPEND flags "-l${name}")
  endforeach()
  list(REMOVE_DUPLICATES flags)
  list(JOIN flags " " flags)
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

set(HEED_PC_CFLAGS "")
set(HEED_PC_LIBS "")
set(HEED_PC_REQUIRES "")
if(NOT BUILD_SHARED_LIBS)
  set(openmp_libraries "")
  foreach(name IN LISTS OpenMP_CXX_LIB_NAMES)
    list(APPEND openmp_libraries "${OpenMP_${name}_LIBRARY}")
  endforeach()
  heed_link_flags(HEED_PC_LIBS ${heed_blas_libraries} ${openmp_libraries})
  set(HEED_PC_CFLAGS "-DHEED_STATIC")
  set(HEED_PC_REQUIRES "fmt, zlib")
endif()

# Find the prefix from the place of the file, so that the installed tree may be moved.
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR libdir_is_absolute)
if(libdir_is_absolute)
  set(HEED_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
else()
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
    BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" OUTPUT_VARIABLE up)
  set(HEED_PC_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(kind LIB INCLUDE)
  set(HEED_PC_${kind}DIR "${CMAKE_INSTALL_${kind}DIR}")
  cmake_path(ABSOLUTE_PATH HEED_PC_${kind}DIR BASE_DIRECTORY "\${prefix}")
endforeach()

configure_file(cmake/heed.pc.in "${heed_package_build_dir}/heed.pc" @ONLY)
install(FILES "${heed_package_build_dir}/heed.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
