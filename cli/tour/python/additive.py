# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import heed

heed.seed(0)
queries, keys = heed.normal((2, 1, 20)), heed.normal((2, 10, 2))
values = heed.arange(40).reshape((1, 10, 4)).expand((2, 10, 4))
attention = heed.nn.AdditiveAttention(query_size=20, key_size=2, num_hiddens=8, dropout=0.1)
attention.eval()
output = attention(queries, keys, values, heed.valid_lens([2, 6]))
print("weights", attention.attention_weights().squeeze(1), sep="\n")
print("output", output.detach().squeeze(1), sep="\n")
