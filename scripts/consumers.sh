#!/usr/bin/env bash
# Uses Indexical from outside of the checkout, as other projects do.
#
#   scripts/consumers.sh bazel    one local_repository, one load
#   scripts/consumers.sh static   CMake: builds and installs archives; then
#                                 find_package, pkg-config with plain c++, and
#                                 a dialect and a pass of another project
#   scripts/consumers.sh shared   likewise with shared libraries
#   scripts/consumers.sh packages Debian packages, unpacked into a clean folder;
#                                 DEBS=folder has them, else they are made
#   scripts/consumers.sh          all of them
#
# The programs are tests/consumers, copied into a folder of their own. WORK=folder
# keeps it; BUILD=folder is where CMake builds, CXXFLAGS its flags (-O1);
# MLIR=OFF leaves Indexical::mlir out, and the dialect and the pass with it.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
[[ -n "${WORK:-}" ]] || trap 'rm -rf "$work"' EXIT
jobs=${JOBS:-$(nproc)}
version=$(sed -n 's/^#define INDEXICAL_VERSION_[A-Z]* \([0-9]*\)$/\1/p' \
  "$root/version.h" | paste -sd.)

# The output that the program must print.
expected="consumer of $version
(d0) -> (d0), domain: d0 in [0, 3]
(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, 3]
32"

check() {
  local name=$1 output
  shift
  output=$("$@")
  if [[ "$output" != "$expected" ]]; then
    printf 'consumers: %s prints\n%s\n' "$name" "$output" >&2
    exit 1
  fi
  echo "consumers: $name"
}

copy() {
  mkdir -p "$1/ops"
  cp "$root/tests/consumers/main.cc" "$1"
  cp "$root/tests/consumers/ops/op.h" "$1/ops"
}

bazel_consumer() {
  local folder=$work/bazel
  copy "$folder"
  cp "$root/tests/consumers/BUILD.in" "$folder/BUILD"
  sed "s|@CHECKOUT@|$root|" "$root/tests/consumers/WORKSPACE.in" \
    > "$folder/WORKSPACE"
  (cd "$folder" && bazel ${BAZEL_STARTUP:-} build --noshow_progress \
    --jobs="$jobs" ${BAZEL_OPTIONS:-} //:consumer)
  check bazel "$folder/bazel-bin/consumer"
}

# find_package_consumer NAME FOLDER PREFIX
find_package_consumer() {
  local name=$1 folder=$2 prefix=$3
  copy "$folder/consumer"
  cp "$root/tests/consumers/CMakeLists.txt" "$folder/consumer"
  project "$folder/consumer" "$prefix"
  check "$name, find_package" "$folder/consumer/build/consumer"
}

packages_consumer() {
  local folder=$work/packages clean=$work/packages/root said
  mkdir -p "$clean"
  [[ -n "${DEBS:-}" ]] || "$root/scripts/package.sh" "$folder/debs"
  for package in "${DEBS:-$folder/debs}"/*.deb; do
    dpkg-deb --extract "$package" "$clean"
  done
  said=$("$clean/usr/bin/indexical" --version)
  [[ "$said" == "indexical $version" ]] ||
    { echo "consumers: the package's command says '$said'" >&2; exit 1; }
  said=$(gzip -dc "$clean/usr/share/man/man1/indexical-report.1.gz")
  grep -q "^\.TH INDEXICAL-REPORT 1 \"\" \"indexical $version\"$" <<< "$said"
  # Python, as Debian's would find it.
  said=$(PYTHONPATH=$clean/usr/lib/python3/dist-packages /usr/bin/python3 -c "
import indexical
print(indexical.__version__, indexical.Map(
    '(d0) -> (d0 mod 4), domain: d0 in [0, 31]')(5))")
  [[ "$said" == "$version (1,)" ]] ||
    { echo "consumers: the package's Python says '$said'" >&2; exit 1; }
  bash -c "source '$clean/usr/share/bash-completion/completions/indexical' &&
    complete -p indexical" > /dev/null
  find_package_consumer packages "$folder" "$clean/usr"
  cost_model_consumer "$folder/cost_model" "$clean/usr"
  pass_consumer "$folder/pass" "$clean/usr"
  one_llvm "$clean/usr/bin/indexical" OFF
  plugin_consumer "$clean"/usr/lib/*/indexical/IndexicalPlugin.so
}

# project FOLDER PREFIX: builds what is in the folder.
project() {
  cmake -S "$1" -B "$1/build" -G Ninja -DCMAKE_PREFIX_PATH="$2" > /dev/null
  cmake --build "$1/build" > "$1/log" || { tail -40 "$1/log" >&2; exit 1; }
}

# A pass of a compiler that chooses by the bytes that a kernel moves.
cost_model_consumer() {
  mkdir -p "$1"
  cp "$root/examples/cost_model.cc" "$1/main.cc"
  cp "$root/tests/consumers/CMakeLists.txt" "$1"
  project "$1" "$2"
  says cost_model "along rows: 278528 sectors, along columns: 163840: columns" \
    "$1/build/consumer"
}

# A dialect and a pass of another project.
pass_consumer() {
  mkdir -p "$1/ops"
  cp "$root"/tests/consumers/pass/* "$1"
  cp "$root/tests/consumers/ops/op.h" "$1/ops"
  project "$1" "$2"
  says pass "rotated: (d0) -> ((d0 + 3) mod 8), domain: d0 in [0, 7]" \
    "$1/build/pass" --reads "$root/tests/consumers/pass.mlir" -o /dev/null
}

# Both passes, in the mlir-opt of the system.
plugin_consumer() {
  local mlir_opt=${MLIR_OPT:-/usr/lib/llvm-22/bin/mlir-opt} pass said
  for pass in "indexical-annotate-maps:#indexical.map" \
    "indexical-lower-to-affine:affine.load" \
    "indexical-check-passes{pipeline=cse}:stablehlo"; do
    said=$("$mlir_opt" --load-dialect-plugin="$1" --load-pass-plugin="$1" \
      --pass-pipeline="builtin.module(${pass%%:*})" \
      "$root/tests/consumers/plugin.mlir")
    grep -q "${pass#*:}" <<< "$said" ||
      { echo "consumers: the plugin's ${pass%%:*} does nothing" >&2; exit 1; }
  done
  echo "consumers: plugin"
}

# one_llvm PROGRAM ON|OFF: a process with archives has no shared LLVM, too.
one_llvm() {
  local libraries loaded
  libraries=$(ldd "$1")
  loaded=$(grep -c 'libLLVM' <<< "$libraries") || true
  [[ "$loaded" == $([[ "$2" == ON ]] && echo 1 || echo 0) ]] ||
    { echo "consumers: $1 loads $loaded shared LLVMs" >&2; exit 1; }
}

# says NAME LINE COMMAND…
says() {
  local name=$1 line=$2 said
  shift 2
  said=$("$@")
  grep -qxF "$line" <<< "$said" ||
    { echo "consumers: $name does not say '$line'" >&2; exit 1; }
  echo "consumers: $name"
}

# cmake_consumer NAME ON|OFF
cmake_consumer() {
  local name=$1 shared=$2 folder=$work/$1 prefix=$work/$1/prefix flags=()
  local mlir=${MLIR:-ON}
  # Both are linked from the same objects, in one folder.
  local build=${BUILD:-$work/cmake}
  mkdir -p "$folder"
  cmake -S "$root" -B "$build" -G Ninja -DBUILD_SHARED_LIBS="$shared" \
    -DINDEXICAL_MLIR="$mlir" -DINDEXICAL_PLUGIN=OFF -DINDEXICAL_COMMAND=OFF \
    -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="${CXXFLAGS:--O1}" \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib > /dev/null
  cmake --build "$build" --parallel "$jobs" > "$folder/log" ||
    { tail -40 "$folder/log" >&2; exit 1; }
  cmake --install "$build" > /dev/null
  # From here on the checkout is out of sight.
  find_package_consumer "$name" "$folder" "$prefix"
  if [[ "$mlir" == ON ]]; then
    pass_consumer "$folder/pass" "$prefix"
    one_llvm "$folder/pass/build/pass" "$shared"
  fi
  [[ "$shared" == ON ]] || flags=(--static)
  # shellcheck disable=SC2046 # the words are options
  c++ -std=c++17 -I"$folder/consumer" "$folder/consumer/main.cc" \
    -o "$folder/plain" \
    $(PKG_CONFIG_PATH=$prefix/lib/pkgconfig \
      pkg-config --cflags --libs "${flags[@]}" indexical)
  check "$name, pkg-config" \
    env LD_LIBRARY_PATH="$prefix/lib:/usr/lib/llvm-22/lib" "$folder/plain"
}

[[ $# -gt 0 ]] || set -- bazel static shared packages
for each in "$@"; do
  case "$each" in
    bazel) bazel_consumer ;;
    static) cmake_consumer static OFF ;;
    shared) cmake_consumer shared ON ;;
    packages) packages_consumer ;;
    *)
      echo "consumers: unknown '$each'; known: bazel, static, shared, packages" >&2
      exit 2
      ;;
  esac
done
