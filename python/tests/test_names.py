# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Everything public in C++ has its Python name; what has none stands here with the reason."""

import re
from pathlib import Path

import heed
import heed.nn
import heed.optim

INCLUDE = Path(__file__).resolve().parents[2] / "include" / "heed"

# C++ name -> where Python has it.
ELSEWHERE = {
    "Normal": "heed.normal", "Range": "heed.arange", "Closeness": "heed.all_close", "KeepDims": "heed.Tensor.sum", "keepdims": "heed.Tensor.sum", "Gelu": "heed.gelu",
    "LayerNormOptions": "heed.layer_norm", "NoGrad": "heed.no_grad", "Slice": "heed.Tensor.__getitem__", "DiagonalOptions": "heed.Tensor.diagonal",
    "WindowOptions": "heed.window", "Align": "heed.causal", "WeightsPart": "heed.AttentionWeights.__call__", "AttendOptions": "heed.attend",
    "OutputAndWeights": "heed.attention", "LearningOptions": "heed.learned_bandwidth", "SaveOptions": "heed.save", "CsvOptions": "heed.load_table",
    "CsvHeader": "heed.load_table", "FileFormat": "heed.file_format", "LoadOptions": "heed.nn.load", "Colours": "heed.Heatmap.colours", "Pool": "heed.downsample",
    "Interval": "heed.Heatmap.range", "Scale": "heed.Chart.y_scale", "Canvas": "heed.Heatmap.save", "Terminal": "heed.Heatmap.text",
    "DownsampleOptions": "heed.downsample", "colour_range": "heed.Heatmap.range", "colour_map": "heed.Heatmap.colours", "description": "heed.Heatmap.__repr__", "svg": "heed.Heatmap.svg",
    "text": "heed.Heatmap.text", "Explanation": "heed.explain", "NestedNumbers": "heed.tensor", "Interruptible": "heed.attend",
    "attend_recorded": "heed.torch.attend", "KnownResult": "heed.torch.attend", "clone": "copy.deepcopy", "from_vector": "heed.tensor",
    "to_string": "heed.Tensor.__repr__", "name": "heed.Dtype", "BorrowOptions": "heed.borrow", "Alternative": "heed.explain",
}  # fmt: skip
# The members of the same purpose.
MEMBERS = {
    "defined": "None is no tensor", "data": "numpy()", "mutable_data": "numpy()", "at": "x[i, j].item()", "to_vector": "tolist()",
    "slice": "x[a:b]", "set_grad": "x.grad = ...", "backward_retaining_graph": "backward(retain_graph=True)", "wrap": "of the library itself",
    "impl": "of the library itself",
}  # fmt: skip
REASONS = {
    "Dims": "a tuple", "Shape": "a tuple", "Strides": "a tuple", "broadcast_shapes": "numpy.broadcast_shapes",
    "Scalar": "a Python number", "promote": "numpy.promote_types", "size_of": "numpy.dtype.itemsize", "is_floating": "x.dtype in (heed.f32, heed.f64)",
    "Element": "of templates", "kDtypeOf": "of templates", "kMaxRank": "an error says it", "default_generator": "heed.seed restarts it",
    "backward": "x.backward() of a sum of roots", "nearest_name": "difflib.get_close_matches", "Score": "one of its four classes",
    "BandwidthProgress": "Ctrl-C ends the search; nothing is told", "BandwidthWatch": "Ctrl-C ends the search; nothing is told",
    "Figure": "Heatmap or Chart", "written_file": "os.path.realpath", "in_quotes": "repr", "printable": "repr", "Background": "Matplotlib's figures have one", "Ink": "text() has shades", "terminal": "text(columns=...)",
    "display_width": "wcwidth of PyPI", "wrapped": "textwrap.wrap", "RowSource": "NumPy's memory maps are arrays", "Poll": "Ctrl-C", "ModuleList": "written in Python",
}  # fmt: skip


def python_name(path):
    found = {"heed": heed, "copy": __import__("copy")}[path.split(".")[0]]
    for part in path.split(".")[1:]:
        if part == "torch":
            return True  # needs PyTorch
        found = getattr(found, part)
    return found


def declared():
    """(name, header) of everything in the namespaces of the public headers."""
    for path in sorted(INCLUDE.rglob("*.h")):
        text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        text = re.sub(r"namespace (detail|io|simd) \{.*?\n\}", "", text, flags=re.DOTALL)
        for found in re.findall(r"^(?:class|struct|enum class)\s+(?:HEED_API\s+)?(\w+)(?=\s*(?:final\s*)?[:{])", text, re.MULTILINE):
            yield found, path.name
        for found in re.findall(r"^(?:HEED_API|template.*\n(?:Tensor|M|decltype\(auto\)))\s[^;{=]*?\b(\w+)\(", text, re.MULTILINE):
            if found != "operator":
                yield found, path.name
        for found in re.findall(r"^(?:using|inline constexpr \w+|concept)\s+(\w+)\s*=", text, re.MULTILINE):
            yield found, path.name


def is_there(name):
    return any(hasattr(module, name) for module in (heed, heed.nn, heed.optim))


def test_every_public_name_has_a_python_one():
    names = dict(declared())
    assert len(names) > 120 and {"attend", "Tensor", "Heatmap", "SGD", "masked_softmax_where"} <= set(names)
    missing = {
        name: header for name, header in names.items()
        if not is_there(name) and name not in ELSEWHERE and name not in REASONS and not (name.endswith("Options") and is_there(name[:-7]))
    }  # fmt: skip
    missing.pop("MultiHeadAttentionLayerOptions")  # of multi_head_attention_layer
    assert not missing


def test_the_lists_hold_nothing_else():
    names = dict(declared()) | {"kMaxRank": "", "kDtypeOf": "", "Element": "", "Poll": ""}
    for name, path in ELSEWHERE.items():
        assert name in names and python_name(path), name
    assert not set(REASONS) - set(names)
    assert not [name for name in REASONS if is_there(name) and name not in ("ModuleList",)]


def test_every_method_of_a_tensor_has_a_python_one():
    text = re.sub(r"//.*", "", (INCLUDE / "tensor.h").read_text(encoding="utf-8"))
    body = text[text.index("class HEED_API Tensor {") : text.index(" private:\n  const void* read")]
    methods = set(re.findall(r"\b([a-z]\w*)\((?=[^()]*(?:\([^()]*\))?[^()]*\)[^;{]*(?:const|;|\{))", body)) - {"operator", "wrap"}
    methods = {m for m in methods if re.search(rf"^\s+(?:static |const )?[\w:<>*& ]+[ *&]{m}\(", body, re.MULTILINE)}
    assert len(methods) > 25
    assert not {m for m in methods if not hasattr(heed.Tensor, m) and m not in MEMBERS and m not in ("read", "write", "move", "shape")}


WANTED = (
    "sum mean max min argmax abs exp log sqrt tanh softmax clamp view reshape flatten squeeze unsqueeze permute transpose T to item tolist "
    "numpy clone detach"
)


def test_tensors_have_the_methods_people_type():
    assert not [name for name in WANTED.split() if not hasattr(heed.Tensor, name)]
