#!/usr/bin/env python3
"""What kernels reach of a device's bandwidth, from reports of its profiles.

indexical report a.xplane.pb --format=json > a.json
rates_of_profiles.py GIGABYTES SECTOR a.json b.json…

Finds the shares of the bandwidth that reads and writes reach, and what a launch
costs: those for which the logarithms of predicted by measured are least, over
kernels that move bytes and compute nothing else (no products, no library). One
file after the other is left out; its kernels are then predicted by the rates of
the others. docs/internals/time.md has the results.
"""

import itertools
import json
import math
import sys

WAIT = 0.6


def bytes_of(accesses, sector):
    total = 0
    for access in accesses:
        sectors = access.get("distinct_sectors", access["bytes"] // sector)
        total += (sectors[-1] if isinstance(sectors, list) else sectors) * sector
    return total


def kernels_of(path, sector):
    """(bytes read, bytes written, microseconds) of a launch of each kernel."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    return [(bytes_of(kernel["reads"], sector),
             bytes_of(kernel["writes"], sector), kernel["measured_us"])
            for kernel in document["kernels"]
            if "measured_us" in kernel and "grid" in kernel and
            kernel.get("limited_by") not in (None, "operations")]


def predicted(kernel, rates, gigabytes):
    read, written, _ = kernel
    launch, read_share, write_share = rates
    moved = read / read_share + written / write_share
    return launch + max(WAIT, moved / gigabytes * 1e-3)


def error(kernels, rates, gigabytes):
    return sum(math.log(predicted(k, rates, gigabytes) / k[2]) ** 2
               for k in kernels)


def fitted(kernels, gigabytes):
    shares = [0.02 * n for n in range(20, 51)]
    launches = [0.5 * n for n in range(1, 11)]
    return min(itertools.product(launches, shares, shares),
               key=lambda rates: error(kernels, rates, gigabytes))


def within(kernels, rates, gigabytes):
    return sum(abs(predicted(k, rates, gigabytes) / k[2] - 1) <= 0.25
               for k in kernels)


def show(what, rates, kernels, gigabytes):
    launch, read, write = rates
    print("%-28s launch %.1f us, reads %2.0f%%, writes %2.0f%%: %d of %d within "
          "25%%" % (what, launch, 100 * read, 100 * write,
                    within(kernels, rates, gigabytes), len(kernels)))


def main(gigabytes, sector, paths):
    files = {path: kernels_of(path, sector) for path in paths}
    everything = [kernel for kernels in files.values() for kernel in kernels]
    show("all", fitted(everything, gigabytes), everything, gigabytes)
    for left_out, kernels in files.items():
        others = [kernel for path, some in files.items() if path != left_out
                  for kernel in some]
        if others and kernels:
            show("without " + left_out.rsplit("/", 1)[-1],
                 fitted(others, gigabytes), kernels, gigabytes)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
