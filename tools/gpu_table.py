"""Writes the measured table of docs/gpu.md from the JSON of the GPU test program.

python3 tools/gpu_table.py out/gpu_leaves.json
"""

import argparse
import json
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "gpu.md"
BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
HEAD = """\
| leaf | touching | double: same bits | largest ulp (bound) | float: same bits | largest ulp | \
float error, 99 % (bound) | largest | other integers | double, 10⁶/s | float, 10⁶/s |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


def share(value):
    """A share as per cent; 100 % and 0 % only where they are exact."""
    return (
        f"{100 * value:g} %" if value in (0, 1) else f"{100 * value:.2g} %" if value < 0.01 else f"{100 * value:.2f} %"
    )


def rate(millions):
    return f"{millions:.0f}" if millions >= 10 else f"{millions:.2g}"


def row(leaf):
    in_double, in_float, error, bounds = leaf["double"], leaf["float"], leaf["float_error"], leaf["bounds"]
    is_pair = leaf["source"].startswith("src/collide")
    cells = [
        leaf["name"],
        share(leaf["hits"]) if is_pair else "",
        share(in_double["bit_equal"]),
        f"{in_double['ulps']:.3g} ({bounds['ulps']:g})",
        share(in_float["bit_equal"]),
        f"{in_float['ulps']:.3g}",
        f"{error['most_cases']:.1e} ({bounds['float_error']:.0e})",
        f"{error['largest']:.1e}",
        share(error["other_codes"]) if is_pair else "",
        rate(in_double["millions_per_s"]),
        rate(in_float["millions_per_s"]),
    ]
    return "| " + " | ".join(cells) + " |\n"


def table(report):
    head = (
        f"{report['date']}, {report['device']}, nvcc {report['nvcc']}, {report['host_compiler']}: "
        f"{len(report['leaves'])} leaves, {report['cases']} cases each, seed {report['seed']}, "
        f"{report['failures']} failed. "
        "Command: `tools/gpu_test.sh`, or `build/cuda/leaves_test --json` of `make cuda`.\n\n"
    )
    return head + HEAD + "".join(row(leaf) for leaf in report["leaves"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json", type=Path, help="output of tools/gpu_test.sh")
    report = json.loads(parser.parse_args().json.read_text())
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(before + BEGIN + table(report) + END + after)


if __name__ == "__main__":
    main()
