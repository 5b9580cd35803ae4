// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "support/svg.h"

#include <gtest/gtest.h>

#include <expat.h>

#include <memory>

namespace heed::test {
namespace {

struct Texts {
  std::vector<std::string> all;
  bool inside = false;
};

std::string parse(const std::string& document, Texts& texts) {
  const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser(XML_ParserCreate(nullptr),
                                                                       XML_ParserFree);
  XML_SetUserData(parser.get(), &texts);
  XML_SetElementHandler(
      parser.get(),
      [](void* data, const XML_Char* name, const XML_Char**) {
        auto& found = *static_cast<Texts*>(data);
        if (std::string(name) != "text") return;
        found.inside = true;
        found.all.emplace_back();
      },
      [](void* data, const XML_Char* name) {
        if (std::string(name) == "text") static_cast<Texts*>(data)->inside = false;
      });
  XML_SetCharacterDataHandler(parser.get(), [](void* data, const XML_Char* text, int length) {
    auto& found = *static_cast<Texts*>(data);
    if (found.inside) found.all.back().append(text, static_cast<std::size_t>(length));
  });
  if (XML_Parse(parser.get(), document.data(), static_cast<int>(document.size()), 1) == XML_STATUS_OK)
    return "";
  return std::string(XML_ErrorString(XML_GetErrorCode(parser.get()))) + " in line " +
         std::to_string(XML_GetCurrentLineNumber(parser.get()));
}

}  // namespace

std::string xml_error(const std::string& document) {
  Texts texts;
  return parse(document, texts);
}

std::vector<std::string> svg_texts(const std::string& document) {
  Texts texts;
  EXPECT_EQ(parse(document, texts), "");
  return texts.all;
}

}  // namespace heed::test
