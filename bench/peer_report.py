# SPDX-FileCopyrightText: The heed authors
# SPDX-License-Identifier: Apache-2.0

"""What peers.py measured: as a table, as JSON, and as the README's table, which is made of the JSON that is kept."""

import json
import os
import platform

BEGIN, END = "<!-- speed: bench/peers.py --readme writes this -->", "<!-- /speed -->"

# What the README shows, by the beginning of its name; the rest is in the JSON.
IN_README = {
    "forward_d64_n512": "attention, forward",
    "forward_d128_n2048": "attention, forward",
    "causal_d64_n2048": "attention, causal",
    "backward_d64_n512": "attention, backward",
    "decode_d128": "one query, a long cache",
    "multi_head_training_step": "multi-head attention, a training step",
    "additive_h64_n512_with_backward": "additive attention, with backward",
    "gaussian": "Gaussian regression",
    "regression_epoch": "training the notes' regression",
    "small_call": "a call on next to nothing",
}


def machine(note):
    """Where it was measured, as far as the system says; the note is for what it does not."""
    with open("/proc/cpuinfo") as file:
        models = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return {
        "cpu": models[0] if models else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "environment": {name: value for name, value in os.environ.items() if name.startswith(("OMP_", "HEED_"))},
        "note": note,
    }


def write_json(path, header, rows):
    path.write_text(json.dumps({**header, "rows": rows}, indent=2) + "\n")


def time_text(seconds):
    """Three digits, or all before the point."""
    unit, value = next((u, seconds * n) for u, n in (("s", 1), ("ms", 1e3), ("µs", 1e6)) if seconds * n >= 1 or u == "µs")
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"


def ratio_text(ratio):
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def heading():
    return "| case | shape | threads | heed | PyTorch | ratio | middle half |\n| --- | --- | --- | --- | --- | --- | --- |"


def table_row(row):
    low, high = row["ratio_quartiles"]
    return (
        f"| {row['name']} | {row['shape']} | {row['threads']} | {time_text(row['heed_seconds'])} "
        f"| {time_text(row['torch_seconds'])} | {row['ratio']:.2f}× | {low:.2f} to {high:.2f} |"
    )


def cells(row):
    return f"{time_text(row['heed_seconds'])} | {time_text(row['torch_seconds'])} | {ratio_text(row['ratio'])}"


def readme_table(results):
    """One row per case, one column group per number of threads, and where and how it was measured."""
    threads = sorted({row["threads"] for row in results["rows"]})
    found = {(row["name"], row["threads"]): row for row in results["rows"]}
    names = list(dict.fromkeys(row["name"] for row in results["rows"]))
    lines = ["| | shape |" + "".join(f" heed, {count_text(n)} | PyTorch | ratio |" for n in threads)]
    lines.append("| --- | --- |" + " --- | --- | --- |" * len(threads))
    for begin, words in IN_README.items():
        for name in (name for name in names if name.startswith(begin)):
            rows = [found[name, n] for n in threads]
            lines.append(f"| {words} | {rows[0]['shape']} | " + " | ".join(cells(row) for row in rows) + " |")
    where = results["machine"]
    note = f" {where['note'].rstrip('.')}." if where["note"] else ""
    lines += [
        "",
        f"Ratios above 1: heed is faster. Measured by `{results['command']}` on {where['cpu']}, {where['cores']} cores, against "
        f"PyTorch {results['torch']}, Python {where['python']}.{note}",
    ]
    return "\n".join(lines)


def count_text(threads):
    return "1 thread" if threads == 1 else f"{threads} threads"


def with_table(readme, results):
    """The README with the table between its two marks."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"no place for the table: expected the lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{readme_table(results)}\n\n{END}{after}"
