// Random layouts of shapes and strides, with values from their definition
// alone.
#ifndef INDEXICAL_TESTS_LAYOUT_RANDOM_LAYOUTS_H
#define INDEXICAL_TESTS_LAYOUT_RANDOM_LAYOUTS_H

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace indexical::layouts::testing {

/// Returns how many instances to try: `usual`, or INDEXICAL_LAYOUTS.
inline int instances(int usual) {
  const char *given = std::getenv("INDEXICAL_LAYOUTS");
  return given ? std::atoi(given) : usual;
}

/// A flat shape with strides.
struct Modes {
  std::vector<std::pair<int64_t, int64_t>> modes;

  int64_t points() const {
    int64_t all = 1;
    for (const auto &[size, stride] : modes) all *= size;
    return all;
  }
  /// Returns the value at a linear index; the last mode goes on.
  int64_t at(int64_t index) const {
    int64_t value = 0;
    for (size_t k = 0; k < modes.size(); ++k) {
      const auto &[size, stride] = modes[k];
      value += (k + 1 == modes.size() ? index : index % size) * stride;
      index /= size;
    }
    return value;
  }
  int64_t greatest() const {
    int64_t most = at(0);
    for (int64_t i = 1; i < points(); ++i) most = std::max(most, at(i));
    return most;
  }
  std::string text() const {
    std::string shape, strides;
    for (const auto &[size, stride] : modes) {
      shape += (shape.empty() ? "" : ",") + std::to_string(size);
      strides += (strides.empty() ? "" : ",") + std::to_string(stride);
    }
    if (modes.size() == 1) return shape + ":" + strides;
    return "(" + shape + "):(" + strides + ")";
  }
};

class RandomModes {
 public:
  explicit RandomModes(uint32_t seed) : random_(seed) {}

  int64_t number(int64_t least, int64_t most) {
    return std::uniform_int_distribution<int64_t>(least, most)(random_);
  }
  /// Returns modes of up to `most` points: strides from 0 to 24, or a chain in
  /// which each is a multiple of the reach so far, in any order.
  Modes modes(int64_t most) {
    static constexpr int64_t kSizes[] = {1, 2, 2, 3, 4, 4, 5, 6, 8};
    Modes made;
    const bool isChain = number(0, 1) == 1;
    int64_t reach = 1, points = 1;
    for (int64_t left = number(1, 4); left > 0; --left) {
      const int64_t size = kSizes[number(0, 8)];
      if (points * size > most && !made.modes.empty()) break;
      points *= size;
      if (isChain && number(0, 4) == 0) reach *= number(2, 3);
      made.modes.push_back({size, isChain ? reach : number(0, 24)});
      if (isChain) reach *= size;
    }
    for (size_t k = made.modes.size(); k > 1; --k)
      std::swap(made.modes[k - 1], made.modes[number(0, k - 1)]);
    return made;
  }
  std::mt19937 &engine() { return random_; }

 private:
  std::mt19937 random_;
};

}  // namespace indexical::layouts::testing

#endif  // INDEXICAL_TESTS_LAYOUT_RANDOM_LAYOUTS_H
