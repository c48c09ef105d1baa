"""The code blocks of the documentation run, one after the other in one session, as a reader would type them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["docs/python.md", "docs/robots.md", "README.md"])
def test_code_blocks_run(page, tmp_path, monkeypatch, capsys):
    path = ROOT / page
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL) if path.exists() else []
    if not blocks:
        pytest.skip(f"{page} has no Python block")
    (tmp_path / "scenes").symlink_to(ROOT / "scenes")
    monkeypatch.chdir(tmp_path)
    session = {}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"{page}, block {number}", "exec"), session)
    assert capsys.readouterr().out
