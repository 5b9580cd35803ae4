# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import math

import heed

angles = heed.arange(10) * (2 * math.pi / 10)
dial = heed.stack([heed.cos(angles), heed.sin(angles)], 1)  # ten keys around a circle
keys = heed.stack([dial, dial])
queries = 4 * heed.stack([dial[2], dial[8]]).unsqueeze(1)
values = heed.arange(10).reshape((1, 10, 1)).expand((2, 10, 1))
attention = heed.nn.DotProductAttention(dropout=0.5)
attention.eval()
output = attention(queries, keys, values, heed.valid_lens([10, 6]))
print("weights", attention.attention_weights().squeeze(1), sep="\n")
print("output:", output.reshape((2,)))
