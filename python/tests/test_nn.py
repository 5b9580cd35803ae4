# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed.nn and heed.optim: modules of ours and of the user's, training, state and pickling."""

import copy
import pickle

import numpy as np
import pytest

import heed
from heed import nn

MODULES = {
    "Linear": (lambda: nn.Linear(in_features=3, out_features=4, bias=False), lambda m: m(heed.ones((2, 3)))),
    "Embedding": (lambda: nn.Embedding(num_embeddings=5, embedding_dim=2), lambda m: m([1, 4])),
    "LayerNorm": (lambda: nn.LayerNorm(normalized_shape=(2, 3), epsilon=0.1), lambda m: m(heed.arange(6).reshape((1, 2, 3)))),
    "Dropout": (lambda: nn.Dropout(p=0.25), lambda m: m(heed.ones((8,)))),
    "PositionalEncoding": (
        lambda: nn.PositionalEncoding(num_hiddens=5, max_len=2, grow=True),
        lambda m: m(heed.ones((1, 4, 5))),
    ),
    "LearnedPositionalEncoding": (
        lambda: nn.LearnedPositionalEncoding(num_hiddens=4, max_len=9),
        lambda m: m(heed.ones((1, 3, 4))),
    ),
    "AdditiveAttention": (
        lambda: nn.AdditiveAttention(key_size=2, query_size=3, num_hiddens=4, dropout=0.1, dtype=heed.f64),
        lambda m: m(np.ones((2, 1, 3)), np.ones((2, 5, 2)), np.ones((2, 5, 4)), heed.valid_lens([2, 3])),
    ),
    "DotProductAttention": (
        lambda: nn.DotProductAttention(dropout=0.5),
        lambda m: m(heed.ones((2, 3, 4)), heed.ones((2, 3, 4)), heed.ones((2, 3, 4))),
    ),
    "AttentionLayer": (
        lambda: nn.AttentionLayer(d_k=5, d_input=4),
        lambda m: m(heed.ones((2, 3, 4)), heed.ones((2, 3, 4)), heed.ones((2, 3, 4))),
    ),
    "MultiHeadAttention": (
        lambda: nn.MultiHeadAttention(hidden=6, heads=2, bias=True, query_size=3, key_size=4, value_size=5),
        lambda m: m(heed.ones((2, 3, 3)), heed.ones((2, 7, 4)), heed.ones((2, 7, 5)), mask=heed.valid_lens([3, 7])),
    ),
    "SelfAttention": (
        lambda: nn.SelfAttention(hidden=6, heads=3, input_size=4),
        lambda m: m(heed.ones((2, 3, 4)), heed.causal()),
    ),
    "NWKernelRegression": (
        lambda: nn.NWKernelRegression(dtype=heed.f64),
        lambda m: m(np.arange(3.0), np.arange(4.0), np.arange(4.0)),
    ),
}


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("duplicate", [lambda m: pickle.loads(pickle.dumps(m)), copy.deepcopy], ids=["pickle", "deepcopy"])
def test_a_copy_is_like_its_original_and_shares_nothing(name, duplicate):
    make, call = MODULES[name]
    module = make()
    module.eval()
    if module.parameters():
        module.parameters()[0].requires_grad_(False)
    other = duplicate(module)
    assert type(other) is type(module) and repr(other) == repr(module) and not other.is_training
    assert heed.identical(call(module), call(other))
    assert [p.requires_grad for p in module.parameters()] == [p.requires_grad for p in other.parameters()]
    for (name_a, a), (name_b, b) in zip(module.named_parameters(), other.named_parameters()):
        assert name_a == name_b and heed.identical(a, b)
        assert a.numpy().__array_interface__["data"] != b.numpy().__array_interface__["data"]


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = nn.SelfAttention(hidden=width, heads=heads)
        self.norm = nn.LayerNorm(normalized_shape=width)
        self.scale = heed.ones((1,)).requires_grad_()
        self._hidden = heed.ones((3,))
        self.width = width

    def options_text(self):
        return f"width={self.width}"

    def __call__(self, x):
        return self.norm(x + self.attention(x, heed.causal()) * self.scale)


def test_a_module_of_ones_own():
    net = nn.ModuleList(Block(8, 2) for _ in range(2))
    assert len(net) == 2 and net[1].width == 8
    names = [name for name, _ in net.named_parameters()]
    assert names[0] == "0.attention.W_q.weight" and "1.scale" in names and not any("_hidden" in n for n in names)
    assert net.parameter_count() == 2 * (4 * 64 + 16 + 1)
    assert "(0-1): 2 x Block(" in repr(net)
    net.eval()
    assert not net[0].attention.attention.dropout.is_training
    net.to(heed.f64)
    assert net[0].scale.dtype == heed.f64
    state = net.state()
    other = pickle.loads(pickle.dumps(net))
    assert not other.is_training and other[0].width == 8
    assert all(heed.identical(value, state[name]) for name, value in other.state().items())
    x = heed.rand((1, 3, 8), dtype=heed.f64)
    assert heed.identical(net[0](x), other[0](x))


def test_state_loads_whole_or_not_at_all():
    net = nn.Linear(in_features=2, out_features=2)
    before = net.weight.clone()
    with pytest.raises(heed.Error) as caught:
        net.load_state({"weight": heed.zeros((3, 3)), "other": heed.zeros((1,))})
    for word in ("weight", "other", "bias"):
        assert word in str(caught.value)
    assert heed.identical(before, net.weight)
    net.load_state({"weight": np.eye(2), "bias": [1.0, 2.0]})
    assert net([1.0, 1.0]).tolist() == [2, 3]


def test_parameter_files(tmp_path):
    a, b = (nn.MultiHeadAttention(hidden=8, heads=2) for _ in range(2))
    nn.save(a, tmp_path / "net.safetensors")
    report = nn.load(b, tmp_path / "net.safetensors")
    assert report.missing == report.unexpected == []
    assert heed.identical(a.W_q.weight, b.W_q.weight)


def test_weights_on_demand():
    net = nn.MultiHeadAttention(hidden=8, heads=2)
    with pytest.raises(heed.Error, match="there was no forward yet"):
        net.attention_weights()
    x = heed.rand((2, 4, 8))
    net(x, x, x, heed.valid_lens([3, 2]))
    weights = net.attention_weights().numpy()
    assert weights.shape == (2, 2, 4, 4)
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=1e-6)
    assert not weights[0, :, :, 3:].any() and not weights[1, :, :, 2:].any()
    np.testing.assert_array_equal(net.attention_weights(heads=[1], rows=[0, 3]).numpy(), weights[:, 1:, [0, 3]])


@pytest.mark.parametrize(
    "make",
    [
        lambda p: heed.optim.SGD(p, 0.1, momentum=0.9, nesterov=True),
        lambda p: heed.optim.Adam(p, 0.05),
        lambda p: heed.optim.AdamW(p, 0.05, amsgrad=True),
    ],
)
def test_training_lowers_the_loss_and_can_be_resumed(make, rng):
    x, y = rng.normal(size=(32, 3)), rng.normal(size=(32, 1))
    net = nn.Linear(in_features=3, out_features=1, dtype=heed.f64)
    optimiser = make(net.parameters())

    def step(model, opt):
        opt.zero_grad()
        loss = heed.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        return loss.item()

    losses = [step(net, optimiser) for _ in range(30)]
    assert losses[-1] < losses[0]
    twin = copy.deepcopy(net)
    other = make(twin.parameters())
    other.load_state({name: value.clone() for name, value in optimiser.state().items()})
    assert step(net, optimiser) == step(twin, other)
    assert step(net, optimiser) == step(twin, other)


def test_the_notes_regression_learns():
    heed.seed(1)
    x = heed.tensor(np.sort(np.random.default_rng(0).random(50).astype(np.float32) * 5))
    y = 2 * heed.sin(x) + heed.normal((50,), stddev=0.3)
    net = nn.NWKernelRegression()
    keys, values = nn.leave_one_out(x), nn.leave_one_out(y)
    sgd = heed.optim.SGD(net.parameters(), lr=0.5)
    losses = []
    for _ in range(20):
        sgd.zero_grad()
        loss = heed.mean(heed.l2_loss(net(x, keys, values), y))
        loss.backward()
        sgd.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]


def test_options_have_the_defaults_and_errors_of_cpp():
    with pytest.raises(TypeError):
        nn.Linear(in_features=3)
    with pytest.raises(heed.Error, match="MultiHeadAttention"):
        nn.MultiHeadAttention(hidden=7, heads=2)
    with pytest.raises(heed.Error, match="SGD"):
        heed.optim.SGD([], lr=-1)
    assert nn.Dropout().p == 0.5


def test_positions_are_those_of_pytorch_and_the_notes():
    assert repr(nn.Linear(3, 4, False)) == "Linear(in_features=3, out_features=4, bias=False)"
    assert nn.Embedding(5, 2).weight.shape == (5, 2) and nn.LayerNorm((2, 3)).weight.shape == (2, 3) and nn.Dropout(0.25).p == 0.25
    x = heed.rand(2, 4, 8)
    by_notes = nn.MultiHeadAttention(8, 8, 8, 6, 2, 0.5, True).eval()
    assert by_notes(x, x, x, [3, 2]).shape == (2, 4, 6) and by_notes.W_o.bias.shape == (6,) and by_notes.heads == 2
    assert nn.AdditiveAttention(8, 8, 5, 0.1)(x, x, x, np.array([3, 2])).shape == (2, 4, 8)
    assert nn.DotProductAttention(0.5).dropout.p == 0.5
    assert nn.AttentionLayer(5, 8)(x, x, x).shape == (2, 4, 5)
    assert nn.SelfAttention(8, 2)(x, heed.causal()).shape == (2, 4, 8)
    assert nn.PositionalEncoding(8, 0.0, 60).max_len == 60 and nn.LearnedPositionalEncoding(8, 0.0, 9).P.shape == (9, 8)
    assert nn.multi_head_attention_layer(2, 6, 8)(x, x, x).shape == (2, 4, 6)


def test_one_width_has_one_name_and_the_notes():
    pairs = {
        nn.Embedding: ({"num_embeddings": 3, "hidden": 4}, {"num_embeddings": 3, "embedding_dim": 4}),
        nn.PositionalEncoding: ({"hidden": 4}, {"num_hiddens": 4}),
        nn.LearnedPositionalEncoding: ({"hidden": 4}, {"num_hiddens": 4}),
        nn.AdditiveAttention: ({"key_size": 2, "query_size": 3, "hidden": 4}, {"key_size": 2, "query_size": 3, "num_hiddens": 4}),
        nn.AttentionLayer: ({"hidden": 4, "input_size": 3}, {"d_k": 4, "d_input": 3}),
        nn.SelfAttention: ({"hidden": 4, "heads": 2}, {"num_hiddens": 4, "num_heads": 2}),
        nn.MultiHeadAttention: ({"hidden": 4, "heads": 2}, {"key_size": 4, "query_size": 4, "value_size": 4, "num_hiddens": 4, "num_heads": 2}),
    }  # fmt: skip
    for cls, (own, notes) in pairs.items():
        assert repr(cls(**own)) == repr(cls(**notes))
        with pytest.raises(TypeError):  # what is required is required
            cls()


def test_modules_answer_as_pytorchs_do():
    net = nn.Linear(2, 2)
    assert net.eval() is net and not net.training and not net.is_training
    assert net.train() is net and net.training
    assert list(net.state_dict()) == list(net.state()) == ["bias", "weight"]
    net.load_state_dict({"weight": np.eye(2), "bias": [0.0, 1.0]})
    assert net([3, 4]).tolist() == [3, 5]
    assert isinstance(Block(8, 2).eval(), Block)


def test_lengths_and_boolean_arrays_are_masks():
    attention, x = nn.DotProductAttention(), heed.rand(2, 3, 4)
    expected = attention(x, x, x, heed.valid_lens([1, 3]))
    allowed = np.arange(3) < np.array([1, 3])[:, None, None]
    for mask in ([1, 3], np.array([1, 3]), heed.tensor([1, 3]), allowed):
        assert heed.identical(attention(x, x, x, mask), expected)
    with pytest.raises(TypeError, match="mask must be"):
        attention(x, x, x, [1.5, 2.0])
