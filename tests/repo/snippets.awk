# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# Writes the runnable blocks of Markdown files to dir as NAME.cpp or NAME.sh, the output they promise as NAME.txt; prints
# the names of the files. Programs are run anyway; commands only if their output follows.

function name_of_block() {
  name = FILENAME "_" start
  gsub(/[^A-Za-z0-9_]/, "_", name)
  return name
}

function start_block(language) {
  kind = language
  start = FNR
  text = ""
}

function end_block() {
  if (kind == "cpp" && text ~ /int main\(/) {
    name = name_of_block()
    printf "#line %d \"%s\"\n%s", start + 1, FILENAME, text > (dir "/" name ".cpp")
    close(dir "/" name ".cpp")
    printf "" > (dir "/" name ".txt")
    close(dir "/" name ".txt")
    print name ".cpp"
    expecting = name
    commands = ""
  } else if (kind == "sh") {
    expecting = name_of_block()
    commands = text
  } else if (kind == "text" && expecting != "") {
    printf "%s", text > (dir "/" expecting ".txt")
    close(dir "/" expecting ".txt")
    if (commands != "") {
      printf "%s", commands > (dir "/" expecting ".sh")
      close(dir "/" expecting ".sh")
      print expecting ".sh"
    }
    expecting = commands = ""
  } else {
    expecting = commands = ""
  }
  kind = ""
}

FNR == 1 { kind = expecting = commands = "" }
/^```/ {
  if (kind != "") end_block()
  else start_block($0 == "```" ? "plain" : substr($0, 4))
  next
}
kind != "" { text = text $0 "\n"; next }
# Prose between a program and a text block parts them.
/[^ \t]/ { expecting = commands = "" }
