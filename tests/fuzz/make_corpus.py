# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Makes the seeds of the corpus: small files of every format, good and bad.

Run it by hand with a Python that has numpy and safetensors; what libFuzzer found later lies beside them.
"""

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
from safetensors.numpy import save as safetensors_bytes

CORPUS = Path(__file__).resolve().parent / "corpus"
TYPES = ["?", "i1", "u1", "<i2", ">u2", "<i4", ">i4", "<u4", "<i8", ">u8", "<f2", ">f2", "<f4", ">f8"]


def write(folder, name, data):
    path = CORPUS / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def npy_bytes(x, version=None):
    out = io.BytesIO()
    np.lib.format.write_array(out, x, version=version)
    return out.getvalue()


def make_npy():
    for n, dtype in enumerate(TYPES):
        write("npy", f"type_{n:02}", npy_bytes(np.arange(6).reshape(2, 3).astype(dtype)))
    write("npy", "fortran", npy_bytes(np.asfortranarray(np.arange(6.0).reshape(2, 3))))
    write("npy", "scalar", npy_bytes(np.float64(3)))
    write("npy", "empty", npy_bytes(np.zeros((3, 0))))
    write("npy", "version_2", npy_bytes(np.arange(3), (2, 0)))
    write("npy", "version_3", npy_bytes(np.arange(3), (3, 0)))
    write("npy", "text", npy_bytes(np.array(["a"])))
    good = npy_bytes(np.arange(3.0))
    write("npy", "truncated", good[:-5])
    write("npy", "trailing", good + b"x")
    write("npy", "huge", good.replace(b"(3,)", b"(9223372036854775807, 9,)"))


def zip_bytes(members, method, **options):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method, **options) as archive:
        for name, data in members.items():
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as member:
                member.write(data)
    return out.getvalue()


class Unseekable(io.BytesIO):
    def seekable(self):
        return False

    def seek(self, *_):
        raise OSError("not seekable")

    def tell(self):
        raise OSError("not seekable")


def make_npz():
    for name, method in (("stored", np.savez), ("deflated", np.savez_compressed)):
        out = io.BytesIO()
        method(out, a=np.arange(6).reshape(2, 3), b=np.ones(2, "f2"))
        write("npz", name, out.getvalue())
    out = Unseekable()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("a.npy"), npy_bytes(np.arange(3)), zipfile.ZIP_DEFLATED)
    write("npz", "descriptor", out.getvalue())
    for name, x in (("packed", np.arange(300)), ("packed_fortran", np.asfortranarray(np.ones((4, 5), ">f4")))):
        data = npy_bytes(x)
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        write("npz", name, struct.pack("<H", len(data)) + packer.compress(data) + packer.flush())
    write("npz", "none", zip_bytes({}, zipfile.ZIP_STORED))
    write("npz", "no_npy", zip_bytes({"readme": b"hello"}, zipfile.ZIP_STORED))
    write("npz", "zeros", (CORPUS / "npz/deflated").read_bytes().replace(b"\x01\x02", b"\x00\x00"))


def make_safetensors():
    types = [np.dtype(t) for t in TYPES if not t.startswith(">")]
    write("safetensors", "types", safetensors_bytes({f"t{n}": np.arange(2).astype(t) for n, t in enumerate(types)}))
    write("safetensors", "metadata", safetensors_bytes({"a": np.ones((2, 1), "f4")}, {"format": "np"}))
    write("safetensors", "empty", safetensors_bytes({}))

    def raw(header, data=b""):
        text = header if isinstance(header, str) else json.dumps(header)
        return struct.pack("<Q", len(text)) + text.encode() + data

    entry = {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}
    write("safetensors", "bf16", raw({"x": entry}, b"\x80\x3f\x00\x40"))
    write("safetensors", "overlap", raw({"x": entry, "y": entry}, b"1234"))
    write("safetensors", "twice", raw('{"x":%s,"x":%s}' % (json.dumps(entry), json.dumps(entry)), b"1234"))
    write("safetensors", "deep", raw('{"x":' + "[" * 50))
    write("safetensors", "huge", raw({"x": {"dtype": "F64", "shape": [2**62, 8], "data_offsets": [0, 2**63]}}))


def make_csv():
    write("csv", "plain", "waist,weight\n51,40\n56,43\n58,48\n")
    write("csv", "quotes", '"a ""b""",c\r\n"1,5",2\r\n')
    write("csv", "missing", "x,y\n1,NA\n,nan\nNaN,3\n")
    write("csv", "semicolons", "day;x;y\n01.02.2020;1,5;N/A\n02.02.2020;-2;.\n")
    write("csv", "tabs", "x\ty\n1,234\tnull\n0,5\t#N/A\n")
    write("csv", "bars", '"x;1"|y\n"1|2"|3\n')
    write("csv", "quoted_separators", '"x;1"|y\n"1|2"|;\n')
    write("csv", "late_sign", "x;y\n" + 120 * "1;2\n" + "1,5;2\n")
    write("csv", "between", "x;y\n1.5;1,5\n1.234,5;1,2,3\n")
    write("csv", "no_header", "1,2\n3,4\n")
    write("csv", "mark", "\ufeffx\n1\n\n2\n")
    write("csv", "ragged", "a,b\n1\n")
    write("csv", "open_quote", 'a\n"1\n')
    write("csv", "numbers", "a\n+1\n-2.5e-3\ninf\n1e999\n0x1p3\n")


if __name__ == "__main__":
    make_npy()
    make_npz()
    make_safetensors()
    make_csv()
