// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// What stands in an SVG document, read by expat.
#pragma once

#include <string>
#include <vector>

namespace heed::test {

/// The texts of an SVG document, in order. Fails the test if the document is not well-formed XML.
std::vector<std::string> svg_texts(const std::string& document);

/// What is wrong with it as XML; empty if nothing is.
std::string xml_error(const std::string& document);

}  // namespace heed::test
