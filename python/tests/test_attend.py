# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed.attend on arrays: values, masks, scores, kinds, strides and errors."""

import numpy as np
import pytest

import heed

F64 = np.float64


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def dot_scores(q, k, scale=None):
    return np.einsum("...id,...jd->...ij", q, k) * (q.shape[-1] ** -0.5 if scale is None else scale)


def operands(rng, *lead, lq=5, lk=7, d=4, dv=3, dtype=F64):
    return [rng.normal(size=(*lead, n, w)).astype(dtype) for n, w in ((lq, d), (lk, d), (lk, dv))]


@pytest.mark.parametrize("lead", [(), (2,), (2, 3)])
@pytest.mark.parametrize("dtype,tolerance", [(np.float32, 1e-6), (np.float64, 1e-14)])
def test_is_softmax_of_scores_times_values(rng, lead, dtype, tolerance):
    q, k, v = operands(rng, *lead, dtype=dtype)
    out, weights, lse = heed.attend(q, k, v, return_weights=True, return_lse=True)
    scores = dot_scores(q.astype(F64), k.astype(F64))
    np.testing.assert_allclose(weights, softmax(scores), atol=tolerance)
    np.testing.assert_allclose(out, softmax(scores) @ v, atol=4 * tolerance)
    np.testing.assert_allclose(lse, np.log(np.exp(scores).sum(-1)), atol=4 * tolerance)
    assert type(out) is type(weights) is type(lse) is np.ndarray
    assert out.dtype == weights.dtype == lse.dtype == dtype


def test_what_is_returned_depends_on_what_is_asked_for(rng):
    q, k, v = operands(rng)
    out = heed.attend(q, k, v)
    with_weights = heed.attend(q, k, v, return_weights=True)
    with_lse = heed.attend(q, k, v, return_lse=True)
    assert [x.shape for x in with_weights] == [(5, 3), (5, 7)]
    assert [x.shape for x in with_lse] == [(5, 3), (5,)]
    np.testing.assert_array_equal(out, with_weights[0])
    np.testing.assert_array_equal(out, with_lse[0])


SCORES = {
    "scaled": (heed.ScaledDot(), dot_scores),
    "scale": (heed.ScaledDot(scale=-0.3), lambda q, k: dot_scores(q, k, -0.3)),
    "dot": (heed.Dot(), lambda q, k: dot_scores(q, k, 1)),
    "gaussian": (heed.Gaussian(bandwidth=0.7), lambda q, k: gaussian_scores(q, k, 1 / 0.7)),
    "gaussian w": (heed.Gaussian(w=np.array([1.0, 2, 0, 3])), lambda q, k: gaussian_scores(q, k, [1.0, 2, 0, 3])),
}


def gaussian_scores(q, k, w):
    return -0.5 * (((q[..., :, None, :] - k[..., None, :, :]) * np.asarray(w)) ** 2).sum(-1)


@pytest.mark.parametrize("name", SCORES)
def test_scores(rng, name):
    q, k, v = operands(rng, 2)
    score, plain = SCORES[name]
    np.testing.assert_allclose(heed.attend(q, k, v, score=score), softmax(plain(q, k)) @ v, atol=1e-13)


def test_additive_score_takes_queries_and_keys_of_different_widths(rng):
    q, k, v = rng.normal(size=(2, 5, 3)), rng.normal(size=(2, 7, 6)), rng.normal(size=(2, 7, 4))
    W_q, W_k, w_v = rng.normal(size=(8, 3)), rng.normal(size=(8, 6)), rng.normal(size=8)
    scores = np.tanh((q @ W_q.T)[:, :, None] + (k @ W_k.T)[:, None]) @ w_v
    out = heed.attend(q, k, v, score=heed.Additive(W_q, W_k, w_v))
    np.testing.assert_allclose(out, softmax(scores) @ v, atol=1e-13)


def band(lq, lk, left, right, offset=0):
    i, j = np.arange(lq)[:, None] + offset, np.arange(lk)
    return (j >= i - left) & (j <= i + right)


MASKS = {
    "valid_lens": (heed.valid_lens([3, 6]), np.arange(7) < np.array([3, 6])[:, None, None]),
    "valid_lens per query": (
        heed.valid_lens(np.arange(10).reshape(2, 5) % 7 + 1),
        np.arange(7) < (np.arange(10).reshape(2, 5) % 7 + 1)[..., None],
    ),
    "causal": (heed.causal(align="top_left"), band(5, 7, 9, 0)),
    "causal at the end": (heed.causal(align="bottom_right"), band(5, 7, 9, 0, 2)),
    "window": (heed.window(left=1, right=2, align="top_left"), band(5, 7, 1, 2)),
    "mask": (heed.mask(band(5, 7, 1, 1)), band(5, 7, 1, 1)),
    "all of them": (
        heed.valid_lens(np.array([3, 6], np.int32)) & heed.causal(align="bottom_right") & heed.mask(band(5, 7, 1, 3, 2)),
        (np.arange(7) < np.array([3, 6])[:, None, None]) & band(5, 7, 1, 0, 2),
    ),
}


@pytest.mark.parametrize("name", MASKS)
def test_masks(rng, name):
    q, k, v = operands(rng, 2)
    mask, allowed = MASKS[name]
    allowed = np.broadcast_to(allowed, (2, 5, 7))
    scores = np.where(allowed, dot_scores(q, k), -np.inf)
    with np.errstate(invalid="ignore"):
        expected = np.where(allowed.any(-1, keepdims=True), np.nan_to_num(softmax(scores)), 0)
    out, weights = heed.attend(q, k, v, mask=mask, return_weights=True)
    np.testing.assert_allclose(weights, expected, atol=1e-14)
    np.testing.assert_allclose(out, expected @ v, atol=1e-14)


def test_any_byte_but_zero_is_true(rng):
    for lq, lk in ((3, 5), (20, 5), (20, 64), (20, 200), (70, 300)):
        q, k, v = (rng.normal(size=(n, 8)) for n in (lq, lk, lk))
        allowed = rng.random((lq, lk)) < 0.7
        bytes_of_two = np.where(allowed, 2, 0).astype(np.uint8).view(bool)
        np.testing.assert_array_equal(
            heed.attend(q, k, v, mask=heed.mask(bytes_of_two)), heed.attend(q, k, v, mask=heed.mask(allowed))
        )


def test_bias_softcap_and_grouped_heads(rng):
    q, k, v = rng.normal(size=(2, 4, 5, 8)), rng.normal(size=(2, 2, 7, 8)), rng.normal(size=(2, 2, 7, 3))
    bias = rng.normal(size=(4, 1, 7))
    bias[0, 0, 3] = -np.inf
    scores = dot_scores(q, k.repeat(2, 1))
    expected = softmax(2 * np.tanh(scores / 2) + bias) @ v.repeat(2, 1)
    np.testing.assert_allclose(heed.attend(q, k, v, bias=bias, softcap=2.0), expected, atol=1e-13)


def test_a_row_with_nothing_to_attend_to_gives_zero(rng):
    q, k, v = operands(rng, 2)
    v[0] = np.nan
    out, weights, lse = heed.attend(q, k, v, mask=heed.valid_lens([0, 7]), return_weights=True, return_lse=True)
    assert not out[0].any() and not weights[0].any() and (lse[0] == -np.inf).all()
    assert np.isfinite(out[1]).all()


def test_dropout_depends_on_the_seed_alone(rng):
    q, k, v = operands(rng, 2)
    drop = lambda seed: heed.attend(q, k, v, dropout=0.5, seed=seed)  # noqa: E731
    np.testing.assert_array_equal(drop(1), drop(1))
    assert (drop(1) != drop(2)).any()
    heed.seed(7)
    first = heed.attend(q, k, v, dropout=0.5)
    heed.seed(7)
    np.testing.assert_array_equal(first, heed.attend(q, k, v, dropout=0.5))


LAYOUTS = {
    "transposed": lambda x: np.ascontiguousarray(x.swapaxes(-1, -2)).swapaxes(-1, -2),
    "every other": lambda x: np.repeat(x, 2, axis=-2)[..., ::2, :],
    "backwards": lambda x: x[..., ::-1, ::-1].copy()[..., ::-1, ::-1],
    "fortran": np.asfortranarray,
    "read-only": lambda x: np.frombuffer(x.tobytes(), x.dtype).reshape(x.shape),
    "memoryview": lambda x: memoryview(x),
    "big": lambda x: np.pad(x, [(0, 0)] * (x.ndim - 1) + [(3, 2)])[..., 3:-2],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_strides_give_the_same_bits(rng, layout):
    q, k, v = operands(rng, 2, 3, lq=19, lk=33, d=16, dv=16)
    other = [LAYOUTS[layout](x) for x in (q, k, v)]
    np.testing.assert_array_equal(heed.attend(q, k, v), np.asarray(heed.attend(*other)))


def test_broadcast_arrays_are_read_where_they_lie(rng):
    q, k, v = operands(rng)
    wide = [np.broadcast_to(x, (3, *x.shape)) for x in (q, k, v)]
    np.testing.assert_array_equal(heed.attend(*wide), np.broadcast_to(heed.attend(q, k, v), (3, 5, 3)))


def test_nothing_is_copied(rng):
    q = k = rng.normal(size=(8, 4096, 64)).astype(np.float32)
    view = q.reshape(8, 64, 64, 64)[:, ::2].reshape(8, 32, 64, 64)[:, 0]
    for x in (q, view):
        before = heed.memory_use().current
        tensor = heed.borrow(x)
        assert heed.memory_use().current == before
        assert tensor.numpy().__array_interface__["data"][0] == x.__array_interface__["data"][0]
        assert tensor.numpy().strides == x.strides
    heed.reset_peak_memory()
    before = heed.memory_use().current
    out = heed.attend(q[:, :64], k, k)
    assert heed.memory_use().peak - before < out.nbytes + q.nbytes / 2
    base = out
    while getattr(base, "base", None) is not None:
        base = base.base
    assert heed.memory_use().current - before >= out.nbytes  # the result is heed's own memory, shared
    del out, base
    assert heed.memory_use().current == before


def test_read_only_arrays_are_accepted_and_kept_from_writing(rng):
    q, k, v = operands(rng)
    expected = heed.attend(q, k, v)
    for x in (q, k, v):
        x.flags.writeable = False
    np.testing.assert_array_equal(expected, heed.attend(q, k, v))
    with pytest.raises(heed.Error, match="read-only"):
        heed.borrow(q).fill_(0)


def test_inputs_are_never_modified(rng):
    q, k, v = operands(rng, 2)
    copies = [x.copy() for x in (q, k, v)]
    heed.attend(q, k, v, mask=heed.valid_lens([3, 4]), dropout=0.2, return_weights=True)
    for x, copy in zip((q, k, v), copies):
        np.testing.assert_array_equal(x, copy)


def test_tensors_in_give_a_tensor_with_gradients(rng):
    q, k, v = (heed.tensor(x).requires_grad_() for x in operands(rng, 2))
    out = heed.attend(q, k, v)
    assert isinstance(out, heed.Tensor) and out.requires_grad
    heed.sum(out).backward()
    assert all(x.grad is not None and x.grad.shape == x.shape for x in (q, k, v))


def test_zero_sizes():
    for lq, lk, d, dv in ((0, 3, 2, 2), (3, 0, 2, 2), (3, 4, 0, 2), (3, 4, 2, 0)):
        out = heed.attend(np.ones((lq, d)), np.ones((lk, d)), np.ones((lk, dv)))
        assert out.shape == (lq, dv)
        assert (out == (1 if lk else 0)).all()


def at_odd_address(x):
    """A copy."""
    copy = np.empty(x.nbytes + 1, np.uint8)[1:].view(x.dtype).reshape(x.shape)
    copy[...] = x
    return copy


def test_arrays_at_odd_addresses_are_copied(rng):
    for dtype in (np.float32, np.float64):
        x, y = rng.normal(size=(4, 6)).astype(dtype), rng.normal(size=(3, 6)).astype(dtype)
        expected = heed.attend(x, y, y[:, ::-2])
        odd = at_odd_address(y)
        assert odd.ctypes.data % x.itemsize and np.array_equal(heed.attend(at_odd_address(x), odd, odd[:, ::-2]), expected)
    lengths = at_odd_address(np.array([2]))
    assert np.array_equal(heed.attend(x[None], y[None], y[None], mask=heed.valid_lens(lengths))[0], heed.attend(x, y[:2], y[:2]))


class Broken:
    """An array whose library fails."""

    def __init__(self, error):
        self.error = error

    def __dlpack__(self, **options):
        raise self.error

    def __dlpack_device__(self):
        return 1, 0


@pytest.mark.parametrize("error", [RuntimeError("no"), KeyboardInterrupt(), TypeError("no"), MemoryError(), SystemExit(3)], ids=repr)
def test_what_dlpack_raises_is_raised(error):
    x = np.ones((3, 4))
    for call in (lambda y: heed.attend(x, y, x), heed.tensor, heed.borrow, heed.softmax):
        with pytest.raises(type(error)) as caught:
            call(Broken(error))
        assert caught.value is error


def test_an_array_that_cannot_be_described_is_the_cause():
    x = np.ones((3, 4))
    with pytest.raises(heed.Error, match="attend: keys has elements") as caught:
        heed.attend(x, Broken(BufferError("no strides")), x)
    assert str(caught.value.__cause__) == "no strides"


class OneCapsule:
    """An array that hands out one capsule again and again."""

    def __init__(self, array, **options):
        self.capsule = array.__dlpack__(**options)

    def __dlpack__(self, **options):
        return self.capsule

    def __dlpack_device__(self):
        return 1, 0


@pytest.mark.parametrize("options", [{}, {"max_version": (1, 0)}], ids=["old", "versioned"])
def test_a_capsule_is_taken_once(options):
    array = OneCapsule(np.arange(3.0), **options)
    assert heed.tensor(array).tolist() == [0, 1, 2]
    for call in (heed.tensor, heed.borrow, lambda x: heed.attend(np.ones((3, 4)), x, x)):
        with pytest.raises(heed.Error, match="must give a new DLPack capsule at each call"):
            call(array)


def test_masks_of_masked_arrays_are_not_lost():
    whole = np.ma.array([[1.0, 2.0], [3.0, 4.0]])
    part = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
    assert heed.tensor(whole).tolist() == [[1, 2], [3, 4]]
    x = np.ones((2, 2))
    calls = {
        "tensor: data": lambda: heed.tensor(part), "borrow: array": lambda: heed.borrow(part),
        "attend: queries": lambda: heed.attend(part, x, x), "attend: values": lambda: heed.attend(x, x, part),
        "attend: bias": lambda: heed.attend(x, x, x, bias=part), "softmax: x": lambda: heed.softmax(part),
        "mask: allowed": lambda: heed.mask(part > 1), "valid_lens: lengths": lambda: heed.valid_lens(part.astype(int)),
        "KernelRegression: x": lambda: heed.KernelRegression(part, x, 1.0), "Gaussian: w": lambda: heed.Gaussian(w=part[0]),
        "Heatmap: values": lambda: heed.Heatmap(part), "Linear: x": lambda: heed.nn.Linear(2, 2)(part),
        "tensor: data ": lambda: heed.tensor([1.0, part[0, 1]]),
    }  # fmt: skip
    for where, call in calls.items():
        with pytest.raises(heed.Error, match=f"{where.strip()} has masked entries"):
            call()


def test_lists_and_integers_are_operands():
    waists, weights = [[51], [56], [58]], [[40.0], [43.0], [48.0]]
    out = heed.attend([[57]], waists, weights, score="gaussian")
    assert isinstance(out, heed.Tensor) and out.dtype == heed.f32 and abs(out.item() - 45.5) < 1e-5
    for dtype in (np.float32, np.float64):
        mixed = heed.attend([[57]], np.array(waists), np.array(weights, dtype), score=heed.Gaussian())
        assert type(mixed) is np.ndarray and mixed.dtype == dtype
        np.testing.assert_allclose(mixed, 45.5, rtol=1e-6)
    exact = heed.attend([[0.1]], [[0.3]], np.ones((1, 1)), return_lse=True)[1]
    assert exact.dtype == np.float64 and abs(exact.item() - 0.03) < 1e-15


def test_a_boolean_array_is_a_mask(rng):
    q, k, v = operands(rng, 2)
    allowed = rng.random((5, 7)) < 0.6
    expected = heed.attend(q, k, v, mask=heed.mask(allowed))
    for mask in (allowed, heed.tensor(allowed), allowed.tolist()):
        np.testing.assert_array_equal(heed.attend(q, k, v, mask=mask), expected)


def test_scores_go_by_the_names_of_the_command(rng):
    q, k, v = operands(rng, 2)
    for name, score in {"scaled-dot": heed.ScaledDot(), "dot": heed.Dot(), "gaussian": heed.Gaussian()}.items():
        np.testing.assert_array_equal(heed.attend(q, k, v, score=name), heed.attend(q, k, v, score=score))


def test_attention_gives_weights_before_dropout(rng):
    q, k, v = operands(rng, 2)
    out, weights = heed.attention(q, k, v)
    np.testing.assert_allclose(weights, softmax(dot_scores(q, k)), atol=1e-14)
    np.testing.assert_allclose(out, weights @ v, atol=1e-14)
    dropout = heed.nn.Dropout(0.5)
    dropped, same = heed.attention(q, k, v, dropout)
    assert np.array_equal(same, weights) and not np.array_equal(dropped, out)
    np.testing.assert_array_equal(heed.attention(q, k, v, dropout.eval())[0], out)


def test_numbers_and_lists_as_widths_are_not_rounded(rng):
    q, k, v = operands(rng)
    for h in (0.1, [0.1, 0.2, 0.3, 0.7]):
        exact = heed.Gaussian(bandwidth=np.asarray(h, F64))
        np.testing.assert_array_equal(heed.attend(q, k, v, score=heed.Gaussian(bandwidth=h)), heed.attend(q, k, v, score=exact))
        np.testing.assert_array_equal(heed.attend(q, k, v, score=heed.Gaussian(w=h)), heed.attend(q, k, v, score=heed.Gaussian(w=np.asarray(h, F64))))
        fit = heed.KernelRegression(k, v, h)
        assert fit.bandwidth.tolist() == (h if isinstance(h, list) else [h] * 4)


def test_lengths_are_whole_numbers_of_any_type():
    x = np.arange(24.0).reshape(2, 3, 4)
    expected = heed.attend(x, x, x, mask=heed.valid_lens([1, 2]))
    for lengths in ([1.0, 2.0], np.array([1, 2], np.float32), np.array([1, 2], np.uint64), heed.tensor([1.0, 2.0])):
        assert np.array_equal(heed.attend(x, x, x, mask=heed.valid_lens(lengths)), expected)


@pytest.mark.parametrize(
    "call,text",
    [
        (lambda x: heed.attend(x.astype(np.float16), x, x), "attend: queries must be f32 or f64, found f16"),
        (lambda x: heed.attend(x, x.astype(complex), x), "attend: keys must be f32 or f64, found c128"),
        (lambda x: heed.tensor(x.astype(np.float16)), "tensor: data must be f32, f64, i64 or boolean, found f16"),
        (lambda x: heed.attend(x, x, x.reshape((1,) * 7 + (3, 4))), "attend: values must have at most 8 dimensions, found 9"),
        (lambda x: heed.mask([[[[[[[[[True]]]]]]]]]), "mask: allowed must have at most 8 dimensions"),
        (lambda x: heed.borrow(memoryview(at_odd_address(x)).toreadonly()), "borrow: array must lie at a multiple"),
        (lambda x: heed.borrow(at_odd_address(x)), "borrow: array must lie at a multiple of its elements' size"),
        (lambda x: heed.attend(x, x[:, :2], x), "attend:"),
        (lambda x: heed.attend(x, x, x, mask=heed.valid_lens([1, 2])), "attend:"),
        (lambda x: heed.attend(x[:1], x, x, mask=heed.causal()), "must say which corner"),
        (lambda x: heed.attend(x, x, x, dropout=2), "attend: dropout must lie in 0..1, found 2"),
        (lambda x: heed.attend(x, x, x, bias=x > 0), "a boolean tensor is a mask"),
        (lambda x: heed.causal(align="centre"), 'causal: align must be "top_left" or "bottom_right", found "centre"'),
        (lambda x: heed.window(left=-1), "window"),
        (lambda x: heed.valid_lens([1.9]), "valid_lens: lengths[0] is 1.9, expected a whole number of 64 bits"),
        (lambda x: heed.valid_lens([[2, 1], [1, -0.5]]), "valid_lens: lengths[1, 1] is -0.5, expected a whole number of 64 bits"),
        (lambda x: heed.valid_lens([float("nan")]), "valid_lens: lengths[0] is nan, expected a whole number of 64 bits"),
        (lambda x: heed.valid_lens(np.array([2, np.inf])), "valid_lens: lengths[1] is inf, expected a whole number of 64 bits"),
        (lambda x: heed.valid_lens(heed.tensor([0.5])), "valid_lens: lengths[0] is 0.5, expected a whole number of 64 bits"),
        (lambda x: heed.valid_lens([10**30]), "valid_lens: lengths[0] is 1e+30, expected a whole number of 64 bits"),
        (
            lambda x: heed.valid_lens(np.array([1, 2**64 - 1], np.uint64)),
            "valid_lens: lengths[1] is 18446744073709551615, expected a whole number of 64 bits",
        ),
        (lambda x: heed.masked_softmax(x, [1, 2, 2.5]), "masked_softmax: valid_lens[2] is 2.5, expected a whole number of 64 bits"),
        (lambda x: heed.valid_lens([[1, 2], [3]]), "valid_lens: lengths is made of nested lists of unequal length"),
    ],
)
def test_bad_values_are_errors_that_name_the_argument(call, text):
    with pytest.raises(heed.Error) as caught:
        call(np.ones((3, 4)))
    assert text in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "call,text",
    [
        (lambda x: heed.attend("text", x, x), "attend: queries must be an array"),
        (lambda x: heed.attend(x, None, x), "attend: keys must be an array (NumPy, PyTorch, JAX, heed.Tensor, ...) or nested lists of numbers, found NoneType"),
        (lambda x: heed.tensor(None), "tensor: data must be an array, a number or nested lists of numbers, found NoneType"),
        (lambda x: heed.borrow(None), "borrow: array must have __dlpack__ or the buffer protocol"),
        (lambda x: heed.attend(x, x, x, score="cosine"), "attend"),
        (lambda x: heed.valid_lens(["two"]), "valid_lens: lengths must be an array, a number or nested lists of numbers, found str"),
        (lambda x: heed.attend(x, x, x, x), "attend"),
    ],
)
def test_wrong_types_are_type_errors(call, text):
    with pytest.raises(TypeError) as caught:
        call(np.ones((3, 4)))
    assert text in str(caught.value)
