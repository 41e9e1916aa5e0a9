#!/usr/bin/env bash
# Makes a root file system of Debian with the command and the module for Python
# in it, and a Containerfile that takes it, for whoever has another system.
#
#   scripts/package.sh packages
#   scripts/root.sh packages root      root/indexical.tar, root/Containerfile
#
# It needs root and debootstrap, which it installs. The packages of the root are
# those of the suite and the mirror that this system has: what was built here
# runs there.
set -euo pipefail
packages=$(cd "${1:?a folder of packages, as scripts/package.sh makes it}" && pwd)
folder=$(mkdir -p "${2:-root}" && cd "${2:-root}" && pwd)
if [[ "$(id -u)" -ne 0 ]]; then
  echo "root: only root can make a root file system" >&2
  exit 1
fi
command -v debootstrap >/dev/null ||
  apt-get install --yes --no-install-recommends --quiet --quiet debootstrap >/dev/null

# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(REPO_URI)' \
  'Created-By: Packages' | awk -v suite="$suite" '$2 == suite { print $3; exit }')
if [[ -z "$mirror" ]]; then
  echo "root: apt knows no mirror of $suite" >&2
  exit 1
fi

system=$(mktemp -d)
trap 'rm -rf "$system"' EXIT
debootstrap --variant=minbase "$suite" "$system" "$mirror" >/dev/null
cp "$packages"/indexical_*.deb "$packages"/python3-indexical_*.deb "$system/tmp/"
chroot "$system" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install --yes \
  --no-install-recommends --quiet --quiet /tmp/*.deb >/dev/null'
rm -rf "$system"/tmp/*.deb "$system"/var/cache/apt/* "$system"/var/lib/apt/lists/*

chroot "$system" indexical --version
chroot "$system" python3 -c 'import indexical; print(indexical.__version__)'
tar --create --numeric-owner --file="$folder/indexical.tar" --directory="$system" .
cat > "$folder/Containerfile" <<'END'
# podman build -t indexical . && podman run --rm -i indexical report - < dump.hlo
FROM scratch
ADD indexical.tar /
ENTRYPOINT ["/usr/bin/indexical"]
END
echo "root: $folder/indexical.tar"
echo "root: $folder/Containerfile"
