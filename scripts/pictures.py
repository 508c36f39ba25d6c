"""Takes the pictures of README and docs from the demo, light and dark: `make pictures`, or of an instance that runs."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from backend.secrets_file import load_or_create_secrets

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
STUDY = "/studies/empathy-in-everyday-advice"
LARGEST = 300_000
PATIENCE_SECONDS = 900
# What a picture needs not: the strip above, whose message the captions have, and the tour
QUIET = ".demo-banner, .demo-progress, .tour, .breadcrumbs { display: none !important }"


@dataclass(frozen=True, slots=True)
class Picture:
    """A page, scrolled until `top` is at the upper end; `click` is opened first."""

    name: str
    path: str
    top: str = "main"
    click: str = ""
    who: str = "rosa"
    height: int = 760


TAKEN = (
    Picture("design", f"{STUDY}/codebook"),
    Picture("annotate", f"{STUDY}/work", who="amal", click="button:has-text('Start')"),
    Picture("agreement", f"{STUDY}/agreement/rounds"),
    Picture(
        "decide",
        f"{STUDY}/adjudication/settled?page=5",
        top="[data-workspace]",
        click="tr:has-text('Written by') a",
    ),
    Picture("learn", f"{STUDY}/active-learning", top="h2:has-text('Savings meter')"),
    Picture("publish", f"{STUDY}/reports/1", top="#platforms", click="#platforms input[value=both]"),
    Picture("operate", STUDY),
)


@contextmanager
def demo_instance() -> Iterator[tuple[str, str]]:
    """The address and the password of an instance of its own, which is stopped and removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="attune-pictures-") as folder:
        ports = _free_ports(3)
        names = ("ATTUNE_WEB_PORT", "ATTUNE_LABEL_STUDIO_PORT", "ATTUNE_ML_SERVER_PORT")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ATTUNE_")}
        environment |= {"ATTUNE_DATA_DIR": folder, **dict(zip(names, map(str, ports), strict=True))}
        command = [sys.executable, "-m", "backend.operate.launch"]
        with subprocess.Popen(command, cwd=ROOT, env=environment) as process:
            try:
                yield f"http://127.0.0.1:{ports[0]}", password_in(Path(folder))
            finally:
                process.send_signal(signal.SIGINT)
                process.wait()


def _free_ports(n: int) -> list[int]:
    sockets = [socket() for _ in range(n)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [int(each.getsockname()[1]) for each in sockets]
    for each in sockets:
        each.close()
    return ports


def password_in(folder: Path) -> str:
    while not (folder / "secrets.json").exists():
        time.sleep(1)
    return load_or_create_secrets(folder / "secrets.json").demo_password


def log_in(browser: Browser, url: str, who: str, password: str, scheme: str) -> Page:
    context = browser.new_context(
        viewport={"width": 1280, "height": 760}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page = context.new_page()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            page.goto(url)
            break
        except Exception:
            time.sleep(2)
    page.fill("input[name=username]", who)
    page.fill("input[name=password]", password)
    with page.expect_navigation():
        page.press("input[name=password]", "Enter")
    return page


def wait_for_the_story(browser: Browser, url: str, password: str) -> None:
    page = log_in(browser, url, "rosa", password, "light")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        page.goto(f"{url}{STUDY}/demo/progress")
        if "The demo is made" in page.content():
            return
        time.sleep(3)
    sys.exit("The demo was not made in time: see its job.")


def take(page: Page, url: str, picture: Picture, scheme: str) -> Path:
    page.set_viewport_size({"width": 1280, "height": picture.height})
    page.goto(url + picture.path)
    if picture.click:
        page.locator(picture.click).first.click()
        page.wait_for_load_state("networkidle")
    if page.url.startswith(url):
        page.evaluate(HIDE, QUIET)
        page.locator(picture.top).first.evaluate(SCROLL)
    else:
        # Label Studio, which draws itself
        page.get_by_role("button", name="Submit").first.wait_for()
    page.wait_for_timeout(800)
    target = PICTURES / f"{picture.name}-{scheme}.png"
    page.screenshot(path=str(target))
    with Image.open(target) as image:
        image.convert("RGB").save(target, optimize=True)
    if target.stat().st_size > LARGEST:
        sys.exit(
            f"{target} has {target.stat().st_size:,} bytes, more than {LARGEST:,}: take less of the page."
        )
    return target


# Pages allow no inline styles; a sheet that the browser itself makes is none
SCROLL = "node => { node.scrollIntoView(); scrollBy(0, -60); }"
HIDE = """css => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}"""


def take_all(url: str, password: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        wait_for_the_story(browser, url, password)
        for scheme in ("light", "dark"):
            for who in ("rosa", "amal"):
                page = log_in(browser, url, who, password, scheme)
                for picture in TAKEN:
                    if picture.who == who:
                        print(take(page, url, picture, scheme).relative_to(ROOT), flush=True)
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", help="of an instance that runs, such as http://127.0.0.1:8000")
    parser.add_argument("--data", type=Path, default=ROOT / "var", help="its data directory")
    given = parser.parse_args()
    if given.url:
        take_all(given.url, password_in(given.data))
        return
    with demo_instance() as (url, password):
        take_all(url, password)


if __name__ == "__main__":
    main()
