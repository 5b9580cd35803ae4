# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# Writes what HEED says of itself into FOLDER, under the names that man and the shells look for.
function(write file)
  execute_process(COMMAND "${HEED}" ${ARGN} OUTPUT_FILE "${FOLDER}/${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}/man" "${FOLDER}/bash" "${FOLDER}/zsh" "${FOLDER}/fish")
execute_process(COMMAND "${HEED}" man --list OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" names "${names}")
write(man/heed.1 man)
foreach(name IN LISTS names)
  write(man/heed-${name}.1 man ${name})
endforeach()
write(bash/heed completion bash)
write(zsh/_heed completion zsh)
write(fish/heed.fish completion fish)
file(TOUCH "${FOLDER}/written")
