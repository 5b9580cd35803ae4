# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""heed in models that are there."""

from __future__ import annotations

from typing import Any, TypeVar

from torch import nn

from heed.torch.multihead import MultiheadAttention, switch_off_fast_path

Model = TypeVar("Model", bound=nn.Module)


def replace_attention(model: Model) -> Model:
    """Lets heed compute the attention of a model: every torch.nn.MultiheadAttention in it, and that of models of Hugging
    Face's. Parameters, names and hooks stay; the model is changed and given back.

    >>> layer = torch.nn.TransformerEncoderLayer(8, 2, batch_first=True)
    >>> model = heed.torch.replace_attention(torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)).eval()
    >>> type(model.layers[0].self_attn).__module__
    'heed.torch.multihead'
    """
    for module in model.modules():
        if type(module) is nn.MultiheadAttention:
            module.__class__ = MultiheadAttention
            switch_off_fast_path(module)
        elif isinstance(module, nn.TransformerEncoder):
            module.use_nested_tensor = False  # heed's attention takes padded tensors
    if hasattr(model, "set_attn_implementation"):
        register_with_transformers()
        model.set_attn_implementation("heed")
    return model


def register_with_transformers() -> None:
    """From then on, Hugging Face's models take attn_implementation="heed".

    >>> heed.torch.register_with_transformers()  # needs transformers
    """
    from heed.torch.transformers import attention_forward

    transformers: Any = __import__("transformers")
    masking: Any = __import__("transformers.masking_utils", fromlist=["sdpa_mask"])
    transformers.AttentionInterface.register("heed", attention_forward)
    transformers.AttentionMaskInterface.register("heed", masking.sdpa_mask)
