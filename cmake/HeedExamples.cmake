# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# One executable per file of examples/, run as a test.
file(GLOB heed_examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cpp")
foreach(source IN LISTS heed_examples)
  cmake_path(GET source STEM name)
  add_executable(heed_example_${name} "${source}")
  heed_configure_target(heed_example_${name})
  target_link_libraries(heed_example_${name} PRIVATE heed::heed)
  set_target_properties(heed_example_${name} PROPERTIES
    OUTPUT_NAME "${name}"
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
  add_test(NAME example.${name} COMMAND heed_example_${name})
endforeach()
