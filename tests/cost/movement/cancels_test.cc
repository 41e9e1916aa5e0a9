// Movement that cancels against enumeration: in random chains of ops each
// element carries the number of the place where it was made.
//
//   INDEXICAL_CANCELS=20      20 times as many chains
//   INDEXICAL_CANCELS_SEED=n  beginning with this one
#include "indexical/cost/movement/cancels.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/cost/movement/passed_elements.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Index = std::vector<int64_t>;

/// An array of a chain: its sizes, and what each element is.
struct Value {
  std::string name, type = "f32";
  Index sizes;
  std::vector<int64_t> made;
  int64_t moves = 0;  ///< ops that move memory from the beginning on
};

int64_t countOf(const Index &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1},
                         std::multiplies<>());
}

int64_t placeOf(const Index &sizes, const Index &index) {
  int64_t place = 0;
  for (size_t k = 0; k < sizes.size(); ++k) place = place * sizes[k] + index[k];
  return place;
}

template <typename Visit>
void forEach(const Index &sizes, Visit visit) {
  Index index(sizes.size(), 0);
  for (int64_t n = countOf(sizes); n > 0; --n) {
    visit(index);
    for (size_t k = sizes.size(); k-- > 0;) {
      if (++index[k] < sizes[k]) break;
      index[k] = 0;
    }
  }
}

std::string listOf(const Index &values) {
  std::string text;
  for (size_t k = 0; k < values.size(); ++k)
    text += (k ? "," : "") + std::to_string(values[k]);
  return text;
}

/// A chain: each value is made of the one before it, some also of a parameter
/// of their own.
class Chain {
 public:
  explicit Chain(Random &random) : random_(random) {
    Value first;
    first.name = "p0";
    for (int64_t rank = random.in(1, 3); rank > 0; --rank)
      first.sizes.push_back(random.in(1, 4));
    if (random.oneIn(4)) first.type = "bf16";
    first.made = fresh(countOf(first.sizes));
    noteType(first);
    line(first, "parameter(0)");
    values.push_back(first);
    for (int64_t n = random.in(4, 14); n > 0; --n) add();
    text = "ENTRY e {\n" + text + "}\n";
    const size_t last = text.rfind("  v");
    if (last != std::string::npos) text.insert(last + 2, "ROOT ");
  }

  std::vector<Value> values;
  std::string text;
  /// Whether some elements of an array fit another type, and others do not: the
  /// library then takes the array as new.
  bool isMixed = false;

  /// Elements of padding are equal. Returns one of those that an element is
  /// equal to.
  int64_t classOf(int64_t made) const {
    const auto found = alike.find(made);
    return found == alike.end() ? made : found->second;
  }
  std::map<int64_t, int64_t> alike;

 private:
  std::vector<int64_t> fresh(int64_t count) {
    std::vector<int64_t> made(count);
    std::iota(made.begin(), made.end(), next_);
    next_ += count;
    return made;
  }

  void noteType(const Value &value) {
    if (value.type == "bf16")
      narrow_.insert(value.made.begin(), value.made.end());
  }

  void line(const Value &value, const std::string &op) {
    text += "  " + value.name + " = " + value.type + "[" + listOf(value.sizes) +
            "] " + op + "\n";
  }

  Value next(const Value &of) {
    Value value = of;
    value.name = "v" + std::to_string(values.size());
    ++value.moves;
    return value;
  }

  /// Fills in what the elements are, by the place of each in `of`.
  template <typename From>
  void take(Value &value, const Value &of, From from) {
    value.made.assign(countOf(value.sizes), 0);
    forEach(value.sizes, [&](const Index &index) {
      value.made[placeOf(value.sizes, index)] =
          of.made[placeOf(of.sizes, from(index))];
    });
  }

  void add() {
    const Value of = values.back();
    std::string before = text;
    const size_t count = values.size();
    const int64_t parameters = parameters_;
    Value value = next(of);
    const size_t rank = of.sizes.size();
    const int64_t along = rank ? random_.in(0, rank - 1) : 0;
    switch (random_.in(0, 11)) {
      case 0:
      case 1:
      case 2: {
        const auto permutation = random_.permutation(rank);
        for (size_t k = 0; k < rank; ++k)
          value.sizes[k] = of.sizes[permutation[k]];
        take(value, of, [&](const Index &index) {
          Index from(rank);
          for (size_t k = 0; k < rank; ++k) from[permutation[k]] = index[k];
          return from;
        });
        line(value, "transpose(" + of.name + "), dimensions={" +
                        listOf({permutation.begin(), permutation.end()}) + "}");
        break;
      }
      case 3:
      case 4: {
        Index sizes(random_.in(1, 3), 1);
        int64_t left = countOf(of.sizes);
        for (int64_t p = 2; left > 1; ++p)
          for (; left % p == 0; left /= p)
            sizes[random_.in(0, sizes.size() - 1)] *= p;
        value.sizes = std::move(sizes);
        const bool isBitcast = random_.oneIn(3);
        if (isBitcast) --value.moves;
        line(value, (isBitcast ? "bitcast(" : "reshape(") + of.name + ")");
        break;
      }
      case 5:
        take(value, of, [&](Index index) {
          index[along] = of.sizes[along] - 1 - index[along];
          return index;
        });
        line(value, "reverse(" + of.name + "), dimensions={" +
                        std::to_string(along) + "}");
        break;
      case 6:
      case 7:
        slice(of, value, along);
        break;
      case 8: {
        const Value zero = of;
        text += "  z" + value.name + " = " + of.type + "[] constant(0)\n";
        Index low(rank, 0), high(rank, 0);
        low[along] = random_.in(0, 2), high[along] = random_.in(0, 2);
        value.sizes[along] += low[along] + high[along];
        value.made = fresh(countOf(value.sizes));
        noteType(value);
        for (int64_t made : value.made) alike[made] = value.made[0];
        forEach(of.sizes, [&](Index index) {
          const int64_t made = of.made[placeOf(of.sizes, index)];
          index[along] += low[along];
          value.made[placeOf(value.sizes, index)] = made;
        });
        std::string padding;
        for (size_t k = 0; k < rank; ++k)
          padding += (k ? "x" : "") + std::to_string(low[k]) + "_" +
                     std::to_string(high[k]);
        line(value,
             "pad(" + of.name + ", z" + value.name + "), padding=" + padding);
        break;
      }
      case 9: {
        // Beside another parameter, which may come first.
        Value other = of;
        other.name = "p" + std::to_string(++parameters_);
        other.sizes[along] = random_.in(1, 2);
        line(other, "parameter(" + std::to_string(parameters_) + ")");
        other.made = fresh(countOf(other.sizes));
        noteType(other);
        const bool isBehind = random_.oneIn(2);
        const Value &a = isBehind ? of : other, &b = isBehind ? other : of;
        value.sizes[along] = a.sizes[along] + b.sizes[along];
        value.made.assign(countOf(value.sizes), 0);
        forEach(value.sizes, [&](Index index) {
          const int64_t place = placeOf(value.sizes, index);
          const bool isFirst = index[along] < a.sizes[along];
          if (!isFirst) index[along] -= a.sizes[along];
          const Value &from = isFirst ? a : b;
          value.made[place] = from.made[placeOf(from.sizes, index)];
        });
        values.push_back(other);
        line(value, "concatenate(" + a.name + ", " + b.name +
                        "), dimensions={" + std::to_string(along) + "}");
        break;
      }
      case 10:
        value.type = of.type == "f32" ? "bf16" : "f32";
        // What has been bf16 once fits.
        if (value.type == "bf16") {
          const size_t narrow = llvm::count_if(
              of.made, [&](int64_t made) { return narrow_.count(made); });
          isMixed |= narrow > 0 && narrow < of.made.size();
          std::map<int64_t, int64_t> rounded;  // by what is alike
          for (int64_t &made : value.made) {
            if (narrow_.count(made)) continue;
            const int64_t before = classOf(made);
            narrow_.insert(made = next_++);
            alike[made] = rounded.try_emplace(before, made).first->second;
          }
        }
        line(value, "convert(" + of.name + ")");
        break;
      default:
        if (random_.oneIn(3)) {
          value.made = fresh(countOf(value.sizes));
          noteType(value);
          line(value, "negate(" + of.name + ")");
        } else {
          line(value, "copy(" + of.name + ")");
        }
    }
    if (countOf(value.sizes) > 200) {
      text = std::move(before);
      values.resize(count);
      parameters_ = parameters;
      return;
    }
    previous_ = static_cast<int64_t>(count) - 1;
    values.push_back(value);
  }

  /// Often a slice that cuts off what the op before has added.
  void slice(const Value &of, Value &value, int64_t along) {
    Index starts(of.sizes.size(), 0), limits = of.sizes;
    starts[along] = random_.in(0, std::min<int64_t>(2, of.sizes[along] - 1));
    limits[along] = random_.in(starts[along] + 1, of.sizes[along]);
    if (values.size() > 1) {
      const Value &before = values[previous_];
      if (before.sizes.size() == of.sizes.size() &&
          before.sizes[along] <= of.sizes[along] - starts[along])
        limits[along] = starts[along] + before.sizes[along];
    }
    value.sizes[along] = limits[along] - starts[along];
    take(value, of, [&](Index index) {
      index[along] += starts[along];
      return index;
    });
    std::string ranges;
    for (size_t k = 0; k < of.sizes.size(); ++k)
      ranges += (k ? ", [" : "[") + std::to_string(starts[k]) + ":" +
                std::to_string(limits[k]) + "]";
    line(value, "slice(" + of.name + "), slice={" + ranges + "}");
  }

  Random &random_;
  std::set<int64_t> narrow_;  ///< elements that bf16 holds
  int64_t next_ = 0, parameters_ = 0;
  int64_t previous_ = 0;  ///< the value of which the last one is made
};

/// The number of an element, or of those that it is equal to.
using NumberOf = llvm::function_ref<int64_t(int64_t made)>;

/// Whether the second is the first with its dimensions in that order.
bool isPermuted(const Value &first, const Value &second,
                llvm::ArrayRef<int64_t> permutation, NumberOf number) {
  if (first.type != second.type || permutation.size() != first.sizes.size() ||
      first.sizes.size() != second.sizes.size())
    return false;
  for (size_t k = 0; k < permutation.size(); ++k)
    if (second.sizes[k] != first.sizes[permutation[k]]) return false;
  bool isSame = true;
  forEach(second.sizes, [&](const Index &index) {
    Index from(index.size());
    for (size_t k = 0; k < index.size(); ++k) from[permutation[k]] = index[k];
    isSame &= number(second.made[placeOf(second.sizes, index)]) ==
              number(first.made[placeOf(first.sizes, from)]);
  });
  return isSame;
}

bool isSome(const Value &first, const Value &second, bool isIdentity) {
  Index permutation(first.sizes.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  auto itself = [](int64_t made) { return made; };
  do {
    if (isPermuted(first, second, permutation, itself)) return true;
  } while (!isIdentity &&
           std::next_permutation(permutation.begin(), permutation.end()));
  return false;
}

std::vector<CancelledMoves> cancels(const Program &program) {
  ProgramIndexing maps(program.modules[0]);
  auto pairs = cancelsOf(maps);
  EXPECT_TRUE(pairs.ok()) << pairs.status();
  return pairs.ok() ? *std::move(pairs) : std::vector<CancelledMoves>();
}

TEST(CancelsTest, RandomChains) {
  const uint64_t first = fromEnvironment("INDEXICAL_CANCELS_SEED", 1);
  const uint64_t count = 2000 * fromEnvironment("INDEXICAL_CANCELS", 1);
  int64_t found = 0, identities = 0, missed = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const Chain chain(random);
    SCOPED_TRACE("INDEXICAL_CANCELS_SEED=" + std::to_string(seed) + "\n" +
                 chain.text);
    auto program = parseHlo(chain.text);
    ASSERT_TRUE(program.ok()) << program.status();
    const auto &instructions = program->modules[0].computations[0].instructions;
    auto numberOf = [&](InstructionId i) {
      const auto at = llvm::find_if(chain.values, [&](const Value &value) {
        return value.name == instructions[i].name;
      });
      return at - chain.values.begin();
    };
    std::vector<int64_t> pairOf(chain.values.size(), -1);
    std::vector<bool> isIdentity(chain.values.size(), false);
    for (const CancelledMoves &pair : cancels(*program)) {
      const int64_t from = numberOf(pair.first.instruction),
                    to = numberOf(pair.second.instruction);
      ASSERT_LT(to, static_cast<int64_t>(chain.values.size()));
      ASSERT_LT(from, to);
      EXPECT_TRUE(isPermuted(chain.values[from], chain.values[to],
                             pair.permutation,
                             [&](int64_t made) { return chain.classOf(made); }))
          << chain.values[from].name << " and " << chain.values[to].name;
      EXPECT_EQ(static_cast<int64_t>(pair.between.size()),
                chain.values[to].moves - chain.values[from].moves);
      EXPECT_GE(pair.between.size(), 2u);
      EXPECT_GT(pair.bytes, 0);
      pairOf[to] = from;
      isIdentity[to] = pair.isIdentity();
      ++found;
      identities += pair.isIdentity();
    }
    for (size_t to = 1; to < chain.values.size() && !chain.isMixed; ++to) {
      int64_t same = -1, permuted = -1;
      const Value &second = chain.values[to];
      for (size_t from = 0; from < to; ++from) {
        const Value &value = chain.values[from];
        if (second.moves - value.moves < 2) continue;
        // Of views of one array, the first.
        auto nearer = [&](int64_t than) {
          return than < 0 || chain.values[than].moves < value.moves;
        };
        if (nearer(same) && isSome(value, second, /*isIdentity=*/true))
          same = from;
        if (nearer(permuted) && isSome(value, second, /*isIdentity=*/false))
          permuted = from;
      }
      // Padding may be equal by chance.
      if (same >= 0) {
        EXPECT_GE(pairOf[to], same) << second.name;
      } else if (permuted >= 0 && pairOf[to] < 0) {
        ++missed;
      }
    }
    ASSERT_FALSE(HasFailure());
  }
  printf("  %ld pairs, %ld of one value; %ld permutations not found\n",
         static_cast<long>(found), static_cast<long>(identities),
         static_cast<long>(missed));
  EXPECT_LE(missed * 500, found);
  EXPECT_GT(found, static_cast<int64_t>(count));
  EXPECT_GT(identities * 5, found);
}

//===-- Small modules -----------------------------------------------------===//

std::string textOf(const std::string &hlo) {
  auto program = parseHlo(hlo);
  EXPECT_TRUE(program.ok()) << program.status();
  if (!program.ok()) return "";
  std::string text;
  for (const CancelledMoves &pair : cancels(*program)) {
    const auto &own =
        program->modules[0].computations[pair.computation].instructions;
    text += own[pair.first.instruction].name.str() + " " +
            own[pair.second.instruction].name.str() + " {" +
            listOf({pair.permutation.begin(), pair.permutation.end()}) + "}";
    for (InstructionId i : pair.between) text += " " + own[i].name.str();
    text += " " + std::to_string(pair.bytes) + "\n";
  }
  return text;
}

TEST(CancelsTest, SlicesThatAreJoinedAgain) {
  EXPECT_EQ(textOf(R"(
ENTRY e {
  p = f32[8,4] parameter(0)
  a = f32[3,4] slice(p), slice={[0:3], [0:4]}
  b = f32[5,4] slice(p), slice={[3:8], [0:4]}
  ROOT c = f32[8,4] concatenate(a, b), dimensions={0}
})"),
            "p c {0,1} a b c 640\n");
}

TEST(CancelsTest, AnUpdateOfWhatWasThere) {
  EXPECT_EQ(textOf(R"(
ENTRY e {
  p = f32[8] parameter(0)
  two = s32[] constant(2)
  a = f32[3] dynamic-slice(p, two), dynamic_slice_sizes={3}
  ROOT c = f32[8] dynamic-update-slice(p, a, two)
})"),
            "p c {0} a c 128\n");
}

TEST(CancelsTest, KernelsThatOnlyMove) {
  EXPECT_EQ(textOf(R"(HloModule m
turn { x = f32[8,4] parameter(0)
  ROOT t = f32[4,8] transpose(x), dimensions={1,0} }
scale { x = f32[4,8] parameter(0)
  t = f32[8,4] transpose(x), dimensions={1,0}
  ROOT n = f32[8,4] negate(t) }
ENTRY e {
  p = f32[8,4] parameter(0)
  f = f32[4,8] fusion(p), kind=kLoop, calls=turn
  g = f32[8,4] transpose(f), dimensions={1,0}
  n = f32[8,4] fusion(f), kind=kLoop, calls=scale
  ROOT r = (f32[8,4], f32[8,4]) tuple(g, n)
})"),
            "p g {0,1} f g 512\n");
}

// A function that makes its values of none moves nothing.
TEST(CancelsTest, CallsWithoutOperands) {
  EXPECT_EQ(textOf(R"(HloModule m
inputs { ROOT c = f32[2] constant({1, 2}) }
ENTRY e {
  p = f32[2] call(), to_apply=inputs
  a = f32[2] reverse(p), dimensions={0}
  ROOT b = f32[2] reverse(a), dimensions={0}
})"),
            "p b {0} a b 32\n");
}

// A kernel may have elements of its own, as constants: alone they are no
// movement; beside elements that it moves they are padding.
TEST(CancelsTest, KernelsWithConstants) {
  EXPECT_EQ(textOf(R"(HloModule m
fill { z = f32[] constant(0)
  ROOT b = f32[4] broadcast(z), dimensions={} }
wide { x = f32[4] parameter(0)
  z = f32[] constant(0)
  ROOT p = f32[6] pad(x, z), padding=1_1 }
ENTRY e {
  p = f32[4] parameter(0)
  f = f32[4] fusion(), kind=kLoop, calls=fill
  g = f32[6] fusion(p), kind=kLoop, calls=wide
  s = f32[4] slice(g), slice={[1:5]}
  ROOT r = (f32[4], f32[4]) tuple(f, s)
})"),
            "p s {0} g s 80\n");
}

TEST(CancelsTest, ArraysOfOneElement) {
  EXPECT_EQ(textOf(R"(
ENTRY e {
  v0 = f32[1] parameter(0)
  v1 = f32[1,1] reshape(v0)
  ROOT v2 = f32[1] reshape(v1)
})"),
            "v0 v2 {0} v1 v2 16\n");
}

TEST(CancelsTest, SumsDoNotCancel) {
  EXPECT_EQ(textOf(R"(
ENTRY e {
  p = f32[4] parameter(0)
  i = s32[4] convert(p)
  f = f32[4] convert(i)
  n = f32[4] negate(f)
  ROOT m = f32[4] negate(n)
})"),
            "");
}

/// Of a chain of 100,000 transposes, each has one pair, in time.
TEST(CancelsTest, ALongChain) {
  std::string text = "ENTRY e {\n  v0 = f32[8,4] parameter(0)\n";
  constexpr int64_t kOps = 100'000;
  for (int64_t n = 1; n <= kOps; ++n)
    text += std::string(n == kOps ? "  ROOT v" : "  v") + std::to_string(n) +
            " = f32[" + (n % 2 ? "4,8" : "8,4") + "] transpose(v" +
            std::to_string(n - 1) + "), dimensions={1,0}\n";
  auto program = parseHlo(text + "}\n");
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(static_cast<int64_t>(cancels(*program).size()), kOps - 1);
}

/// 2^62 bytes each, four times.
TEST(CancelsTest, BytesThatLeave64BitsAreTheMost) {
  const std::string square = "f32[1073741824,1073741824]";
  auto program =
      parseHlo("ENTRY e {\n a = " + square + " parameter(0)\n b = " + square +
               " transpose(a), dimensions={1,0}\n ROOT c = " + square +
               " transpose(b), dimensions={1,0}\n}\n");
  ASSERT_TRUE(program.ok()) << program.status();
  const auto pairs = cancels(*program);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].bytes, INT64_MAX);
}

TEST(CancelsTest, TypesThatHoldAllValues) {
  using T = ElementType;
  EXPECT_TRUE(holdsEvery(T::F32, T::BF16));
  EXPECT_TRUE(holdsEvery(T::F64, T::S32));
  EXPECT_TRUE(holdsEvery(T::S32, T::U16));
  EXPECT_TRUE(holdsEvery(T::BF16, T::Pred));
  EXPECT_FALSE(holdsEvery(T::F16, T::BF16));
  EXPECT_FALSE(holdsEvery(T::BF16, T::F16));
  EXPECT_FALSE(holdsEvery(T::F32, T::S32));
  EXPECT_FALSE(holdsEvery(T::U32, T::S8));
  EXPECT_FALSE(holdsEvery(T::S32, T::U32));
  EXPECT_FALSE(holdsEvery(T::Pred, T::U1));
  EXPECT_FALSE(holdsEvery(T::S32, T::F32));
}

}  // namespace
}  // namespace indexical::testing
