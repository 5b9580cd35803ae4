// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression.h"

#include <algorithm>
#include <iomanip>
#include <limits>

namespace heed::tour {
namespace {

constexpr std::int64_t kPoints = 50;
constexpr int kEpochs = 5;

Tensor curve(const Tensor& x) { return 2 * sin(x) + pow(x, 0.8); }

Tensor sorted(const Tensor& x) {
  std::vector<float> values = x.to_vector<float>();
  std::sort(values.begin(), values.end());
  return from_vector(values, x.shape());
}

/// Mean of -Σ p log p over the rows of weights.
double mean_entropy(const Tensor& weights) {
  const Tensor terms = where(weights > 0, weights * log(weights), zeros_like(weights));
  return -mean(sum(terms, -1)).item();
}

Regression::Fit judged(const Tensor& prediction, const Tensor& weights, const Tensor& truth) {
  return {prediction, weights, mse_loss(prediction, truth).item(), mean_entropy(weights)};
}

/// Pooling with a bandwidth that is given.
Regression::Fit fit(const Regression& data, double bandwidth) {
  const AttendResult result =
      attend_with_weights(data.x_test.unsqueeze(1), data.x_train.unsqueeze(1), data.y_train.unsqueeze(1),
                          {.score = Gaussian{.bandwidth = bandwidth}});
  return judged(result.output.squeeze(1), result.weights(), data.truth);
}

/// Pooling with the bandwidth the net has learned so far.
Regression::Fit fit(const Regression& data, nn::NWKernelRegression& net) {
  const NoGrad guard;
  const Tensor prediction = net(data.x_test, data.x_train, data.y_train);
  return judged(prediction, net.attention_weights(), data.truth);
}

void train(Regression& data, nn::NWKernelRegression& net) {
  // No point may look at itself, or it would only look at itself.
  const Tensor keys = nn::leave_one_out(data.x_train), values = nn::leave_one_out(data.y_train);
  optim::SGD sgd(net.parameters(), {.lr = 0.5});
  const auto measure = [&] {
    Tensor loss = sum(l2_loss(net(data.x_train, keys, values), data.y_train));
    data.losses.push_back(loss.item());
    data.w.push_back(net.w.item());
    return loss;
  };
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    sgd.zero_grad();
    measure().backward();
    sgd.step();
  }
  measure();
}

}  // namespace

Regression run_regression(std::uint64_t seed) {
  heed::seed(seed);
  Regression data;
  data.x_train = sorted(rand({kPoints}) * 5);
  data.y_train = curve(data.x_train) + normal({kPoints}, {.stddev = 0.5});
  data.x_test = arange({.start = 0, .stop = 5, .step = 0.1});
  data.truth = curve(data.x_test);
  data.average = fit(data, std::numeric_limits<double>::infinity());
  data.fixed = fit(data, 1);
  nn::NWKernelRegression net;
  data.untrained = fit(data, net);
  train(data, net);
  data.trained = fit(data, net);
  return data;
}

void print(std::ostream& out, const Regression& data) {
  const auto row = [](const std::vector<double>& numbers) {
    return from_vector(numbers, {static_cast<std::int64_t>(numbers.size())}).to(f32);
  };
  out << "loss: " << row(data.losses) << '\n';
  out << "w:    " << row(data.w) << '\n' << std::setprecision(4);
  out << "error of the average:   " << data.average.error << '\n';
  out << "error with w = 1:       " << data.fixed.error << '\n';
  out << "error with the learned: " << data.trained.error << '\n';
}

void show(Page& page, const Regression& data) {
  page.question(
      "Fifty points lie around a curve. How wide should one look to guess the curve from them, and can the "
      "width be learned?");
  page.formula("f(x) = Σᵢ softmaxᵢ( -½ ((x - xᵢ) w)² ) yᵢ");
  page.note(
      "The points are y = 2 sin x + x^0.8 with noise. w is one over the bandwidth: at w = 0 every guess is "
      "the average of "
      "all points, and a large w asks the nearest alone. SGD learns w in five epochs, leaving each point out "
      "of its own "
      "guess, for else it would look at nothing but itself.");
  page.output(data);
  page.picture(viz::Chart{
      .series =
          {{.name = "points", .x = data.x_train, .y = data.y_train, .style = viz::Series::Style::kPoints},
           {.name = "truth", .x = data.x_test, .y = data.truth, .style = viz::Series::Style::kDashes},
           {.name = "learned", .x = data.x_test, .y = data.trained.prediction},
           {.name = "fixed, w = 1", .x = data.x_test, .y = data.fixed.prediction}},
      .title = "Nadaraya-Watson regression",
      .x_label = "x",
      .y_label = "y"});
  const auto weight_map = [&](const char* title, const Regression::Fit& fit) {
    page.picture(viz::Heatmap{.values = fit.weights,
                              .title = fmt::format("{}; the darkest is {:.2g}", title,
                                                   viz::colour_range({.values = fit.weights}).high),
                              .x_label = "x of the points",
                              .y_label = "x of the guess",
                              .query_places = data.x_test,
                              .key_places = data.x_train});
  };
  weight_map("Weights with w = 1", data.fixed);
  weight_map("Weights with the learned w", data.trained);
  const auto epochs = static_cast<std::int64_t>(data.losses.size());
  page.picture(
      viz::Chart{.series = {{.name = "loss", .x = arange(epochs), .y = from_vector(data.losses, {epochs})}},
                 .title = "The loss while w was learned",
                 .x_label = "epoch",
                 .y_label = "loss"});
  if (data.w.back() > data.w.front()) {
    page.see(
        "Training raises w: each guess looks at fewer points, and the curve follows them. The two maps have "
        "colours "
        "of their own, as their titles say: on one scale the first would be pale all over.");
  } else {
    page.see(
        "This w began too near 0, where the gradient vanishes, and stayed there; another seed begins "
        "elsewhere. The two "
        "maps have colours of their own, as their titles say.");
  }
  page.read({.text = "Dive into Deep Learning, 11.2 Attention Pooling by Similarity",
             .url = "https://d2l.ai/chapter_attention-mechanisms-and-transformers/attention-pooling.html"});
  page.read({.text = "Nadaraya, On Estimating Regression (1964)", .url = "https://doi.org/10.1137/1109020"});
}

}  // namespace heed::tour
