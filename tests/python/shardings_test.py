#!/usr/bin/env python3
"""Shardings of the module, against tiles that are counted out here."""

import itertools
import json
import os
import random
import sys
import unittest

import built

built.use(sys.argv[1])
import indexical  # noqa: E402
from indexical import ShardedRelation, Sharding  # noqa: E402

SEED = int(os.environ.get("SEED", "47"))
RUNS = int(os.environ.get("RUNS", "200"))


class Assignment:
    """Random tiles, and the devices of each in an order of its own."""

    def __init__(self, generator):
        self.rank = generator.randint(1, 3)
        self.tiles = [generator.randint(1, 3) for _ in range(self.rank)]
        self.sizes = [generator.randint(1, 7) for _ in range(self.rank)]
        self.copies = generator.randint(1, 2)
        count = self.copies
        for each in self.tiles:
            count *= each
        self.order = list(range(count))
        generator.shuffle(self.order)
        self.local = [-(-size // n) for size, n in zip(self.sizes, self.tiles)]

    def text(self):
        return "{devices=[%s]%s last_tile_dim_replicate}" % (
            ",".join(map(str, self.tiles + [self.copies])),
            ",".join(map(str, self.order)))

    def holds(self, device):
        """local -> global, without padding."""
        at = self.order.index(device) // self.copies
        tile = []
        for n in reversed(self.tiles):
            tile.insert(0, at % n)
            at //= n
        found = {}
        for local in itertools.product(*map(range, self.local)):
            element = tuple(i * t + l for i, t, l in
                            zip(tile, self.local, local))
            if all(g < size for g, size in zip(element, self.sizes)):
                found[local] = element
        return found


class Random(unittest.TestCase):

    def test_who_holds_what(self):
        for n in range(RUNS):
            made = Assignment(random.Random("%d.%d" % (SEED, n)))
            with self.subTest(seed=SEED, n=n, text=made.text(),
                              sizes=made.sizes):
                self.check(made)

    def check(self, made):
        sharding = Sharding(made.text(), made.rank)
        self.assertEqual((sharding.tiles, sharding.devices, sharding.reason),
                         (tuple(made.tiles), len(made.order), None))
        relation = ShardedRelation(made.sizes, sharding)
        self.assertEqual(relation.local_sizes, tuple(made.local))
        copies, maps = {}, relation.map()
        for device in range(len(made.order)):
            held = made.holds(device)
            for local in itertools.product(*map(range, made.local)):
                element = held.get(local)
                self.assertEqual(relation.global_of(device, local), element)
                self.assertEqual(maps(device, *local).listed,
                                 (element,) if element else ())
                if element:
                    self.assertEqual(relation.local_of(device, element), local)
                    copies.setdefault(element, []).append((device, 0, local))
        turned = relation.inverse()
        for element in itertools.product(*map(range, made.sizes)):
            self.assertEqual(relation.copies_of(element),
                             tuple(copies[element]))
            self.assertEqual(turned(*element).listed, tuple(
                (device, *local) for device, _, local in copies[element]))

    def test_what_must_move(self):
        for n in range(RUNS):
            generator = random.Random("%d.needs.%d" % (SEED, n))
            before, after = Assignment(generator), Assignment(generator)
            if before.rank != after.rank or \
                    len(before.order) != len(after.order):
                continue
            after.sizes = before.sizes
            after.local = [-(-size // n) for size, n in
                           zip(after.sizes, after.tiles)]
            needs = indexical.needs_of(*(
                ShardedRelation(each.sizes, Sharding(each.text(), each.rank))
                for each in (before, after)))
            receives = tuple(
                len(set(after.holds(d).values()) -
                    set(before.holds(d).values()))
                for d in range(len(before.order)))
            self.assertEqual((needs.receives, needs.all),
                             (receives, sum(receives)),
                             (SEED, n, before.text(), after.text()))


class Mistakes(unittest.TestCase):

    def test_a_text_has_its_place(self):
        with self.assertRaises(indexical.Error) as caught:
            Sharding("{devices=[2,2]<=[8]}", 2)
        self.assertIn("4 tiles for 8 devices", str(caught.exception))

    def test_what_does_not_fit(self):
        cut = Sharding("{devices=[2]<=[2]}", 1)
        for wrong in (lambda: Sharding("{devices=[2]<=[2]}", 2),
                      lambda: ShardedRelation([2, 2], cut),
                      lambda: ShardedRelation([2], cut).global_of(0, [1, 1]),
                      lambda: ShardedRelation([2], Sharding("{replicated}", 1)
                                              ).copies_of([0]),
                      lambda: Sharding("{{replicated}, {replicated}}", 1),
                      lambda: Sharding.replicated(1, 2**20 + 1),
                      lambda: Sharding("{replicated}", 1, devices=2**63 - 1),
                      lambda: ShardedRelation([2 ** 70], cut)):
            with self.assertRaises((indexical.Error, TypeError, ValueError,
                                    OverflowError)):
                wrong()

    def test_values_without_elements(self):
        manual = Sharding("{manual}", 1)
        self.assertEqual(manual.reason, "manual")
        self.assertIsNone(ShardedRelation([4], manual).box(0))

    def test_holding(self):
        cut = Sharding("<@m, [{\"b\"}]>", 1,
                       meshes={"m": '<["a"=2, "b"=2]>'})
        self.assertEqual([cut.holding(d).tile for d in range(4)],
                         [(0,), (1,), (0,), (1,)])
        self.assertEqual(
            cut, Sharding("{devices=[2,2]0,2,1,3 last_tile_dim_replicate}", 1))
        self.assertIsNone(cut.holding(4))
        self.assertEqual(repr(cut), "Sharding(tiles=(2,), devices=4)")
        held = ShardedRelation([5], cut)
        self.assertEqual(repr(held), "ShardedRelation((5,), %r, local=(3,))"
                         % cut)
        needs = indexical.needs_of(
            held, ShardedRelation([5], Sharding.replicated(1, 4)))
        self.assertEqual(repr(needs), "<ReshardNeeds: %d elements, over all "
                         "devices>" % needs.all)
        self.assertEqual(repr(Sharding.replicated(2, 4)),
                         "Sharding(replicated, rank=2, devices=4)")
        self.assertIn("reason='manual'", repr(Sharding("{manual}", 1)))
        self.assertTrue(Sharding.replicated(2, 4).is_replicated)


class Programs(unittest.TestCase):

    def test_a_partitioned_one(self):
        whole = """ENTRY e { x = f32[4] parameter(0)
            ROOT r = f32[4] negate(x) }"""
        local = """HloModule m, num_partitions=2
            ENTRY e_spmd { x = f32[2] parameter(0)
            ROOT r = f32[2] %s }"""
        cut = {0: "{devices=[2]<=[2]}"}
        for op, answer in (("negate(x)", "equal"),
                           ("reverse(x), dimensions={0}", "different")):
            found = indexical.compare_partitioned(
                whole, local % op, parameter_shardings=cut,
                result_shardings=cut)
            self.assertEqual((found.answer, found.devices), (answer, 2))
            words = ["equal", "--partitioned",
                     "--parameter-sharding=0:" + cut[0],
                     "--result-sharding=0:" + cut[0]]
            programs = indexical.Program(whole), indexical.Program(local % op)
            call = indexical._indexical.call
            self.assertEqual(found.to_dict(), json.loads(
                call(words + ["--format=json"], *programs)))
            self.assertEqual(str(found), call(words, *programs).decode())
        self.assertEqual(found.pairs[0].witness.device, 0)

    def test_what_moves(self):
        report = indexical.report("""HloModule m, num_partitions=2
            ENTRY e { x = f32[2] parameter(0)
            g = f32[4] all-gather(x), channel_id=1, replica_groups={{0,1}},
                use_global_device_ids=true, dimensions={0}
            ROOT r = f32[4] negate(g) }""", launch="xla",
                                  topology="within 2: 1 GB/s")
        self.assertEqual([(each.all_bytes, each.within_us)
                          for each in report.collectives], [(16, 0.008)])
        self.assertEqual([each.needed_all_bytes for each in report.reshards],
                         [16])

    def test_a_reshard(self):
        rows, columns = "{devices=[4,1]<=[4]}", "{devices=[1,4]<=[4]}"
        found = indexical.reshard(rows, columns, "f32[64,64]")
        best = found.plans[0]
        self.assertEqual([step.op for step in best.steps], ["all-to-all"])
        self.assertEqual((found.needed_bytes, best.all_bytes, best.answer),
                         (3 * 64 * 16 * 4, 3 * 64 * 16 * 4, "equal"))
        call = indexical._indexical.call
        words = ["reshard", "--from=" + rows, "--to=" + columns,
                 "--global-shape=f32[64,64]"]
        self.assertEqual(found.to_dict(), json.loads(
            call(words + ["--format=json"])))
        # What each device runs is a program that brings rows to columns.
        whole = """ENTRY e { x = f32[64,64] parameter(0)
            ROOT r = f32[64,64] copy(x) }"""
        turned = "{devices=[1,4]3,2,1,0}"
        for target, answer in ((columns, "equal"), (turned, "different")):
            moved = indexical.compare_partitioned(
                whole, best.text, parameter_shardings={0: rows},
                result_shardings={0: target}, partitions=4)
            self.assertEqual(moved.answer, answer, target)

    def test_a_reshard_with_its_options(self):
        options = dict(mesh='m=<["x"=4]>', emit="sdy")
        rows, columns = '<@m, [{"x"}, {}]>', '<@m, [{}, {"x"}]>'
        found = indexical.reshard(rows, columns, "f32[8,8]", **options)
        self.assertIn("sdy.all_to_all", found.plans[0].text)
        self.assertIn("all-to-all", str(found))
        # It takes 64 bytes on a device before, and 64 after.
        kept = indexical.reshard(rows, columns, "f32[8,8]", latency="1 kB",
                                 device_memory=128, **options)
        self.assertLessEqual(max(plan.peak_bytes for plan in kept.plans), 128)
        other = indexical.reshard('<@m, [{"b"}]>', '<@m, [{"x"}]>', "f32[8]",
                                  mesh='m=<["x"=4]>',
                                  from_mesh='m=<["a"=2, "b"=2]>')
        self.assertEqual(other.devices, 4)
        named = indexical.reshard('<@m, [{"b"}]>', '<@m, [{"x"}]>', "f32[8]",
                                  mesh={"m": '<["x"=4]>'},
                                  from_mesh=['m=<["a"=2, "b"=2]>'])
        self.assertEqual(named.to_dict(), other.to_dict())
        for source, shape, wrong in (
                ("{devices=[3,1]<=[4]}", "f32[8,8]", {}),
                (rows, "f32[8", {}), (rows, "f32[8,8]", {"emit": "c"}),
                (rows, "f32[8,8]", {"device_memory": 1})):
            with self.assertRaises((indexical.Error, ValueError)):
                indexical.reshard(source, columns, shape,
                                  **dict(options, **wrong))

    def test_picture(self):
        picture = indexical.draw(sharding="{devices=[2,1]<=[2]}",
                                 global_shape="f32[4,3]")
        self.assertIn("<svg", str(picture))
        with self.assertWarnsRegex(FutureWarning, "`global_shape` now"):
            old = indexical.draw(sharding="{devices=[2,1]<=[2]}",
                                 shape="f32[4,3]")
        self.assertEqual(str(old), str(picture))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
