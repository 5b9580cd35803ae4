# Writes the runnable blocks of Markdown files to dir as NAME.cpp, the output they promise as NAME.txt; prints the names.

function start_block(language) {
  kind = language
  start = FNR
  text = ""
}

function end_block() {
  if (kind == "cpp" && text ~ /int main\(/) {
    name = FILENAME "_" start
    gsub(/[^A-Za-z0-9_]/, "_", name)
    printf "#line %d \"%s\"\n%s", start + 1, FILENAME, text > (dir "/" name ".cpp")
    close(dir "/" name ".cpp")
    printf "" > (dir "/" name ".txt")
    close(dir "/" name ".txt")
    print name
    expecting = name
  } else if (kind == "text" && expecting != "") {
    printf "%s", text > (dir "/" expecting ".txt")
    close(dir "/" expecting ".txt")
    expecting = ""
  } else {
    expecting = ""
  }
  kind = ""
}

FNR == 1 { kind = ""; expecting = "" }
/^```/ {
  if (kind != "") end_block()
  else start_block($0 == "```" ? "plain" : substr($0, 4))
  next
}
kind != "" { text = text $0 "\n"; next }
# Prose between a program and a text block parts them.
/[^ \t]/ { expecting = "" }
