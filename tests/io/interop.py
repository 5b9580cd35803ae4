# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Files exchanged with numpy and safetensors, both ways: interop.py CONVERT, the program of convert.cpp."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

CONVERT = sys.argv.pop(1)
TYPES = "? i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8".split()
SHAPES = [(), (1,), (5,), (0,), (2, 3), (3, 0, 2), (2, 3, 4), (1, 1, 1, 1, 1, 1, 1, 2), (150, 301)]


def numbers(dtype, shape):
    """All bit patterns are fair, but for booleans and for integers that int64 does not hold."""
    random = np.random.default_rng(len(shape))
    dtype = np.dtype(dtype)
    count = int(np.prod(shape))
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    x = np.frombuffer(random.bytes(count * dtype.itemsize), dtype).reshape(shape)
    return np.asarray(x >> 1, dtype) if dtype.str[1:] == "u8" else x


def as_heed(x):
    """The type heed gives it."""
    kind, size = x.dtype.kind, x.dtype.itemsize
    with np.errstate(invalid="ignore"):
        return x.astype("f8" if (kind, size) == ("f", 8) else {"f": "f4", "b": "?"}.get(kind, "i8"))


class Interop(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def convert(self, source, target, *options):
        done = subprocess.run([CONVERT, *options, self.folder / source, self.folder / target],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def same(self, found, expected):
        self.assertEqual((found.dtype, found.shape), (expected.dtype, expected.shape))
        np.testing.assert_array_equal(found, expected)

    def test_npy(self):
        for dtype in TYPES:
            for shape in SHAPES:
                for order in "<>":
                    for layout in "CF":
                        with self.subTest(dtype=dtype, shape=shape, order=order, layout=layout):
                            x = np.array(numbers(order + dtype, shape), order=layout)
                            np.save(self.folder / "in.npy", x)
                            self.convert("in.npy", "out.npy")
                            self.same(np.load(self.folder / "out.npy", allow_pickle=False), as_heed(x))

    def test_versions(self):
        x = np.arange(3.0)
        for version in ((1, 0), (2, 0), (3, 0)):
            with open(self.folder / "in.npy", "wb") as file:
                np.lib.format.write_array(file, x, version=version)
            self.convert("in.npy", "out.npy")
            self.same(np.load(self.folder / "out.npy"), x)

    def many(self):
        names = [f"{dtype}/{n}" for dtype in TYPES for n in range(len(SHAPES))]
        tensors = {name: numbers(name.split("/")[0], SHAPES[int(name.split("/")[1])]) for name in names}
        return {**tensors, "注意力": np.ones(2)}

    def test_npz(self):
        tensors = self.many()
        for write in (np.savez, np.savez_compressed):
            for options in ((), ("--compress",)):
                write(self.folder / "in.npz", **tensors)
                self.convert("in.npz", "out.npz", *options)
                with np.load(self.folder / "out.npz", allow_pickle=False) as found:
                    self.assertEqual(set(found), set(tensors))
                    for name, x in tensors.items():
                        self.same(found[name], as_heed(x))

    def test_npz_through_a_pipe(self):
        """Without seeking, zipfile puts sizes after the data."""
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as cat:
            np.savez_compressed(cat.stdin, x=np.arange(3))
            cat.stdin.close()
            (self.folder / "in.npz").write_bytes(cat.stdout.read())
        self.convert("in.npz", "out.npy")
        self.same(np.load(self.folder / "out.npy"), np.arange(3))

    def test_safetensors(self):
        tensors = self.many()
        save_file(tensors, self.folder / "in.safetensors", {"format": "np"})
        self.convert("in.safetensors", "out.safetensors")
        found = load_file(self.folder / "out.safetensors")
        self.assertEqual(set(found), set(tensors))
        for name, x in tensors.items():
            self.same(found[name], as_heed(x))

    def test_between_formats(self):
        tensors = {name: x for name, x in self.many().items() if x.size}
        np.savez(self.folder / "a.npz", **tensors)
        self.convert("a.npz", "b.safetensors")
        self.convert("b.safetensors", "c.npz", "--compress")
        with np.load(self.folder / "c.npz") as found:
            for name, x in tensors.items():
                self.same(found[name], as_heed(x))

    def test_csv(self):
        x = numbers("f8", (40, 3))
        x = np.where(np.isfinite(x), x, np.nan)
        np.save(self.folder / "x.npy", x)
        self.convert("x.npy", "x.csv")
        self.same(np.loadtxt(self.folder / "x.csv", delimiter=","), x)
        np.savetxt(self.folder / "y.csv", x, delimiter=",", header="a,b,c", comments="")
        self.convert("y.csv", "y.npy")
        np.testing.assert_allclose(np.load(self.folder / "y.npy"), x, rtol=1e-15)

    def test_refused(self):
        for x, message in ((np.array([2**63], "u8"), "below 2^63"), (np.array(["text"]), "text is not read"),
                           (np.array([1j]), "complex"), (np.array([{}]), "objects of Python")):
            np.save(self.folder / "in.npy", x)
            done = subprocess.run([CONVERT, self.folder / "in.npy", self.folder / "out.npy"],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
