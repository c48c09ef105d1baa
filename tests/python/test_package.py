"""The package as a whole: every row of the tables is an attribute, stubs and docs are there."""

import ast
import keyword
import re
from pathlib import Path

import pytest

import stiction

PACKAGE = Path(stiction.__file__).parent
INCLUDE = Path(__file__).resolve().parents[2] / "include" / "stiction"


def table(header, macro):
    """Field names of a table macro."""
    text = (INCLUDE / header).read_text()
    body = re.search(rf"#define {macro}\(X\)((?:.*\\\n)*.*\n)", text).group(1)
    return re.findall(r"X\(\s*(?:[\w:]+,\s*)?(\w+),", body)


@pytest.mark.parametrize(
    ("header", "macro", "kind"),
    [
        ("model.hpp", "STICTION_MODEL_SIZES", stiction.Model),
        ("model.hpp", "STICTION_MODEL_ARRAYS", stiction.Model),
        ("state.hpp", "STICTION_CONTROL_ARRAYS", stiction.Control),
        ("state.hpp", "STICTION_CONTACTS_ARRAYS", stiction.Contacts),
        ("state.hpp", "STICTION_CONTACTS_ARRAYS", stiction.Contact),
        ("options.hpp", "STICTION_OPTIONS", stiction.Options),
        ("report.hpp", "STICTION_CERTIFICATE", stiction.Certificate),
        ("report.hpp", "STICTION_REPORT", stiction.StepReport),
        ("problem.hpp", "STICTION_PROBLEM_ARRAYS", stiction.ContactProblem),
        ("problem.hpp", "STICTION_SOLUTION_ARRAYS", stiction.Solution),
    ],
)
def test_every_row_of_a_table_is_a_documented_attribute(header, macro, kind):
    names = table(header, macro)
    assert len(names) >= 3
    for name in names:
        attribute = name + "_" if keyword.iskeyword(name) else name
        assert getattr(kind, attribute).__doc__, f"{kind.__name__}.{name}"


def test_version_is_that_of_the_header():
    assert f'"{stiction.__version__}"' in (INCLUDE / "version.hpp").read_text()


def test_stubs_name_everything_public():
    assert (PACKAGE / "py.typed").exists()
    stub = ast.parse((PACKAGE / "_stiction.pyi").read_text())
    named = {node.name for node in stub.body if hasattr(node, "name")}
    assert set(stiction.__all__) - named <= {"__version__", "scene", "scenes"}


def test_shipped_scenes_are_found():
    found = stiction.scenes()
    assert found and all(path.suffix == ".xml" for path in found.values())
    first = next(iter(found))
    assert stiction.scene(first) == found[first]
    with pytest.raises(stiction.Error, match="no scene 'atlantis'"):
        stiction.scene("atlantis")


def test_errors_have_the_public_name():
    assert issubclass(stiction.Error, ValueError) and stiction.Error.__module__ == "stiction"
