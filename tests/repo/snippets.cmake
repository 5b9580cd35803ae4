# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# Every ```cpp block with a main() in README.md and docs/ is built and run; a ```text block right after it is its output.
# An ```sh block with a ```text block right after it is run too, as in a checkout: ./heed and heed are the command.
file(GLOB documents RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/docs/*.md")
list(TRANSFORM documents PREPEND "${PROJECT_SOURCE_DIR}/" OUTPUT_VARIABLE document_paths)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${document_paths})

set(snippets "")
if(documents)
  set(snippet_dir "${CMAKE_CURRENT_BINARY_DIR}/snippets")
  file(MAKE_DIRECTORY "${snippet_dir}")
  execute_process(
    COMMAND awk -v "dir=${snippet_dir}" -f "${CMAKE_CURRENT_SOURCE_DIR}/snippets.awk" ${documents}
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    OUTPUT_VARIABLE snippets
    OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" snippets "${snippets}")
endif()

foreach(file IN LISTS snippets)
  cmake_path(GET file STEM snippet)
  if(file MATCHES "\\.sh$")
    if(HEED_BUILD_CLI)
      heed_add_repo_test(snippet.${snippet} "${CMAKE_CURRENT_SOURCE_DIR}/run_commands"
        "$<TARGET_FILE:heed_cli>" "${snippet_dir}/${file}" "${snippet_dir}/${snippet}.txt")
    endif()
    continue()
  endif()
  set(target heed_snippet_${snippet})
  # Built by its test, so that a broken snippet fails one test and not the whole build.
  add_executable(${target} EXCLUDE_FROM_ALL "${snippet_dir}/${file}")
  heed_configure_target(${target})
  target_link_libraries(${target} PRIVATE heed::heed)
  heed_add_repo_test(snippet.${snippet} "${CMAKE_CURRENT_SOURCE_DIR}/run_snippet"
    "${CMAKE_COMMAND}" "${PROJECT_BINARY_DIR}" ${target} "$<TARGET_FILE:${target}>" "${snippet_dir}/${snippet}.txt")
  set_tests_properties(repo.snippet.${snippet} PROPERTIES RESOURCE_LOCK heed_build_tree)
endforeach()
