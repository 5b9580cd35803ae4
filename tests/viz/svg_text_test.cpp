// A small reader of XML for the tests, which is stricter than browsers are, and a test that it is.
#include "viz/svg_text.h"

#include <gtest/gtest.h>

#include <map>

namespace heed::viz {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& document) : rest_(document) {}

  std::vector<std::string> texts() {
    while (!rest_.empty() && error_.empty()) {
      const std::size_t tag = rest_.find('<');
      take_text(rest_.substr(0, tag));
      rest_ = tag == std::string::npos ? "" : rest_.substr(tag);
      if (!rest_.empty()) take_tag();
    }
    if (!open_.empty() && error_.empty()) error_ = "not closed: " + open_.back();
    return texts_;
  }
  const std::string& error() const { return error_; }

 private:
  void take_text(std::string text) {
    if (open_.empty() || (open_.back() != "text" && open_.back() != "tspan")) return;
    static const std::map<std::string, std::string> kEntities = {
        {"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}, {"apos", "'"}};
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (static_cast<unsigned char>(text[i]) < 0x20 && text[i] != '\n' && text[i] != '\t')
        error_ = "a control character";
      if (text[i] != '&') {
        plain += text[i];
        continue;
      }
      const std::size_t end = text.find(';', i);
      const auto entity =
          end == std::string::npos ? kEntities.end() : kEntities.find(text.substr(i + 1, end - i - 1));
      if (entity == kEntities.end()) {
        error_ = "a bare ampersand: " + text;
        return;
      }
      plain += entity->second;
      i = end;
    }
    texts_.push_back(plain);
  }

  void take_tag() {
    const std::size_t end = rest_.find('>');
    if (end == std::string::npos) {
      error_ = "a tag without an end";
      return;
    }
    const std::string tag = rest_.substr(1, end - 1);
    rest_ = rest_.substr(end + 1);
    if (tag[0] == '?' || tag[0] == '!') return;
    const std::string name =
        tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" \t\n/", 1) - (tag[0] == '/' ? 1 : 0));
    if (tag[0] == '/') {
      if (open_.empty() || open_.back() != tag.substr(1)) {
        error_ = "closes what is not open: " + tag;
      } else {
        open_.pop_back();
      }
    } else if (tag.back() != '/') {
      open_.push_back(name);
    }
  }

  std::string rest_, error_;
  std::vector<std::string> open_, texts_;
};

TEST(SvgTexts, ReadsTextsAndNoticesDamage) {
  const auto error = [](const std::string& document) {
    Reader reader(document);
    reader.texts();
    return reader.error();
  };
  EXPECT_EQ(svg_texts("<?xml?><svg a=\"b\"><g><text>a &lt; b</text><br/></g></svg>"),
            std::vector<std::string>{"a < b"});
  EXPECT_NE(error("<svg><text>a & b</text></svg>"), "");
  EXPECT_NE(error("<svg><text>a</svg>"), "");
  EXPECT_NE(error("<svg><text>a\x01</text></svg>"), "");
  EXPECT_NE(error("<svg>"), "");
}

}  // namespace

std::vector<std::string> svg_texts(const std::string& document) {
  Reader reader(document);
  std::vector<std::string> texts = reader.texts();
  EXPECT_EQ(reader.error(), "");
  return texts;
}

}  // namespace heed::viz
