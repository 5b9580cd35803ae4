// The texts of an SVG document, in order. Fails the test if the document is not well-formed XML.
#pragma once

#include <string>
#include <vector>

namespace heed::viz {

std::vector<std::string> svg_texts(const std::string& document);

}  // namespace heed::viz
