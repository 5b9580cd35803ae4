# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

import heed

LENGTH, STEPS = 6, 100


def examples(pairs):
    """Sequences of filler with one A and one B, each also backwards; whether A comes first."""
    place = heed.rand((pairs, LENGTH))
    a, b = heed.argmax(place, -1), heed.argmax(-place, -1)
    at = heed.arange(LENGTH).to(heed.i64)
    filler = 2 + (heed.rand((pairs, LENGTH)) < 0.5).to(heed.i64)
    tokens = heed.where(at == a.unsqueeze(1), 0, heed.where(at == b.unsqueeze(1), 1, filler))
    a_first = (a < b).to(heed.i64)
    return heed.cat([tokens, tokens[:, ::-1]], 0), heed.cat([a_first, 1 - a_first], 0)


class Classifier(heed.nn.Module):
    def __init__(self, positions, mask):
        super().__init__()
        self.positions, self.mask = positions, mask
        self.embed = heed.nn.Embedding(num_embeddings=4, embedding_dim=16)
        self.encode = heed.nn.LearnedPositionalEncoding(num_hiddens=16, max_len=LENGTH)
        self.attend = heed.nn.SelfAttention(hidden=16, heads=2)
        self.classify = heed.nn.Linear(in_features=16, out_features=2)

    def __call__(self, tokens):
        x = self.embed(tokens)
        if self.positions:
            x = self.encode(x)
        return self.classify(heed.mean(heed.relu(self.attend(x, self.mask)), 1))


def learn(name, positions, mask):
    heed.seed(0)
    (tokens, a_first), (test, test_a_first) = examples(64), examples(100)
    net = Classifier(positions, mask)
    adam = heed.optim.Adam(net.parameters(), lr=0.01)
    losses = []
    for step in range(STEPS + 1):
        loss = heed.cross_entropy(net(tokens), a_first)
        losses.append(loss.item())
        if step < STEPS:
            adam.zero_grad()
            loss.backward()
            adam.step()
    right = heed.mean((heed.argmax(net(test), -1) == test_a_first).to(heed.f64)).item()
    print(name)
    print("  loss at steps 0, 25, … 100:", heed.tensor(losses[::25]))
    print(f"  right on new sequences: {right:.6g}")


learn("without positions", False, heed.Mask())
learn("without positions, with a causal mask", False, heed.causal())
learn("with learned positions", True, heed.Mask())
