# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import heed

heed.seed(0)
embed = heed.nn.Embedding(num_embeddings=4, embedding_dim=16, dtype=heed.f64)
attend_to_self = heed.nn.SelfAttention(hidden=16, heads=1, dtype=heed.f64)
encode = heed.nn.PositionalEncoding(num_hiddens=16)

sentence = embed(heed.arange(4).to(heed.i64))  # 我 喜欢 吃 苹果
backwards = sentence[::-1]
attend_to_self(sentence)
weights = attend_to_self.attention_weights().squeeze(0).to(heed.f32)


def differs(there, back):
    """The output for the reversed sentence against the output, reversed; in f64, so that rounding is no order."""
    forth, turned = attend_to_self(there), attend_to_self(back)[::-1]
    return heed.max(heed.abs(turned - forth)).item() > 1e-6


print("weights", weights, sep="\n")
print("the order is seen without positions:", differs(sentence, backwards))
print("the order is seen with positions:   ", differs(encode(sentence), encode(backwards)))
