# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# A program that stands alone, out of the header and the source of an experiment: its struct, its helpers, run_*() and print().
# Usage: awk -v name=waist -f program.awk waist.h waist.cpp
FNR == 1 { part = "" }
/^#include </ && FILENAME ~ /\.cpp$/ { includes = includes $0 "\n" }
/^namespace heed::tour \{$/ { part = FILENAME ~ /\.h$/ ? "struct" : "source"; next }
part == "struct" && $0 ~ (" run_" name "\\(") {
  argument = /uint64_t/ ? "0" : ""
  part = ""
}
# Comments for tools are comments.
{ gsub(/\/\/\/<? ?/, "// ") }
part == "struct" { structs = structs $0 "\n" }
part == "source" && /^void show\(/ { part = "" }
part == "source" { source = source $0 "\n" }
END {
  sub(/^\n+/, "", structs)
  sub(/\n+$/, "", structs)
  sub(/^\n+/, "", source)
  sub(/\n+$/, "", source)
  print "#include <heed/heed.h>\n"
  if (includes != "") print includes "#include <iostream>\n"
  else print "#include <iostream>\n"
  print "using namespace heed;\n"
  print structs "\n"
  print source "\n"
  print "int main() { print(std::cout, run_" name "(" argument ")); }"
}
