"""What others made is exactly what its list says, with its licence beside it."""

import hashlib
import re
from pathlib import Path

from backend.core import web

VENDOR = Path(web.__file__).parent / "static" / "vendor"
ROW = re.compile(r"^\| `([^`]+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \| `([0-9a-f]{64})` \|$", re.MULTILINE)


def listed() -> dict[str, str]:
    return {path: digest for path, _, _, digest in ROW.findall((VENDOR / "README.md").read_text())}


def test_each_file_has_the_hash_it_is_listed_with() -> None:
    found = {
        str(path.relative_to(VENDOR)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name != "README.md"
    }
    assert found == listed()


def test_each_folder_carries_its_licence() -> None:
    for folder in {Path(path).parent for path in listed()}:
        assert list((VENDOR / folder).glob("LICENSE*"))
