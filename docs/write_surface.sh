#!/usr/bin/env bash
# Writes docs/surface.txt anew, unless something is gone without the version.
set -euo pipefail
cd "$BUILD_WORKSPACE_DIRECTORY"
exec python3 docs/surface.py docs/surface.txt indexical.h --write
