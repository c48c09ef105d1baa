"""The shipped scenes, in the share folder of the prefix (.venv, /usr/local …) that holds the package."""

from pathlib import Path

from ._stiction import Error

# <prefix>/lib/python3.x/site-packages/stiction/_scenes.py → <prefix>/share/stiction/scenes
_FOLDER = Path(__file__).resolve().parents[4] / "share" / "stiction" / "scenes"


def scenes() -> dict[str, Path]:
    """Names of the shipped scenes and their files."""
    if not _FOLDER.is_dir():
        raise Error(f"the shipped scenes are not installed in {_FOLDER}")
    return {path.stem: path for path in sorted(_FOLDER.glob("*.xml"))}


def scene(name: str) -> Path:
    """File of a shipped scene: stiction.load(stiction.scene("demo"))."""
    found = scenes()
    if name not in found:
        raise Error(f"there is no scene '{name}'. Scenes: {', '.join(found)}")
    return found[name]
