#!/usr/bin/env bash
# Draws docs/pictures/rooms.svg, the picture of CONTRIBUTING.md, anew.
set -euo pipefail
graph="$PWD/$1"
cd "$BUILD_WORKSPACE_DIRECTORY"
exec python3 docs/rooms.py "$graph"
