# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed.torch.MultiheadAttention and replace_attention: PyTorch's own attention, its transformers, and Hugging Face's."""

import copy
import inspect
import warnings

import pytest
import torch
from torch import nn

import heed
import heed.torch as ht
from counting import counted

torch.manual_seed(0)
warnings.filterwarnings("ignore")

SIZES = {
    "plain": {}, "batch first": dict(batch_first=True), "no bias": dict(bias=False), "other widths": dict(kdim=6, vdim=10),
    "added keys": dict(add_bias_kv=True, batch_first=True), "zero": dict(add_zero_attn=True),
    "all of it": dict(kdim=6, vdim=10, add_bias_kv=True, add_zero_attn=True, batch_first=True),
}  # fmt: skip
B, H, L, S = 2, 4, 5, 7
KEEP = torch.rand(L, S) < 0.7
KEEP[:, 0] = True
PADDING = torch.tensor([[False] * S, [False] * 4 + [True] * 3])
MASKS = {
    "none": {}, "padding": dict(key_padding_mask=PADDING), "boolean": dict(attn_mask=~KEEP), "float": dict(attn_mask=torch.randn(L, S)),
    "of each head": dict(attn_mask=torch.randn(B * H, L, S)), "boolean of each head": dict(attn_mask=~KEEP.expand(B * H, L, S)),
    "both": dict(attn_mask=~KEEP, key_padding_mask=PADDING),
    "both, float": dict(attn_mask=torch.randn(L, S), key_padding_mask=torch.zeros(B, S).masked_fill(PADDING, -torch.inf)),
}  # fmt: skip


def pair(**options):
    theirs = nn.MultiheadAttention(16, H, **options)
    for p in theirs.parameters():
        nn.init.normal_(p, std=0.3)
    ours = ht.MultiheadAttention(16, H, **options)
    ours.load_state_dict(theirs.state_dict())
    return theirs, ours


def check(theirs, ours, inputs, **call):
    results = []
    for module in (theirs, ours):
        leaves = [x.detach().clone().requires_grad_() for x in inputs]
        out, weights = module(*leaves, **call)
        (out.sin().sum() + (weights.cos().sum() if weights is not None else 0)).backward()
        results.append([out, *(x.grad for x in leaves), *(p.grad for p in module.parameters()), *([weights] if weights is not None else [])])
    for a, b in zip(*results, strict=True):
        torch.testing.assert_close(b, a, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("masks", MASKS)
@pytest.mark.parametrize("sizes", SIZES)
def test_it_is_pytorchs(sizes, masks, monkeypatch):
    options = SIZES[sizes]
    theirs, ours = pair(**options)
    shapes = ((B, L, 16), (B, S, options.get("kdim", 16)), (B, S, options.get("vdim", 16)))
    inputs = [torch.randn(*s) if options.get("batch_first") else torch.randn(*s).transpose(0, 1) for s in shapes]
    count = counted(monkeypatch)
    for more in ({}, dict(need_weights=False), dict(average_attn_weights=False)):
        check(theirs, ours, inputs, **MASKS[masks], **more)
    assert count() == (5, 5)


def test_without_a_batch_and_with_itself():
    theirs, ours = pair(batch_first=True)
    x = torch.randn(L, 16)
    check(theirs, ours, (x, x, x))
    check(theirs, ours, (x, x, x), key_padding_mask=torch.tensor([False, False, False, True, True]))
    y = torch.randn(B, L, 16, requires_grad=True)
    causal = nn.Transformer.generate_square_subsequent_mask(L)
    for options in ({}, dict(attn_mask=causal, is_causal=True, need_weights=False)):
        torch.testing.assert_close(ours(y, y, y, **options)[0], theirs(y, y, y, **options)[0], atol=1e-5, rtol=1e-5)


def test_arguments_and_mistakes():
    for name in ("__init__", "forward"):
        a, b = (inspect.signature(getattr(cls, name)).parameters for cls in (nn.MultiheadAttention, ht.MultiheadAttention))
        assert list(a) == list(b)
        assert [p.default for p in a.values()] == [p.default for p in b.values()]
    module, x = ht.MultiheadAttention(16, H, batch_first=True), torch.randn(B, L, 16)
    for call, text in (
        (lambda: module(x, x, x, is_causal=True), "is_causal is a hint"),
        (lambda: module(x, x[..., :4], x), "key must have shape"),
        (lambda: module(x, x, x[:, :2]), "must be of one length"),
        (lambda: module(x, x, x, attn_mask=torch.ones(3, 3)), "attn_mask must have shape"),
        (lambda: module(x, x, x, attn_mask=torch.ones(L, L, dtype=torch.int64)), "attn_mask must be boolean or of floating-point numbers, found i64"),
    ):  # fmt: skip
        with pytest.raises(heed.Error, match=text):
            call()
    empty = module(x, x, x, key_padding_mask=torch.ones(B, L, dtype=torch.bool))[0]
    torch.testing.assert_close(empty, module.out_proj.bias.expand_as(empty))
    module = ht.MultiheadAttention(16, H, dropout=0.5, batch_first=True)
    assert not torch.equal(module(x, x, x)[0], module(x, x, x)[0])
    twin = copy.deepcopy(module.eval())
    assert torch.equal(twin(x, x, x)[0], module(x, x, x)[0])


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("training", [True, False])
def test_transformer_encoders_attend_by_heed(training, nested, monkeypatch):
    layer = nn.TransformerEncoderLayer(16, H, 32, dropout=0.0, batch_first=True)
    theirs = nn.TransformerEncoder(layer, 3, enable_nested_tensor=nested).train(training)
    ours = copy.deepcopy(theirs)
    before = [id(p) for p in ours.parameters()]
    assert ht.replace_attention(ours) is ours and [id(p) for p in ours.parameters()] == before
    assert list(ours.state_dict()) == list(theirs.state_dict())
    x = torch.randn(B, S, 16)
    count, runs = counted(monkeypatch), 0
    causal = nn.Transformer.generate_square_subsequent_mask(S)
    for options in ({}, dict(src_key_padding_mask=PADDING), dict(mask=causal), dict(mask=causal, is_causal=True)):
        for grad in (True, False):
            with torch.set_grad_enabled(grad):
                a, b = theirs(x, **options), ours(x, **options)
            runs += 3
            assert count()[0] == runs
            if "src_key_padding_mask" in options:  # what padding becomes is nobody's business
                a, b = a[~PADDING], b[~PADDING]
            torch.testing.assert_close(a, b, atol=1e-5, rtol=1e-5)
            if grad and training:
                for p, q in zip(torch.autograd.grad(a.sin().sum(), theirs.parameters()), torch.autograd.grad(b.sin().sum(), ours.parameters())):
                    torch.testing.assert_close(p, q, atol=1e-5, rtol=1e-4)
    assert (count()[1] > 0) == training


def llama():
    transformers = pytest.importorskip("transformers")
    config = transformers.LlamaConfig(
        vocab_size=50, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        max_position_embeddings=64,
    )  # fmt: skip
    return transformers.LlamaForCausalLM(config)


def bert():
    transformers = pytest.importorskip("transformers")
    config = transformers.BertConfig(
        vocab_size=50, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    return transformers.BertForMaskedLM(config)


@pytest.mark.parametrize("make", [llama, bert])
def test_models_of_hugging_face_attend_by_heed(make, monkeypatch):
    theirs = make()
    ours = ht.replace_attention(copy.deepcopy(theirs))
    assert ours.config._attn_implementation == "heed"
    tokens = torch.randint(0, 50, (2, 9))
    padding = torch.ones_like(tokens)
    padding[0, 6:] = 0
    count = counted(monkeypatch)
    for training in (True, False):
        theirs.train(training), ours.train(training)
        for mask in (None, padding):
            before = count()
            a, b = theirs(tokens, attention_mask=mask, labels=tokens), ours(tokens, attention_mask=mask, labels=tokens)
            assert count()[0] == before[0] + 2
            seen = slice(None) if mask is None else mask.bool()
            torch.testing.assert_close(a.logits[seen], b.logits[seen], atol=1e-5, rtol=1e-5)
            if training and mask is None:
                a.loss.backward(), b.loss.backward()
                assert count()[1] == before[1] + 2
                for p, q in zip(theirs.parameters(), ours.parameters()):
                    torch.testing.assert_close(p.grad, q.grad, atol=1e-5, rtol=1e-4)


def test_a_cache_of_hugging_face():
    model = llama().eval()
    tokens = torch.randint(1, 50, (1, 5))
    expected = model.generate(tokens, max_new_tokens=6, do_sample=False, pad_token_id=0)
    assert torch.equal(ht.replace_attention(model).generate(tokens, max_new_tokens=6, do_sample=False, pad_token_id=0), expected)


def test_attention_weights_of_hugging_face():
    theirs = bert().eval()
    ours = ht.replace_attention(copy.deepcopy(theirs))
    theirs.set_attn_implementation("eager")
    tokens = torch.randint(0, 50, (2, 9))
    a, b = (m(tokens, output_attentions=True).attentions for m in (theirs, ours))
    for x, y in zip(a, b, strict=True):
        torch.testing.assert_close(x, y, atol=1e-5, rtol=1e-5)
