// Derivatives that go through integers which hold the bits of floats.
//
// Random programs move bits to integers and back: as words, as bytes, through
// logic, choices, tables, calls, branches, loops, tuples and ops that are not
// known. They are run number by number, once for each of several other values
// of each element. An element of the result that changes depends on that
// element: their pair must be an entry. If the answer is exact, its entries are
// the pairs that the definitions of the ops connect.
//
//   INDEXICAL_FLOAT_BITS=10      10 times as many random programs
//   INDEXICAL_FLOAT_BITS_SEED=n  beginning with this one
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/answers/sparsity/sparsity.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Places = std::set<std::pair<int64_t, int64_t>>;

constexpr int64_t kElements = 4;

enum class Type { F32, S32, U8, Pred };

const char *nameOf(Type type) {
  switch (type) {
    case Type::F32:
      return "f32[4]";
    case Type::S32:
      return "s32[4]";
    case Type::U8:
      return "u8[4,4]";
    case Type::Pred:
      return "pred[4]";
  }
  return "";
}

/// One element: its bits, and the elements of the parameter that the
/// definitions of ops connect it with.
struct Element {
  uint32_t bits = 0;
  std::set<int64_t> from;
};
using Elements = std::vector<Element>;

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// An array of the program and how its elements follow from others.
struct Node {
  Type type;
  std::vector<int> operands;
  Elements (*run)(const std::vector<const Elements *> &operands);
};

Element joined(const Element &a, const Element &b, uint32_t bits) {
  Element made{bits, a.from};
  made.from.insert(b.from.begin(), b.from.end());
  return made;
}

Elements same(const std::vector<const Elements *> &x) { return *x[0]; }

Elements reversed(const std::vector<const Elements *> &x) {
  return Elements(x[0]->rbegin(), x[0]->rend());
}

template <typename Function>
Elements each(const std::vector<const Elements *> &x, Function function) {
  Elements made;
  for (size_t i = 0; i < x[0]->size(); ++i)
    made.push_back(x.size() == 1
                       ? Element{function((*x[0])[i].bits, 0u), (*x[0])[i].from}
                       : joined((*x[0])[i], (*x[1])[i],
                                function((*x[0])[i].bits, (*x[1])[i].bits)));
  return made;
}

/// A program of one parameter of floats, with what is run beside its text.
class Sample {
 public:
  explicit Sample(Random &random) : random_(random) {
    add(Type::F32, "parameter(0)", {}, nullptr);
    for (int64_t n = random.in(3, 9); n > 0; --n) addOp();
    // Floats that bits come back to are the result, if there are any.
    int root = 0;
    for (size_t n = 0; n < nodes_.size(); ++n)
      if (nodes_[n].type == Type::F32) root = static_cast<int>(n);
    root_ = root;
  }

  std::string text() const {
    return std::string(R"(HloModule m
words { a = f32[4] parameter(0)
  ROOT r = s32[4] bitcast-convert(a) }
floats { a = s32[4] parameter(0)
  ROOT r = f32[4] bitcast-convert(a) }
turned { a = s32[4] parameter(0)
  ROOT r = s32[4] reverse(a), dimensions={0} }
body { t = (s32[], s32[4]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  x = s32[4] get-tuple-element(t), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = s32[4] reverse(x), dimensions={0}
  ROOT r = (s32[], s32[4]) tuple(j, y) }
condition { t = (s32[], s32[4]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  three = s32[] constant(3)
  ROOT r = pred[] compare(i, three), direction=LT }
ENTRY e {
  zero = s32[] constant(0)
  eights = s32[4] constant({8, 8, 8, 8})
  masks = s32[4] constant({4095, 65535, 2147483647, 255})
  yes = pred[] constant(true)
)") + lines_ +
           "  ROOT r = f32[4] copy(v" + std::to_string(root_) + ")\n}\n";
  }

  Elements run(const std::vector<float> &values) const {
    std::vector<Elements> all;
    for (const Node &node : nodes_) {
      if (!node.run) {
        Elements &parameter = all.emplace_back();
        for (int64_t i = 0; i < kElements; ++i)
          parameter.push_back({bitsOf(values[i]), {i}});
        continue;
      }
      std::vector<const Elements *> operands;
      for (int n : node.operands) operands.push_back(&all[n]);
      Elements made = node.run(operands);
      all.push_back(std::move(made));
    }
    return all[root_];
  }

 private:
  void add(Type type, const std::string &op, std::vector<int> operands,
           Elements (*run)(const std::vector<const Elements *> &)) {
    lines_ += "  v" + std::to_string(nodes_.size()) + " = " + nameOf(type) +
              " " + op + "\n";
    nodes_.push_back({type, std::move(operands), run});
  }

  /// Returns an array of that type, -1 if there is none.
  int any(Type type) {
    std::vector<int> all;
    for (size_t n = 0; n < nodes_.size(); ++n)
      if (nodes_[n].type == type) all.push_back(static_cast<int>(n));
    return all.empty() ? -1 : all[random_.in(0, all.size() - 1)];
  }

  void addOp();
  void addOfWords(int s, const std::string &x);
  void addThroughCalls(int s, const std::string &x);

  Random &random_;
  std::string lines_;
  std::vector<Node> nodes_;
  int root_ = 0;
};

void Sample::addOp() {
  const int f = any(Type::F32), s = any(Type::S32), p = any(Type::Pred);
  int u = any(Type::U8);
  auto name = [](int n) { return "v" + std::to_string(n); };
  switch (random_.in(0, 9)) {
    case 0:
      return add(Type::S32, "bitcast-convert(" + name(f) + ")", {f}, same);
    case 1:
      return add(Type::S32, "call(" + name(f) + "), to_apply=words", {f}, same);
    case 2:
      return add(Type::U8, "bitcast-convert(" + name(f) + ")", {f},
                 [](const std::vector<const Elements *> &x) {
                   Elements bytes;
                   for (const Element &word : *x[0])
                     for (int b = 0; b < 4; ++b)
                       bytes.push_back({word.bits >> (8 * b) & 255, word.from});
                   return bytes;
                 });
    case 3:
      return add(Type::S32,
                 "custom-call(" + name(f) + "), custom_call_target=\"move\"",
                 {f}, same);
    case 4: {
      const int g = any(Type::F32);
      return add(Type::F32, "multiply(" + name(f) + ", " + name(g) + ")",
                 {f, g}, [](const std::vector<const Elements *> &x) {
                   return each(x, [](uint32_t a, uint32_t b) {
                     return bitsOf(floatOf(a) * floatOf(b));
                   });
                 });
    }
    case 5:
      if (u < 0) return;
      // Bytes come back as words, turned around first.
      add(Type::U8, "reverse(" + name(u) + "), dimensions={0}", {u},
          [](const std::vector<const Elements *> &x) {
            Elements made;
            for (int i = kElements - 1; i >= 0; --i)
              for (int b = 0; b < 4; ++b) made.push_back((*x[0])[4 * i + b]);
            return made;
          });
      u = static_cast<int>(nodes_.size()) - 1;
      return add(random_.oneIn(2) ? Type::F32 : Type::S32,
                 "bitcast-convert(" + name(u) + ")", {u},
                 [](const std::vector<const Elements *> &x) {
                   Elements words;
                   for (int i = 0; i < kElements; ++i) {
                     Element word;
                     for (int b = 0; b < 4; ++b) {
                       const Element &byte = (*x[0])[4 * i + b];
                       word =
                           joined(word, byte, word.bits | byte.bits << (8 * b));
                     }
                     words.push_back(word);
                   }
                   return words;
                 });
    case 6: {
      if (p < 0 || s < 0) return;
      const int t = any(Type::S32);
      return add(Type::S32,
                 "select(" + name(p) + ", " + name(s) + ", " + name(t) + ")",
                 {p, s, t}, [](const std::vector<const Elements *> &x) {
                   Elements made;
                   for (int i = 0; i < kElements; ++i) {
                     const Element &a = (*x[1])[i], &b = (*x[2])[i];
                     made.push_back(joined(joined(a, b, 0), (*x[0])[i],
                                           (*x[0])[i].bits ? a.bits : b.bits));
                   }
                   return made;
                 });
    }
    case 7:
      if (s >= 0) addThroughCalls(s, name(s));
      return;
    default:
      if (s >= 0) addOfWords(s, name(s));
  }
}

void Sample::addOfWords(int s, const std::string &x) {
  switch (random_.in(0, 7)) {
    case 0:
      return add(Type::S32, "reverse(" + x + "), dimensions={0}", {s},
                 reversed);
    case 1:
      return add(Type::S32, "and(" + x + ", masks)", {s},
                 [](const std::vector<const Elements *> &x) {
                   static constexpr uint32_t kMasks[] = {4095, 65535,
                                                         2147483647, 255};
                   Elements made = *x[0];
                   for (int i = 0; i < kElements; ++i)
                     made[i].bits &= kMasks[i];
                   return made;
                 });
    case 2:
      return add(Type::S32, "shift-left(" + x + ", eights)", {s},
                 [](const std::vector<const Elements *> &x) {
                   return each(x, [](uint32_t a, uint32_t) { return a << 8; });
                 });
    case 3:
      return add(
          Type::Pred, "compare(" + x + ", masks), direction=LT", {s},
          [](const std::vector<const Elements *> &x) {
            static constexpr int32_t kMasks[] = {4095, 65535, 2147483647, 255};
            Elements made = *x[0];
            for (int i = 0; i < kElements; ++i)
              made[i].bits = static_cast<int32_t>(made[i].bits) < kMasks[i];
            return made;
          });
    case 4:
      return add(Type::F32, "convert(" + x + ")", {s},
                 [](const std::vector<const Elements *> &x) {
                   return each(x, [](uint32_t a, uint32_t) {
                     return bitsOf(static_cast<float>(static_cast<int32_t>(a)));
                   });
                 });
    case 5:
      return add(Type::F32,
                 "custom-call(" + x + "), custom_call_target=\"move\"", {s},
                 same);
    default:
      return add(Type::F32, "bitcast-convert(" + x + ")", {s}, same);
  }
}

void Sample::addThroughCalls(int s, const std::string &x) {
  const std::string number = std::to_string(nodes_.size());
  switch (random_.in(0, 4)) {
    case 0:
      return add(Type::F32, "call(" + x + "), to_apply=floats", {s}, same);
    case 1:
      return add(Type::S32, "call(" + x + "), to_apply=turned", {s}, reversed);
    case 2:  // three trips turn it around
      lines_ += "  t" + number + " = (s32[], s32[4]) tuple(zero, " + x +
                ")\n  w" + number + " = (s32[], s32[4]) while(t" + number +
                "), condition=condition, body=body\n";
      return add(Type::S32, "get-tuple-element(w" + number + "), index=1", {s},
                 reversed);
    case 3:
      lines_ += "  t" + number + " = (s32[4], s32[]) tuple(" + x + ", zero)\n";
      return add(Type::S32, "get-tuple-element(t" + number + "), index=0", {s},
                 same);
    default:  // the first one, whatever the other is
      return add(Type::F32,
                 "conditional(yes, " + x + ", " + x +
                     "), true_computation=floats, false_computation=floats",
                 {s}, same);
  }
}

Sparsity sparsity(const Program &program) {
  auto found = sparsityOf(program, SparsityQuestion());
  EXPECT_TRUE(found.ok()) << found.status();
  return *std::move(found);
}

Places placesOf(const SparsePattern &pattern) {
  Places places;
  for (int64_t row = 0; row < pattern.rows(); ++row)
    for (int64_t column : pattern.row(row)) places.insert({row, column});
  return places;
}

TEST(FloatBitsTest, RandomProgramsAgainstRuns) {
  const uint64_t first = fromEnvironment("INDEXICAL_FLOAT_BITS_SEED", 1);
  const uint64_t count = 1500 * fromEnvironment("INDEXICAL_FLOAT_BITS", 1);
  int64_t exact = 0, covers = 0, through = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const Sample sample(random);
    const std::string text = sample.text();
    SCOPED_TRACE("INDEXICAL_FLOAT_BITS_SEED=" + std::to_string(seed) + "\n" +
                 text);
    const auto program = parseHlo(text);
    ASSERT_TRUE(program.ok()) << program.status();
    const Sparsity found = sparsity(*program);
    ASSERT_FALSE(HasFailure());
    ASSERT_TRUE(found.jacobian.pattern);
    const Places listed = placesOf(*found.jacobian.pattern);
    std::vector<float> values;
    for (int64_t i = 0; i < kElements; ++i)
      values.push_back(static_cast<float>(random.in(1, 999)) / 64);
    const Elements before = sample.run(values);
    for (int64_t column = 0; column < kElements; ++column)
      for (const float factor : {1.0009765625f, -1.0f, 1.375f, 1.0e-20f}) {
        std::vector<float> others = values;
        others[column] *= factor;
        const Elements after = sample.run(others);
        for (int64_t row = 0; row < kElements; ++row) {
          if (before[row].bits != after[row].bits) {
            ASSERT_TRUE(listed.count({row, column}))
                << "element " << row << " changes with " << column;
          }
        }
      }
    Places connected;
    for (int64_t row = 0; row < kElements; ++row)
      for (int64_t column : before[row].from) connected.insert({row, column});
    const std::string entry = text.substr(text.find("ENTRY"));
    const bool isThrough = entry.find("bitcast-convert") != std::string::npos;
    through += isThrough && found.jacobian.isExact && !connected.empty();
    if (found.jacobian.isExact) {
      ASSERT_EQ(listed, connected);
      ++exact;
    } else {
      ASSERT_TRUE(std::includes(listed.begin(), listed.end(), connected.begin(),
                                connected.end()));
      ++covers;
    }
  }
  std::printf("  %ld exact, %ld of these with moved bits, %ld covers\n",
              static_cast<long>(exact), static_cast<long>(through),
              static_cast<long>(covers));
  EXPECT_GT(exact, 100);
  EXPECT_GT(covers, 100);
  EXPECT_GT(through, 100);
}

//===-- Single programs ---------------------------------------------------===//

struct Found {
  bool isExact;
  Places places;
  bool operator==(const Found &o) const {
    return isExact == o.isExact && places == o.places;
  }
};
std::ostream &operator<<(std::ostream &os, const Found &of) {
  os << (of.isExact ? "exact" : "cover");
  for (const auto &[row, column] : of.places)
    os << " (" << row << ", " << column << ")";
  return os;
}

Found foundOf(const std::string &entry, const std::string &others = "") {
  const auto program =
      parseHlo("HloModule m\n" + others + "\nENTRY e {\n" + entry + "\n}\n");
  EXPECT_TRUE(program.ok()) << program.status();
  if (!program.ok()) return {};
  const Sparsity found = sparsity(*program);
  return {found.jacobian.isExact, placesOf(*found.jacobian.pattern)};
}

const Places kIdentity = {{0, 0}, {1, 1}, {2, 2}, {3, 3}};

TEST(FloatBitsTest, ThereAndBackIsTheIdentity) {
  EXPECT_EQ(foundOf(R"(x = f32[4] parameter(0)
    b = s32[4] bitcast-convert(x)
    ROOT r = f32[4] bitcast-convert(b))"),
            (Found{true, kIdentity}));
  // Another type of integers on the way.
  EXPECT_EQ(foundOf(R"(x = f32[4] parameter(0)
    b = s32[4] bitcast-convert(x)
    u = u32[4] bitcast-convert(b)
    ROOT r = f32[4] bitcast-convert(u))"),
            (Found{true, kIdentity}));
}

TEST(FloatBitsTest, AnotherTypeOfFloatsIsCovered) {
  EXPECT_EQ(foundOf(R"(x = bf16[4] parameter(0)
    b = s16[4] bitcast-convert(x)
    ROOT r = f16[4] bitcast-convert(b))"),
            (Found{false, kIdentity}));
}

TEST(FloatBitsTest, HalvesOfAWord) {
  EXPECT_EQ(foundOf(R"(x = f32[4] parameter(0)
    b = u16[4,2] bitcast-convert(x)
    h = u16[4,1] slice(b), slice={[0:4], [1:2]}
    g = u16[4] reshape(h)
    ROOT r = bf16[4] bitcast-convert(g))"),
            (Found{false, kIdentity}));
}

// What a conversion or a comparison makes of a float is constant between some
// places.
TEST(FloatBitsTest, StepsCarryNothing) {
  const Found none = {true, {}};
  EXPECT_EQ(foundOf(R"(x = f32[4] parameter(0)
    i = s32[4] convert(x)
    ROOT r = f32[4] bitcast-convert(i))"),
            none);
  EXPECT_EQ(foundOf(R"(x = f32[4] parameter(0)
    y = f32[4] constant({1, 2, 3, 4})
    less = pred[4] compare(x, y), direction=LT
    i = s32[4] convert(less)
    b = s32[4] bitcast-convert(x)
    j = s32[4] add(i, i)
    ROOT r = f32[4] bitcast-convert(j))"),
            none);
}

// Indices of the largest elements hold no bits, if nothing else in the module
// moves some.
TEST(FloatBitsTest, IndicesOfAReductionHoldNone) {
  const char *const larger = R"(
larger {
  a = f32[] parameter(0) i = s32[] parameter(1)
  b = f32[] parameter(2) j = s32[] parameter(3)
  g = pred[] compare(a, b), direction=GE
  v = f32[] select(g, a, b)
  k = s32[] select(g, i, j)
  ROOT t = (f32[], s32[]) tuple(v, k) })";
  const char *const entry = R"(x = f32[4] parameter(0)
    n = s32[4] iota(), iota_dimension=0
    low = f32[] constant(-inf)
    zero = s32[] constant(0)
    most = (f32[], s32[]) reduce(x, n, low, zero), dimensions={0}, to_apply=larger
    at = s32[] get-tuple-element(most), index=1
    f = f32[] convert(at)
    ROOT r = f32[4] broadcast(f), dimensions={})";
  EXPECT_EQ(foundOf(entry, larger), (Found{true, {}}));
  // A reducer that moves bits makes indices that hold them.
  const char *const moves = R"(
larger {
  a = f32[] parameter(0) i = s32[] parameter(1)
  b = f32[] parameter(2) j = s32[] parameter(3)
  v = f32[] maximum(a, b)
  k = s32[] bitcast-convert(b)
  ROOT t = (f32[], s32[]) tuple(v, k) })";
  const Found all = foundOf(entry, moves);
  EXPECT_FALSE(all.isExact);
  EXPECT_EQ(all.places.size(), 16u);
}

// A table that bits are looked up in can be any function of them.
TEST(FloatBitsTest, BitsThatAreIndices) {
  EXPECT_EQ(foundOf(R"(x = f32[4] parameter(0)
    b = s32[4] bitcast-convert(x)
    i = s32[4,1] reshape(b)
    table = f32[9] constant({1, 2, 3, 4, 5, 6, 7, 8, 9})
    ROOT r = f32[4] gather(table, i), offset_dims={}, collapsed_slice_dims={0},
      start_index_map={0}, index_vector_dim=1, slice_sizes={1})"),
            (Found{false, kIdentity}));
}

// One comparison for each bit, and the bits are put together again.
TEST(FloatBitsTest, BitsThatDecide) {
  EXPECT_EQ(foundOf(R"(x = f32[4] parameter(0)
    b = s32[4] bitcast-convert(x)
    zero = s32[4] constant({0, 0, 0, 0})
    negative = pred[4] compare(b, zero), direction=LT
    one = f32[4] constant({1, 1, 1, 1})
    two = f32[4] constant({2, 2, 2, 2})
    ROOT r = f32[4] select(negative, one, two))"),
            (Found{false, kIdentity}));
}

}  // namespace
}  // namespace indexical::testing
