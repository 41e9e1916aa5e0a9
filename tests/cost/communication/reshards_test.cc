// The bytes that reshards need, compared with an interpreter that follows every
// element of every device by itself.
#include "indexical/cost/communication/reshards.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

using testing::Random;
using Sizes = std::vector<int64_t>;

/// The parts of an element: holder and number, sorted. Empty: no element.
using Element = std::vector<std::pair<int64_t, int64_t>>;

/// An array of one device, row major.
struct Array {
  Sizes sizes;
  std::vector<Element> elements;
};

int64_t countOf(const Sizes &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

Sizes indexOf(int64_t place, const Sizes &sizes) {
  Sizes index(sizes.size());
  for (size_t k = sizes.size(); k-- > 0; place /= sizes[k])
    index[k] = place % sizes[k];
  return index;
}

int64_t placeOf(const Sizes &index, const Sizes &sizes) {
  int64_t place = 0;
  for (size_t k = 0; k < sizes.size(); ++k) place = place * sizes[k] + index[k];
  return place;
}

/// Returns an array whose element at each index is from(index).
Array filled(const Sizes &sizes,
             const std::function<Element(const Sizes &)> &from) {
  Array array{sizes, {}};
  for (int64_t place = 0; place < countOf(sizes); ++place)
    array.elements.push_back(from(indexOf(place, sizes)));
  return array;
}

const Element &at(const Array &array, const Sizes &index) {
  return array.elements[placeOf(index, array.sizes)];
}

std::string join(const Sizes &numbers) {
  std::string text;
  for (int64_t each : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(each);
  return text;
}

/// A program of moves and collectives of one value, as text and as what each
/// device holds.
class RandomRun {
 public:
  explicit RandomRun(uint64_t seed) : random_(seed) {
    devices_ = Sizes{2, 3, 4, 6, 8}[below(5)];
    sizes_.resize(1 + below(3));
    for (int64_t &size : sizes_) size = 1 + below(6);
    holders_.resize(devices_);
    for (int64_t d = 0; d < devices_; ++d) holders_[d] = d;
    std::string sharding;
    if (below(2) == 0) sharding = shardParameter();
    for (int64_t d = 0; d < devices_; ++d)
      now_.push_back(filled(sizes_, [&](const Sizes &index) {
        return Element{{holders_[d], placeOf(index, sizes_)}};
      }));
    text_ = "  x = f32[" + join(sizes_) + "] parameter(0)" + sharding +
            "\n  p = u32[] partition-id()\n  zero = f32[] constant(0)\n";
    name_ = "x";
    const int64_t steps = 1 + below(5);
    for (int64_t s = 0; s < steps; ++s) step();
    if (!isBehind_) gather();
    read();
    text_ = "HloModule m, num_partitions=" + std::to_string(devices_) +
            "\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
            "  ROOT c = f32[] add(a, b)\n}\n" +
            outside_ + "ENTRY e {\n" + text_ + "  ROOT t = (" + types_ +
            ") tuple(" + results_ + ")\n}\n";
  }

  const std::string &text() const { return text_; }
  int64_t devices() const { return devices_; }

  /// Elements that each device must receive, and messages of all devices.
  std::pair<Sizes, int64_t> needs() const {
    std::map<Element, std::set<int64_t>> needers;
    for (int64_t d = 0; d < devices_; ++d)
      for (const Element &element : used_[d])
        if (!element.empty()) needers[element].insert(d);
    Sizes byDevice(devices_, 0);
    int64_t all = 0;
    for (const auto &[element, devices] : needers) {
      std::set<int64_t> held;
      for (int64_t d = 0; d < devices_; ++d)
        for (const auto &part : element)
          if (holders_[d] == part.first) held.insert(d);
      // A device adds its own parts by itself.
      std::set<int64_t> owners;
      for (const auto &part : element) owners.insert(part.first);
      const int64_t parts = owners.size();
      int64_t met = 0;
      for (int64_t d : devices) {
        met += held.count(d);
        if (parts > 1 || !held.count(d)) ++byDevice[d];
      }
      all += parts == 1 ? devices.size() - met
                        : devices.size() + parts - (met > 0 ? 2 : 1);
    }
    return {byDevice, all};
  }

 private:
  int64_t below(int64_t n) { return random_.in(0, n - 1); }

  std::string shardParameter() {
    // Only which devices are copies matters here: the shape is local.
    Sizes copies;
    for (int64_t c = 1; c <= devices_; ++c)
      if (devices_ % c == 0) copies.push_back(c);
    const int64_t c = copies[below(copies.size())];
    for (int64_t d = 0; d < devices_; ++d) holders_[d] = d / c * c;
    Sizes grid(sizes_.size(), 1);
    grid[0] = devices_ / c;
    grid.push_back(c);
    isSharded_ = true;
    return ", sharding={devices=[" + join(grid) + "]<=[" +
           std::to_string(devices_) + "] last_tile_dim_replicate}";
  }

  std::string define(const std::string &op, const Sizes &sizes,
                     const std::string &operands, const std::string &more) {
    const std::string name = "v" + std::to_string(count_++);
    text_ += "  " + name + " = f32[" + join(sizes) + "] " + op + "(" +
             operands + ")" + (more.empty() ? "" : ", " + more) + "\n";
    return name;
  }

  /// Applies one move on every device.
  void moveAll(const std::string &op, const Sizes &to, const std::string &more,
               const std::function<Element(const Array &, const Sizes &)> &from,
               const std::string &operands = "") {
    name_ = define(op, to, operands.empty() ? name_ : operands, more);
    for (Array &array : now_)
      array =
          filled(to, [&](const Sizes &index) { return from(array, index); });
  }

  std::vector<Sizes> groups() {
    Sizes members(devices_);
    for (int64_t d = 0; d < devices_; ++d) members[d] = d;
    for (size_t k = members.size(); k > 1; --k)
      std::swap(members[k - 1], members[below(k)]);
    Sizes fits;
    for (int64_t n = 1; n <= devices_; ++n)
      if (devices_ % n == 0) fits.push_back(n);
    const int64_t n = fits[below(fits.size())];
    std::vector<Sizes> lists;
    for (int64_t d = 0; d < devices_; d += n)
      lists.emplace_back(members.begin() + d, members.begin() + d + n);
    return lists;
  }

  std::string attributes(const std::vector<Sizes> &lists) {
    std::string text = "channel_id=" + std::to_string(++count_) +
                       ", use_global_device_ids=true, replica_groups={";
    for (const Sizes &list : lists)
      text += (text.back() == '{' ? "{" : ",{") + join(list) + "}";
    return text + "}";
  }

  void gather() {
    const auto lists = groups();
    const size_t k = below(now_[0].sizes.size());
    Sizes to = now_[0].sizes;
    const int64_t part = to[k];
    to[k] *= lists[0].size();
    if (countOf(to) > 3000) return reduce();
    name_ =
        define("all-gather", to, name_,
               "dimensions={" + std::to_string(k) + "}, " + attributes(lists));
    std::vector<Array> next(devices_);
    for (const Sizes &list : lists)
      for (int64_t d : list)
        next[d] = filled(to, [&](Sizes index) {
          const int64_t member = list[index[k] / part];
          index[k] %= part;
          return at(now_[member], index);
        });
    now_ = next;
    isBehind_ = true;
  }

  /// Sums over groups; the parts of an element that no member has are none.
  std::vector<Array> sums(const std::vector<Sizes> &lists) const {
    std::vector<Array> next(devices_);
    for (const Sizes &list : lists)
      for (int64_t d : list)
        next[d] = filled(now_[d].sizes, [&](const Sizes &index) {
          Element sum;
          for (int64_t member : list) {
            const Element &its = at(now_[member], index);
            sum.insert(sum.end(), its.begin(), its.end());
          }
          std::sort(sum.begin(), sum.end());
          return sum;
        });
    return next;
  }

  void reduce() {
    const auto lists = groups();
    name_ = define("all-reduce", now_[0].sizes, name_,
                   attributes(lists) + ", to_apply=add");
    now_ = sums(lists);
    isBehind_ = true;
  }

  void scatter() {
    const auto lists = groups();
    const int64_t n = lists[0].size();
    const size_t k = below(now_[0].sizes.size());
    Sizes to = now_[0].sizes;
    if (to[k] % n) return reduce();
    to[k] /= n;
    name_ = define("reduce-scatter", to, name_,
                   "dimensions={" + std::to_string(k) + "}, " +
                       attributes(lists) + ", to_apply=add");
    const std::vector<Array> whole = sums(lists);
    for (const Sizes &list : lists)
      for (int64_t place = 0; place < n; ++place)
        now_[list[place]] = filled(to, [&](Sizes index) {
          index[k] += place * to[k];
          return at(whole[list[place]], index);
        });
    isBehind_ = true;
  }

  void exchange() {
    const auto lists = groups();
    const int64_t n = lists[0].size();
    const size_t k = below(now_[0].sizes.size());
    const Sizes to = now_[0].sizes;
    if (to[k] % n) return permute();
    name_ =
        define("all-to-all", to, name_,
               "dimensions={" + std::to_string(k) + "}, " + attributes(lists));
    const int64_t part = to[k] / n;
    std::vector<Array> next(devices_);
    for (const Sizes &list : lists)
      for (int64_t place = 0; place < n; ++place)
        next[list[place]] = filled(to, [&](Sizes index) {
          const int64_t member = list[index[k] / part];
          index[k] = index[k] % part + place * part;
          return at(now_[member], index);
        });
    now_ = next;
    isBehind_ = true;
  }

  void permute() {
    Sizes sources(devices_), targets(devices_);
    for (int64_t d = 0; d < devices_; ++d) sources[d] = targets[d] = d;
    for (Sizes *list : {&sources, &targets})
      for (size_t k = list->size(); k > 1; --k)
        std::swap((*list)[k - 1], (*list)[below(k)]);
    const int64_t count = 1 + below(devices_);
    std::string pairs;
    std::vector<Array> next(devices_, filled(now_[0].sizes, [](const Sizes &) {
                              return Element();
                            }));
    for (int64_t k = 0; k < count; ++k) {
      pairs += (k ? ",{" : "{") + std::to_string(sources[k]) + "," +
               std::to_string(targets[k]) + "}";
      next[targets[k]] = now_[sources[k]];
    }
    name_ = define("collective-permute", now_[0].sizes, name_,
                   "channel_id=" + std::to_string(++count_) +
                       ", source_target_pairs={" + pairs + "}");
    now_ = next;
    isBehind_ = true;
  }

  void move() {
    const Sizes from = now_[0].sizes;
    const size_t k = below(from.size());
    Sizes to = from;
    switch (below(7)) {
      case 0: {
        std::rotate(to.begin(), to.begin() + k, to.end());
        Sizes order(from.size());
        for (size_t j = 0; j < order.size(); ++j)
          order[j] = (j + k) % order.size();
        return moveAll("transpose", to, "dimensions={" + join(order) + "}",
                       [order](const Array &array, const Sizes &index) {
                         Sizes old(index.size());
                         for (size_t j = 0; j < order.size(); ++j)
                           old[order[j]] = index[j];
                         return at(array, old);
                       });
      }
      case 1: {
        // Another way to cut the same number of elements.
        int64_t rest = countOf(from);
        to.clear();
        while (rest > 1 && to.size() < 3) {
          Sizes fits;
          for (int64_t n = 1; n <= rest; ++n)
            if (rest % n == 0) fits.push_back(n);
          to.push_back(to.size() == 2 ? rest : fits[below(fits.size())]);
          rest /= to.back();
        }
        if (rest > 1 || to.empty()) to.push_back(rest);
        return moveAll("reshape", to, "",
                       [to](const Array &array, const Sizes &index) {
                         return array.elements[placeOf(index, to)];
                       });
      }
      case 2: {
        const int64_t begin = below(from[k]);
        const int64_t step = 1 + below(2);
        const int64_t end = begin + 1 + below(from[k] - begin);
        to[k] = (end - begin + step - 1) / step;
        std::string text = "slice={";
        for (size_t j = 0; j < from.size(); ++j)
          text += (j ? ", [" : "[") + std::to_string(j == k ? begin : 0) + ":" +
                  std::to_string(j == k ? end : from[j]) + ":" +
                  std::to_string(j == k ? step : 1) + "]";
        return moveAll("slice", to, text + "}",
                       [=](const Array &array, Sizes index) {
                         index[k] = begin + step * index[k];
                         return at(array, index);
                       });
      }
      case 3:
        return moveAll("reverse", to, "dimensions={" + std::to_string(k) + "}",
                       [=](const Array &array, Sizes index) {
                         index[k] = from[k] - 1 - index[k];
                         return at(array, index);
                       });
      case 4: {
        const int64_t low = below(3), high = below(3);
        to[k] += low + high;
        std::string text;
        for (size_t j = 0; j < from.size(); ++j)
          text += (j ? "x" : "") +
                  (j == k ? std::to_string(low) + "_" + std::to_string(high)
                          : std::string("0_0"));
        return moveAll(
            "pad", to, "padding=" + text,
            [=](const Array &array, Sizes index) {
              index[k] -= low;
              return index[k] < 0 || index[k] >= from[k] ? Element()
                                                         : at(array, index);
            },
            name_ + ", zero");
      }
      case 5: {
        Sizes kept;
        to.insert(to.begin() + k, 1 + below(2));
        for (size_t j = 0; j < to.size(); ++j)
          if (j != k) kept.push_back(j);
        return moveAll("broadcast", to, "dimensions={" + join(kept) + "}",
                       [=](const Array &array, Sizes index) {
                         index.erase(index.begin() + k);
                         return at(array, index);
                       });
      }
      default:
        return sliceByDevice(k);
    }
  }

  /// A slice at an offset of a table, in a fusion as often as not.
  void sliceByDevice(size_t k) {
    const Sizes from = now_[0].sizes;
    Sizes to = from, starts;
    to[k] = 1 + below(from[k]);
    for (int64_t d = 0; d < devices_; ++d) starts.push_back(below(from[k] + 2));
    const std::string n = std::to_string(count_++);
    const bool isFused = below(2) == 0;
    std::string body;
    const std::string x = isFused ? "fx" + n : name_,
                      p = isFused ? "fp" + n : "p";
    body += "  table" + n + " = s32[" + std::to_string(devices_) +
            "] constant({" + join(starts) + "})\n";
    body += "  row" + n + " = s32[1] dynamic-slice(table" + n + ", " + p +
            "), dynamic_slice_sizes={1}\n";
    body += "  o" + n + " = s32[] reshape(row" + n + ")\n";
    body += "  none" + n + " = s32[] constant(0)\n";
    std::string indices;
    for (size_t j = 0; j < from.size(); ++j)
      indices += j == k ? ", o" + n : ", none" + n;
    const std::string slice = "cut" + n + " = f32[" + join(to) +
                              "] dynamic-slice(" + x + indices +
                              "), dynamic_slice_sizes={" + join(to) + "}\n";
    if (isFused) {
      outside_ += "fused" + n + " {\n  fx" + n + " = f32[" + join(from) +
                  "] parameter(0)\n  fp" + n + " = u32[] parameter(1)\n" +
                  body + "  ROOT " + slice + "}\n";
      text_ += "  f" + n + " = f32[" + join(to) + "] fusion(" + name_ +
               ", p), kind=kLoop, calls=fused" + n + "\n";
      name_ = "f" + n;
    } else {
      text_ += body + "  " + slice;
      name_ = "cut" + n;
    }
    for (int64_t d = 0; d < devices_; ++d) {
      const Array array = now_[d];
      const int64_t start = std::min(starts[d], from[k] - to[k]);
      now_[d] = filled(to, [&](Sizes index) {
        index[k] += start;
        return at(array, index);
      });
    }
  }

  void step() {
    switch (below(9)) {
      case 0:
        gather();
        break;
      case 1:
        reduce();
        break;
      case 2:
        scatter();
        break;
      case 3:
        exchange();
        break;
      case 4:
        permute();
        break;
      default:
        move();
        break;
    }
    // The array behind a collective may be read before the next one, too.
    if (isBehind_ && below(4) == 0) read();
  }

  /// Uses all of the array.
  void read() {
    const Sizes sizes = now_[0].sizes;
    const std::string name = define("exponential", sizes, name_, "");
    types_ += (types_.empty() ? "f32[" : ", f32[") + join(sizes) + "]";
    results_ += (results_.empty() ? "" : ", ") + name;
    used_.resize(devices_);
    for (int64_t d = 0; d < devices_; ++d)
      used_[d].insert(now_[d].elements.begin(), now_[d].elements.end());
  }

  Random random_;
  int64_t devices_ = 2, count_ = 0;
  Sizes sizes_, holders_;
  bool isSharded_ = false, isBehind_ = false;
  std::string text_, outside_, name_, types_, results_;
  std::vector<Array> now_;
  std::vector<std::set<Element>> used_;
};

TEST(ReshardsTest, RandomRunsNeedWhatAnInterpreterSays) {
  const uint64_t instances =
      testing::fromEnvironment("INDEXICAL_RESHARDS", 1500);
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  int64_t followed = 0, saves = 0;
  for (uint64_t i = seed; i < seed + instances; ++i) {
    const RandomRun run(i);
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(i) + "\n" + run.text());
    auto program = parseHlo(run.text());
    ASSERT_TRUE(program.ok()) << program.status();
    const Module &module = program->modules[0];
    const DeviceCounts devices = deviceCountsOf(*program, module);
    ASSERT_EQ(devices.all(), run.devices());
    auto collectives = collectivesOf(*program, module, devices);
    ASSERT_TRUE(collectives.ok()) << collectives.status();
    const auto reshards = reshardsOf(*program, module, devices, *collectives);
    ASSERT_EQ(reshards.size(), 1u);
    const Reshard &one = reshards[0];
    ASSERT_EQ(one.collectives.size(), collectives->size());
    int64_t all = 0;
    for (const Collective &each : *collectives) all += *each.all(each.bytes());
    ASSERT_EQ(one.all, all);
    const auto [byDevice, needed] = run.needs();
    if (!one.isFollowed) {
      ASSERT_EQ(one.neededAll, all);
      continue;
    }
    ++followed;
    ASSERT_EQ(one.neededAll, std::min(4 * needed, all));
    if (one.isExact) {
      ASSERT_LE(4 * needed, all);
    }
    ASSERT_EQ(one.needed.lower,
              4 * *std::min_element(byDevice.begin(), byDevice.end()));
    ASSERT_EQ(one.needed.upper,
              4 * *std::max_element(byDevice.begin(), byDevice.end()));
    saves += one.saved() > 0;
  }
  std::cout << followed << " of " << instances << " runs followed, " << saves
            << " move more than they need\n";
  EXPECT_GT(followed * 10, static_cast<int64_t>(instances) * 8);
  EXPECT_GT(saves * 4, static_cast<int64_t>(instances));
}

}  // namespace
}  // namespace indexical
