"""An SVG as a PNG, by a program that is there: rsvg-convert, or a browser."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from ._errors import Error

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def _size(svg):
    """The width and height in pixels that the picture says."""
    head = svg[:svg.index(">")]
    return [float(re.search(r'\b%s="([0-9.]+)"' % name, head).group(1))
            for name in ("width", "height")]


def _by_rsvg(program, svg, scale, folder):
    made = folder / "picture.png"
    subprocess.run([program, "--zoom=%g" % scale, "-o", str(made), str(svg)],
                   check=True, capture_output=True)
    return made


def _by_browser(program, svg, scale, folder):
    made = folder / "picture.png"
    width, height = _size(svg.read_text(encoding="utf-8"))
    # The system does not let a browser of root have its sandbox.
    alone = ["--no-sandbox"] if os.geteuid() == 0 else []
    subprocess.run(
        [program, "--headless", *alone, "--disable-gpu", "--hide-scrollbars",
         "--user-data-dir=%s" % (folder / "profile"),
         "--force-device-scale-factor=%g" % scale,
         "--window-size=%d,%d" % (width, height),
         "--screenshot=%s" % made, svg.as_uri()],
        check=True, capture_output=True, timeout=60)
    return made


def png_of(svg, scale):
    """Returns the bytes of the PNG, `scale` pixels for each of the SVG's."""
    makers = [("rsvg-convert", _by_rsvg)] + [
        (browser, _by_browser) for browser in BROWSERS]
    for name, make in makers:
        program = shutil.which(name)
        if not program:
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            path = folder / "picture.svg"
            path.write_text(svg, encoding="utf-8")
            try:
                return make(program, path, scale, folder).read_bytes()
            except (OSError, subprocess.SubprocessError) as why:
                raise Error("%s made no PNG: %s" % (name, why)) from why
    raise Error("a PNG needs rsvg-convert (librsvg2-bin) or Chromium")
