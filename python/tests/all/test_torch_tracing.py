# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed.torch under whatever watches it: torch.compile, tracers, dispatch modes, checkpoints."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint

import heed
import heed.torch as ht
from torch_calls import CALLS, by_attend, close, draw, leaves_of

torch.manual_seed(0)


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


@pytest.mark.parametrize("half", [torch.bfloat16, torch.float16])
def test_autocast_computes_in_f32(half):
    x, W = torch.randn(2, 5, 8, requires_grad=True), torch.nn.Linear(8, 8)
    modules = (ht.MultiHeadAttention(8, 8, 8, 8, 2), ht.MultiheadAttention(8, 2, batch_first=True))
    with torch.autocast("cpu", dtype=half):
        h = W(x)
        assert h.dtype == half
        out = ht.attend(h, h, x, bias=torch.zeros(5, 5, dtype=half))
        assert out.dtype == torch.float32
        assert torch.equal(out, ht.attend(h.float(), h.float(), x))
        assert ht.sdpa(h, h, h, torch.zeros(5, 5, dtype=half)).dtype == torch.float32
        losses = [out.sum(), modules[0](x, x, x, torch.tensor([3, 5])).sum(), modules[1](x, x, x)[0].sum()]
    sum(losses).backward()
    assert x.grad.isfinite().all() and all(p.grad.dtype == torch.float32 for m in modules for p in m.parameters())
    with pytest.raises(heed.Error, match="queries must be f32 or f64"):
        ht.attend(h, h, h)


MAPPED = {
    "heads": lambda q, k, v: ht.attend(q, k, v, mask=ht.causal()),
    "lengths": lambda q, k, v: ht.attend(q, k, v, mask=ht.valid_lens([1, 3])),
    "a bias": lambda q, k, v: ht.attend(q, k, v, bias=q @ k.mT, return_lse=True),
    "sdpa": lambda q, k, v: ht.sdpa(q, k, v, (q @ k.mT) > 0),
    "a learned width": lambda q, k, v: ht.attend(q, k, v, score=ht.Gaussian(w=q.mean().exp())),
}


@pytest.mark.parametrize("name", MAPPED)
@pytest.mark.parametrize("dims", [(0, 0, 0), (1, None, 0), (None, 2, None)])
@pytest.mark.parametrize("rank", [2, 3, 4])
def test_vmap_is_one_call_after_another(name, dims, rank):
    if name == "lengths" and rank == 2:
        return  # lengths are of a batch
    f, lead = MAPPED[name], (2, 3)[: rank - 2]
    leaves = [draw(*(s if d is None else (*s[:d], 5, *s[d:]))) for s, d in zip([(*lead, 4, 6)] * 3, dims)]
    many = torch.func.vmap(f, in_dims=dims)(*leaves)
    each = [f(*(x if d is None else x.select(d, n) for x, d in zip(leaves, dims))) for n in range(5)]
    each = [torch.stack(x) for x in zip(*each)] if isinstance(many, tuple) else [torch.stack(each)]
    many = list(many) if isinstance(many, tuple) else [many]
    for a, b in zip(many, each, strict=True):
        close(a, b)
    grads = [torch.autograd.grad(sum(x.sin().sum() for x in out), leaves) for out in (many, each)]
    for a, b in zip(*grads, strict=True):
        close(a, b)


def test_vmap_draws_as_pytorch_does():
    x = draw(3, 40, 8, grad=False)
    drop = lambda x: ht.attend(x, x, x, dropout=0.5)  # noqa: E731
    different = torch.func.vmap(drop, randomness="different")(x[:1].expand(3, 40, 8))
    assert not torch.equal(different[0], different[1])
    with pytest.raises(RuntimeError, match="randomness"):
        torch.func.vmap(drop)(x)


def test_a_gradient_with_a_graph_has_none():
    q, k, v = draw(3, 4), draw(5, 4), draw(5, 2)
    for watch in (False, True):
        with Watcher() if watch else torch.enable_grad():
            (grad,) = torch.autograd.grad(ht.attend(q, k, v).sin().sum(), q, create_graph=True)
            assert grad.requires_grad
            with pytest.raises(heed.Error, match="attend: has no second derivatives.*create_graph=True"):
                grad.sum().backward()
