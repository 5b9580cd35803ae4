# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import heed

waists = heed.tensor([[51.0], [56.0], [58.0]])
weights = heed.tensor([[40.0], [43.0], [48.0]])
asked = heed.tensor([[57.0]])
result = heed.attend_with_weights(asked, waists, weights, score=heed.Gaussian(bandwidth=1))
print("attention:", result.weights().squeeze(0))
print(f"weight: {result.output.item():.6g}")
