#include <algorithm>

#include "tests/import/stablehlo/random_upstream.h"

namespace indexical::testing {
namespace {

using Instance = UpstreamInstance;
using Text = FunctionText;

std::string joined(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string affine(int64_t dims, const std::vector<std::string> &results) {
  std::vector<std::string> names;
  for (int64_t k = 0; k < dims; ++k) names.push_back("d" + std::to_string(k));
  return "affine_map<(" + joined(names) + ") -> (" + joined(results) + ")>";
}

/// One op of one vector operand.
Instance unary(Text &t, const std::string &op, const std::string &from,
               const std::string &more, const std::string &to,
               const char *between = " to ") {
  const std::string a = t.argument(from);
  return t.finish("%r = vector." + op + " " + a + more + " : " + from +
                  between + to);
}

Instance broadcast(Random &random, bool) {
  Text t(random, false);
  const Index to = t.sizes(random.in(1, 3));
  Index from(to.end() - random.in(0, to.size()), to.end());
  for (int64_t &size : from)
    if (random.oneIn(3)) size = 1;
  return unary(t, "broadcast",
               from.empty() && random.oneIn(2) ? "f32" : Text::vector(from), "",
               Text::vector(to));
}

Instance transpose(Random &random, bool) {
  Text t(random, false);
  const Index from = t.sizes(random.in(1, 4));
  const auto permutation = random.permutation(from.size());
  Index to;
  for (int64_t k : permutation) to.push_back(from[k]);
  return unary(t, "transpose", Text::vector(from), ", " + t.list(permutation),
               Text::vector(to));
}

Instance casts(Random &random, bool) {
  Text t(random, false);
  Index from = t.sizes(random.in(1, 3));
  if (random.oneIn(2))
    return unary(t, "shape_cast", Text::vector(from), "",
                 Text::vector({countOf(from)}));
  Index to = from;
  to.back() *= 2;
  if (random.oneIn(2))
    return unary(t, "bitcast", Text::vector(from, "i32"), "",
                 Text::vector(to, "i16"));
  return unary(t, "bitcast", Text::vector(to, "i16"), "",
               Text::vector(from, "i32"));
}

Instance reduction(Random &random, bool) {
  Text t(random, false);
  const Index from = t.sizes(random.in(1, 3));
  if (random.oneIn(4)) {
    const std::string type = Text::vector({from[0]});
    const std::string a = t.argument(type);
    const std::string acc = random.oneIn(2) ? ", " + t.argument("f32") : "";
    return t.finish("%r = vector.reduction <add>, " + a + acc + " : " + type +
                    " into f32");
  }
  const auto reduced = random.subset(from.size(), random.in(0, from.size()));
  Index to;
  for (int64_t k = 0; k < static_cast<int64_t>(from.size()); ++k)
    if (std::find(reduced.begin(), reduced.end(), k) == reduced.end())
      to.push_back(from[k]);
  const std::string type = to.empty() ? "f32" : Text::vector(to);
  const std::string a = t.argument(Text::vector(from)), b = t.argument(type);
  return t.finish("%r = vector.multi_reduction <add>, " + a + ", " + b + " " +
                  t.list(reduced) + " : " + Text::vector(from) + " to " + type);
}

/// A reduction, an outer product or a gather under a mask.
Instance masked(Random &random, bool) {
  Text t(random, false);
  Index from = t.sizes(random.in(1, 3));
  std::string op, type, mask;
  switch (random.in(0, 2)) {
    case 0: {
      from.resize(1);
      const std::string a = t.argument(Text::vector(from));
      mask = Text::vector(from, "i1");
      type = "f32";
      op = "vector.reduction <add>, " + a + " : " + Text::vector(from) +
           " into f32";
      break;
    }
    case 1: {
      const auto reduced =
          random.subset(from.size(), random.in(1, from.size()));
      Index to;
      for (int64_t k = 0; k < static_cast<int64_t>(from.size()); ++k)
        if (std::find(reduced.begin(), reduced.end(), k) == reduced.end())
          to.push_back(from[k]);
      type = to.empty() ? "f32" : Text::vector(to);
      const std::string a = t.argument(Text::vector(from));
      const std::string b = t.argument(type);
      mask = Text::vector(from, "i1");
      op = "vector.multi_reduction <add>, " + a + ", " + b + " " +
           t.list(reduced) + " : " + Text::vector(from) + " to " + type;
      break;
    }
    default: {
      const int64_t m = random.in(1, 4), n = random.in(1, 4);
      const std::string x = Text::vector({m}), y = Text::vector({n});
      const std::string a = t.argument(x), b = t.argument(y);
      type = Text::vector({m, n});
      mask = Text::vector({m, n}, "i1");
      const std::string acc =
          random.oneIn(2) ? ", " + t.argument(type) : std::string();
      op = "vector.outerproduct " + a + ", " + b + acc + " : " + x + ", " + y;
    }
  }
  const std::string m = t.argument(mask);
  return t.finish("%r = vector.mask " + m + " { " + op + " } : " + mask +
                  " -> " + type);
}

Instance contract(Random &random, bool) {
  Text t(random, false);
  // Batch, free of the left, free of the right, contracting.
  std::vector<int64_t> kinds = {3};
  for (int64_t kind = 0; kind < 4; ++kind)
    if (random.oneIn(2)) kinds.push_back(kind);
  if (std::count(kinds.begin(), kinds.end(), 2) +
          std::count(kinds.begin(), kinds.end(), 1) ==
      0)
    kinds.push_back(1);
  std::vector<std::string> results[3], iterators;
  Index sizes[3];
  for (int64_t l : random.permutation(kinds.size())) {
    const std::string name = "d" + std::to_string(l);
    const int64_t size = 2 + l % 2;
    const bool in[3] = {kinds[l] != 2, kinds[l] != 1, kinds[l] != 3};
    for (int64_t i = 0; i < 3; ++i) {
      if (!in[i]) continue;
      results[i].push_back(name);
      sizes[i].push_back(size);
    }
  }
  for (int64_t kind : kinds)
    iterators.push_back(kind == 3 ? "\"reduction\"" : "\"parallel\"");
  std::vector<std::string> maps, names, types;
  for (int64_t i = 0; i < 3; ++i) {
    maps.push_back(affine(kinds.size(), results[i]));
    types.push_back(i == 2 && sizes[i].empty() ? "f32"
                                               : Text::vector(sizes[i]));
    names.push_back(t.argument(types.back()));
  }
  return t.finish("%r = vector.contract {indexing_maps = [" + joined(maps) +
                  "], iterator_types = [" + joined(iterators) +
                  "], kind = #vector.kind<add>} " + joined(names) + " : " +
                  types[0] + ", " + types[1] + " into " + types[2]);
}

Instance outerProduct(Random &random, bool) {
  Text t(random, false);
  const int64_t m = random.in(1, 4), n = random.in(1, 4);
  const bool scalar = random.oneIn(3);
  const std::string left = Text::vector({m});
  const std::string right = scalar ? "f32" : Text::vector({n});
  const std::string to = scalar ? left : Text::vector({m, n});
  const std::string a = t.argument(left), b = t.argument(right);
  const std::string acc = random.oneIn(2) ? ", " + t.argument(to) : "";
  return t.finish("%r = vector.outerproduct " + a + ", " + b + acc + " : " +
                  left + ", " + right);
}

Instance extractSlice(Random &random, bool) {
  Text t(random, false);
  const Index from = t.sizes(random.in(1, 3), 1, 5);
  const int64_t count = random.in(1, from.size());
  Index offsets, sizes, strides, to = from;
  for (int64_t k = 0; k < count; ++k) {
    offsets.push_back(random.in(0, from[k] - 1));
    sizes.push_back(random.in(1, from[k] - offsets[k]));
    strides.push_back(1);
    to[k] = sizes[k];
  }
  return unary(t, "extract_strided_slice", Text::vector(from),
               " {offsets = " + t.list(offsets) + ", sizes = " + t.list(sizes) +
                   ", strides = " + t.list(strides) + "}",
               Text::vector(to));
}

Instance insertSlice(Random &random, bool) {
  Text t(random, false);
  const Index to = t.sizes(random.in(1, 3), 1, 5);
  const int64_t rank = random.in(1, to.size());
  Index from, offsets, strides;
  for (size_t k = 0; k < to.size(); ++k) {
    const bool thin = k < to.size() - rank;
    const int64_t size = thin ? 1 : random.in(1, to[k]);
    offsets.push_back(random.in(0, to[k] - size));
    if (thin) continue;
    from.push_back(size);
    strides.push_back(1);
  }
  const std::string a = t.argument(Text::vector(from));
  const std::string b = t.argument(Text::vector(to));
  return t.finish("%r = vector.insert_strided_slice " + a + ", " + b +
                  " {offsets = " + t.list(offsets) +
                  ", strides = " + t.list(strides) +
                  "} : " + Text::vector(from) + " into " + Text::vector(to));
}

Instance extractOrInsert(Random &random, bool) {
  Text t(random, false);
  const Index sizes = t.sizes(random.in(1, 3));
  const int64_t count = random.in(1, sizes.size());
  Index position, inner(sizes.begin() + count, sizes.end());
  for (int64_t k = 0; k < count; ++k)
    position.push_back(random.in(0, sizes[k] - 1));
  const std::string part = inner.empty() ? "f32" : Text::vector(inner);
  const std::string whole = Text::vector(sizes);
  if (random.oneIn(2)) {
    const std::string a = t.argument(whole);
    return t.finish("%r = vector.extract " + a + t.mixedList(position) + " : " +
                    part + " from " + whole);
  }
  const std::string a = t.argument(part), b = t.argument(whole);
  return t.finish("%r = vector.insert " + a + ", " + b + t.mixedList(position) +
                  " : " + part + " into " + whole);
}

Instance shuffle(Random &random, bool) {
  Text t(random, false);
  Index first = t.sizes(random.in(1, 3)), second = first;
  second[0] = random.in(1, 4);
  std::vector<int64_t> mask;
  for (int64_t k = random.in(1, 7); k > 0; --k) {
    const bool goesOn = !mask.empty() && random.oneIn(2);
    int64_t lane = goesOn ? mask.back() + random.in(-1, 1)
                          : random.in(-1, first[0] + second[0] - 1);
    mask.push_back(
        std::min(std::max<int64_t>(lane, -1), first[0] + second[0] - 1));
  }
  const std::string a = t.argument(Text::vector(first));
  const std::string b = t.argument(Text::vector(second));
  return t.finish("%r = vector.shuffle " + a + ", " + b + " " + t.list(mask) +
                  " : " + Text::vector(first) + ", " + Text::vector(second));
}

Instance lanes(Random &random, bool) {
  Text t(random, false);
  Index sizes = t.sizes(random.in(1, 3));
  switch (random.in(0, 4)) {
    case 0: {
      const std::string type = Text::vector(sizes);
      const std::string a = t.argument(type), b = t.argument(type);
      Index to = sizes;
      to.back() *= 2;
      return t.finish("%r = vector.interleave " + a + ", " + b + " : " + type +
                      " -> " + Text::vector(to));
    }
    case 1: {
      Index from = sizes;
      from.back() *= 2;
      const std::string a = t.argument(Text::vector(from));
      return t.finish("%r, %s = vector.deinterleave " + a + " : " +
                      Text::vector(from) + " -> " + Text::vector(sizes));
    }
    case 2: {
      std::vector<std::string> elements;
      for (int64_t i = 0; i < countOf(sizes); ++i)
        elements.push_back(t.argument("f32"));
      return t.finish("%r = vector.from_elements " + joined(elements) + " : " +
                      Text::vector(sizes));
    }
    case 3: {
      const std::string a = t.argument(Text::vector(sizes));
      return t.finish("%r:" + std::to_string(countOf(sizes)) +
                      " = vector.to_elements " + a + " : " +
                      Text::vector(sizes));
    }
    default: {
      std::vector<std::string> operands;
      for (int64_t size : sizes) operands.push_back(t.index(size));
      return t.finish("%r = vector.create_mask " + joined(operands) + " : " +
                      Text::vector(sizes, "i1"));
    }
  }
}

Instance scan(Random &random, bool) {
  Text t(random, false);
  const Index sizes = t.sizes(random.in(1, 3));
  const int64_t dim = random.in(0, sizes.size() - 1);
  Index init = sizes;
  init.erase(init.begin() + dim);
  const std::string from = Text::vector(sizes), start = Text::vector(init);
  const std::string a = t.argument(from), b = t.argument(start);
  return t.finish("%r, %s = vector.scan <add>, " + a + ", " + b +
                  " {inclusive = " + (random.oneIn(2) ? "true" : "false") +
                  ", reduction_dim = " + std::to_string(dim) +
                  " : i64} : " + from + ", " + start);
}

//===-- Transfers ---------------------------------------------------------===//

struct RandomTransfer {
  Index tensor, vector, mask;
  std::vector<std::string> results;
  std::vector<std::string> inBounds;
  std::vector<int64_t> indices;
};

RandomTransfer randomTransfer(Random &random, bool broadcasts) {
  RandomTransfer made;
  const int64_t rank = random.in(1, 3);
  for (int64_t k = 0; k < rank; ++k) made.tensor.push_back(random.in(1, 5));
  std::vector<int64_t> extents(rank, 1);
  std::vector<bool> inside(rank, true);
  const auto order = random.permutation(rank);
  for (int64_t i = random.in(1, rank); i > 0; --i) {
    if (broadcasts && random.oneIn(5)) {
      made.vector.push_back(random.in(1, 3));
      made.results.push_back("0");
      made.inBounds.push_back("true");
    }
    const int64_t dim = order[i - 1];
    inside[dim] = random.oneIn(3);
    extents[dim] = random.in(1, inside[dim] ? made.tensor[dim] : 4);
    made.vector.push_back(extents[dim]);
    made.results.push_back("d" + std::to_string(dim));
    made.inBounds.push_back(inside[dim] ? "true" : "false");
  }
  for (int64_t k = 0; k < rank; ++k) {
    made.indices.push_back(inside[k] ? random.in(0, made.tensor[k] - extents[k])
                                     : random.in(-2, made.tensor[k] + 1));
    const std::string name = "d" + std::to_string(k);
    if (std::find(made.results.begin(), made.results.end(), name) !=
        made.results.end())
      made.mask.push_back(extents[k]);
  }
  return made;
}

std::string indicesOf(Text &t, const RandomTransfer &transfer) {
  std::vector<std::string> names;
  for (int64_t value : transfer.indices) names.push_back(t.index(value));
  return "[" + joined(names) + "]";
}

std::string attributesOf(const RandomTransfer &transfer) {
  return " {permutation_map = " +
         affine(transfer.tensor.size(), transfer.results) + ", in_bounds = [" +
         joined(transfer.inBounds) + "]}";
}

/// A mask of a transfer: none, an operand, or one that the op lies under.
struct TransferMask {
  std::string operand, begin, end;
};

TransferMask maskOf(Text &t, Random &random, const RandomTransfer &transfer,
                    const std::string &result) {
  if (random.oneIn(2)) return {};
  const std::string type = Text::vector(transfer.mask, "i1");
  const std::string mask = t.argument(type);
  if (random.oneIn(2)) return {", " + mask, "", ""};
  return {"", "vector.mask " + mask + " { ", " } : " + type + " -> " + result};
}

Instance transferRead(Random &random, bool open) {
  Text t(random, open);
  const RandomTransfer transfer = randomTransfer(random, true);
  const std::string type = t.tensor(transfer.tensor);
  const std::string a = t.argument(type), at = indicesOf(t, transfer);
  const std::string padding = t.argument("f32");
  const std::string made = Text::vector(transfer.vector);
  const TransferMask mask = maskOf(t, random, transfer, made);
  return t.finish("%r = " + mask.begin + "vector.transfer_read " + a + at +
                  ", " + padding + mask.operand + attributesOf(transfer) +
                  " : " + type + ", " + made + mask.end);
}

Instance transferWrite(Random &random, bool open) {
  Text t(random, open);
  const RandomTransfer transfer = randomTransfer(random, false);
  const std::string type = t.tensor(transfer.tensor);
  const std::string vector = Text::vector(transfer.vector);
  const std::string a = t.argument(vector), b = t.argument(type);
  const std::string at = indicesOf(t, transfer);
  const TransferMask mask = maskOf(t, random, transfer, type);
  return t.finish("%r = " + mask.begin + "vector.transfer_write " + a + ", " +
                  b + at + mask.operand + attributesOf(transfer) + " : " +
                  vector + ", " + type + mask.end);
}

Instance gather(Random &random, bool open) {
  Text t(random, open);
  const Index from = t.sizes(random.in(1, 2)), to = t.sizes(random.in(1, 2));
  const std::string type = t.tensor(from);
  const std::string base = t.argument(type);
  std::vector<std::string> offsets;
  for (int64_t size : from) offsets.push_back(t.index(random.in(0, size - 1)));
  std::vector<int64_t> values;
  for (int64_t i = 0; i < countOf(to); ++i) values.push_back(random.in(-2, 4));
  const std::string indices = t.argument(Text::vector(to, "i32"), values);
  const std::string mask = t.argument(Text::vector(to, "i1"));
  const std::string otherwise = t.argument(Text::vector(to));
  return t.finish("%r = vector.gather " + base + "[" + joined(offsets) + "] [" +
                  indices + "], " + mask + ", " + otherwise + " : " + type +
                  ", " + Text::vector(to, "i32") + ", " +
                  Text::vector(to, "i1") + ", " + Text::vector(to) + " into " +
                  Text::vector(to));
}

const UpstreamFamily kFamilies[] = {
    {"broadcast", broadcast, false},
    {"transpose", transpose, false},
    {"vector_casts", casts, false},
    {"reduction", reduction, false},
    {"contract", contract, false},
    {"vector_mask", masked, false},
    {"outerproduct", outerProduct, false},
    {"extract_strided_slice", extractSlice, false},
    {"insert_strided_slice", insertSlice, false},
    {"vector_extract_insert", extractOrInsert, false},
    {"shuffle", shuffle, false},
    {"lanes", lanes, false},
    {"scan", scan, false},
    {"transfer_read", transferRead},
    {"transfer_write", transferWrite},
    {"vector_gather", gather},
};

}  // namespace

llvm::ArrayRef<UpstreamFamily> vectorFamilies() { return kFamilies; }

}  // namespace indexical::testing
