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

/// Some index inside, one scalar a dimension.
std::string pointOf(Text &t, const Index &sizes) {
  std::vector<std::string> parts;
  for (int64_t size : sizes) parts.push_back(t.index(t.random.in(0, size - 1)));
  return "[" + joined(parts) + "]";
}

Instance extract(Random &random, bool open) {
  Text t(random, open);
  const Index sizes = t.sizes(random.in(0, 3));
  const std::string type = t.tensor(sizes);
  const std::string from = t.argument(type);
  return t.finish("%r = tensor.extract " + from + pointOf(t, sizes) + " : " +
                  type);
}

Instance insert(Random &random, bool open) {
  Text t(random, open);
  const Index sizes = t.sizes(random.in(0, 3));
  const std::string type = t.tensor(sizes);
  const std::string value = t.argument("f32"), into = t.argument(type);
  return t.finish("%r = tensor.insert " + value + " into " + into +
                  pointOf(t, sizes) + " : " + type);
}

Instance fromElements(Random &random, bool) {
  Text t(random, false);
  const Index sizes = t.sizes(random.in(0, 3), 1, 3);
  std::vector<std::string> elements;
  for (int64_t i = 0; i < countOf(sizes); ++i)
    elements.push_back(t.argument("f32"));
  return t.finish("%r = tensor.from_elements " + joined(elements) + " : " +
                  t.tensor(sizes));
}

/// A slice of a larger tensor.
struct RandomSlice {
  Index larger, offsets, sizes, strides;
};

enum class Strides { Positive, Any };

/// The strides have any sign but are not 0: several elements in one place would
/// be written one after the other.
RandomSlice randomSlice(Text &t, Strides strides = Strides::Positive) {
  Random &random = t.random;
  RandomSlice s;
  for (int64_t k = random.in(0, 3); k > 0; --k) {
    const int64_t size = random.in(random.oneIn(8) ? 0 : 1, 4);
    int64_t stride = random.oneIn(2) ? 1 : random.in(1, 3);
    int64_t offset = random.in(0, 3);
    const int64_t span = size == 0 ? 0 : (size - 1) * stride;
    s.larger.push_back(offset + span + 1 + random.in(0, 2));
    if (strides == Strides::Any && random.oneIn(3)) {
      offset += span;
      stride = -stride;
    }
    s.offsets.push_back(offset);
    s.sizes.push_back(size);
    s.strides.push_back(stride);
  }
  return s;
}

Instance extractSlice(Random &random, bool open) {
  Text t(random, open);
  RandomSlice s = randomSlice(t);
  const std::string type = t.tensor(s.larger);
  const std::string from = t.argument(type);
  std::string smaller = "tensor<";
  std::vector<std::string> sizes;
  for (int64_t size : s.sizes) {
    const bool drops = size == 1 && random.oneIn(2);
    const bool dynamic = open && random.oneIn(3) && !drops;
    sizes.push_back(dynamic ? t.index(size) : std::to_string(size));
    if (!drops) smaller += (dynamic ? "?" : "") + std::to_string(size) + "x";
  }
  const std::string text = t.mixedList(s.offsets) + " [" + joined(sizes) +
                           "] " + t.mixedList(s.strides);
  return t.finish("%r = tensor.extract_slice " + from + text + " : " + type +
                  " to " + smaller + "f32>");
}

Instance insertSlice(Random &random, bool open) {
  Text t(random, open);
  const bool given = random.oneIn(2);
  RandomSlice s = randomSlice(t, given ? Strides::Any : Strides::Positive);
  const std::string into = t.tensor(s.larger);
  std::string smaller = "tensor<";
  std::vector<std::string> sizes;
  std::vector<bool> dynamic;
  for (int64_t size : s.sizes) {
    const bool drops = size == 1 && random.oneIn(2);
    dynamic.push_back(open && random.oneIn(3) && !drops);
    if (!drops)
      smaller += (dynamic.back() ? "?" : "") + std::to_string(size) + "x";
  }
  smaller += "f32>";
  const std::string source = t.argument(smaller), dest = t.argument(into);
  const std::string offsets = t.mixedList(s.offsets);
  for (size_t k = 0; k < s.sizes.size(); ++k)
    sizes.push_back(dynamic[k] ? t.index(s.sizes[k])
                               : std::to_string(s.sizes[k]));
  const std::string strides =
      given ? t.mixedList(s.strides) : t.list(s.strides);
  return t.finish("%r = tensor.insert_slice " + source + " into " + dest +
                  offsets + " [" + joined(sizes) + "] " + strides + " : " +
                  smaller + " into " + into);
}

Instance reassociate(Random &random, bool open, bool expands) {
  Text t(random, open);
  std::string groups, apartType = "tensor<", togetherType = "tensor<";
  std::vector<std::string> shape;
  int64_t next = 0;
  std::vector<size_t> unknown;  // places in the shape
  for (int64_t k = random.in(1, 3); k > 0; --k) {
    int64_t product = 1;
    std::string group;
    const bool isOpen = open && random.oneIn(2);
    for (int64_t i = random.in(1, 3); i > 0; --i) {
      const int64_t size = random.in(random.oneIn(9) ? 0 : 1, 4);
      const bool first = group.empty();
      product *= size;
      group += (first ? "" : ", ") + std::to_string(next++);
      apartType += (isOpen && first ? "?" : "") + std::to_string(size) + "x";
      shape.push_back(std::to_string(size));
      if (isOpen && first) unknown.push_back(shape.size() - 1);
    }
    groups += (groups.empty() ? "[" : ", [") + group + "]";
    togetherType += (isOpen ? "?" : "") + std::to_string(product) + "x";
  }
  apartType += "f32>", togetherType += "f32>";
  const std::string from = t.argument(expands ? togetherType : apartType);
  if (expands)
    for (size_t place : unknown)
      shape[place] = t.index(std::stoll(shape[place]));
  if (!expands)
    return t.finish("%r = tensor.collapse_shape " + from + " [" + groups +
                    "] : " + apartType + " into " + togetherType);
  return t.finish("%r = tensor.expand_shape " + from + " [" + groups +
                  "] output_shape [" + joined(shape) + "] : " + togetherType +
                  " into " + apartType);
}

Instance expand(Random &random, bool open) {
  return reassociate(random, open, true);
}
Instance collapse(Random &random, bool open) {
  return reassociate(random, open, false);
}

/// Ops of a region that yield an element for the index `names`: something
/// captured, read here or there.
std::string elementBody(Text &t, const std::vector<std::string> &names,
                        const Index &sizes) {
  Random &random = t.random;
  const std::string scalar = t.argument("f32");
  if (names.empty() || random.oneIn(2))
    return "tensor.yield " + scalar + " : f32";
  // A table, read at an expression of one or two of the indices.
  const int64_t a = random.in(0, names.size() - 1);
  const int64_t b = random.in(0, names.size() - 1);
  const int64_t most = sizes[a] + sizes[b];
  const std::string table =
      t.argument("tensor<" + std::to_string(most + 1) + "xf32>");
  std::string text;
  std::string at;
  switch (random.in(0, 5)) {
    case 0:
      at = names[a];
      break;
    case 4: {
      const char *kOps[] = {"minsi", "maxsi", "minui", "maxui"};
      text = std::string("%i = arith.") + kOps[random.in(0, 3)] + " " +
             names[a] + ", " + names[b] + " : index\n";
      at = "%i";
      break;
    }
    case 5: {
      const std::string number = std::to_string(random.in(0, 3));
      text = (random.oneIn(2)
                  ? "%i = affine.min affine_map<(d0, d1) -> (d0 + d1, " + number
                  : "%i = affine.max affine_map<(d0, d1) -> (d0, d1 - " +
                        number + ", 0") +
             ")>(" + names[a] + ", " + names[b] + ")\n";
      at = "%i";
      break;
    }
    case 1:
      text = "%i = arith.addi " + names[a] + ", " + names[b] + " : index\n";
      at = "%i";
      break;
    case 2: {
      std::vector<int64_t> places;
      for (int64_t i = 0; i < sizes[a]; ++i)
        places.push_back(random.in(0, most));
      const std::string places_ =
          t.argument("tensor<" + std::to_string(sizes[a]) + "xindex>", places);
      text = "%i = tensor.extract " + places_ + "[" + names[a] + "] : tensor<" +
             std::to_string(sizes[a]) + "xindex>\n";
      at = "%i";
      break;
    }
    default:
      text = "%c = arith.constant 2 : index\n%i = arith.remui " + names[a] +
             ", %c : index\n";
      at = "%i";
      break;
  }
  text += "%e = tensor.extract " + table + "[" + at + "] : tensor<" +
          std::to_string(most + 1) + "xf32>\n";
  text += "%f = arith.addf %e, " + scalar + " : f32\n";
  return text + "tensor.yield %f : f32";
}

std::string blockArguments(size_t rank, std::vector<std::string> &names) {
  std::string text = "^bb0(";
  for (size_t k = 0; k < rank; ++k) {
    names.push_back("%d" + std::to_string(k));
    text += (k ? ", " : "") + names.back() + ": index";
  }
  return rank ? text + "):\n" : "^bb0:\n";
}

Instance pad(Random &random, bool open) {
  Text t(random, open);
  const Index sizes = t.sizes(random.in(0, 3), random.oneIn(6) ? 0 : 1, 3);
  Index low, high, result;
  for (int64_t size : sizes) {
    low.push_back(random.in(0, 2));
    high.push_back(random.in(0, 2));
    result.push_back(size + low.back() + high.back());
  }
  // If a size is not known, or a padding is an operand, the result's size is
  // not known.
  std::string type = "tensor<", resultType = "tensor<";
  std::vector<std::string> sizeTexts, lowTexts, highTexts;
  for (int64_t size : sizes) sizeTexts.push_back(t.size(size));
  for (const std::string &text : sizeTexts) type += text + "x";
  const std::string from = t.argument(type += "f32>");
  auto padding = [&](int64_t value) {
    return open ? t.mixedIndex(value) : std::to_string(value);
  };
  for (int64_t value : low) lowTexts.push_back(padding(value));
  for (int64_t value : high) highTexts.push_back(padding(value));
  for (size_t k = 0; k < sizes.size(); ++k) {
    const bool unknown = sizeTexts[k][0] == '?' || lowTexts[k][0] == '%' ||
                         highTexts[k][0] == '%';
    resultType += (unknown ? "?" : "") + std::to_string(result[k]) + "x";
  }
  std::vector<std::string> names;
  const std::string block = blockArguments(sizes.size(), names);
  const std::string body = elementBody(t, names, result);
  return t.finish("%r = tensor.pad " + from + " low[" + joined(lowTexts) +
                  "] high[" + joined(highTexts) + "] {\n" + block + body +
                  "\n} : " + type + " to " + resultType + "f32>");
}

Instance generate(Random &random, bool) {
  Text t(random, false);
  const Index sizes = t.sizes(random.in(0, 3), random.oneIn(6) ? 0 : 1, 4);
  std::vector<std::string> names;
  const std::string block = blockArguments(sizes.size(), names);
  return t.finish("%r = tensor.generate {\n" + block +
                  elementBody(t, names, sizes) + "\n} : " + t.tensor(sizes));
}

Instance concat(Random &random, bool) {
  Text t(random, false);
  Index sizes = t.sizes(random.in(1, 3));
  const int64_t dim = random.in(0, sizes.size() - 1);
  std::vector<std::string> names, types;
  int64_t total = 0;
  for (int64_t k = random.in(1, 3); k > 0; --k) {
    sizes[dim] = random.in(0, 3);
    total += sizes[dim];
    types.push_back(t.tensor(sizes));
    names.push_back(t.argument(types.back()));
  }
  sizes[dim] = total;
  return t.finish("%r = tensor.concat dim(" + std::to_string(dim) + ") " +
                  joined(names) + " : (" + joined(types) + ") -> " +
                  t.tensor(sizes));
}

/// The slices of a gather or a scatter.
struct RandomGather {
  Index indexed, indices, slices;
  Index named;
  std::vector<int64_t> values;
};

RandomGather randomGather(Random &random, bool unique) {
  RandomGather g;
  const int64_t rank = random.in(1, 3);
  for (int64_t k = 0; k < rank; ++k) g.indexed.push_back(random.in(1, 4));
  g.named = random.subset(rank, random.in(1, rank));
  int64_t places = 1;
  for (int64_t k : g.named) places *= g.indexed[k];
  g.indices = Index{};
  int64_t count = 1;
  for (int64_t k = random.in(0, 2); k > 0; --k) {
    const int64_t most = unique ? places / count : 3;
    g.indices.push_back(
        random.in(1, std::max<int64_t>(std::min<int64_t>(most, 3), 1)));
    count *= g.indices.back();
  }
  g.slices = g.indices;
  g.indices.push_back(g.named.size());
  const bool keeps = random.oneIn(2);
  for (int64_t k = 0; k < rank; ++k) {
    const bool named =
        std::find(g.named.begin(), g.named.end(), k) != g.named.end();
    if (!named || keeps) g.slices.push_back(named ? 1 : g.indexed[k]);
  }
  llvm::SmallVector<int64_t, 6> order = random.permutation(places);
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = unique ? order[i] : random.in(0, places - 1);
    std::vector<int64_t> vector(g.named.size());
    for (int64_t c = g.named.size() - 1; c >= 0; --c) {
      vector[c] = place % g.indexed[g.named[c]];
      place /= g.indexed[g.named[c]];
    }
    g.values.insert(g.values.end(), vector.begin(), vector.end());
  }
  return g;
}

Instance gather(Random &random, bool open) {
  Text t(random, open);
  const bool unique = random.oneIn(3);
  const RandomGather g = randomGather(random, unique);
  // Only the source may be open: the result's type follows from it.
  t.open = false;
  const std::string source = t.tensor(g.indexed);
  const std::string indices = t.tensor(g.indices, "index");
  const std::string a = t.argument(source);
  const std::string b = t.argument(indices, g.values);
  return t.finish("%r = tensor.gather " + a + "[" + b + "] gather_dims(" +
                  t.list(g.named) + ")" + (unique ? " unique" : "") + " : (" +
                  source + ", " + indices + ") -> " + t.tensor(g.slices));
}

Instance scatter(Random &random, bool) {
  Text t(random, false);
  const RandomGather g = randomGather(random, true);
  const std::string source = t.tensor(g.slices), dest = t.tensor(g.indexed);
  const std::string indices = t.tensor(g.indices, "index");
  const std::string a = t.argument(source), b = t.argument(dest);
  const std::string c = t.argument(indices, g.values);
  return t.finish("%r = tensor.scatter " + a + " into " + b + "[" + c +
                  "] scatter_dims(" + t.list(g.named) + ") unique : (" +
                  source + ", " + dest + ", " + indices + ") -> " + dest);
}

Instance sizesOnly(Random &random, bool) {
  Text t(random, false);
  const Index sizes = t.sizes(random.in(1, 3));
  const std::string type = t.tensor(sizes);
  switch (random.in(0, 3)) {
    case 0: {
      const std::string a = t.argument(type);
      const std::string i = t.index(random.in(0, sizes.size() - 1));
      return t.finish("%r = tensor.dim " + a + ", " + i + " : " + type);
    }
    case 1:
      return t.finish("%r = tensor.rank " + t.argument(type) + " : " + type);
    case 2:
      return t.finish("%r = tensor.splat " + t.argument("f32") + " : " + type);
    default:
      return t.finish("%r = tensor.cast " + t.argument(type) + " : " + type +
                      " to " + type);
  }
}

Instance reshape(Random &random, bool) {
  Text t(random, false);
  const Index sizes = t.sizes(random.in(1, 3));
  const Index to = {sizes[0], countOf(sizes) / sizes[0]};
  const std::string from = t.argument(t.tensor(sizes));
  const std::string shape =
      t.argument("tensor<2xindex>", {to.begin(), to.end()});
  return t.finish("%r = tensor.reshape " + from + "(" + shape + ") : (" +
                  t.tensor(sizes) + ", tensor<2xindex>) -> " + t.tensor(to));
}

const UpstreamFamily kFamilies[] = {
    {"extract", extract},
    {"insert", insert},
    {"from_elements", fromElements, false},
    {"extract_slice", extractSlice},
    {"insert_slice", insertSlice},
    {"expand_shape", expand},
    {"collapse_shape", collapse},
    {"pad", pad},
    {"generate", generate, false},
    {"concat", concat, false},
    {"tensor_gather", gather, false},
    {"tensor_scatter", scatter, false},
    {"tensor_sizes", sizesOnly, false},
    {"tensor_reshape", reshape, false},
};

}  // namespace

llvm::ArrayRef<UpstreamFamily> tensorFamilies() { return kFamilies; }

}  // namespace indexical::testing
