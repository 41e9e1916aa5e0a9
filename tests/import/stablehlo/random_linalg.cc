#include <algorithm>

#include "tests/import/stablehlo/random_upstream.h"

namespace indexical::testing {
namespace {

using Instance = UpstreamInstance;
using Text = FunctionText;

std::string joined(const std::vector<std::string> &parts,
                   const char *with = ", ") {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : with) + part;
  return text;
}

std::string dim(int64_t loop) { return "d" + std::to_string(loop); }

//===-- linalg.generic ----------------------------------------------------===//

/// A coordinate of an indexing map, and the least size that it needs.
struct Coordinate {
  std::string text;
  int64_t size = 1;
  int64_t loop = -1;  ///< where it is one alone
};

Coordinate plain(int64_t loop, const Index &counts) {
  return {dim(loop), counts[loop], loop};
}

Coordinate anyCoordinate(Random &random, const Index &counts) {
  const int64_t n = counts.size();
  if (n == 0 || random.oneIn(12)) return {"1", 2, -1};
  const int64_t a = random.in(0, n - 1), b = random.in(0, n - 1);
  const int64_t c = random.in(2, 3);  // by 1 is the loop itself
  const int64_t most = std::max<int64_t>(counts[a] - 1, 0);
  const int64_t other = std::max<int64_t>(counts[b] - 1, 0);
  switch (random.in(0, 7)) {
    case 0:
      return {dim(a) + " * " + std::to_string(c) + " + " + dim(b),
              most * c + other + 1, -1};
    case 1:
      return {dim(a) + " floordiv " + std::to_string(c), most / c + 1, -1};
    case 2:
      return {dim(a) + " mod " + std::to_string(c), std::min(c, most + 1), -1};
    case 3:
      return {dim(a) + " ceildiv " + std::to_string(c), (most + c - 1) / c + 1,
              -1};
    case 4:
      return {dim(a) + " * " + std::to_string(c) + " + 1", most * c + 2, -1};
    default:
      return plain(a, counts);
  }
}

struct Mapped {
  std::vector<Coordinate> coordinates;
  Index sizes;

  std::string map(int64_t loops) const {
    std::vector<std::string> dims, results;
    for (int64_t l = 0; l < loops; ++l) dims.push_back(dim(l));
    for (const Coordinate &c : coordinates) results.push_back(c.text);
    return "affine_map<(" + joined(dims) + ") -> (" + joined(results) + ")>";
  }
};

/// Returns the coordinates with the sizes that they need. A size that belongs
/// to no loop alone is now and then larger by one.
Mapped mapped(Random &random, std::vector<Coordinate> coordinates) {
  Mapped made;
  for (const Coordinate &c : coordinates)
    made.sizes.push_back(c.size + (c.loop < 0 && random.oneIn(4) ? 1 : 0));
  made.coordinates = std::move(coordinates);
  return made;
}

Mapped anyMap(Random &random, const Index &counts) {
  std::vector<Coordinate> coordinates;
  for (int64_t k = random.in(0, 3); k > 0; --k)
    coordinates.push_back(anyCoordinate(random, counts));
  return mapped(random, std::move(coordinates));
}

/// A permutation of some loops.
Mapped projection(Random &random, const Index &counts) {
  std::vector<Coordinate> coordinates;
  for (int64_t loop : random.permutation(counts.size()))
    if (!random.oneIn(3)) coordinates.push_back(plain(loop, counts));
  return mapped(random, std::move(coordinates));
}

/// The values that a body may use, and the text of the body.
struct Body {
  Text &t;
  const Index &counts;
  std::vector<std::string> floats;                       ///< block arguments
  std::vector<std::pair<std::string, int64_t>> indices;  ///< and a bound
  std::string text;
  int next = 0;

  std::string fresh() { return "%v" + std::to_string(next++); }

  /// A float from something.
  std::string leaf() {
    Random &random = t.random;
    if (random.oneIn(6)) return t.argument("f32");
    if (random.oneIn(4) && !(counts.empty() && indices.empty())) {
      std::string at;
      int64_t bound = 0;
      if (!indices.empty() && (counts.empty() || random.oneIn(2))) {
        std::tie(at, bound) = indices[random.in(0, indices.size() - 1)];
      } else {
        const int64_t loop = random.in(0, counts.size() - 1);
        at = fresh();
        text += at + " = linalg.index " + std::to_string(loop) + " : index\n";
        bound = counts[loop];
      }
      if (random.oneIn(3)) {
        const std::string two = fresh(), twice = fresh();
        text += two + " = arith.constant 2 : index\n" + twice +
                " = arith.muli " + at + ", " + two + " : index\n";
        at = twice;
        bound *= 2;
      }
      const std::string type =
          "tensor<" + std::to_string(std::max<int64_t>(bound, 1)) + "xf32>";
      const std::string table = t.argument(type), value = fresh();
      text += value + " = tensor.extract " + table + "[" + at + "] : " + type +
              "\n";
      return value;
    }
    return floats[random.in(0, floats.size() - 1)];
  }

  std::string value() {
    std::string sum = leaf();
    for (int64_t k = t.random.in(0, 2); k > 0; --k) {
      const std::string other = leaf(), added = fresh();
      text += added + " = arith.addf " + sum + ", " + other + " : f32\n";
      sum = added;
    }
    return sum;
  }
};

Instance generic(Random &random, bool open) {
  Text t(random, open);
  Index counts;
  for (int64_t k = random.in(0, 3); k > 0; --k)
    counts.push_back(random.in(1, 4));
  std::vector<Mapped> inputs, outputs;
  for (int64_t k = random.in(0, 2); k > 0; --k)
    inputs.push_back(anyMap(random, counts));
  const Mapped first =
      random.oneIn(4) ? anyMap(random, counts) : projection(random, counts);
  outputs.push_back(first);
  if (random.oneIn(3))
    outputs.push_back(random.oneIn(3) ? projection(random, counts) : first);
  // Every loop has its extent from some tensor.
  std::vector<Coordinate> missing;
  for (int64_t l = 0; l < static_cast<int64_t>(counts.size()); ++l) {
    bool found = false;
    for (const auto *list : {&inputs, &outputs})
      for (const Mapped &m : *list)
        for (const Coordinate &c : m.coordinates) found |= c.loop == l;
    if (!found) missing.push_back(plain(l, counts));
  }
  if (!missing.empty()) inputs.push_back(mapped(random, missing));

  std::vector<std::string> maps, ins, inTypes, outs, outTypes, iterators, block;
  Body body{t, counts, {}, {}, "", 0};
  for (const Mapped &m : inputs) {
    maps.push_back(m.map(counts.size()));
    const std::string name = "%b" + std::to_string(block.size());
    if (random.oneIn(4)) {
      std::vector<int64_t> values;
      for (int64_t i = 0; i < countOf(m.sizes); ++i)
        values.push_back(random.in(0, 3));
      inTypes.push_back(t.tensor(m.sizes, "index"));
      ins.push_back(t.argument(inTypes.back(), values));
      block.push_back(name + ": index");
      body.indices.emplace_back(name, 4);
    } else {
      inTypes.push_back(t.tensor(m.sizes));
      ins.push_back(t.argument(inTypes.back()));
      block.push_back(name + ": f32");
      body.floats.push_back(name);
    }
  }
  for (const Mapped &m : outputs) {
    maps.push_back(m.map(counts.size()));
    outTypes.push_back(t.tensor(m.sizes));
    outs.push_back(t.argument(outTypes.back()));
    const std::string name = "%b" + std::to_string(block.size());
    block.push_back(name + ": f32");
    body.floats.push_back(name);
  }
  for (size_t l = 0; l < counts.size(); ++l) {
    bool inOutput = false;
    for (const Coordinate &c : outputs[0].coordinates)
      inOutput |= c.loop == static_cast<int64_t>(l);
    iterators.push_back(inOutput ? "\"parallel\"" : "\"reduction\"");
  }
  std::vector<std::string> yields, yieldTypes;
  for (size_t r = 0; r < outputs.size(); ++r) {
    std::string value = body.value();
    // Most bodies go on from what is there.
    if (random.oneIn(2)) {
      const std::string sum = body.fresh();
      body.text += sum + " = arith.addf " + value + ", " + "%b" +
                   std::to_string(inputs.size() + r) + " : f32\n";
      value = sum;
    }
    yields.push_back(value);
    yieldTypes.push_back("f32");
  }
  const std::string results = outputs.size() == 1 ? "%r" : "%r:2";
  return t.finish(
      results + " = linalg.generic {indexing_maps = [" + joined(maps) +
      "], iterator_types = [" + joined(iterators) + "]}" +
      (ins.empty() ? ""
                   : " ins(" + joined(ins) + " : " + joined(inTypes) + ")") +
      " outs(" + joined(outs) + " : " + joined(outTypes) + ") {\n^bb0(" +
      joined(block) + "):\n" + body.text + "linalg.yield " + joined(yields) +
      " : " + joined(yieldTypes) + "\n} -> " +
      (outputs.size() == 1 ? outTypes[0] : "(" + joined(outTypes) + ")"));
}

//===-- Named ops ---------------------------------------------------------===//

Instance named(Text &t, const std::string &op,
               const std::vector<std::string> &inTypes,
               const std::string &outType) {
  std::vector<std::string> ins;
  for (const std::string &type : inTypes) ins.push_back(t.argument(type));
  const std::string out = t.argument(outType);
  return t.finish("%r = linalg." + op + " ins(" + joined(ins) + " : " +
                  joined(inTypes) + ") outs(" + out + " : " + outType +
                  ") -> " + outType);
}

Instance matmul(Random &random, bool open) {
  Text t(random, open);
  const int64_t b = random.in(1, 3), m = random.in(1, 3), n = random.in(1, 3),
                k = random.in(1, 3);
  switch (random.in(0, 2)) {
    case 0:
      return named(t, "batch_matmul",
                   {t.tensor({b, m, k}), t.tensor({b, k, n})},
                   t.tensor({b, m, n}));
    case 1:
      return named(t, "matvec", {t.tensor({m, k}), t.tensor({k})},
                   t.tensor({m}));
    default:
      return named(t, "matmul", {t.tensor({m, k}), t.tensor({k, n})},
                   t.tensor({m, n}));
  }
}

Instance convolution(Random &random, bool open) {
  Text t(random, open);
  const int64_t stride = random.in(1, 2), dilation = random.in(1, 2);
  const int64_t h = random.in(1, 3), w = random.in(1, 3);
  const int64_t kh = random.in(1, 2), kw = random.in(1, 2);
  const int64_t c = random.in(1, 2), f = random.in(1, 2);
  auto in = [&](int64_t out, int64_t kernel) {
    return (out - 1) * stride + (kernel - 1) * dilation + 1;
  };
  const std::string attributes = " {dilations = dense<" +
                                 std::to_string(dilation) +
                                 "> : tensor<2xi64>, strides = dense<" +
                                 std::to_string(stride) + "> : tensor<2xi64>}";
  const Index image = {1, in(h, kh), in(w, kw), c};
  if (random.oneIn(2))
    return named(t, "pooling_nhwc_max" + attributes,
                 {t.tensor(image), t.tensor({kh, kw})}, t.tensor({1, h, w, c}));
  return named(t, "conv_2d_nhwc_hwcf" + attributes,
               {t.tensor(image), t.tensor({kh, kw, c, f})},
               t.tensor({1, h, w, f}));
}

Instance moves(Random &random, bool open) {
  Text t(random, open);
  const Index sizes = t.sizes(random.in(1, 3));
  const int64_t rank = sizes.size();
  switch (random.in(0, 4)) {
    case 0:
      return named(t, "fill", {"f32"}, t.tensor(sizes));
    case 1: {
      t.open = false;
      Index to(rank);
      const auto permutation = random.permutation(rank);
      for (int64_t k = 0; k < rank; ++k) to[k] = sizes[permutation[k]];
      const std::string from = t.tensor(sizes), into = t.tensor(to);
      const std::string a = t.argument(from), b = t.argument(into);
      return t.finish("%r = linalg.transpose ins(" + a + " : " + from +
                      ") outs(" + b + " : " + into +
                      ") permutation = " + t.list(permutation));
    }
    case 2: {
      const auto added = random.subset(rank, random.in(0, rank));
      Index from;
      for (int64_t k = 0; k < rank; ++k)
        if (std::find(added.begin(), added.end(), k) == added.end())
          from.push_back(sizes[k]);
      t.open = false;
      const std::string small = t.tensor(from), large = t.tensor(sizes);
      const std::string a = t.argument(small), b = t.argument(large);
      return t.finish("%r = linalg.broadcast ins(" + a + " : " + small +
                      ") outs(" + b + " : " + large +
                      ") dimensions = " + t.list(added));
    }
    case 3: {
      const auto reduced = random.subset(rank, random.in(1, rank));
      Index to;
      for (int64_t k = 0; k < rank; ++k)
        if (std::find(reduced.begin(), reduced.end(), k) == reduced.end())
          to.push_back(sizes[k]);
      t.open = false;
      const std::string from = t.tensor(sizes), into = t.tensor(to);
      const std::string a = t.argument(from), b = t.argument(into);
      return t.finish("%r = linalg.reduce ins(" + a + " : " + from + ") outs(" +
                      b + " : " + into + ") dimensions = " + t.list(reduced) +
                      " (%x: f32, %y: f32) {\n%z = arith.addf %x, %y : f32\n"
                      "linalg.yield %z : f32\n}");
    }
    default: {
      const int64_t dimension = random.in(0, rank - 1);
      const std::string type = t.tensor(sizes);
      const std::string a = t.argument(type), b = t.argument(type);
      return t.finish("%r = linalg.softmax dimension(" +
                      std::to_string(dimension) + ") ins(" + a + " : " + type +
                      ") outs(" + b + " : " + type + ") -> " + type);
    }
  }
}

//===-- Tiles -------------------------------------------------------------===//

struct Tiles {
  Index unpacked, packed, tiles, positions, permutation;
};

Tiles randomTiles(Random &random, bool divides) {
  Tiles made;
  const int64_t rank = random.in(1, 3);
  made.positions = Index(random.permutation(rank));
  made.positions.resize(random.in(0, rank));
  made.permutation = random.permutation(rank);
  if (random.oneIn(2)) made.permutation.clear();
  Index outer;
  for (int64_t k = 0; k < rank; ++k) {
    outer.push_back(random.in(1, 3));
    made.unpacked.push_back(outer.back());
  }
  for (int64_t position : made.positions) {
    const int64_t tile = random.in(1, 4);
    made.tiles.push_back(tile);
    made.unpacked[position] *= tile;
    if (!divides) made.unpacked[position] -= random.in(0, tile - 1);
  }
  for (int64_t k = 0; k < rank; ++k)
    made.packed.push_back(
        outer[made.permutation.empty() ? k : made.permutation[k]]);
  made.packed.append(made.tiles.begin(), made.tiles.end());
  return made;
}

std::string tileAttributes(Text &t, const Tiles &tiles) {
  return (tiles.permutation.empty()
              ? ""
              : " outer_dims_perm = " + t.list(tiles.permutation)) +
         " inner_dims_pos = " + t.list(tiles.positions) +
         " inner_tiles = " + t.list(tiles.tiles);
}

Instance pack(Random &random, bool) {
  Text t(random, false);
  const bool pads = random.oneIn(2);
  const Tiles tiles = randomTiles(random, !pads);
  const std::string from = t.tensor(tiles.unpacked);
  const std::string to = t.tensor(tiles.packed);
  const std::string a = t.argument(from), b = t.argument(to);
  const std::string padding =
      pads ? " padding_value(" + t.argument("f32") + " : f32)" : "";
  return t.finish("%r = linalg.pack " + a + padding + tileAttributes(t, tiles) +
                  " into " + b + " : " + from + " -> " + to);
}

Instance unpack(Random &random, bool) {
  Text t(random, false);
  const Tiles tiles = randomTiles(random, random.oneIn(2));
  const std::string from = t.tensor(tiles.packed);
  const std::string to = t.tensor(tiles.unpacked);
  const std::string a = t.argument(from), b = t.argument(to);
  return t.finish("%r = linalg.unpack " + a + tileAttributes(t, tiles) +
                  " into " + b + " : " + from + " -> " + to);
}

/// Tiles whose sizes are operands, and sizes that are not known.
Instance openPack(Random &random, bool open) {
  Text t(random, false);
  const bool pads = random.oneIn(2);
  const Tiles tiles = randomTiles(random, !pads);
  if (!open) return pack(random, open);
  std::string from = "tensor<", to = "tensor<";
  for (int64_t size : tiles.unpacked) from += "?" + std::to_string(size) + "x";
  for (int64_t size : tiles.packed) to += "?" + std::to_string(size) + "x";
  from += "f32>", to += "f32>";
  const std::string a = t.argument(from), b = t.argument(to);
  const std::string padding =
      pads ? " padding_value(" + t.argument("f32") + " : f32)" : "";
  std::vector<std::string> sizes;
  for (int64_t tile : tiles.tiles) sizes.push_back(t.index(tile));
  return t.finish("%r = linalg.pack " + a + padding +
                  (tiles.permutation.empty()
                       ? ""
                       : " outer_dims_perm = " + t.list(tiles.permutation)) +
                  " inner_dims_pos = " + t.list(tiles.positions) +
                  " inner_tiles = [" + joined(sizes) + "] into " + b + " : " +
                  from + " -> " + to);
}

const UpstreamFamily kFamilies[] = {
    {"generic", generic, true, false},
    {"matmul", matmul},
    {"linalg_convolution", convolution},
    {"linalg_moves", moves},
    {"pack", pack, false},
    {"open_pack", openPack},
    {"unpack", unpack, false},
};

}  // namespace

llvm::ArrayRef<UpstreamFamily> linalgFamilies() { return kFamilies; }

}  // namespace indexical::testing
