// The reads of a size (program/maps/size_reads.cc), compared with running
// programs.
//
// Random programs set sizes from parameters, move and join the arrays, and give
// a size in the end: as a number, or as the place where a slice begins. An
// interpreter of a few lines says what that size is for given parameters. A
// parameter counts if some value of it changes the size. By enumeration it must
// be read then, and only then if the answer is exact.
#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// A size that was set: the sum of these parameters and a number. No parameter
/// is taken away, so that each of them counts.
struct Size {
  std::multiset<int> parameters;
  int64_t number = 0;
  int64_t at(const std::vector<int64_t> &values) const {
    int64_t size = number;
    for (int p : parameters) size += values[p];
    return size;
  }
};

struct Array {
  std::string name;
  int64_t bound = 0;
  Size size;
};

constexpr int kNumbers = 3;  // parameters that are sizes
constexpr int64_t kBound = 8;

class Writer {
 public:
  explicit Writer(Random &random) : random_(random) {
    for (int64_t i = random.in(1, 3); i > 0; --i)
      set(random.in(0, kNumbers - 1));
    for (int64_t i = random.in(0, 5); i > 0; --i) addOp();
    const Array &last = arrays_.back();
    size = last.size;
    std::string root =
        "s32[] get-dimension-size(" + last.name + "), dimensions={0}";
    if (random.oneIn(3)) {
      isCall_ = true;
      root = "s32[] call(" + last.name + "), to_apply=size_of";
      lines_.insert(lines_.begin(),
                    "size_of { a = " + typeOf(last) +
                        " parameter(0)  ROOT g = s32[] "
                        "get-dimension-size(a), dimensions={0} }\n");
    } else {
      lines_.insert(lines_.begin(), "");
    }
    const bool isStart = random.oneIn(3);
    body_ += std::string(isStart ? "  " : "  ROOT ") + "g = " + root + "\n";
    if (isStart)
      body_ +=
          "  ROOT r = f32[1] dynamic-slice(x, g), "
          "dynamic_slice_sizes={1}\n";
  }

  std::string text() const {
    std::string parameters = "  x = f32[8] parameter(0)\n";
    for (int p = 0; p < kNumbers; ++p)
      parameters += "  n" + std::to_string(p) + " = s32[] parameter(" +
                    std::to_string(p + 1) + ")\n";
    return "HloModule m\n" + lines_[0] + "ENTRY e {\n" + parameters +
           "  zero = f32[] constant(0)\n" + body_ + "}\n";
  }
  bool isCall() const { return isCall_; }

  Size size;

 private:
  static std::string typeOf(const Array &array) {
    return "f32[<=" + std::to_string(array.bound) + "]";
  }
  std::string next() { return "a" + std::to_string(arrays_.size()); }
  void add(Array array, const std::string &op) {
    array.name = next();
    body_ += "  " + array.name + " = " + typeOf(array) + " " + op + "\n";
    arrays_.push_back(std::move(array));
  }
  /// An array of which so many elements are there as parameter p says.
  void set(int p) {
    Array array{"", kBound, {{p}, 0}};
    std::string number = "n" + std::to_string(p);
    if (random_.oneIn(2)) {
      const std::string more = "m" + std::to_string(arrays_.size());
      body_ += "  " + more + " = s32[] add(" + number + ", " + number + ")\n";
      array.size.parameters.insert(p);
      number = more;
    }
    add(array, "set-dimension-size(x, " + number + "), dimensions={0}");
  }

  void addOp() {
    const Array &any = arrays_[random_.in(0, arrays_.size() - 1)];
    Array made = random_.oneIn(3) ? any : arrays_.back();
    const std::string from = made.name;
    switch (random_.in(0, 4)) {
      case 0:
        return add(made, "reverse(" + from + "), dimensions={0}");
      case 1:
        return add(made, "negate(" + from + ")");
      case 2: {
        const Array &other = arrays_[random_.in(0, arrays_.size() - 1)];
        made.bound += other.bound;
        made.size.number += other.size.number;
        made.size.parameters.insert(other.size.parameters.begin(),
                                    other.size.parameters.end());
        return add(made, "concatenate(" + from + ", " + other.name +
                             "), dimensions={0}");
      }
      case 3: {
        const int64_t low = random_.in(0, 2), high = random_.in(0, 2);
        made.bound += low + high;
        made.size.number += low + high;
        return add(made, "pad(" + from + ", zero), padding=" +
                             std::to_string(low) + "_" + std::to_string(high));
      }
      default:
        return set(random_.in(0, kNumbers - 1));
    }
  }

  Random &random_;
  bool isCall_ = false;
  std::vector<std::string> lines_;
  std::string body_;
  std::vector<Array> arrays_;
};

/// Whether the size changes with parameter p, by trying values of all of them.
bool counts(const Size &size, int p) {
  std::vector<int64_t> values(kNumbers, 0);
  for (int64_t code = 0; code < 27; ++code) {
    for (int64_t k = 0, rest = code; k < kNumbers; ++k, rest /= 3)
      values[k] = rest % 3;
    std::vector<int64_t> other = values;
    ++other[p];
    if (size.at(values) != size.at(other)) return true;
  }
  return false;
}

TEST(SizeReadsTest, WhatChangesASizeIsRead) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t programs = fromEnvironment("INDEXICAL_PROGRAMS", 500);
  int64_t exact = 0, covers = 0;
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    Random random(seed);
    const Writer writer(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + writer.text());
    auto program = parseHlo(writer.text());
    ASSERT_TRUE(program.ok()) << program.status();
    const Module &module = program->modules[0];
    ProgramIndexing maps(module);
    for (int p = 0; p < kNumbers; ++p) {
      const auto reads =
          maps.computation(module.entry, LeafId(0), ParameterLeaf{p + 1},
                           Direction::OutputToInput);
      const auto users =
          maps.computation(module.entry, LeafId(0), ParameterLeaf{p + 1},
                           Direction::InputToOutput);
      ASSERT_TRUE(reads.ok() && users.ok()) << reads.status() << users.status();
      ASSERT_EQ(reads->precision(), users->precision());
      ASSERT_EQ(reads->isEmpty(), users->isEmpty());
      const bool isExact = reads->precision() == Precision::Exact;
      ++(isExact ? exact : covers);
      ASSERT_TRUE(isExact || writer.isCall());
      if (counts(writer.size, p)) {
        ASSERT_FALSE(reads->isEmpty()) << "n" << p << " is not read";
      } else if (isExact) {
        ASSERT_TRUE(reads->isEmpty()) << "n" << p << " is read";
      }
    }
    // The elements are not, but by the slice.
    if (writer.text().find("dynamic-slice") == std::string::npos) {
      const auto reads = maps.computation(
          module.entry, LeafId(0), ParameterLeaf{0}, Direction::OutputToInput);
      ASSERT_TRUE(reads.ok() && reads->isEmpty());
    }
  }
  std::printf("%lld exact, %lld covers\n", static_cast<long long>(exact),
              static_cast<long long>(covers));
  EXPECT_GT(exact, covers);
}

/// The maps of the root to parameter p.
std::string readsOf(const std::string &body, int32_t p) {
  auto program = parseHlo("HloModule m\nENTRY e {\n" + body + "}\n");
  EXPECT_TRUE(program.ok()) << program.status();
  if (!program.ok()) return "";
  ProgramIndexing maps(program->modules[0]);
  auto reads = maps.computation(program->modules[0].entry, LeafId(0),
                                ParameterLeaf{p}, Direction::OutputToInput);
  EXPECT_TRUE(reads.ok()) << reads.status();
  std::string text = precisionName(reads->precision()).str();
  for (const IndexingMap &piece : reads->pieces())
    text += " " + piece.strOneLine();
  return text;
}

TEST(SizeReadsTest, Examples) {
  const std::string set =
      "  z = f32[4] parameter(0)\n  n = s32[] parameter(1)\n"
      "  y = f32[<=4] set-dimension-size(z, n), dimensions={0}\n";
  const std::string get =
      set + "  ROOT g = s32[] get-dimension-size(y), dimensions={0}\n";
  EXPECT_EQ(readsOf(get, 0), "exact");
  EXPECT_EQ(readsOf(get, 1), "exact () -> ()");
  // No size is above the bound.
  EXPECT_EQ(
      readsOf(set + "  ROOT r = f32[<=4] reverse(y), dimensions={0}\n", 1),
      "exact (d0){rt0} -> (), domain: d0 in [0, 3], rt0 in [1, 4], d0 - "
      "rt0 in [-inf, -1]");
  // The size of a parameter reads no element.
  EXPECT_EQ(readsOf("  p = f32[?] parameter(0)\n"
                    "  ROOT g = s32[] get-dimension-size(p), dimensions={0}\n",
                    0),
            "exact");
}

}  // namespace
}  // namespace indexical::testing
