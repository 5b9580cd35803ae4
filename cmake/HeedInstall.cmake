# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(heed_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/heed")
set(heed_package_build_dir "${PROJECT_BINARY_DIR}/package")

install(TARGETS heed EXPORT heedTargets FILE_SET HEADERS)
install(EXPORT heedTargets NAMESPACE heed:: DESTINATION "${heed_package_dir}")

configure_package_config_file(cmake/heedConfig.cmake.in "${heed_package_build_dir}/heedConfig.cmake"
  INSTALL_DESTINATION "${heed_package_dir}")
write_basic_package_version_file("${heed_package_build_dir}/heedConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${heed_package_build_dir}/heedConfig.cmake"
  "${heed_package_build_dir}/heedConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/HeedBlas.cmake"
  DESTINATION "${heed_package_dir}")

include(HeedPkgConfig)

if(TARGET heed_cli)
  install(TARGETS heed_cli)
  # heed looks for it from its own folder.
  install(TARGETS heed_cli_bench RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}/../libexec/heed")
  install(DIRECTORY "${PROJECT_BINARY_DIR}/manual/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES "${PROJECT_BINARY_DIR}/manual/bash/heed" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${PROJECT_BINARY_DIR}/manual/zsh/_heed" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  install(FILES "${PROJECT_BINARY_DIR}/manual/fish/heed.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()
