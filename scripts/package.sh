#!/usr/bin/env bash
# Makes Debian packages: indexical (the command), python3-indexical,
# indexical-mlir-plugin and libindexical-dev; and a wheel for the Python that is
# there (PYTHON=program for another one).
#
#   scripts/package.sh [FOLDER]   into that folder (default: packages)
#
# BUILD=folder is where CMake builds; OPTIONS are more words for it. If lintian
# is installed, it checks the packages, and an error of it ends the script.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$(mkdir -p "${1:-packages}" && cd "${1:-packages}" && pwd)
build=${BUILD:-$(mktemp -d)}
python=${PYTHON:-/usr/bin/python3}
[[ -n "${BUILD:-}" ]] || trap 'rm -rf "$build"' EXIT

# shellcheck disable=SC2086 # the words are options
cmake -S "$root" -B "$build" -G Ninja -DBUILD_SHARED_LIBS=OFF \
  -DINDEXICAL_PYTHON=ON -DPython3_EXECUTABLE="$python" \
  -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR=lib/x86_64-linux-gnu \
  ${OPTIONS:-} > /dev/null
cmake --build "$build" --parallel "${JOBS:-$(nproc)}"
(cd "$build" && cpack -G DEB -B "$folder")
rm -rf "$folder/_CPack_Packages"
wheel=$(cd "$root/python" &&
  INDEXICAL_MODULE=$(ls "$build"/python/indexical/_indexical*.so) \
    "$python" -c 'import sys, wheel_backend
print(wheel_backend.build_wheel(sys.argv[1]))' "$folder")
echo "package: $folder/$wheel"

for package in "$folder"/*.deb; do
  dpkg-deb --info "$package" > /dev/null
  echo "package: $package"
done
if command -v lintian >/dev/null; then
  lintian --allow-root --fail-on error "$folder"/*.deb
else
  echo "package: there is no lintian; nothing looked at the packages" >&2
fi
