# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# Writes the functions run_*() of C++ sources, after the helpers of their files, as a table of strings.
BEGIN {
  print "#include \"listing.h\"\n\n#include <utility>\n\nnamespace heed::tour {"
  print "std::string_view listing(std::string_view function) {"
  print "  static constexpr std::pair<std::string_view, std::string_view> kAll[] = {"
}
FNR == 1 { helpers = "" }
/^namespace \{$/ { helping = 1; next }
/^}  \/\/ namespace$/ { helping = 0 }
helping && (helpers != "" || $0 != "") { helpers = helpers $0 "\n" }
/^[A-Za-z].* run_[a-z_]*\(.*\{$/ {
  name = $0
  sub(/\(.*/, "", name)
  sub(/.* /, "", name)
  printf "      {\"%s\", R\"listing(%s", name, helpers
  inside = 1
}
inside { print }
inside && /^}/ {
  print ")listing\"},"
  inside = 0
}
END {
  print "  };"
  print "  for (const auto& [name, text] : kAll) {\n    if (name == function) return text;\n  }\n  return {};\n}\n}  // namespace heed::tour"
}
