# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import heed

heed.seed(0)
attention = heed.nn.MultiHeadAttention(hidden=100, heads=5, dropout=0.5)
attention.eval()
x = 2 * heed.normal((2, 4, 100))
output = attention(x, x, x, heed.valid_lens([3, 2]))
print(attention)
print(x.shape, "to", output.shape, "by", attention.parameter_count(), "numbers that are learned")
print("who the first position of the first sequence looks at, head by head")
print(attention.attention_weights()[0].select(1, 0))
