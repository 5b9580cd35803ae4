# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

# Reads file names, checks the includes of each against the table of layers.

function offence(why) {
  printf "%s:%d: %s: %s\n", file, line, include, why
  failed = 1
}

function dirname(path) {
  sub(/\/[^\/]*$/, "", path)
  return path
}

function exists(path, ignored, found) {
  found = (getline ignored < path) >= 0
  close(path)
  return found
}

# The device table, and nobody else, knows the back ends.
function is_device_table() {
  return file ~ /^src\/kernels\/[^\/]*\.cpp$/
}

# The layer of a folder of src/: its own or that of the nearest folder above it; empty if there is none.
function layer_of(folder) {
  while (!(folder in allowed)) {
    if (folder !~ /\//) return ""
    folder = dirname(folder)
  }
  return folder
}

# heed/nn.h and heed/nn/linear.h belong to nn; what layers.txt does not know belongs to core.
function public_layer(name) {
  sub(/^heed\//, "", name)
  if (name in header_layer) return header_layer[name]
  sub(/\.h$|\/.*/, "", name)
  return name in allowed ? name : "core"
}

function check_arrow(from, to) {
  if (to == from || index(allowed[from], " " to " ")) return
  if (is_device_table() && to ~ /^kernels\//) return
  offence(from " must not include " to)
}

function check_src(quoted, name, from, to) {
  from = layer_of(dirname(substr(file, 5)))
  to = !quoted ? public_layer(name) : name ~ /\// ? layer_of(dirname(name)) : from
  if (from == "") offence("this folder is not in layers.txt")
  else if (name == "heed/heed.h") offence("the umbrella header is for users")
  else if (to == "") offence("include by the path from src/, from a folder of layers.txt")
  else if (quoted || name ~ /^heed\//) check_arrow(from, to)
}

function check_public(quoted, name) {
  if (quoted) offence("public headers include <heed/...> and the standard library")
  else if (file == "include/heed/heed.h") return
  else if (name ~ /^heed\//) check_arrow(public_layer(substr(file, 9)), public_layer(name))
  else if (!(name in standard)) offence("not a standard header")
}

# Own headers count from the file or from the top folder.
function check_user(quoted, name, top) {
  if (!quoted) return
  top = substr(file, 1, index(file, "/"))
  if (name ~ /\.\./ || !(exists(dirname(file) "/" name) || exists(top name))) offence("users of the library include <heed/...>")
}

function check_file(text, name, quoted) {
  for (line = 1; (getline text < file) > 0; ++line) {
    if (text !~ /^[ \t]*#[ \t]*include/) continue
    include = text
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", include)
    quoted = include ~ /^"/
    include = substr(include, 1, index(substr(include, 2), quoted ? "\"" : ">") + 1)
    name = substr(include, 2, length(include) - 2)
    if (file ~ /^src\//) check_src(quoted, name)
    else if (file ~ /^include\//) check_public(quoted, name)
    else check_user(quoted, name)
  }
  close(file)
}

BEGIN {
  while ((getline < layers) > 0) {
    if ($0 ~ /^#/ || NF == 0) continue
    layer = $1
    $1 = ""
    if (layer ~ /\.h$/) header_layer[layer] = $2
    else allowed[layer] = $0 " "
  }
  while ((getline < std) > 0) standard[$1] = 1
}

{
  file = $0
  check_file()
}

END { exit failed }
