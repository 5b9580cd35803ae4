// A plot made of characters.
#pragma once

#include <heed/tensor.h>

#include <string>
#include <string_view>
#include <vector>

namespace heed::tour {

class Plot {
 public:
  struct Axis {
    double low = 0;
    double high = 1;
  };
  Plot(const Axis& x, const Axis& y);

  /// Puts `mark`, one column wide, at every point; later marks cover earlier ones.
  void draw(std::string_view mark, const Tensor& x, const Tensor& y);

  std::string text() const;

 private:
  Axis x_, y_;
  std::vector<std::vector<std::string>> cells_;
};

}  // namespace heed::tour
