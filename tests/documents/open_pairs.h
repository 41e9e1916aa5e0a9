// Random pairs of programs whose sizes are not known, and what they do on
// numbers.
//
//   func.func @main(%x: tensor<?xf32>, %n0: tensor<1xi64>, …)
//     %v0 = stablehlo.dynamic_broadcast_in_dim %x, %n0, dims = [0] …
//     return %v0
//
// A program is a list of steps. A step is written as text, and evaluated by a
// function of its own, from the specification of StableHLO: it says which
// elements an element reads, and which sizes and values break a constraint.
// Nothing of the library has a part in that.
#ifndef INDEXICAL_TESTS_DOCUMENTS_OPEN_PAIRS_H
#define INDEXICAL_TESTS_DOCUMENTS_OPEN_PAIRS_H

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "tests/support/random.h"

namespace indexical::testing {

using Numbers = std::vector<int64_t>;

/// An array of a run: what each of its elements depends on.
struct RunArray {
  using Element = std::pair<std::string, Numbers>;  ///< of a parameter
  Numbers sizes;
  std::map<Numbers, std::set<Element>> reads;  ///< by index
};

/// Numbers for the parameters: sizes of arrays, and elements of lists.
struct RunNumbers {
  std::map<std::string, Numbers> sizes, lists;
};

/// Calls `visit` with each index of an array of these sizes.
inline void eachIndex(const Numbers &sizes,
                      const std::function<void(const Numbers &)> &visit) {
  for (int64_t size : sizes)
    if (size <= 0) return;
  Numbers index(sizes.size(), 0);
  while (true) {
    visit(index);
    size_t k = index.size();
    while (k > 0 && ++index[k - 1] == sizes[k - 1]) index[--k] = 0;
    if (k == 0) return;
  }
}

/// The number of an index, row after row, and back.
inline int64_t linear(const Numbers &index, const Numbers &sizes) {
  int64_t number = 0;
  for (size_t k = 0; k < sizes.size(); ++k)
    number = number * sizes[k] + index[k];
  return number;
}
inline Numbers delinear(int64_t number, const Numbers &sizes) {
  Numbers index(sizes.size());
  for (size_t k = sizes.size(); k-- > 0; number /= sizes[k])
    index[k] = number % sizes[k];
  return index;
}

/// One op: its text, and what it makes of an array. It returns nothing if a
/// constraint is broken.
struct OpenStep {
  using Text = std::function<std::string(const std::string &from,
                                         const std::string &to)>;
  using Run = std::function<std::optional<RunArray>(const RunArray &,
                                                    const RunNumbers &)>;
  int64_t rankBefore, rankAfter;
  std::string name;
  Text text;
  Run run;
};

/// The parameters of a pair of programs, and the steps that can be made of
/// them.
class OpenSteps {
 public:
  explicit OpenSteps(Random &random) : random_(random) {
    rank_ = random.in(1, 2);
    otherRank_ = random.in(1, 2);
  }

  int64_t rank() const { return rank_; }
  OpenStep draw(int64_t rank) {
    while (true)
      if (auto step = drawOne(rank)) return *std::move(step);
  }
  /// Returns a step of the same ranks, or nothing if none came up.
  std::optional<OpenStep> drawLike(const OpenStep &step) {
    for (int tries = 0; tries < 40; ++tries)
      if (auto other = drawOne(step.rankBefore);
          other && other->rankAfter == step.rankAfter)
        return other;
    return std::nullopt;
  }

  /// The text of the program. All lists are parameters of both programs, so it
  /// is asked for when both have been drawn.
  std::string text(const std::vector<OpenStep> &steps) const {
    std::string parameters =
        absl::StrCat("%x: ", type(rank_), ", %y: ", type(otherRank_));
    for (const auto &[name, count] : lists_)
      absl::StrAppend(&parameters, ", %", name, ": ", listType(count));
    std::string body, last = "%x";
    int64_t rank = rank_;
    for (const OpenStep &step : steps) {
      const std::string result = absl::StrCat("%v", body.size());
      absl::StrAppend(&body, step.text(last, result));
      last = result;
      rank = step.rankAfter;
    }
    return absl::StrCat("func.func @main(", parameters, ") -> ", type(rank),
                        " {\n", body, "  return ", last, " : ", type(rank),
                        "\n}\n");
  }

  std::optional<RunArray> run(const std::vector<OpenStep> &steps,
                              const RunNumbers &numbers) const {
    std::optional<RunArray> at = parameter("x", numbers);
    for (const OpenStep &step : steps) {
      at = step.run(*at, numbers);
      if (!at) return std::nullopt;
      for (int64_t size : at->sizes)
        if (size < 0) return std::nullopt;
    }
    return at;
  }

  /// Random small numbers for all parameters, in the range of what is usual.
  RunNumbers numbers(Random &random) const {
    RunNumbers drawn;
    const int64_t usual = random.in(1, 3);
    auto one = [&] { return random.oneIn(3) ? random.in(0, 4) : usual; };
    for (int64_t k = 0; k < rank_; ++k) drawn.sizes["x"].push_back(one());
    for (int64_t k = 0; k < otherRank_; ++k) drawn.sizes["y"].push_back(one());
    for (const auto &[name, count] : lists_)
      for (int64_t k = 0; k < count; ++k) drawn.lists[name].push_back(one());
    return drawn;
  }
  /// The parameters in order: arrays, and lists with their lengths.
  const std::vector<std::pair<std::string, int64_t>> &lists() const {
    return lists_;
  }
  int64_t rankOf(const std::string &array) const {
    return array == "x" ? rank_ : otherRank_;
  }

 private:
  static std::string type(int64_t rank) {
    std::string text = "tensor<";
    for (int64_t k = 0; k < rank; ++k) text += "?x";
    return text + "f32>";
  }
  static std::string listType(int64_t count) {
    return absl::StrCat("tensor<", count, "xi64>");
  }
  static RunArray parameter(const std::string &name,
                            const RunNumbers &numbers) {
    RunArray array;
    array.sizes = numbers.sizes.at(name);
    eachIndex(array.sizes, [&](const Numbers &index) {
      array.reads[index] = {{name, index}};
    });
    return array;
  }
  /// A list of `count` numbers: a new parameter, or one that there is.
  std::string list(int64_t count) {
    for (const auto &[name, has] : lists_)
      if (has == count && random_.oneIn(2)) return name;
    lists_.push_back({absl::StrCat("n", lists_.size()), count});
    return lists_.back().first;
  }
  /// Makes an array, of which each element reads all elements of the lists, and
  /// what `of` says.
  static RunArray make(
      const Numbers &sizes, const std::vector<std::string> &lists,
      const RunNumbers &numbers,
      const std::function<std::set<RunArray::Element>(const Numbers &)> &of) {
    std::set<RunArray::Element> all;
    for (const std::string &name : lists)
      for (size_t k = 0; k < numbers.lists.at(name).size(); ++k)
        all.insert({name, {static_cast<int64_t>(k)}});
    RunArray array;
    array.sizes = sizes;
    eachIndex(sizes, [&](const Numbers &index) {
      auto reads = of(index);
      reads.insert(all.begin(), all.end());
      array.reads[index] = std::move(reads);
    });
    return array;
  }

  std::optional<OpenStep> drawOne(int64_t rank);
  OpenStep reverse(int64_t rank);
  OpenStep transpose();
  OpenStep broadcast(int64_t rank, bool ofSizes);
  OpenStep reshape(int64_t rank);
  OpenStep pad(int64_t rank, bool isDynamic);
  OpenStep slice(int64_t rank);
  OpenStep gather(int64_t rank);
  OpenStep iota(int64_t rank);
  OpenStep addOther();
  OpenStep concatenate();
  OpenStep reduce(int64_t rank);
  OpenStep dot();

  Random &random_;
  int64_t rank_, otherRank_;
  std::vector<std::pair<std::string, int64_t>> lists_;
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_DOCUMENTS_OPEN_PAIRS_H
