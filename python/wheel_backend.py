"""Builds a wheel of the checkout, as pip asks for one (PEP 517).

  pip wheel .                  with Bazel
  INDEXICAL_MODULE=FILE pip wheel .      with a module that was built before

A wheel is an archive: the package, the extension module under the name that
this Python looks for, the program beside it that reads bytecode, and what says
which files there are.
"""

import base64
import glob
import hashlib
import os
import re
import stat
import subprocess
import sysconfig
import zipfile

READER = "_read_bytecode"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def version():
    with open(os.path.join(ROOT, "version.h"), encoding="utf-8") as file:
        return ".".join(re.findall(
            r"^#define INDEXICAL_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$",
            file.read(), re.M))


def tag():
    python = "cp%s" % sysconfig.get_config_var("py_version_nodot")
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return "%s-%s-%s" % (python, python, platform)


def metadata():
    return ("Metadata-Version: 2.1\nName: indexical\nVersion: %s\n"
            "Summary: Exact symbolic indexing maps of HLO and StableHLO\n"
            "License: Apache-2.0\nRequires-Python: >=3.11\n"
            "Provides-Extra: arrays\n"
            'Requires-Dist: numpy; extra == "arrays"\n' % version())


def module():
    """The path of the extension module, which is built if need be."""
    if built := os.environ.get("INDEXICAL_MODULE"):
        return os.path.abspath(built)
    subprocess.run(["bazel", "build", "--config=release", "//python:package"],
                   cwd=ROOT, check=True)
    return os.path.join(ROOT, "bazel-bin", "python", "indexical",
                        "_indexical.so")


def contents():
    """name in the wheel -> bytes"""
    info = "indexical-%s.dist-info/" % version()
    files = {}
    for pattern in ("*.py", "*.pyi", "py.typed"):
        for path in sorted(glob.glob(os.path.join(
                ROOT, "python", "indexical", pattern))):
            with open(path, "rb") as file:
                files["indexical/" + os.path.basename(path)] = file.read()
    built = module()
    with open(built, "rb") as file:
        files["indexical/_indexical" +
              sysconfig.get_config_var("EXT_SUFFIX")] = file.read()
    with open(os.path.join(os.path.dirname(built), READER), "rb") as file:
        files["indexical/" + READER] = file.read()
    with open(os.path.join(ROOT, "LICENSE"), "rb") as file:
        files[info + "LICENSE"] = file.read()
    files[info + "METADATA"] = metadata().encode()
    files[info + "WHEEL"] = (
        "Wheel-Version: 1.0\nGenerator: indexical\n"
        "Root-Is-Purelib: false\nTag: %s\n" % tag()).encode()
    return files


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = "indexical-%s-%s.whl" % (version(), tag())
    files, record = contents(), []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
        record.append("%s,sha256=%s,%d" % (
            path, digest.rstrip(b"=").decode(), len(data)))
    listed = "indexical-%s.dist-info/RECORD" % version()
    files[listed] = "\n".join(record + [listed + ",,", ""]).encode()
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w",
                         zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            # A fixed time makes each build give the same bytes.
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            mode = 0o755 if path == "indexical/" + READER else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the checkout is the source")
