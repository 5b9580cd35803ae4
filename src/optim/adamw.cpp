// SPDX-FileCopyrightText: The heed authors
// SPDX-License-Identifier: Apache-2.0

#include <heed/optim/adamw.h>

namespace heed::optim {

AdamW::AdamW(std::vector<Tensor> parameters, const AdamWOptions& options)
    : Adam(std::move(parameters),
           {.lr = options.lr,
            .beta1 = options.beta1,
            .beta2 = options.beta2,
            .epsilon = options.epsilon,
            .weight_decay = options.weight_decay,
            .amsgrad = options.amsgrad},
           {.name = "AdamW", .decay = Decay::kParameter}) {}

}  // namespace heed::optim
