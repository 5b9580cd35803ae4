# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# The version stands once, in include/heed/version.h.
function(heed_read_version header result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
  file(READ "${header}" text)
  set(parts "")
  foreach(part MAJOR MINOR PATCH)
    if(NOT text MATCHES "#define HEED_VERSION_${part} +([0-9]+)")
      message(FATAL_ERROR "${header} does not define HEED_VERSION_${part}")
    endif()
    list(APPEND parts "${CMAKE_MATCH_1}")
  endforeach()
  list(JOIN parts "." version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()
