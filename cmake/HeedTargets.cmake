# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# What every target of ours has in common; nothing here reaches a consumer.
function(heed_configure_target target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  # Fuse multiply and add only where the source says fma, so that every compiler gives the same bits.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow)
  endif()
  if(HEED_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(HEED_SANITIZE)
    heed_sanitize(${target})
  endif()
endfunction()

function(heed_sanitize target)
  # GCC 12 takes its own std::regex for uninitialised when it is instrumented.
  set(flags -fsanitize=${HEED_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_compile_options(${target} PRIVATE ${flags})
  target_compile_definitions(${target} PRIVATE _GLIBCXX_ASSERTIONS)
  target_link_options(${target} PRIVATE ${flags})
endfunction()
