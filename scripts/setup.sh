#!/usr/bin/env bash
# Installs the packages that the build needs and that are not there yet.
# Made for Debian 12 with its security updates.
#
#   scripts/setup.sh               what building and testing needs
#   scripts/setup.sh --build       what building needs: no browser, no clang
#   scripts/setup.sh --sanitizers  and what --config=asan and --config=tsan need
#   scripts/setup.sh --packages    and what CMake and packages need
set -euo pipefail

packages=(
  bazel-bootstrap g++
  llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools zlib1g-dev libzstd-dev
  libabsl-dev libisl-dev libgmp-dev libz3-dev
  libgtest-dev libgmock-dev libbenchmark-dev protobuf-compiler
  python3 python3-jsonschema python3-dev python3-numpy pybind11-dev
)
wants_tests=1
for argument in "$@"; do
  case "$argument" in
    --build) wants_tests=0 ;;
    --sanitizers) packages+=(clang-22 libclang-rt-22-dev) ;;
    --packages) packages+=(cmake ninja-build pkgconf dpkg-dev lintian ccache) ;;
    *)
      echo "setup: unknown argument '$argument'; known: --build, --sanitizers, --packages" >&2
      exit 2
      ;;
  esac
done
if [[ $wants_tests -eq 1 ]]; then
  # Tests compile kernels of CUDA C++ and HIP with clang.
  packages+=(chromium clang-22)
  # They may be installed from elsewhere, and Debian's would conflict with them.
  command -v node >/dev/null || packages+=(nodejs)
  command -v npm >/dev/null || packages+=(npm)
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  echo "setup: no apt-get here; install by hand: ${packages[*]}" >&2
  exit 1
fi

# dpkg-query fails if it does not know one of the names, and lists the others.
installed=" $(dpkg-query --show --showformat='${db:Status-Status}:${Package} ' \
  "${packages[@]}" 2>/dev/null || true)"
missing=()
for package in "${packages[@]}"; do
  [[ "$installed" == *" installed:$package "* ]] || missing+=("$package")
done

# The driver of the browser for tests of pages. Without it they skip and say so.
playwright=playwright-core@1.65.1
has_playwright() {
  [[ $wants_tests -eq 0 ]] && return
  command -v npm >/dev/null && [[ -d "$(npm root -g 2>/dev/null)/playwright-core" ]]
}
[[ ${#missing[@]} -gt 0 ]] || ! has_playwright || exit 0

as_root=()
if [[ "$(id -u)" -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "setup: neither root nor sudo; as root: apt-get install ${missing[*]:-}, npm install -g $playwright" >&2
    exit 1
  fi
  as_root=(sudo)
fi

if [[ ${#missing[@]} -gt 0 ]]; then
  echo "setup: installing with apt-get: ${missing[*]}"
  apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --quiet \
      --option Acquire::Retries=3 --option DPkg::Lock::Timeout=300 "$@"
  }
  apt update
  apt install --yes --no-install-recommends --option Dpkg::Use-Pty=0 \
    "${missing[@]}" >/dev/null
fi

if ! has_playwright; then
  echo "setup: installing with npm: $playwright"
  "${as_root[@]}" npm install --global --silent "$playwright" ||
    echo "setup: there is no $playwright; tests of pages will skip" >&2
fi
