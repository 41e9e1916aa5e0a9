#!/usr/bin/env python3
"""Writes one step of a server of a language model, as a compiler leaves it.

decode_step.py LAYERS [donated]

Each layer appends a token to its cache of keys and values. The caller keeps the
caches, for none is donated, so each is copied before it is updated in place.
With `donated` the results take their memory, and there is no copy.
"""

import sys

CACHE = "bf16[2,8192,32,8,64]{4,3,2,1,0}"
TOKEN = "bf16[2,1,32,8,64]{4,3,2,1,0}"
STATE = "bf16[32,1024]{1,0}"
WIDE = "bf16[32,49152]{1,0}"


def metadata(layer, op, line):
    return (', metadata={op_name="jit(step)/layer_%d/%s" '
            'source_file="server/model.py" source_line=%d}' % (layer, op, line))


def bodies(layer):
    return [
        "%%append.%d (c: bf16[2,8192,32,8,64], t: bf16[32,49152], i: s32[]) -> "
        "bf16[2,8192,32,8,64] {" % layer,
        "  %%c.%d = %s parameter(0)" % (layer, CACHE),
        "  %%t.%d = %s parameter(1)" % (layer, WIDE),
        "  %%k.%d = %s slice(%%t.%d), slice={[0:32], [0:1024]}" %
        (layer, STATE, layer),
        "  %%b.%d = %s bitcast(%%k.%d)" % (layer, TOKEN, layer),
        "  %%i.%d = s32[] parameter(2)" % layer,
        "  %%z.%d = s32[] constant(0)" % layer,
        "  ROOT %%u.%d = %s dynamic-update-slice(%%c.%d, %%b.%d, %%z.%d, "
        "%%i.%d, %%z.%d, %%z.%d, %%z.%d)" % ((layer, CACHE) + (layer,) * 7) +
        metadata(layer, "append", 41),
        "}", "",
        "%%gelu.%d (x: bf16[32,1024], y: bf16[32,1024]) -> bf16[32,1024] {" %
        layer,
        "  %%x.%d = %s parameter(0)" % (layer, STATE),
        "  %%y.%d = %s parameter(1)" % (layer, STATE),
        "  %%h.%d = %s tanh(%%x.%d)" % (layer, STATE, layer),
        "  ROOT %%s.%d = %s add(%%h.%d, %%y.%d)" % (layer, STATE, layer,
                                                   layer) +
        metadata(layer, "gelu", 57),
        "}", "",
    ]


def layer_of(layer, donated):
    cache = "%%kv.%d" % layer if donated else "%%copy.%d" % layer
    before = "%%x.in" if layer == 0 else "%%gelu_fusion.%d" % (layer - 1)
    lines = []
    if not donated:
        lines.append("  %%copy.%d = %s copy(%%kv.%d)" % (layer, CACHE, layer))
    gemm = ('custom_call_target="__cublas$gemm", backend_config={"gemm_backend_'
            'config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":'
            '["1"],"rhs_contracting_dimensions":["0"]}}}')
    return lines + [
        "  %%qkv.%d = %s custom-call(%s, %%w.%d), %s" %
        (layer, WIDE, before, layer, gemm) + metadata(layer, "qkv", 38),
        "  %%append_fusion.%d = %s fusion(%s, %%qkv.%d, %%at), kind=kLoop, "
        "calls=%%append.%d" % (layer, CACHE, cache, layer, layer) +
        metadata(layer, "append", 41),
        "  %%attention.%d = %s custom-call(%%append_fusion.%d, %%qkv.%d), "
        'custom_call_target="paged_attention"' % (layer, STATE, layer, layer) +
        metadata(layer, "attention", 47),
        "  %%gelu_fusion.%d = %s fusion(%%attention.%d, %s), kind=kLoop, "
        "calls=%%gelu.%d" % (layer, STATE, layer, before, layer) +
        metadata(layer, "gelu", 57),
    ]


def main(layers, donated):
    alias = ""
    if donated:
        alias = ", input_output_alias={ %s }" % ", ".join(
            "{%d}: (%d, {}, may-alias)" % (k + 1, 2 + 2 * k)
            for k in range(layers))
    lines = ["HloModule jit_step, is_scheduled=true" + alias, ""]
    for layer in range(layers):
        lines += bodies(layer)
    lines += ["ENTRY %main {", "  %%x.in = %s parameter(0)" % STATE,
              "  %at = s32[] parameter(1)"]
    for layer in range(layers):
        lines += ["  %%kv.%d = %s parameter(%d)" % (layer, CACHE,
                                                   2 + 2 * layer),
                  "  %%w.%d = bf16[1024,49152]{1,0} parameter(%d)" %
                  (layer, 3 + 2 * layer)]
    for layer in range(layers):
        lines += layer_of(layer, donated)
    results = ["%%gelu_fusion.%d" % (layers - 1)] + [
        "%%append_fusion.%d" % layer for layer in range(layers)]
    lines += ["  ROOT %%out = (%s) tuple(%s)" %
              (", ".join([STATE] + [CACHE] * layers), ", ".join(results)), "}"]
    # Names are written with one sign.
    print("\n".join(lines).replace("%%", "%"))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:] == ["donated"])
