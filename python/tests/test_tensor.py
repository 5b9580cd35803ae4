# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed.Tensor: operators, slicing, gradients, exchange with NumPy."""

import copy
import pickle

import numpy as np
import pytest

import heed


def test_operators_take_tensors_arrays_and_numbers_on_both_sides():
    a = np.array([[1.0, -2.0], [3.0, 4.0]])
    b = np.array([2.0, 5.0])
    x = heed.tensor(a)
    for op in ("__add__", "__sub__", "__mul__", "__truediv__", "__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"):
        for other in (2, 2.5, b, heed.tensor(b)):
            plain = np.asarray(other) if not isinstance(other, (int, float)) else other
            np.testing.assert_array_equal(getattr(x, op)(other).numpy(), getattr(a, op)(plain), err_msg=op)
    for result, expected in (
        (2 + x, 2 + a), (2 - x, 2 - a), (2 * x, 2 * a), (2 / x, 2 / a), (b - x, b - a), (b / x, b / a),
        (x @ b, a @ b), (b @ x, b @ a), (x**2, a**2), (-x, -a), (abs(x), abs(a)),
    ):  # fmt: skip
        assert isinstance(result, heed.Tensor)
        np.testing.assert_allclose(result.numpy(), expected, rtol=1e-15)


def test_arithmetic_with_something_else_is_a_type_error():
    with pytest.raises(TypeError):
        heed.ones((2,)) + "text"
    with pytest.raises(TypeError):
        None * heed.ones((2,))


@pytest.mark.parametrize(
    "index",
    [
        0, -1, slice(1, None), slice(None, None, -1), (slice(None), 1), (0, 1, 2), (..., 0), (0, ...), None,
        (None, 0, None, slice(0, 2)), (slice(-2, None), ..., slice(None, None, 2)), np.int64(1), (),
    ],
)  # fmt: skip
def test_slicing_is_numpys_and_copies_nothing(index):
    a = np.arange(24.0).reshape(2, 3, 4)
    x = heed.borrow(a)
    view = x[index]
    np.testing.assert_array_equal(view.numpy(), a[index])
    assert np.shares_memory(view.numpy(), a)


def test_bad_indices():
    x = heed.zeros((2, 3))
    for index in (2, -3, (0, 3), (0, 0, 0)):
        with pytest.raises(IndexError):
            x[index]
    for index in ("a", 1.5, [0, 1], True, heed.zeros((2,))):
        with pytest.raises(TypeError, match="index must be made of"):
            x[index]


def test_assignment_writes_through_views():
    a = np.zeros((2, 3))
    x = heed.borrow(a)
    x[0] = 1
    x[:, 1] = [5, 6]
    x[1, 2] = np.float32(7)
    np.testing.assert_array_equal(a, [[1, 5, 1], [0, 6, 7]])


def test_iteration_and_conversion():
    x = heed.tensor([[1, 2], [3, 4]])
    assert [row.tolist() for row in x] == [[1, 2], [3, 4]]
    assert len(x) == 2 and float(x[0, 1]) == 2.0 and int(x[1, 0]) == 3 and bool(x[0, 0])
    assert heed.tensor([True, False]).dtype == heed.boolean
    assert heed.tensor(np.arange(3)).dtype == heed.i64
    assert heed.tensor([2**62], heed.i64).item() == 2**62
    assert heed.tensor(3.5).item() == 3.5 and heed.tensor(3.5).shape == ()
    with pytest.raises(TypeError):
        len(heed.tensor(1))
    with pytest.raises(heed.Error, match="exactly one element"):
        bool(x)


def test_exchange_with_numpy_shares_memory_both_ways():
    x = heed.zeros((2, 3))
    x.numpy()[0, 0] = 5
    assert x[0, 0].item() == 5
    np.from_dlpack(x)[0, 1] = 6
    assert np.asarray(x)[0, 1] == 6
    assert np.shares_memory(np.asarray(x), x.T.numpy())
    assert np.array(x, dtype=np.float64).dtype == np.float64
    assert not np.shares_memory(np.array(x, copy=True), x.numpy())


def test_numpy_of_a_parameter_cannot_be_written():
    x = heed.zeros((2,)).requires_grad_()
    with pytest.raises(ValueError, match="read-only"):
        x.numpy()[0] = 1


def test_memory_outlives_whoever_made_it():
    a = np.full((100, 100), 3.0)
    x = heed.borrow(a)
    del a
    b = (x + 0).numpy()
    del x
    assert (b == 3).all()


def test_gradients_of_a_small_program():
    x = heed.tensor([1.0, 2.0, 3.0], heed.f64).requires_grad_()
    y = heed.sum(heed.exp(x) * x - heed.log(x) / 2)
    y.backward()
    a = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(x.grad.numpy(), np.exp(a) * (1 + a) - 0.5 / a)
    x.grad = None
    assert x.grad is None


def test_backward_twice_needs_the_graph():
    x = heed.ones((2,)).requires_grad_()
    y = heed.sum(x * x)
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.tolist() == [4, 4]
    with pytest.raises(heed.Error, match="freed"):
        y.backward()


def test_no_grad_nests():
    x = heed.ones((2,)).requires_grad_()
    with heed.no_grad():
        with heed.no_grad():
            pass
        assert not (x * 2).requires_grad and not heed.grad_enabled()
    assert (x * 2).requires_grad
    with pytest.raises(ZeroDivisionError), heed.no_grad():
        1 / 0
    assert heed.grad_enabled()


@pytest.mark.parametrize("duplicate", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy])
def test_pickling(duplicate):
    for x in (heed.arange(4).reshape((2, 2)).T, heed.tensor([True]), heed.ones((1,), dtype=heed.f64).requires_grad_()):
        y = duplicate(x)
        assert heed.identical(x, y) and x.requires_grad == y.requires_grad
        assert y.numpy().__array_interface__["data"] != x.numpy().__array_interface__["data"]
    error = duplicate(heed.Error("text"))
    assert type(error) is heed.Error and str(error) == "text"


def test_hash_is_that_of_the_tensor_not_of_its_handle():
    x = heed.ones((2,)).requires_grad_()
    net = heed.nn.Linear(in_features=2, out_features=2)
    assert len({x, x}) == 1
    assert {net.weight} == {net.weight} or hash(net.weight) == hash(net.parameters()[0])


def test_files(tmp_path):
    x = heed.rand((2, 3), dtype=heed.f64)
    for name in ("x.npy", "x.npz", "x.safetensors", "x.csv"):
        heed.save(tmp_path / name, x)
        assert heed.identical(heed.load(str(tmp_path / name)), x), name
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), x.numpy())
    with pytest.raises(heed.Error, match="nothing.npy"):
        heed.load(tmp_path / "nothing.npy")


def test_methods_are_numpys():
    a = np.arange(24.0).reshape(2, 3, 4) - 7
    x = heed.tensor(a)
    for name in ("sum", "mean", "max", "min"):
        for dim in (None, 0, -1, (0, 2)):
            for keepdim in (False, True):
                found = getattr(x, name)(dim, keepdim=keepdim).numpy()
                np.testing.assert_allclose(found, getattr(a, name)(axis=dim, keepdims=keepdim), rtol=1e-15)
    assert x.argmax().item() == 23 and x.argmax(1).tolist() == a.argmax(1).tolist() == heed.argmax(a, 1).tolist()
    for name in ("abs", "exp", "sin", "cos", "tanh"):
        np.testing.assert_allclose(getattr(x, name)().numpy(), getattr(np, name)(a), rtol=1e-13)
    for name in ("log", "sqrt"):
        np.testing.assert_allclose(getattr(x * x + 1, name)().numpy(), getattr(np, name)(a * a + 1), rtol=1e-13)
    np.testing.assert_allclose(x.softmax(1).sum(1).numpy(), np.ones((2, 4)))
    for low, high in ((-2, 3), (None, 0), (1.5, None)):
        np.testing.assert_array_equal(x.clamp(low, high).numpy(), a.clip(low, high))
    with pytest.raises(heed.Error, match="clamp: min or max must be given"):
        x.clamp()
    assert x.size() == x.shape == (2, 3, 4) and x.size(1) == 3 and x.dim() == 3


def test_clamp_has_pytorchs_gradient():
    x = heed.tensor([-3.0, -1.0, 0.5, 2.0]).requires_grad_()
    (x.clamp(-1, 1) * heed.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    assert x.grad.tolist() == [0, 2, 3, 0]


def test_shapes_are_given_as_people_give_them():
    a = np.arange(24.0).reshape(2, 3, 4)
    x = heed.borrow(a)
    for shape in ((6, 4), (-1,), (2, 3, 2, 2)):
        for y in (x.reshape(*shape), x.reshape(shape), x.view(*shape), x.view(shape)):
            np.testing.assert_array_equal(y.numpy(), a.reshape(shape))
            assert np.shares_memory(y.numpy(), a)
    np.testing.assert_array_equal(x.permute(2, 0, 1).numpy(), a.transpose(2, 0, 1))
    np.testing.assert_array_equal(x.permute((2, 0, 1)).numpy(), a.transpose(2, 0, 1))
    for start, end, shape in ((0, -1, (24,)), (1, -1, (2, 12)), (0, 1, (6, 4)), (-2, -1, (2, 12))):
        assert x.flatten(start, end).shape == shape
    assert heed.tensor(1.0).flatten().shape == (1,)
    with pytest.raises(heed.Error, match="view: sizes .* need a copy"):
        x.T.view(-1)
    assert x.T.reshape(-1).tolist() == a.swapaxes(-1, -2).reshape(-1).tolist()
    with pytest.raises(heed.Error, match="flatten: start_dim must lie in"):
        x.flatten(3)


def test_whole_numbers_stay_whole():
    assert heed.arange(5).dtype == heed.tensor([1, 2, 3]).dtype == heed.tensor([[1], [2]]).dtype == heed.i64
    assert heed.arange(2, 11, 3).tolist() == list(range(2, 11, 3)) and heed.arange(5, 0, -2).tolist() == [5, 3, 1]
    assert heed.arange(2**60, 2**60 + 2).tolist() == [2**60, 2**60 + 1]
    assert heed.arange(0, 1, 0.25).tolist() == [0, 0.25, 0.5, 0.75] and heed.arange(3.0).dtype == heed.f32
    assert heed.tensor([1, 2.5]).dtype == heed.tensor([]).dtype == heed.f32
    assert heed.tensor([np.int64(3), np.int32(4)]).dtype == heed.i64 and heed.tensor([np.True_, False]).dtype == heed.boolean
    assert heed.tensor([np.float32(0.5), 1]).tolist() == [0.5, 1] and heed.tensor([np.arange(2), [5, 6]]).tolist() == [[0, 1], [5, 6]]
    for narrow in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32):
        x = heed.tensor(np.array([[1, 2], [3, 4]], narrow)[:, ::-1])
        assert x.dtype == heed.i64 and x.tolist() == [[2, 1], [4, 3]]
    assert heed.exp([0, 1]).dtype == heed.softmax(np.array([1, 2])).dtype == heed.f32
    assert heed.nn.Linear(2, 1)([[1, 2]]).shape == (1, 1)
