# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import math

import heed

heed.seed(0)
x = heed.normal((1, 4, 6))
x = heed.cat([x[:, :3], x[:, :1]], 1)  # the last position is the first once more
output, weights = heed.attention(x, x, x)
print("weights", weights.squeeze(0), sep="\n")
plain = heed.softmax(x @ x.transpose(-2, -1) / math.sqrt(6)) @ x
print("softmax(Q Kᵀ / √d) V gives the same:", heed.all_close(output, plain))

layer = heed.nn.AttentionLayer(d_k=8, d_input=6)
print(layer)
print(x.shape, "to", layer(x, x, x).shape, "by", layer.parameter_count(), "numbers that are learned")
