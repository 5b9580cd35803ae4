"""heed.torch: the operator, sdpa, the notes' modules, arrays of PyTorch and JAX."""

import copy
import doctest
import inspect
from itertools import product

import numpy as np
import pytest
import torch
import torch.autograd.forward_ad as forward_mode
import torch.nn.functional as F
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

import heed
import heed.torch as ht
import plain

torch.manual_seed(0)


def draw(*shape, dtype=torch.float64, grad=True):
    return torch.randn(*shape, dtype=dtype, requires_grad=grad)


def close(a, b, atol=1e-12):
    torch.testing.assert_close(a, b, atol=atol, rtol=atol)


CALLS = {
    "plain": lambda: (draw(2, 4, 5, 8), draw(2, 4, 6, 8), draw(2, 4, 6, 3), None, [], [], [], "scaled_dot", [], None, None, 0.0, None),
    "grouped, heads inside": lambda: (
        draw(2, 5, 4, 8).detach().transpose(1, 2).requires_grad_(), draw(2, 2, 6, 8), draw(2, 2, 6, 8), draw(5, 6),
        [torch.tensor([3, 6])], [torch.rand(5, 6) < 0.8], [2, 0, 1, -1, 3, 0], "dot", [], None, 2.0, 0.0, None,
    ),
    "additive, dropout": lambda: (
        draw(2, 3, 4), draw(2, 5, 6), draw(2, 5, 2), None, [], [], [], "additive",
        [draw(7, 4), draw(7, 6), draw(1, 7)], None, None, 0.3, torch.tensor(5),
    ),
    "gaussian": lambda: (draw(3, 2), draw(5, 2), draw(5, 1, grad=False), None, [], [], [], "gaussian_w", [draw(2)], None, None, 0.0, None),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_opcheck(name):
    torch.library.opcheck(torch.ops.heed.attend.default, CALLS[name]())


def by_attend(*call):
    """What the operator does to its arguments, by heed.torch.attend."""
    queries, keys, values, bias, lengths, allowed, windows, name, parameters, scale, softcap, dropout, _ = call
    scores = {"scaled_dot": lambda: ht.ScaledDot(scale), "dot": ht.Dot, "additive": lambda: ht.Additive(*parameters)}
    score = scores[name]() if name in scores else ht.Gaussian(w=parameters[0])
    mask = ht.Mask(lengths, allowed, windows)
    torch.manual_seed(5)
    return ht.attend(
        queries, keys, values, score=score, mask=mask, bias=bias, softcap=softcap, dropout=dropout, return_lse=True
    )


def leaves_of(call):
    return [x for x in (*call[:4], *call[8]) if isinstance(x, torch.Tensor) and x.requires_grad]


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("function", [torch.ops.heed.attend, by_attend], ids=["operator", "attend"])
def test_gradcheck(function, name):
    call = CALLS[name]()
    leaves = leaves_of(call)

    def run(*values):
        swap = dict(zip(map(id, leaves), values))
        put = lambda x: swap.get(id(x), x)  # noqa: E731
        out, lse = function(*map(put, call[:4]), *call[4:8], list(map(put, call[8])), *call[9:])
        return out, torch.where(lse.isfinite(), lse, 0)

    assert torch.autograd.gradcheck(run, leaves)


class Watcher(TorchDispatchMode):
    """Writes down the operators of heed."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function.namespace == "heed":
            self.seen.append(str(function))
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize("name", CALLS)
def test_watched_or_not_it_is_the_same(name):
    call = CALLS[name]()

    def run():
        out, lse = by_attend(*call)
        grads = torch.autograd.grad(out.sin().sum() + torch.where(lse.isfinite(), lse, 0).sum(), leaves_of(call))
        with torch.no_grad():
            again = by_attend(*call)
        return type(out.grad_fn).__name__, [out, lse, *grads, *again]

    way, results = run()
    with Watcher() as watcher:
        watched_way, watched = run()
    assert way == "_AttendBackward" and watched_way != way
    assert watcher.seen == ["heed.attend.default", "heed.attend_backward.default", "heed.attend.default"]
    for a, b in zip(results, watched):
        assert torch.equal(a, b) and a.stride() == b.stride()


def test_every_choice_of_gradients(monkeypatch):
    asked = []

    def watch(*arguments):
        asked.append(arguments[-1])
        return heed._core._attend_backward(*arguments)

    monkeypatch.setattr(heed.torch.operator, "_attend_backward", watch)
    W = draw(3, 4)
    everything = dict(q=draw(2, 3, 4), k=draw(2, 5, 4), v=draw(2, 5, 2), bias=draw(3, 5), W=W, V=draw(3, 4), w=draw(3))

    def run(q, k, v, bias, W, V, w):
        out, lse = ht.attend(q, k, v, score=ht.Additive(W, V, w), bias=bias, mask=ht.valid_lens([2, 5]), return_lse=True)
        return out.sin().sum() + lse.sum()

    expected = dict(zip(everything, torch.autograd.grad(run(**everything), everything.values())))
    for choice in product((True, False), repeat=len(everything)):
        wanted = dict(zip(everything, choice))
        loss = run(**{name: x if wanted[name] else x.detach() for name, x in everything.items()})
        assert loss.requires_grad == any(choice)
        if any(choice):
            chosen = [name for name in everything if wanted[name]]
            for name, grad in zip(chosen, torch.autograd.grad(loss, [everything[name] for name in chosen])):
                close(grad, expected[name])
            assert asked[-1] == list(choice)  # no others are computed


def test_gradients_of_one_output_and_of_any_strides():
    q, k, v = draw(2, 3, 5, 4), draw(2, 3, 6, 4), draw(2, 3, 6, 4)
    out, lse = ht.attend(q, k, v, return_lse=True)
    keep = dict(retain_graph=True)
    weights = (q @ k.mT / 2).softmax(-1)
    close(torch.autograd.grad(lse.sum(), q, **keep)[0], weights @ k / 2)
    close(torch.autograd.grad(lse.sum(), v, **keep)[0], torch.zeros_like(v))
    close(torch.autograd.grad(out.sum(), v, **keep)[0], weights.mT @ torch.ones_like(out))
    strided = torch.randn(2, 5, 4, 3, dtype=torch.float64).permute(0, 3, 1, 2)
    spread = torch.ones((), dtype=torch.float64).expand(out.shape)
    negated = torch.randn(out.shape, dtype=torch.complex128).conj().imag
    for grad in (strided, spread, negated):
        plain = grad.resolve_neg().contiguous()
        for a, b in zip(*(torch.autograd.grad(out, (q, k, v), g, **keep) for g in (grad, plain))):
            close(a, b)


def test_second_derivatives_are_refused():
    q, k, v = draw(3, 4), draw(5, 4), draw(5, 2)
    call = (q, k, v, None, [], [], [-1, 0, 0], "scaled_dot", [], None, None, 0.0, None)
    for function in (by_attend, torch.ops.heed.attend):
        for loss in (torch.sum, lambda x: x.sin().sum()):  # whose own gradients depend on nothing, and on the output
            (grad,) = torch.autograd.grad(loss(function(*call)[0]), q, create_graph=True)
            close(grad, torch.autograd.grad(loss(function(*call)[0]), q)[0])
            assert grad.requires_grad
            for x in (q, k, v):  # other terms would hide what is missing
                with pytest.raises(heed.Error, match="no second derivatives"):
                    torch.autograd.grad(grad.sum() + (q.sum() * k.sum() * v.sum()) ** 2, x, retain_graph=True)
    with pytest.raises(heed.Error, match="second derivatives"):
        torch.autograd.functional.hessian(lambda q: ht.attend(q, k, v).sum(), q)


@pytest.mark.filterwarnings("ignore:.torch.jit")
def test_forward_mode_is_refused():
    q, k, v = (draw(3, 4, grad=False) for _ in range(3))
    with forward_mode.dual_level(), pytest.raises(heed.Error, match="backward mode alone"):
        ht.attend(q, forward_mode.make_dual(k, v), v)
    with pytest.raises(RuntimeError):
        torch.func.jvp(lambda k: ht.attend(q, k, v), (k,), (v,))


def test_traced_with_gradients():
    q, k, v = draw(3, 4), draw(5, 4), draw(5, 2)

    def step(q, k, v):
        attended = checkpoint(lambda q: ht.attend(q, k, v, mask=ht.causal(align="top_left")), q, use_reentrant=False)
        return torch.autograd.grad(attended.sin().sum(), (q, k, v))

    for mode in ("real", "fake", "symbolic"):
        graph = make_fx(step, tracing_mode=mode)(q, k, v)
        other = [draw(*x.shape) for x in (q, k, v)]
        for a, b in zip(graph(*other), step(*other)):
            close(a, b)
    out = ht.attend(q, k, v)  # before anybody watches
    graph = make_fx(lambda grad: torch.autograd.grad(out, q, grad, retain_graph=True))(torch.ones_like(out))
    grad = torch.randn_like(out)
    close(graph(grad)[0], torch.autograd.grad(out, q, grad)[0])


@pytest.mark.filterwarnings("ignore:.torch.jit")
def test_traced_by_other_tracers():
    class Model(torch.nn.Module):
        def forward(self, q, k, v):
            return ht.attend(q, k, v, score=ht.Gaussian(bandwidth=2.0))

    inputs = [draw(3, 4), draw(5, 4), draw(5, 2)]
    graphs = [torch.fx.symbolic_trace(Model())]
    graphs += [torch.export.export(Model(), tuple(inputs), strict=strict).module() for strict in (True, False)]
    for graph in graphs:
        assert torch.ops.heed.attend.default in [node.target for node in graph.graph.nodes]
    graphs.append(torch.jit.trace(Model(), inputs))
    assert "heed::attend" in str(graphs[-1].graph)
    others = [draw(*x.shape) for x in inputs]
    for graph in graphs:
        out, expected = graph(*others), Model()(*others)
        close(out, expected)
        for a, b in zip(torch.autograd.grad(out.sum(), others), torch.autograd.grad(expected.sum(), others)):
            close(a, b)


def test_tensors_without_memory():
    with FakeTensorMode():
        q = torch.zeros(2, 3, 5, 4, requires_grad=True)
        out = ht.attend(q, q, q, mask=ht.causal())
        out.sum().backward()
    assert out.shape == q.grad.shape == (2, 3, 5, 4)
    meta = torch.zeros(2, 5, 4, device="meta", requires_grad=True)
    out = ht.attend(meta, meta, meta, dropout=0.5)
    out.sum().backward()
    assert out.is_meta and meta.grad.is_meta and meta.grad.shape == meta.shape


def test_negated_tensors_are_read_as_they_are():
    q = torch.randn(3, 4, dtype=torch.complex128).conj().imag
    assert q.is_neg()
    for k in (draw(5, 4), draw(5, 4, grad=False)):
        assert torch.equal(ht.attend(q, k, k), ht.attend(q.resolve_neg(), k, k))
        lengths = torch._neg_view(torch.tensor([-2, -3]))
        assert torch.equal(
            ht.attend(k[None].expand(2, 5, 4), k[None].expand(2, 5, 4), k[None].expand(2, 5, 4), mask=ht.valid_lens(lengths)),
            ht.attend(k[None].expand(2, 5, 4), k[None].expand(2, 5, 4), k[None].expand(2, 5, 4), mask=ht.valid_lens([2, 3])),
        )


def test_checkpoint_drops_the_same():
    x = draw(2, 64, 8)

    def run(wrap):
        torch.manual_seed(3)
        out = wrap(lambda x: ht.attend(x.sin(), x, x, dropout=0.5).cos(), x)
        return [out, *torch.autograd.grad(out.sum(), x)]

    for a, b in zip(run(lambda f, x: f(x)), run(lambda f, x: checkpoint(f, x, use_reentrant=False))):
        assert torch.equal(a, b)


def test_modes_of_pytorch():
    q, k, v = (draw(3, 4) for _ in range(3))
    expected = ht.attend(q, k, v)
    with torch.no_grad():
        out = ht.attend(q, k, v)
        assert torch.equal(out, expected) and not out.requires_grad and not out.is_inference()
    with torch.inference_mode():
        out = ht.attend(q, k, v)
        assert torch.equal(out, expected) and out.is_inference()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(ht.attend(q, k, v), expected)
    drop = lambda: torch.manual_seed(3) and ht.attend(q, k, v, dropout=0.5, score=ht.Gaussian(w=2.0))  # noqa: E731
    dropped = drop()
    with torch.device("meta"):  # which is for new tensors, not for those that attend makes of its own
        assert torch.equal(drop(), dropped)
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x.detach().numpy().copy(), torch.from_numpy):
        packed = ht.attend(q, k, v)
    for a, b in zip(torch.autograd.grad(packed.sum(), (q, k, v)), torch.autograd.grad(expected.sum(), (q, k, v))):
        assert torch.equal(a, b)


def test_what_was_overwritten_is_not_differentiated():
    q, k, v = (draw(3, 4) for _ in range(3))
    for change in (lambda x, out: x.add_(1), lambda x, out: out.add_(1)):
        x = q.clone()
        out = ht.attend(x, k, v)
        change(x, out)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            out.sum().backward()


def test_steps_leak_nothing():
    x = draw(1, 1, 4, 8)
    ht.attend(x, x, x).sum().backward()
    before = heed.memory_use().current
    for _ in range(1000):
        ht.attend(x, x, x, mask=ht.causal()).sum().backward()
        ht.attend(x, x, x)
    assert heed.memory_use().current == before


def test_compiled_without_a_graph_break():
    def model(q, k, v, lens, W, bias):
        mask = ht.valid_lens(lens) & ht.causal(align="bottom_right")
        a = ht.attend(q.sin(), k, v, mask=mask, bias=bias)
        b = ht.attend(a, k, v, score=ht.Additive(W, W, W[0]), mask=mask)
        return ht.sdpa(b, k, v, dropout_p=0.0) + ht.attend(b, k, v, score=ht.Gaussian(bandwidth=2.0))

    leaves = [draw(2, 3, 5, 4), draw(2, 3, 6, 4), draw(2, 3, 6, 4)]
    W, bias, lens = draw(4, 4), draw(3, 5, 6), torch.tensor([4, 6])
    compiled = torch.compile(model, fullgraph=True)
    results = []
    for f in (model, compiled):
        out = f(*leaves, lens, W, bias)
        results.append([out, *torch.autograd.grad(out.sum(), [*leaves, W, bias])])
    for a, b in zip(*results):
        close(a, b)


def test_compiled_numbers_may_change():
    def model(x, scale, reach):
        return ht.sdpa(x, x[:1], x[:1], scale=scale) + ht.attend(x, x, x, softcap=scale, mask=ht.window(reach, 0))

    x = draw(2, 3, 6, 4)
    compiled = torch.compile(model, fullgraph=True, dynamic=True, backend="aot_eager")
    for number in (1, 2, 3, 4):
        close(compiled(x, number / 2, number), model(x, number / 2, number))


def test_compiled_dropout_draws_from_pytorch():
    x = draw(2, 64, 8, grad=False)
    compiled = torch.compile(lambda x: ht.sdpa(x, x, x, dropout_p=0.5), fullgraph=True)
    assert not torch.equal(compiled(x), compiled(x))
    torch.manual_seed(3)
    first = ht.sdpa(x, x, x, dropout_p=0.5)
    torch.manual_seed(3)
    assert torch.equal(first, ht.sdpa(x, x, x, dropout_p=0.5))


def test_dropout_gradients_use_the_same_mask():
    v = draw(64, 64)
    x = draw(64, 8, grad=False)
    out = ht.attend(x, x, v, dropout=0.5)
    (grad,) = torch.autograd.grad(out.sum(), v)
    close((grad * v).sum(), out.sum())  # linear in v


SDPA = {
    "plain": dict(q=(2, 3, 5, 8), k=(2, 3, 7, 8)),
    "2d": dict(q=(5, 8), k=(7, 8)),
    "3d": dict(q=(2, 5, 8), k=(2, 7, 8)),
    "5d": dict(q=(2, 2, 3, 5, 8), k=(2, 2, 3, 7, 8), attn_mask=lambda: torch.randn(3, 5, 7, dtype=torch.float64)),
    "broadcast": dict(q=(2, 3, 5, 8), k=(1, 3, 7, 8)),
    "causal": dict(q=(2, 3, 5, 8), k=(2, 3, 7, 8), is_causal=True),
    "causal, fewer keys": dict(q=(2, 3, 7, 8), k=(2, 3, 5, 8), is_causal=True),
    "boolean": dict(q=(2, 3, 5, 8), k=(2, 3, 7, 8), attn_mask=lambda: torch.rand(2, 1, 5, 7) < 0.7),
    "boolean 2d": dict(q=(2, 3, 5, 8), k=(2, 3, 7, 8), attn_mask=lambda: torch.rand(5, 7) < 0.7),
    "float": dict(q=(2, 3, 5, 8), k=(2, 3, 7, 8), attn_mask=lambda: torch.randn(3, 1, 7, dtype=torch.float64)),
    "scale": dict(q=(2, 3, 5, 8), k=(2, 3, 7, 8), scale=0.2),
    "grouped": dict(q=(2, 6, 5, 8), k=(2, 3, 7, 8), enable_gqa=True),
    "grouped, causal": dict(q=(2, 6, 5, 8), k=(2, 2, 5, 8), enable_gqa=True, is_causal=True),
}


@pytest.mark.parametrize("name", SDPA)
def test_sdpa_is_pytorchs(name):
    options = dict(SDPA[name])
    q, k, v = draw(*options.pop("q")), draw(*options["k"]), draw(*options.pop("k")[:-1], 4)
    if "attn_mask" in options:
        options["attn_mask"] = options["attn_mask"]()
    results = []
    for f in (ht.sdpa, F.scaled_dot_product_attention):
        out = f(q, k, v, **options)
        results.append([out, *torch.autograd.grad(out.sin().sum(), (q, k, v))])
    for a, b in zip(*results):
        close(a, b)


def test_sdpa_has_pytorchs_arguments():
    assert list(inspect.signature(ht.sdpa).parameters) == [
        "query", "key", "value", "attn_mask", "dropout_p", "is_causal", "scale", "enable_gqa",
    ]  # fmt: skip


def test_sdpa_gives_zero_for_an_empty_row():
    q, k, v = draw(1, 1, 2, 4), draw(1, 1, 3, 4), draw(1, 1, 3, 4)
    mask = torch.tensor([[False] * 3, [True] * 3])
    for m in (mask, torch.zeros(2, 3, dtype=torch.float64).masked_fill(~mask, -torch.inf)):
        out = ht.sdpa(q, k, v, m)
        assert (out[0, 0, 0] == 0).all()
        grads = torch.autograd.grad(out.sum(), (q, k, v))
        assert all(g.isfinite().all() for g in grads) and (grads[0][0, 0, 0] == 0).all()


def test_sdpa_refuses_two_masks():
    x = draw(1, 1, 2, 4)
    with pytest.raises(ValueError, match="attn_mask and is_causal"):
        ht.sdpa(x, x, x, torch.ones(2, 2, dtype=torch.bool), is_causal=True)


def same(ours, theirs, inputs, lens):
    """Outputs, weights and all gradients of two modules with one state."""
    theirs.load_state_dict(ours.state_dict())
    results = []
    for module in (ours, theirs):
        leaves = [x.detach().requires_grad_() for x in inputs]
        out = module(*leaves, lens) if lens is not False else module(*leaves)
        out.sin().sum().backward()
        results.append([out, *(x.grad for x in leaves), *(p.grad for p in module.parameters())])
    for a, b in zip(*results):
        close(a, b, 1e-10)


@pytest.mark.parametrize("lens", [None, torch.tensor([2, 6]), torch.tensor([[1, 3, 5], [2, 4, 7]])])
def test_the_notes_attention_modules(lens):
    queries, keys, values = draw(2, 3, 4), draw(2, 7, 5), draw(2, 7, 6)
    ours, theirs = ht.AdditiveAttention(5, 4, 8, 0.1).double().eval(), plain.AdditiveAttention(5, 4, 8, 0.1).double().eval()
    same(ours, theirs, (queries, keys, values), lens)
    close(ours.attention_weights, theirs.attention_weights)
    same(ht.DotProductAttention(0.5).eval(), plain.DotProductAttention(0.5).eval(), (queries, draw(2, 7, 4), values), lens)
    sizes = dict(key_size=5, query_size=4, value_size=6, num_hiddens=12, num_heads=3, dropout=0.5, bias=True)
    ours, theirs = ht.MultiHeadAttention(**sizes).double().eval(), plain.MultiHeadAttention(**sizes).double().eval()
    same(ours, theirs, (queries, keys, values), lens)
    close(ours.attention_weights.flatten(0, 1), theirs.attention.attention_weights)


def test_the_notes_classes_in_heed_itself():
    x, y = torch.rand(20, dtype=torch.float64), torch.rand(20, dtype=torch.float64)
    keys, values = (heed.nn.leave_one_out(t) for t in (x, y))
    theirs, ours = plain.NWKernelRegression().double(), heed.nn.NWKernelRegression(dtype=heed.f64)
    ours.load_state({"w": theirs.w.detach()})
    out = theirs(x, *(torch.from_numpy(t.numpy()) for t in (keys, values)))
    out.sum().backward()
    mine = ours(x, keys, values)
    heed.sum(mine).backward()
    np.testing.assert_allclose(mine.numpy(), out.detach().numpy(), rtol=1e-12)
    np.testing.assert_allclose(ours.w.grad.numpy(), theirs.w.grad.numpy(), rtol=1e-10)
    np.testing.assert_allclose(ours.attention_weights().numpy(), theirs.attention_weights.detach().numpy(), rtol=1e-10)
    X = torch.zeros(1, 60, 32)
    encoding = heed.nn.PositionalEncoding(num_hiddens=32)
    np.testing.assert_allclose(encoding(X).numpy(), plain.PositionalEncoding(32, 0)(X).numpy(), atol=2e-5)
    sizes = dict(key_size=5, query_size=4, num_hiddens=8)
    theirs, ours = plain.AdditiveAttention(**sizes, dropout=0), heed.nn.AdditiveAttention(**sizes)
    ours.load_state({name: value.detach() for name, value in theirs.state_dict().items()})
    q, k, v = (torch.randn(2, n, d) for n, d in ((3, 4), (7, 5), (7, 6)))
    expected = theirs(q, k, v, torch.tensor([2, 6])).detach().numpy()
    np.testing.assert_allclose(ours(q, k, v, heed.valid_lens([2, 6])).numpy(), expected, atol=1e-6)


def test_modules_copy_and_drop_only_in_training():
    module = ht.AdditiveAttention(4, 4, 8, dropout=0.5)
    x = torch.randn(2, 5, 4)
    assert not torch.equal(module(x, x, x), module(x, x, x))
    module.eval()
    assert torch.equal(module(x, x, x), copy.deepcopy(module)(x, x, x))
    with pytest.raises(heed.Error, match="nothing was attended to"):
        ht.DotProductAttention().attention_weights


def test_plain_attend_takes_and_gives_torch_tensors_without_a_copy():
    q, k, v = (torch.randn(2, 5, 3, 8).transpose(1, 2) for _ in range(3))
    out, weights, lse = heed.attend(q, k, v, mask=heed.causal(), return_weights=True, return_lse=True)
    assert type(out) is type(weights) is type(lse) is torch.Tensor
    close(out, F.scaled_dot_product_attention(q, k, v, is_causal=True), 1e-5)
    tensor = heed.borrow(q)
    assert tensor.strides == q.stride() and torch.from_dlpack(tensor).data_ptr() == q.data_ptr()
    with pytest.raises(heed.Error, match="attend: keys requires a gradient of PyTorch's"):
        heed.attend(q, k.clone().requires_grad_(), v)
    with pytest.raises(heed.Error, match="found bfloat16|found bfloat"):
        heed.attend(q.bfloat16(), k, v)
    negated = torch.randn(2, 3, 5, 8, dtype=torch.complex64).conj().imag
    with pytest.raises(heed.Error, match="attend: keys is a negated view of PyTorch's: pass x.resolve_neg()"):
        heed.attend(q, negated, v)
    assert torch.equal(heed.attend(q, negated.resolve_neg(), v), heed.attend(q, negated.clone(), v))


def test_errors_name_the_argument():
    x = torch.ones(3, 4)
    with pytest.raises(heed.Error, match="attend: "):
        ht.attend(x, x[:, :2], x)
    with pytest.raises(heed.Error, match="queries must be float32, float64"):
        ht.attend(x.half(), x.half(), x.half())
    with pytest.raises(TypeError, match="score must be one of heed.torch's scores"):
        ht.attend(x, x, x, score=heed.Dot())
    with pytest.raises(ValueError, match="not both"):
        ht.attend(x, x, x, score=ht.Gaussian(bandwidth=1, w=1))
    with pytest.raises(ValueError, match="align"):
        ht.causal(align="centre")
    with pytest.raises(heed.Error, match="num_hiddens must be a multiple"):
        ht.MultiHeadAttention(4, 4, 4, 7, 2)


X, ONES = torch.ones(3, 4), np.ones((3, 4), dtype=np.float32)
MASK = r"must be a heed.torch.Mask \(heed.torch.causal\(\), valid_lens, window, or mask\(tensor\) for a boolean tensor\), found "
MISTAKES = {
    "mask of heed": (lambda: ht.attend(X, X, X, mask=heed.causal()), "attend: mask " + MASK + "heed.Mask"),
    "mask of PyTorch": (lambda: ht.attend(X, X, X, mask=X > 0), "attend: mask " + MASK + "torch.Tensor"),
    "mask not called": (lambda: ht.attend(X, X, X, mask=ht.causal), "attend: mask " + MASK + "function"),
    "mask & tensor": (lambda: ht.causal() & (X > 0), "Mask: both sides of & " + MASK + "torch.Tensor"),
    "tensor & mask": (lambda: (X > 0) & ht.causal(), "Mask: both sides of & " + MASK + "torch.Tensor"),
    "masks of both": (lambda: heed.causal() & ht.causal(), "Mask: both sides of & " + MASK + "heed.Mask"),
    "score of heed": (lambda: ht.attend(X, X, X, score=heed.Dot()), "attend: score must be one of heed.torch's scores, found heed.Dot"),
    "score not made": (lambda: ht.attend(X, X, X, score=ht.Dot), "found the class heed.torch.scores.Dot"),
    "array for queries": (lambda: ht.attend(ONES, X, X), "attend: queries must be a torch.Tensor, found numpy.ndarray"),
    "None for keys": (lambda: ht.attend(X, None, X), "attend: keys must be a torch.Tensor, found NoneType"),
    "tensor of heed": (lambda: ht.attend(X, X, heed.ones((3, 4))), "attend: values must be a torch.Tensor, found heed.Tensor"),
    "bias": (lambda: ht.attend(X, X, X, bias=ONES), "attend: bias must be a torch.Tensor, found numpy.ndarray"),
    "W_k": (lambda: ht.attend(X, X, X, score=ht.Additive(X, ONES, X)), "attend: Additive.W_k must be a torch.Tensor, found numpy.ndarray"),
    "bandwidth": (lambda: ht.attend(X, X, X, score=ht.Gaussian([1.0])), "attend: Gaussian.bandwidth must be a number or a torch.Tensor, found list"),
    "w": (lambda: ht.attend(X, X, X, score=ht.Gaussian(w="2")), "attend: Gaussian.w must be a number or a torch.Tensor, found str"),
    "scale": (lambda: ht.attend(X, X, X, score=ht.ScaledDot("1")), "attend: ScaledDot.scale must be a number, found str"),
    "softcap": (lambda: ht.attend(X, X, X, softcap=X), "attend: softcap must be a number, found torch.Tensor"),
    "learned softcap": (lambda: ht.attend(X, X, X, softcap=draw(1)), "attend: softcap must be a number without a gradient"),
    "dropout": (lambda: ht.attend(X, X, X, dropout=None), "attend: dropout must be a number, found NoneType"),
    "allowed": (lambda: ht.mask(ONES > 0), "mask: allowed must be a torch.Tensor, found numpy.ndarray"),
    "lengths": (lambda: ht.valid_lens([[1], [2, 3]]), "valid_lens: lengths must be .* of one length, found list"),
    "lengths of a module": (lambda: ht.DotProductAttention()(X, X, X, ht.causal()), "valid_lens: lengths .* found heed.torch.masks.Mask"),
    "reach": (lambda: ht.window(left=1.5), "window: left must be a whole number, found float"),
    "query": (lambda: ht.sdpa(ONES, X, X), "sdpa: query must be a torch.Tensor, found numpy.ndarray"),
    "key": (lambda: ht.sdpa(X, None, X), "sdpa: key must be a torch.Tensor, found NoneType"),
    "value": (lambda: ht.sdpa(X, X, [1.0]), "sdpa: value must be a torch.Tensor, found list"),
    "attn_mask": (lambda: ht.sdpa(X, X, X, ht.causal()), "sdpa: attn_mask must be a torch.Tensor, found heed.torch.masks.Mask"),
    "dropout_p": (lambda: ht.sdpa(X, X, X, dropout_p="a"), "sdpa: dropout_p must be a number, found str"),
    "scale of sdpa": (lambda: ht.sdpa(X, X, X, scale="a"), "sdpa: scale must be a number, found str"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_wrong_types_are_one_line(name):
    run, text = MISTAKES[name]
    with pytest.raises(TypeError, match=text) as error:
        run()
    assert "\n" not in str(error.value)


def fake_gpu():
    with FakeTensorMode():
        x = torch.ones(3, 4, device="cuda")
        ht.attend(x, x, x)


X5 = torch.ones(2, 2, 3, 3, 4)
WRONG_TENSORS = {
    "keys without memory": (lambda: ht.attend(X, X.to("meta"), X), "attend: keys must be a strided tensor of the CPU, found torch.strided of meta"),
    "values with memory": (lambda: ht.attend(X.to("meta"), X.to("meta"), X), "attend: queries must be a strided tensor of the CPU, found .* of meta"),
    "lengths elsewhere": (
        lambda: ht.attend(X[None], X[None], X[None], mask=ht.valid_lens(torch.tensor([1], device="meta"))),
        "attend: valid_lens must be a strided tensor of the CPU",
    ),
    "with a gradient": (lambda: ht.attend(draw(3, 4), X.to("meta"), X), "attend: keys must be a strided tensor of the CPU"),
    "sparse": (lambda: ht.attend(X.to_sparse(), X, X), "attend: queries must be a strided tensor of the CPU, found torch.sparse_coo of cpu"),
    "another device": (fake_gpu, "attend: queries must be a strided tensor of the CPU, found torch.strided of cuda:0"),
    "integers": (lambda: ht.attend(X.long(), X.long(), X.long()), "attend: queries must be f32 or f64, found i64"),
    "boolean bias": (lambda: ht.attend(X, X, X, bias=X > 0), "attend: bias must be f32 like queries, found boolean; a boolean tensor is a mask"),
    "dropout": (lambda: ht.attend(X, X, X, dropout=2), "attend: dropout must lie in 0..1, found 2"),
    "integers in attn_mask": (lambda: ht.sdpa(X, X, X, X.long()), "sdpa: attn_mask must be torch.bool or torch.float32 like query, found torch.int64"),
    "shape of attn_mask": (
        lambda: ht.sdpa(X5, X5, X5, torch.ones(7, 3, 3)),
        r"sdpa: attn_mask of shape \(7, 3, 3\) does not broadcast to the scores \(2, 2, 3, 3, 3\)",
    ),
    "batches": (lambda: ht.sdpa(X5[0], X5[:, :, 0], X5[0]), r"sdpa: query, key and value .* found \(2, 3\) and \(2, 2\) and \(2, 3\)"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_TENSORS)
def test_wrong_tensors_are_one_line(name):
    run, text = WRONG_TENSORS[name]
    with pytest.raises(heed.Error, match=text) as error:
        run()
    assert "\n" not in str(error.value)


def test_numbers_of_other_libraries():
    numbers = dict(softcap=np.float32(2), dropout=torch.tensor(0.0), score=ht.ScaledDot(np.float64(0.5)))
    out = ht.attend(X, X, X, mask=ht.window(np.int64(1), torch.tensor(2)), **numbers)
    close(out, ht.attend(X, X, X, mask=ht.window(1, 2), softcap=2, score=ht.ScaledDot(0.5)))


def test_a_hundred_thousand_torch_calls_leak_nothing():
    x = torch.ones(1, 1, 4, 8)
    for _ in range(100):
        heed.attend(x, x, x)
    before, storages = heed.memory_use().current, x.untyped_storage()._use_count() if hasattr(x.untyped_storage(), "_use_count") else 0
    for _ in range(100_000):
        heed.attend(x, x, x)
    assert heed.memory_use().current == before
    if storages:
        assert x.untyped_storage()._use_count() == storages


@pytest.mark.parametrize("name", ht.__all__)
def test_docstring(name):
    value = getattr(ht, name)
    assert ">>>" in value.__doc__
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(value), {"heed": heed, "torch": torch}, name, None, None)
    out = []
    assert doctest.DocTestRunner().run(test, out=out.append).failed == 0, "".join(out)


def test_jax_arrays():
    jax = pytest.importorskip("jax")
    x = jax.numpy.arange(24.0).reshape(2, 3, 4) / 10
    out, weights = heed.attend(x, x, x, mask=heed.causal(), return_weights=True)
    assert isinstance(out, jax.Array) and isinstance(weights, jax.Array)
    np.testing.assert_allclose(out, heed.attend(*[np.asarray(x)] * 3, mask=heed.causal()), rtol=1e-6)
    assert not heed.borrow(x).requires_grad
