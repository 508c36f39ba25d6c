"""Frozen files cannot be written to, and still be removed by those who mean to."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

from annotation.release.files import write_release
from annotation.release.write_protection import remove_folder, seal, unseal
from tests.annotation.release.fixtures import small_release


def modes(folder: Path) -> tuple[set[int], set[int]]:
    """Of all files, and of all directories."""
    found = [folder, *folder.rglob("*")]
    files, directories = (
        {stat.S_IMODE(path.stat().st_mode) for path in found if path.is_dir() is is_directory}
        for is_directory in (False, True)
    )
    return files, directories


def test_a_sealed_folder_is_for_reading_only(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    write_release(folder, small_release(n=4))
    seal(folder)
    assert modes(folder) == ({0o444}, {0o555})
    unseal(folder)
    assert all(mode & 0o700 == 0o700 for mode in modes(folder)[1])
    remove_folder(folder)
    remove_folder(folder)
    assert not folder.exists()


def test_a_link_is_removed_and_not_what_it_leads_to(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir(mode=0o755)
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "link").symlink_to(kept)
    (tmp_path / "link").symlink_to(kept)
    seal(tmp_path / "made")
    remove_folder(tmp_path / "made")
    remove_folder(tmp_path / "link")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept"]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o755


def test_somebody_without_special_rights_can_remove_a_sealed_folder() -> None:
    """In /tmp, because others cannot reach pytest's own folder."""
    script = (
        "import os, sys, tempfile; from pathlib import Path\n"
        "from annotation.release.write_protection import remove_folder, seal\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "folder = Path(tempfile.mkdtemp()); (folder / 'data').mkdir(); (folder / 'data' / 'x').write_text('x')\n"
        "(folder / 'dark').mkdir(mode=0)\n"
        "seal(folder)\n"
        "try: (folder / 'data' / 'x').unlink()\n"
        "except PermissionError: print('refused')\n"
        "remove_folder(folder); print(folder.exists())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused", "False"]
