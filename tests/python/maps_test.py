#!/usr/bin/env python3
"""Maps and relations of the module, against brute force over points."""

import os
import pickle
import random
import shutil
import struct
import sys
import tempfile
import unittest

import built

built.use(sys.argv[1])
import numpy  # noqa: E402
import indexical  # noqa: E402
from indexical import Map, Relation  # noqa: E402

import oracle  # noqa: E402

SEED = int(os.environ.get("SEED", "28"))
RUNS = int(os.environ.get("RUNS", "300"))


def split(made, point):
    """The values of a call: the index, and keywords."""
    return ([point[name] for name in made.dimensions],
            {name: point[name] for name in [*made.ranges, *made.runtime]})


def elements_of(relation, index, **runtime):
    found = relation(*index, **runtime)
    assert found.exact and not found.more and found.listed is not None, found
    return set(found.listed)


def on_maps(**shape):
    """A test of each of the random maps; one that fails says how it is made."""
    def decorate(check):
        def test(self):
            for n in range(RUNS):
                generator = random.Random("%d.%d" % (SEED, n))
                made = oracle.random_map(generator, **shape)
                with self.subTest(seed=SEED, n=n, map=made.text()):
                    check(self, generator, made, Map(made.text()))
        return test
    return decorate


class RandomMaps(unittest.TestCase):
    """Each law at each point of random maps."""

    @on_maps()
    def test_values_and_domains(self, generator, made, m):
        for point in made.points(margin=1):
            index, values = split(made, point)
            expected = made.value(point)
            self.assertEqual(m.contains(*index, **values),
                             expected is not None)
            if expected is None:
                with self.assertRaises(ValueError):
                    m(*index, **values)
            else:
                self.assertEqual(m(*index, **values), expected)

    @on_maps()
    def test_arrays(self, generator, made, m):
        points = [p for p in made.points() if made.value(p) is not None]
        if not points:
            return
        kind = generator.choice([numpy.int64, numpy.int32, numpy.int8])
        index = numpy.array([split(made, p)[0] for p in points], kind)
        values = {name: numpy.array([p[name] for p in points], kind)
                  for name in [*made.ranges, *made.runtime]}
        result = m(index, **values)
        self.assertEqual(result.dtype, numpy.int64)
        self.assertEqual(result.shape, (len(points), len(made.results)))
        self.assertEqual([tuple(row) for row in result.tolist()],
                         [made.value(p) for p in points])

    @on_maps(ranges=0, runtime=0)
    def test_simplify(self, generator, made, m):
        simple = m.simplify()
        self.assertEqual(simple.simplify(), simple)
        for point in made.points():
            index, _ = split(made, point)
            expected = made.value(point)
            if expected is None:
                self.assertFalse(simple.contains(*index))
            else:
                self.assertEqual(simple(*index), expected)

    @on_maps(ranges=0, runtime=0, results=2)
    def test_composition(self, generator, inner, m):
        outer = oracle.random_map(generator, rank=2, ranges=0, runtime=0)
        o = Map(outer.text())
        for product in (o @ m, m.then(o)):
            for point in inner.points():
                index, _ = split(inner, point)
                middle = inner.value(point)
                value = middle and outer.value(
                    dict(zip(outer.dimensions, middle)))
                if value is None:
                    self.assertFalse(product.contains(*index))
                else:
                    self.assertEqual(product(*index), value)

    @on_maps()
    def test_counts(self, generator, made, m):
        runtime = {name: generator.randint(*bounds)
                   for name, bounds in made.runtime.items()}
        points = [p for p in made.points() if made.value(p) is not None
                  and all(p[name] == v for name, v in runtime.items())]
        pairs = made.pairs(**runtime)
        counts = m.count(**runtime)
        self.assertEqual(counts.domain, len(points))
        self.assertEqual(counts.image, len({e for _, e in pairs}))
        self.assertEqual(counts.pairs, len(pairs))

    @on_maps(runtime=0)
    def test_inverse_and_elements(self, generator, made, m):
        pairs = made.pairs()
        relation, inverse = Relation(m), m.inverse()
        for index in {i for i, _ in pairs}:
            self.assertEqual(elements_of(relation, index),
                             {e for i, e in pairs if i == index})
        for element in {e for _, e in pairs}:
            self.assertEqual(elements_of(inverse, element),
                             {i for i, e in pairs if e == element})

    @on_maps(rank=1, results=1, runtime=0)
    def test_equal_and_sets(self, generator, made, m):
        other = oracle.random_map(generator, rank=1, results=1, runtime=0)
        o = Map(other.text())
        pairs, others = made.pairs(), other.pairs()
        a, b = Relation(m), Relation(o)
        self.assertEqual(bool(m.equal(o)), pairs == others)
        self.assertTrue(m.equal(m.simplify()))
        self.assertEqual(bool(a.is_subset(b)), pairs <= others)
        self.assertEqual(bool(a.is_disjoint(o)), not pairs & others)
        self.assertEqual(bool(a.is_empty()), not pairs)
        injective = len({e for _, e in pairs}) == len(pairs)
        self.assertEqual(bool(a.is_injective()), injective)
        for relation, expected, most in (
                (a & b, pairs & others, pairs & others),
                (a | b, pairs | others, pairs | others),
                (a - b, pairs - others, pairs)):
            is_exact = relation.precision == "exact"
            if is_exact:
                self.assertIn(relation.count().pairs, (len(expected), None))
            for index in {i for i, _ in pairs | others}:
                found = set(relation(*index).listed)
                least = {e for i, e in expected if i == index}
                self.assertLessEqual(least, found)
                self.assertLessEqual(
                    found, least if is_exact else
                    {e for i, e in most if i == index})


class Surface(unittest.TestCase):

    def test_the_examples_of_the_documentation(self):
        m = Map("(d0) -> (d0 mod 4), domain: d0 in [0, 31]")
        self.assertEqual(m(5), (1,))
        self.assertEqual(str(m), "(d0) -> (d0 mod 4), domain: d0 in [0, 31]")
        self.assertEqual(repr(m.dimensions), "(d0 in [0, 31],)")
        self.assertEqual(m.results, ("d0 mod 4",))

    def test_variables_are_required(self):
        m = Map("(d0)[s0]{rt0} -> (d0 + s0 + rt0), domain: d0 in [0, 3], "
                "s0 in [0, 3], rt0 in [0, 3]")
        self.assertEqual(m(1, s0=2, rt0=3), (6,))
        for index, values, says in [
                ((1,), {}, "`s0`"), ((1,), {"s0": 1}, "`rt0`"),
                ((), {"s0": 1, "rt0": 1}, "1 dimensions"),
                ((1, 2), {"s0": 1, "rt0": 1}, "1 dimensions"),
                ((1,), {"s0": 1, "rt0": 1, "x": 1}, "`x`")]:
            with self.assertRaisesRegex(TypeError, says):
                m(*index, **values)
        with self.assertRaises(TypeError):
            m(1.5, s0=1, rt0=1)
        with self.assertRaisesRegex(ValueError, r"\(4\), s0 = 1, rt0 = 1"):
            m(4, s0=1, rt0=1)

    def test_arrays_that_are_refused(self):
        m = Map("(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 3]")
        for points in (numpy.zeros((2, 3), int), numpy.zeros(4, int),
                       numpy.zeros((2, 2), float)):
            with self.assertRaises(TypeError):
                m(points)
        with self.assertRaisesRegex(ValueError, r"\(1, 9\)"):
            m(numpy.array([[0, 0], [1, 9]]))
        self.assertEqual(m(numpy.zeros((0, 2), int)).shape, (0, 2))
        # Rows that do not lie behind one another.
        points = numpy.arange(8).reshape(2, 4).T % 4
        self.assertEqual(m(points).tolist(), points[:, ::-1].tolist())

    def test_errors_have_places(self):
        with self.assertRaises(indexical.Error) as caught:
            Map("(batch) -> (bath + 1), domain: batch in [0, 3]")
        error = caught.exception
        self.assertIsInstance(error, ValueError)
        self.assertEqual((error.line, error.column), (1, 13))
        self.assertEqual(error.suggestion, "batch")
        self.assertIn("1:13: ", str(error))
        self.assertIn("did you mean `batch`?", str(error))
        self.assertEqual(pickle.loads(pickle.dumps(error)).line, 1)

    def test_integers_are_exact(self):
        side = 2**40
        m = Map("(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, %d], "
                "d1 in [0, %d], d2 in [0, %d]" % ((side - 1,) * 3))
        self.assertEqual(m.count().domain, side**3)
        with self.assertRaises(OverflowError):
            m(2**64, 0, 0)

    def test_open_sides_are_none(self):
        d0, = Map("(d0) -> (d0), domain: d0 in [0, inf]").dimensions
        self.assertEqual((d0.name, d0.lower, d0.upper), ("d0", 0, None))

    def test_values_can_be_kept(self):
        m = Map("(d0) -> (d0 floordiv 2), domain: d0 in [0, 9]")
        self.assertEqual(pickle.loads(pickle.dumps(m)), m)
        self.assertEqual(len({m, Map(str(m))}), 1)
        self.assertFalse(m == 3)

    def test_undecided_is_no_answer(self):
        bounds = (", domain: d0 in [1, 99999], d1 in [1, 99999], "
                  "d2 in [1, 99999]")
        a = Map("(d0, d1, d2) -> ((d0 * d0 + d1) mod 99991)" + bounds)
        b = Map("(d0, d1, d2) -> ((d0 * d0 + d1 + (d2 * d2 + d2) mod 2) "
                "mod 99991)" + bounds)
        decision = a.equal(b, budget=10)
        self.assertEqual(decision.answer, "undecided")
        with self.assertRaises(indexical.Unanswered):
            bool(decision)

    def test_a_witness_shows_why(self):
        a = Map("(d0) -> (d0), domain: d0 in [0, 9]")
        b = Map("(d0) -> (d0), domain: d0 in [0, 8]")
        witness = a.equal(b).witness
        self.assertEqual((witness.index, witness.element, witness.only_in),
                         ((9,), (9,), "first"))

    def test_relations(self):
        a = Map("(d0) -> (d0), domain: d0 in [0, 3]")
        cover = Relation([a], precision="cover")
        self.assertEqual((len(cover), cover.precision), (1, "cover"))
        self.assertFalse(cover(2).exact)
        self.assertEqual(list(cover), [a])
        b = Map("(d0) -> (d0 * 2), domain: d0 in [0, 3]")
        self.assertEqual(list(b @ Relation([a])), [b @ a])
        self.assertEqual(list(Relation([b]) @ a), [b @ a])
        with self.assertRaises(ValueError):
            Relation([a], precision="about")
        two = Relation([a, b], precision="cover")
        self.assertEqual(repr(two), "Relation((%r, %r), precision='cover')" %
                         (a, b))
        self.assertEqual(eval(repr(two)), two)
        pieces = [Map("(d0) -> (d0 + %d), domain: d0 in [%d, %d]" % (
            10 * k, 4 * k, 4 * k + 3)) for k in range(5)]
        self.assertEqual(repr(Relation(pieces)),
                         "<Relation of 5 pieces, exact: %s, and 4 more>" %
                         pieces[0])
        self.assertEqual(repr(a.equal(b).witness).split("(")[0], "Witness")
        self.assertEqual(len(indexical.parse_maps("%s\n%s" % (a, a))), 2)

    def test_pictures(self):
        m = Map("(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]")
        self.assertTrue(m._repr_svg_().startswith("<svg"))
        self.assertEqual(m._repr_svg_(), str(indexical.draw(m)))
        self.assertNotEqual(m._repr_svg_(), str(indexical.draw(m, element=[9])))
        self.assertIsNone(
            Map("(d0) -> (d0), domain: d0 in [0, inf]")._repr_svg_())
        with self.assertRaises(indexical.Error):
            indexical.draw(m, element=[99])

    @unittest.skipUnless(shutil.which("rsvg-convert") or
                         shutil.which("chromium"), "nothing makes a PNG")
    def test_png(self):
        picture = indexical.draw(
            Map("(d0) -> (d0 mod 4), domain: d0 in [0, 7]"))
        png = picture.png(scale=1)
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", png[16:24])
        self.assertIn('width="%d" height="%d"' % (width, height), str(picture))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "picture.PNG")
            picture.save(path)
            with open(path, "rb") as file:
                double = file.read()
        self.assertEqual(struct.unpack(">II", double[16:24]),
                         (2 * width, 2 * height))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
