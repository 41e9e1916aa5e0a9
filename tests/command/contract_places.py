"""Calls that together print each key of `hazards`, and of two local modules."""

import os

# The name of a module, options, and its text: a pair that depends on a value of
# the run; the same as it stands; an order; a copy of a parameter that is given
# away, and of one that is kept; what too little is known of; and a loop.
CALLS = [
    ("at", ["--share=r{}=0{}"], """HloModule at, is_scheduled=true

f {
  a = f32[6] parameter(0)
  k = s32[] parameter(1)
  s = f32[3] slice(a), slice={[0:3]}
  n = f32[3] negate(s)
  ROOT u = f32[6] dynamic-update-slice(a, n, k)
}

ENTRY e {
  p = f32[6] parameter(0)
  k = s32[] parameter(1)
  ROOT r = f32[6] fusion(p, k), kind=kLoop, calls=f
}
"""),
    ("at", [], None),
    ("order", [], """HloModule order

ENTRY e {
  p = f32[4] parameter(0)
  v = f32[1] parameter(1)
  k = s32[] parameter(2)
  x = f32[4] negate(p)
  u = f32[4] dynamic-update-slice(x, v, k)
  n = f32[4] exponential(x)
  ROOT t = (f32[4], f32[4]) tuple(u, n)
}
"""),
    ("given", [], """HloModule given, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }

ENTRY e {
  p = f32[4] parameter(0)
  v = f32[1] parameter(1)
  k = s32[] parameter(2)
  c = f32[4] copy(p)
  ROOT d = f32[4] dynamic-update-slice(c, v, k)
}
"""),
    ("kept", [], """HloModule kept, is_scheduled=true

ENTRY e {
  p = f32[4] parameter(0)
  v = f32[1] parameter(1)
  k = s32[] parameter(2)
  c = f32[4] copy(p)
  ROOT d = f32[4] dynamic-update-slice(c, v, k)
}
"""),
    ("twice", [], """HloModule twice, is_scheduled=true

inner {
  a = f32[4] parameter(0)
  ROOT c = f32[4] copy(a)
}

ENTRY e {
  p = f32[4] parameter(0)
  q = f32[4] parameter(1)
  k = f32[4] call(p), to_apply=inner
  l = f32[4] call(q), to_apply=inner
  ROOT t = (f32[4], f32[4]) tuple(k, l)
}
"""),
    ("open", ["--share=r{}=0{}"], """HloModule open, is_scheduled=true

f {
  a = f32[64] parameter(0)
  s = f32[64] sort(a), dimensions={0}, to_apply=less
  c = f32[64] custom-call(a), custom_call_target="x"
  ROOT u = f32[64] add(s, c)
}
less { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT l = pred[] compare(a, b), direction=LT }

ENTRY e {
  p = f32[64] parameter(0)
  ROOT r = f32[64] fusion(p), kind=kLoop, calls=f
}
"""),
    ("loop", [], """HloModule rows, is_scheduled=true

more {
  q = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(q), index=0
  n = s32[] constant(3)
  ROOT l = pred[] compare(i, n), direction=LT
}

turn {
  q = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(q), index=0
  x = f32[4] get-tuple-element(q), index=1
  z = s32[] constant(3)
  one = s32[] constant(1)
  first = f32[1] slice(x), slice={[0:1]}
  u = f32[4] dynamic-update-slice(x, first, i)
  last = f32[1] dynamic-slice(x, i), dynamic_slice_sizes={1}
  v = f32[4] dynamic-update-slice(u, last, z)
  j = s32[] add(i, one)
  ROOT t = (s32[], f32[4]) tuple(j, v)
}

ENTRY e {
  p = f32[4] parameter(0)
  x = f32[4] negate(p)
  z = s32[] constant(0)
  t = (s32[], f32[4]) tuple(z, x)
  w = (s32[], f32[4]) while(t), condition=more, body=turn
  ROOT g = f32[4] get-tuple-element(w), index=1
}
"""),
]


def check_hazards(test, folder):
    """Holds documents and lines of each call to the contract."""
    for name, options, text in CALLS:
        path = os.path.join(folder, name + ".hlo")
        if text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        test.check_both("hazards", [path] + options)


# Modules that one device runs each: sums of three, in two nestings.
LOCAL = ["""HloModule local, num_partitions=2

sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }

ENTRY e {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  s = f32[4] all-reduce(x), to_apply=sum, channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true
  a = f32[4] add(x, y)
  ROOT r = f32[4] add(s, a)
}
""", """HloModule local, num_partitions=2

sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }

ENTRY e {
  x = f32[4] parameter(0)
  y = f32[4] parameter(1)
  s = f32[4] all-reduce(x), to_apply=sum, channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true
  a = f32[4] add(s, x)
  ROOT r = f32[4] add(a, y)
}
"""]


# Each device has what the next one had, and what it has itself; the pairs say
# how many devices there are.
MOVED = ["""HloModule moved

ENTRY e {
  x = f32[4] parameter(0)
  ROOT r = f32[4] collective-permute(x), channel_id=1, source_target_pairs={{0,1},{1,0}}
}
""", """HloModule moved

ENTRY e {
  x = f32[4] parameter(0)
  ROOT r = f32[4] copy(x)
}
"""]


def check_local(test, folder):
    """Both are compared on all devices; a law of floats would decide."""
    for name, texts in (("local", LOCAL), ("moved", MOVED)):
        paths = []
        for number, text in enumerate(texts):
            paths.append(os.path.join(folder, "%s%d.hlo" % (name, number)))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(text)
        for option in ("--partitioned", "--values"):
            test.check_both("equal", [option] + paths)
