// An array that is cut into parts, each of which is read where the index is in
// it, and a sum of these: against the numbers of both.
//
//   INDEXICAL_PICKED=50         50 times as many pairs
//   INDEXICAL_SEED=n            beginning with this one
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/values/module_values.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// A type of indices, and its numbers as it wraps them.
struct IndexType {
  const char *name;
  int64_t least, most;

  int64_t wrapped(int64_t value) const {
    const int64_t count = most - least + 1;
    const int64_t rest = ((value - least) % count + count) % count;
    return rest + least;
  }
};
constexpr IndexType kTypes[] = {{"s32", INT32_MIN, INT32_MAX},
                                {"s8", -128, 127},
                                {"u8", 0, 255},
                                {"s16", -32768, 32767}};

/// Reads of a table at clamped indices: of the whole, and of its parts.
struct Lookup {
  const IndexType *type;
  int64_t parts, size;      ///< of each
  int64_t low, high;        ///< the index is clamped between these
  int64_t step, begin;      ///< part d begins at begin + step * d
  int64_t first, last;      ///< of a part: the mask takes these places
  bool isInverted = false;  ///< the mask says where the part is not read
  bool isStrict = false;    ///< `>` and `<=` in place of `>=` and `<`
  bool isTurned = false;    ///< parts are read from their ends
  bool isRight = true;

  int64_t count() const { return parts * size; }

  explicit Lookup(Random &random) {
    type = &kTypes[random.in(0, 3)];
    parts = random.in(1, 4);
    size = random.in(1, 6);
    low = 0;
    high = count() - 1;
    step = size;
    begin = 0;
    first = 0;
    last = size - 1;
    isInverted = random.oneIn(2);
    isStrict = type->least < 0 && random.oneIn(2);
    if (random.oneIn(3)) low = random.in(0, high);
    if (random.oneIn(3)) high = random.in(low, high);
    if (random.oneIn(2)) change(random);
  }

  void change(Random &random) {
    isRight = false;
    switch (random.in(0, 6)) {
      case 0:
        low = std::max(type->least, low - random.in(1, 3));
        break;
      case 1:
        high += random.in(1, 3);
        break;
      case 2:
        step += random.oneIn(2) ? 1 : -1;
        break;
      case 3:
        begin = random.in(1, 2);
        break;
      case 4:
        first += random.oneIn(2) && type->least < 0 ? -1 : 1;
        break;
      case 5:
        last += random.oneIn(2) ? 1 : -1;
        break;
      default:
        isTurned = true;
    }
  }

  std::string head() const {
    const std::string t = type->name;
    return "HloModule m\nadd { a = s32[] parameter(0)\n b = s32[] "
           "parameter(1)\n ROOT r = s32[] add(a, b) }\nENTRY e {\n x = s32[" +
           std::to_string(count()) + "] parameter(0)\n ids = " + t +
           "[3] parameter(1)\n low = " + t + "[] constant(" +
           std::to_string(low) + ")\n high = " + t + "[] constant(" +
           std::to_string(high) + ")\n i = " + t +
           "[3] clamp(low, ids, high)\n";
  }
  std::string whole() const {
    return head() +
           " ROOT g = s32[3] gather(x, i), offset_dims={}, "
           "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
           "slice_sizes={1}\n}\n";
  }
  std::string cut() const {
    const std::string t = type->name, n = std::to_string(parts),
                      two = "[" + n + ",3]";
    auto all = [&](const std::string &name, int64_t value) {
      return " " + name + "0 = " + t + "[] constant(" + std::to_string(value) +
             ")\n " + name + " = " + t + two + " broadcast(" + name +
             "0), dimensions={}\n";
    };
    const int64_t from = isStrict ? first - 1 : first,
                  to = isStrict ? last : last + 1;
    const char *above = isStrict ? "GT" : "GE", *below = isStrict ? "LE" : "LT";
    if (isInverted) {
      above = isStrict ? "LE" : "LT";
      below = isStrict ? "GT" : "GE";
    }
    std::string text = head() + " y = s32[" + n + "," + std::to_string(size) +
                       "] reshape(x)\n";
    text += " p = s32[" + n + "," + std::to_string(size) + "] " +
            (isTurned ? "reverse(y), dimensions={1}" : "copy(y)") + "\n";
    text += " d = " + t + two + " iota(), iota_dimension=0\n" +
            all("step", step) + all("begin", begin) + all("from", from) +
            all("to", to);
    text += " o = " + t + two + " multiply(d, step)\n q = " + t + two +
            " add(o, begin)\n ib = " + t + two +
            " broadcast(i), dimensions={1}\n j = " + t + two +
            " subtract(ib, q)\n";
    text += " c = pred" + two + " compare(j, from), direction=" + above +
            "\n e = pred" + two + " compare(j, to), direction=" + below +
            "\n m = pred" + two + (isInverted ? " or" : " and") + "(c, e)\n";
    text +=
        " g = s32" + two +
        " gather(p, j), offset_dims={}, collapsed_slice_dims={1}, "
        "start_index_map={1}, operand_batching_dims={0}, "
        "start_indices_batching_dims={0}, index_vector_dim=2, "
        "slice_sizes={1,1}\n z = s32[] constant(0)\n zs = s32" +
        two + " broadcast(z), dimensions={}\n s = s32" + two + " select(m, " +
        (isInverted ? "zs, g" : "g, zs") +
        ")\n ROOT r = s32[3] reduce(s, z), dimensions={0}, to_apply=add\n}\n";
    return text;
  }

  /// What the whole, and the sum of the parts, have for an id. The table has
  /// 1000 + k at place k.
  int64_t wholeAt(int64_t id) const {
    const int64_t i = std::min(std::max(id, low), high);
    return 1000 + std::min(std::max<int64_t>(i, 0), count() - 1);
  }
  int64_t cutAt(int64_t id) const {
    const int64_t i = std::min(std::max(id, low), high);
    int64_t sum = 0;
    for (int64_t d = 0; d < parts; ++d) {
      const int64_t at = type->wrapped(type->wrapped(d * step) + begin);
      const int64_t j = type->wrapped(i - at);
      if (j < first || j > last) continue;
      const int64_t place = std::min(std::max<int64_t>(j, 0), size - 1);
      sum += 1000 + d * size + (isTurned ? size - 1 - place : place);
    }
    return sum;
  }
  bool agrees() const {
    std::vector<int64_t> ids;
    for (int64_t id = -40; id <= 300; ++id) ids.push_back(id);
    for (int64_t k = 0; k < 40; ++k) {
      ids.push_back(type->least + k);
      ids.push_back(type->most - k);
    }
    for (int64_t id : ids)
      if (id >= type->least && id <= type->most && wholeAt(id) != cutAt(id))
        return false;
    return true;
  }
};

TEST(PickedSummandsTest, PartsOfATable) {
  const uint64_t instances = 400 * fromEnvironment("INDEXICAL_PICKED", 1);
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  int64_t equal = 0, different = 0, proved = 0, shown = 0;
  for (uint64_t k = seed; k < seed + instances; ++k) {
    Random random(k);
    const Lookup lookup(random);
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(k) + "\n" + lookup.whole() +
                 lookup.cut());
    auto whole = parseHlo(lookup.whole()), cut = parseHlo(lookup.cut());
    ASSERT_TRUE(whole.ok()) << whole.status();
    ASSERT_TRUE(cut.ok()) << cut.status();
    auto values =
        compareValues(whole->modules[0], cut->modules[0], {}, {}, nullptr);
    ASSERT_TRUE(values.ok()) << values.status();
    const bool agrees = lookup.agrees();
    ++(agrees ? equal : different);
    proved += values->isEqual;
    shown += values->isDifferent;
    ASSERT_FALSE(values->isEqual && !agrees);
    ASSERT_FALSE(values->isDifferent && agrees);
    // Unsigned differences wrap, and so may those of s8.
    if (lookup.isRight && lookup.type->name == std::string("s32")) {
      ASSERT_TRUE(values->isEqual);
    }
  }
  std::printf(
      "%lld the same, of these %lld equal; %lld other ones, of these %lld "
      "different\n",
      static_cast<long long>(equal), static_cast<long long>(proved),
      static_cast<long long>(different), static_cast<long long>(shown));
  EXPECT_GT(proved, static_cast<int64_t>(instances) / 4);
  EXPECT_GT(shown, static_cast<int64_t>(instances) / 8);
}

}  // namespace
}  // namespace indexical::testing
