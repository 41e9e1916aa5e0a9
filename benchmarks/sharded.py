#!/usr/bin/env python3
"""Writes a partitioned module over 128 devices: layers whose sums are cut by
the device's number, and gathered again.

    sharded.py {fixed,tables,sizes,each} INSTRUCTIONS > module.hlo

`fixed` cuts every layer at one place. `tables` has a table of offsets in every
layer, as compilers write them. `sizes` has tables, and layers of 97 sizes;
`each` has a size of its own for every layer.
"""

import sys

DEVICES = 128


def layer(n, kind, previous, rows):
    """The text of a layer that reads `previous`, f32[rows, 16]."""
    parts = {'sizes': n * 7 % 97 + 1, 'each': n + 1}
    part = parts.get(kind, 8)
    size = part * DEVICES
    everyone = '{{' + ','.join(map(str, range(DEVICES))) + '}}'
    flags = f'replica_groups={everyone}, use_global_device_ids=true'
    lines = [
        f'z{n} = s32[] constant(0)',
        f'c{n} = f32[] constant(0)',
        f'p{n} = f32[{size},16] pad({previous}, c{n}), '
        f'padding=0_{size - rows}x0_0',
        f'v{n} = f32[{size},16] exponential(p{n})',
        f's{n} = f32[{size},16] all-reduce(v{n}), channel_id={2 * n + 1}, '
        f'{flags}, to_apply=add',
    ]
    if kind == 'fixed':
        lines.append(f'r{n} = f32[{part},16] slice(s{n}), '
                     f'slice={{[0:{part}], [0:16]}}')
    else:
        offsets = ','.join(str(part * d) for d in range(DEVICES))
        lines += [
            f't{n} = s32[{DEVICES}] constant({{{offsets}}})',
            f'i{n} = u32[] partition-id()',
            f'd{n} = s32[1] dynamic-slice(t{n}, i{n}), dynamic_slice_sizes={{1}}',
            f'o{n} = s32[] reshape(d{n})',
            f'r{n} = f32[{part},16] dynamic-slice(s{n}, o{n}, z{n}), '
            f'dynamic_slice_sizes={{{part},16}}',
        ]
    lines += [
        f'n{n} = f32[{part},16] negate(r{n})',
        f'g{n} = f32[{size},16] all-gather(n{n}), channel_id={2 * n + 2}, '
        f'{flags}, dimensions={{0}}',
        f'l{n} = f32[1,16] slice(g{n}), slice={{[0:1], [0:16]}}',
        f'x{n} = f32[1,16] tanh(l{n})',
    ]
    return lines


def main():
    kind, count = sys.argv[1], int(sys.argv[2])
    out = sys.stdout
    out.write(f'HloModule sharded, num_partitions={DEVICES}, is_scheduled=true\n'
              'add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n'
              '  ROOT c = f32[] add(a, b)\n}\nENTRY main_spmd {\n'
              '  x = f32[1,16] parameter(0)\n')
    written, n, previous = 1, 0, 'x'
    while written < count:
        lines = layer(n, kind, previous, 1)
        for line in lines:
            out.write(f'  {line}\n')
        written += len(lines)
        previous = f'x{n}'
        n += 1
    out.write(f'  ROOT y = f32[1,16] negate({previous})\n}}\n')


if __name__ == '__main__':
    main()
