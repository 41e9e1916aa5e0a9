// Random programs of sizes that are not known, and their twins with the sizes
// written in, each a text of its own.
//
//   func.func @main(%x: tensor<?x3xf32>) -> tensor<?xf32>      text(false)
//   func.func @main(%x: tensor<2x3xf32>) -> tensor<6xf32>      text(true)
#ifndef INDEXICAL_TESTS_DOCUMENTS_OPEN_PROGRAMS_H
#define INDEXICAL_TESTS_DOCUMENTS_OPEN_PROGRAMS_H

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/ArrayRef.h"

#include "tests/support/random.h"

namespace indexical::testing {

/// A size of the run, and whether the program says it.
struct RunSize {
  int64_t value = 1;
  bool isOpen = false;
};
using RunSizes = std::vector<RunSize>;

/// One program in both forms, grown op by op.
class OpenProgram {
 public:
  /// `open` has values of the argument's open sizes, instead of random ones.
  /// The draws do not depend on these values.
  explicit OpenProgram(Random &random, llvm::ArrayRef<int64_t> open = {})
      : random_(random) {
    const int64_t rank = random.in(1, 3);
    for (int64_t k = 0; k < rank; ++k)
      at_.push_back({random.in(1, 5), !random.oneIn(3)});
    for (RunSize &size : at_)
      if (size.isOpen && !open.empty()) {
        size.value = open.front();
        open = open.drop_front();
      }
    argument_ = at_;
    for (int64_t steps = random.in(1, 5); steps > 0; --steps) step();
  }

  const RunSizes &argument() const { return argument_; }
  const RunSizes &result() const { return at_; }

  std::string text(bool isStatic) const {
    auto typed = [&](const RunSizes &sizes) { return type(sizes, isStatic); };
    return absl::StrCat("func.func @main(%x: ", typed(argument_), ") -> ",
                        typed(at_), " {\n", isStatic ? fixed_ : open_,
                        "  return ", name(), " : ", typed(at_), "\n}\n");
  }

 private:
  static std::string type(const RunSizes &sizes, bool isStatic) {
    std::string text = "tensor<";
    for (const RunSize &size : sizes)
      absl::StrAppend(&text,
                      isStatic || !size.isOpen ? absl::StrCat(size.value) : "?",
                      "x");
    return text + "f32>";
  }
  std::string name() const { return last_; }

  /// Adds an op in both forms: `%v = op(types)`.
  template <typename Op>
  void add(const RunSizes &to, Op op) {
    const std::string result = absl::StrCat("%v", count_++);
    for (bool isStatic : {false, true})
      absl::StrAppend(isStatic ? &fixed_ : &open_, "  ", result, " = ",
                      op(type(at_, isStatic), type(to, isStatic)), "\n");
    last_ = result;
    at_ = to;
  }

  void step() {
    const int64_t rank = at_.size();
    const std::string x = name();
    switch (random_.in(0, 6)) {
      case 0: {
        const auto order = random_.permutation(rank);
        RunSizes to;
        for (int64_t k : order) to.push_back(at_[k]);
        return add(to, [&](auto from, auto type) {
          return absl::StrCat("stablehlo.transpose ", x, ", dims = [",
                              absl::StrJoin(order, ", "), "] : (", from,
                              ") -> ", type);
        });
      }
      case 1:
        if (rank == 0) return;
        return add(at_, [&](auto, auto type) {
          return absl::StrCat("stablehlo.reverse ", x, ", dims = [",
                              random_.in(0, 0), "] : ", type);
        });
      case 2:
        return add(at_, [&](auto, auto type) {
          return absl::StrCat("stablehlo.add ", x, ", ", x, " : ", type);
        });
      case 3: {
        if (rank == 0) return;
        const int64_t along = random_.in(0, rank - 1);
        RunSizes to = at_;
        to[along].value *= 2;
        return add(to, [&](auto from, auto type) {
          return absl::StrCat("stablehlo.concatenate ", x, ", ", x,
                              ", dim = ", along, " : (", from, ", ", from,
                              ") -> ", type);
        });
      }
      case 4: {
        if (rank < 2) return;
        const int64_t along = random_.in(0, rank - 1);
        RunSizes to = at_;
        to.erase(to.begin() + along);
        const std::string z = absl::StrCat("%z", count_);
        for (std::string *text : {&open_, &fixed_})
          absl::StrAppend(text, "  ", z,
                          " = stablehlo.constant dense<0.0> : tensor<f32>\n");
        return add(to, [&](auto from, auto type) {
          return absl::StrCat("stablehlo.reduce(", x, " init: ", z,
                              ") applies stablehlo.add across dimensions = [",
                              along, "] : (", from, ", tensor<f32>) -> ", type);
        });
      }
      case 5: {
        if (rank == 0) return;
        const int64_t along = random_.in(0, rank - 1);
        const int64_t low = random_.in(0, 2), high = random_.in(0, 2);
        RunSizes to = at_;
        to[along].value += low + high;
        std::vector<int64_t> lows(rank, 0), highs(rank, 0), none(rank, 0);
        lows[along] = low, highs[along] = high;
        const std::string z = absl::StrCat("%z", count_);
        for (std::string *text : {&open_, &fixed_})
          absl::StrAppend(text, "  ", z,
                          " = stablehlo.constant dense<0.0> : tensor<f32>\n");
        return add(to, [&](auto from, auto type) {
          return absl::StrCat("stablehlo.pad ", x, ", ", z, ", low = [",
                              absl::StrJoin(lows, ", "), "], high = [",
                              absl::StrJoin(highs, ", "), "], interior = [",
                              absl::StrJoin(none, ", "), "] : (", from,
                              ", tensor<f32>) -> ", type);
        });
      }
      default:
        flatten(x);
    }
  }

  /// Reshapes an array to one row, whose size the program computes.
  void flatten(const std::string &x) {
    RunSize all = {1, false};
    for (const RunSize &size : at_)
      all = {all.value * size.value, all.isOpen || size.isOpen};
    if (!all.isOpen || at_.size() < 2) return;
    std::string product;
    for (size_t k = 0; k < at_.size(); ++k) {
      const std::string n = absl::StrCat("%n", count_, "_", k);
      for (bool isStatic : {false, true})
        absl::StrAppend(isStatic ? &fixed_ : &open_, "  ", n,
                        " = stablehlo.get_dimension_size ", x, ", dim = ", k,
                        " : (", type(at_, isStatic), ") -> tensor<i32>\n");
      if (k == 0) {
        product = n;
        continue;
      }
      const std::string p = absl::StrCat("%p", count_, "_", k);
      for (std::string *text : {&open_, &fixed_})
        absl::StrAppend(text, "  ", p, " = stablehlo.multiply ", product, ", ",
                        n, " : tensor<i32>\n");
      product = p;
    }
    const std::string s = absl::StrCat("%s", count_);
    for (std::string *text : {&open_, &fixed_})
      absl::StrAppend(text, "  ", s, " = stablehlo.reshape ", product,
                      " : (tensor<i32>) -> tensor<1xi32>\n");
    add({all}, [&](auto from, auto type) {
      return absl::StrCat("stablehlo.dynamic_reshape ", x, ", ", s, " : (",
                          from, ", tensor<1xi32>) -> ", type);
    });
  }

  Random &random_;
  RunSizes argument_, at_;
  std::string open_, fixed_, last_ = "%x";
  int64_t count_ = 0;
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_DOCUMENTS_OPEN_PROGRAMS_H
