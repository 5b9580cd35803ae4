# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# cmake -DSOURCE=folder -DHEADER=file -P HeedCommit.cmake: writes the commit that is checked out, if that has changed.
set(commit "")
find_program(git git)
if(git)
  # Trust a checkout of another user: it is only read.
  execute_process(COMMAND "${git}" -c safe.directory=* describe --always --dirty --exclude=*
    WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#define HEED_BENCH_COMMIT \"${commit}\"\n" @ONLY)
