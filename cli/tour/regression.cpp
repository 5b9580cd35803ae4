// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include "regression.h"

#include <algorithm>
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

void show(Page& page, const Regression& data) {
  page.formula("f(x) = Σᵢ softmaxᵢ( -½ ((x - xᵢ) w)² ) yᵢ,  w = 1 / bandwidth");
  page.note(
      "{} points of y = 2 sin x + x^0.8 with noise, learned by SGD, leaving each point out of its own keys",
      data.x_train.numel());
  for (std::size_t epoch = 0; epoch < data.losses.size(); ++epoch) {
    page.line("epoch {}   loss {:8.4f}   w {:8.4f}", epoch, data.losses[epoch], data.w[epoch]);
  }
  page.line("\n{:<22}{:>12}{:>16}", "on the test grid", "mean error²", "entropy/row");
  const auto row = [&](std::string_view name, const Regression::Fit& fit) {
    page.line("{:<22}{:>12.4f}{:>16.4f}", name, fit.error, fit.entropy);
  };
  row("average pooling", data.average);
  row("fixed, w = 1", data.fixed);
  row("learned, at first", data.untrained);
  row("learned, trained", data.trained);
  page.picture(viz::Chart{
      .series =
          {{.name = "points", .x = data.x_train, .y = data.y_train, .style = viz::Series::Style::kPoints},
           {.name = "truth", .x = data.x_test, .y = data.truth, .style = viz::Series::Style::kDashes},
           {.name = "learned", .x = data.x_test, .y = data.trained.prediction},
           {.name = "fixed, w = 1", .x = data.x_test, .y = data.fixed.prediction}},
      .x_label = "x",
      .y_label = "y"});
  // Each with colours of its own: next to the learned weights the fixed ones would all look pale.
  const auto weight_map = [&](const char* title, const Regression::Fit& fit) {
    page.picture(viz::Heatmap{.values = fit.weights,
                              .title = title,
                              .x_label = "training points, sorted by x",
                              .y_label = "test points"});
  };
  weight_map("weights, fixed w = 1", data.fixed);
  weight_map("weights, learned w", data.trained);
  const auto epochs = static_cast<std::int64_t>(data.losses.size());
  page.picture(
      viz::Chart{.series = {{.name = "loss", .x = arange(epochs), .y = from_vector(data.losses, {epochs})}},
                 .x_label = "epoch"});
  if (data.w.back() > data.w.front()) {
    page.see(
        "Training raises w. The weights sharpen, their entropy falls, and the curve follows the points.");
  } else {
    page.see("This w began too near 0, where the gradient vanishes. Another --seed begins elsewhere.");
  }
}

}  // namespace heed::tour
