// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

// Tensors as PyTorch prints them: one number format for the whole tensor, columns aligned, lines of 80, and of
// more than 1000 elements the three at each edge.
#include "core/check.h"
#include "core/dtype_dispatch.h"
#include "core/tensor_impl.h"

#include <cmath>
#include <ostream>
#include <vector>

namespace heed {
namespace {

constexpr std::int64_t kMostElements = 1000;
constexpr std::int64_t kEdge = 3;
constexpr std::size_t kLineWidth = 80;

/// How all floating elements are written, found from the finite ones that are not zero.
class NumberFormat {
 public:
  void look_at(double value) {
    if (!std::isfinite(value) || value == 0) return;
    const double magnitude = std::abs(value);
    smallest_ = any_ ? std::min(smallest_, magnitude) : magnitude;
    largest_ = any_ ? std::max(largest_, magnitude) : magnitude;
    whole_ = whole_ && value == std::ceil(value);
    any_ = true;
  }

  std::string operator()(double value) const {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    const bool scientific = any_ && (largest_ / smallest_ > 1000 || largest_ > 1e8 || smallest_ < 1e-4);
    if (scientific) return fmt::format("{:.4e}", value);
    return whole_ ? fmt::format("{:.0f}.", value) : fmt::format("{:.4f}", value);
  }

  /// Whether a value has a say in the width of the columns.
  static bool counts(double value) { return std::isfinite(value) && value != 0; }

 private:
  bool any_ = false;
  bool whole_ = true;
  double smallest_ = 0, largest_ = 0;
};

class Printer {
 public:
  explicit Printer(const Tensor& x) : x_(x), elided_(x.numel() > kMostElements) {
    visit(0, 0, [&](std::int64_t offset) {
      if (is_floating(x.dtype())) format_.look_at(number(offset));
    });
    visit(0, 0, [&](std::int64_t offset) {
      if (!is_floating(x.dtype()) || NumberFormat::counts(number(offset)))
        width_ = std::max(width_, text(offset).size());
    });
  }

  std::string body() const { return x_.numel() == 0 ? "[]" : block(0, 0, 7); }

 private:
  /// The positions along `dim` that are shown; -1 stands for those left out.
  std::vector<std::int64_t> shown(std::int64_t dim) const {
    const std::int64_t size = x_.shape()[dim];
    std::vector<std::int64_t> positions;
    for (std::int64_t i = 0; i < size; ++i) {
      if (elided_ && size > 2 * kEdge && i == kEdge) {
        positions.push_back(-1);
        i = size - kEdge;
      }
      positions.push_back(i);
    }
    return positions;
  }

  template <class Body>
  void visit(std::int64_t dim, std::int64_t offset, const Body& body) const {
    if (x_.numel() == 0) return;
    if (dim == x_.rank()) return body(offset);
    for (std::int64_t i : shown(dim)) {
      if (i >= 0) visit(dim + 1, offset + i * x_.strides()[dim], body);
    }
  }

  template <class T>
  T load(std::int64_t offset) const {
    return static_cast<const T*>(detail::raw(x_))[offset];
  }

  double number(std::int64_t offset) const {
    return x_.dtype() == f32 ? static_cast<double>(load<float>(offset)) : load<double>(offset);
  }

  std::string text(std::int64_t offset) const {
    if (x_.dtype() == boolean) return load<bool>(offset) ? "True" : "False";
    return x_.dtype() == i64 ? fmt::format("{}", load<std::int64_t>(offset)) : format_(number(offset));
  }

  std::string aligned(std::int64_t offset) const { return fmt::format("{:>{}}", text(offset), width_); }

  static std::string line_break(std::size_t lines, std::size_t indent) {
    std::string out(",");
    out.append(lines, '\n');
    return out.append(indent + 1, ' ');
  }

  std::string row(std::int64_t offset, std::size_t indent) const {
    const std::size_t room = kLineWidth > indent ? kLineWidth - indent : 0;
    const std::size_t per_line = std::max<std::size_t>(1, room / (width_ + 2));
    std::string out = "[";
    std::size_t count = 0;
    for (std::int64_t i : shown(x_.rank() - 1)) {
      if (count > 0) out += count % per_line == 0 ? line_break(1, indent) : ", ";
      out += i < 0 ? " ..." : aligned(offset + i * x_.strides()[x_.rank() - 1]);
      ++count;
    }
    return out + "]";
  }

  std::string block(std::int64_t dim, std::int64_t offset, std::size_t indent) const {
    if (x_.rank() == 0) return aligned(offset);
    if (dim == x_.rank() - 1) return row(offset, indent);
    const std::string separator = line_break(static_cast<std::size_t>(x_.rank() - dim - 1), indent);
    std::string out = "[";
    for (std::int64_t i : shown(dim)) {
      if (out.size() > 1) out += separator;
      out += i < 0 ? "..." : block(dim + 1, offset + i * x_.strides()[dim], indent + 1);
    }
    return out + "]";
  }

  const Tensor& x_;
  bool elided_;
  NumberFormat format_;
  std::size_t width_ = 1;
};

std::vector<std::string> suffixes(const Tensor& x) {
  std::vector<std::string> result;
  const bool empty = x.numel() == 0;
  if (empty && x.rank() != 1) result.push_back(fmt::format("size={}", x.shape()));
  if (x.dtype() == f64 || (empty && x.dtype() != f32)) result.push_back(fmt::format("dtype={}", x.dtype()));
  if (x.requires_grad()) result.emplace_back("requires_grad=True");
  return result;
}

}  // namespace

std::string to_string(const Tensor& x) {
  check_defined(x, "to_string", "tensor");
  std::string out = fmt::format("tensor({}", Printer(x).body());
  const std::size_t newline = out.rfind('\n');
  std::size_t line = newline == std::string::npos ? out.size() + 2 : out.size() - newline + 1;
  for (const std::string& suffix : suffixes(x)) {
    const bool fits = line + suffix.size() + 2 <= kLineWidth;
    out += (fits ? ", " : ",\n       ") + suffix;
    line = fits ? line + suffix.size() + 2 : 7 + suffix.size();
  }
  return out + ")";
}

std::ostream& operator<<(std::ostream& out, const Tensor& x) { return out << to_string(x); }

}  // namespace heed
