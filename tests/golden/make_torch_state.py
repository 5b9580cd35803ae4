# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""Makes torch_attention.safetensors: a PyTorch nn.MultiheadAttention as it is saved, and what it computes.

Run it by hand, with a Python that has PyTorch and safetensors:

    python tests/golden/make_torch_state.py

It writes two files beside itself: torch_attention.safetensors, the module's state_dict() as
safetensors.torch.save_file writes it, and torch_attention_io.safetensors with its inputs and output.
"""

from pathlib import Path

import torch
from safetensors.torch import save_file

HERE = Path(__file__).resolve().parent


def main():
    torch.set_num_threads(1)
    torch.manual_seed(5)
    attention = torch.nn.MultiheadAttention(8, 2, batch_first=True).eval()
    for parameter in attention.parameters():
        parameter.data = torch.randn_like(parameter) * 0.5
    query, memory = torch.randn(2, 3, 8), torch.randn(2, 4, 8)
    out, weights = attention(query, memory, memory, average_attn_weights=False)
    save_file(attention.state_dict(), HERE / "torch_attention.safetensors", {"format": "pt"})
    save_file({"query": query, "memory": memory,
               "out": out.detach().contiguous(), "weights": weights.detach()},
              HERE / "torch_attention_io.safetensors")


if __name__ == "__main__":
    main()
