# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import heed

heed.seed(0)
queries, keys, values = heed.normal((1, 2)), heed.normal((10, 2)), heed.rand((10, 4))
attention = heed.nn.DotProductAttention(dropout=0.5)


def pool():
    return attention(queries, keys, values).squeeze(0)


attention.train()
outputs = [pool() for _ in range(4000)]
attention.eval()
print("in training:       ", outputs[0])
print("in training, again:", outputs[1])
print("average of 4000:   ", heed.mean(heed.stack(outputs), 0))
print("in evaluation:     ", pool())
