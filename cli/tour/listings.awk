# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# Writes whole programs, *.cpp and *.py, as tables of strings.
FNR == 1 {
  name = FILENAME
  sub(/.*\//, "", name)
  language = name ~ /\.py$/ ? "python" : "cpp"
  sub(/\..*/, "", name)
  order[language] = order[language] " " name
}
{ text[language, name] = text[language, name] $0 "\n" }
END {
  print "#include \"listing.h\"\n\n#include <span>\n#include <utility>\n\nnamespace heed::tour {\nnamespace {\n"
  print "using Listing = std::pair<std::string_view, std::string_view>;\n"
  write("cpp", "kCpp")
  write("python", "kPython")
  print "std::string_view found(std::span<const Listing> all, std::string_view name) {"
  print "  for (const auto& [known, text] : all) {\n    if (known == name) return text;\n  }\n  return {};\n}\n\n}  // namespace\n"
  print "std::string_view cpp_program(std::string_view name) { return found(kCpp, name); }"
  print "std::string_view python_program(std::string_view name) { return found(kPython, name); }\n\n}  // namespace heed::tour"
}
function write(language, table,    count, names, i) {
  print "constexpr Listing " table "[] = {"
  count = split(order[language], names, " ")
  for (i = 1; i <= count; ++i) printf "    {\"%s\", R\"listing(%s)listing\"},\n", names[i], text[language, names[i]]
  print "};\n"
}
