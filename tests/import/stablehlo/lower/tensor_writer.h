// Writes one random function op by op, and computes it.
//
// A TensorWriter is the state of one function: its values so far, and its text.
// Each of its ops draws operands that fit, writes a line and computes the
// result's elements from its definition. An op without operands that fit is
// left out.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_LOWER_TENSOR_WRITER_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_LOWER_TENSOR_WRITER_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "tests/import/stablehlo/lower/random_tensors.h"
#include "tests/support/integer_arithmetic.h"

namespace indexical::testing {

/// Numbers before they are cut to their width.
using Wide = __int128;
using Element = std::function<Wide(const Index &)>;

/// Returns the kind of the integers. Floats are integers of 64 bits here.
IntegerKind kindOf(const NumberTensor &type);
/// Returns the lowest bits of a number, as a number of the element type.
int64_t wrapped(const NumberTensor &type, Wide value);

/// `[1, 2]`, `array<i64: 1, 2>`, `1, 2`.
std::string list(llvm::ArrayRef<int64_t> values);
std::string array(llvm::ArrayRef<int64_t> values);
std::string joined(llvm::ArrayRef<int64_t> values);

class TensorWriter {
 public:
  TensorWriter(Random &random, std::string name)
      : random_(random), name_(std::move(name)) {}

  TensorProgram run();

 private:
  //===-- Values ----------------------------------------------------------===//

  NumberTensor typeOnly(std::string element, Index sizes) {
    NumberTensor value;
    value.element = std::move(element);
    value.sizes = std::move(sizes);
    return value;
  }
  NumberTensor randomTensor() {
    static const char *const kElements[] = {"i32", "i32", "f32", "f64",
                                            "i8",  "ui8", "i64", "i1"};
    Index sizes;
    for (int64_t k = random_.in(0, 3); k > 0; --k)
      sizes.push_back(random_.in(1, 4));
    return filled(typeOnly(kElements[random_.in(0, 7)], sizes));
  }
  NumberTensor filled(NumberTensor value) {
    // The ends of a type, too: what wraps, and what no division is to meet.
    const Wide least = -(Wide{1} << (value.isFloat() ? 9 : value.width() - 1));
    for (int64_t k = countOf(value.sizes); k > 0; --k)
      value.numbers.push_back(wrapped(value, random_.oneIn(8)
                                                 ? least - random_.oneIn(2)
                                                 : random_.in(-9, 12)));
    return value;
  }

  /// Returns a random value of those that fit, or nothing if none does.
  std::optional<size_t> pick(
      const std::function<bool(const NumberTensor &)> &fits) {
    std::vector<size_t> all;
    for (size_t i = 0; i < values_.size(); ++i)
      if (fits(values_[i])) all.push_back(i);
    if (all.empty()) return std::nullopt;
    // The newest ones more often: programs get deep.
    if (random_.oneIn(2)) return all.back();
    return all[random_.in(0, all.size() - 1)];
  }
  size_t any() {
    return *pick([](const NumberTensor &) { return true; });
  }
  size_t like(size_t i) {
    return *pick([&](const NumberTensor &v) {
      return v.element == values_[i].element && v.sizes == values_[i].sizes;
    });
  }
  std::string name(size_t i) const { return "%" + std::to_string(i); }
  std::string type(size_t i) const { return values_[i].type(); }
  int64_t element(size_t i, const Index &index) const {
    return values_[i].numbers[rowMajor(values_[i].sizes, index)];
  }

  /// Adds `%n = text`, whose elements `compute` returns. Leaves the op out and
  /// returns false if a float would be no small integer, or if there are too
  /// many elements.
  bool add(const std::string &text, NumberTensor value,
           const Element &compute) {
    if (countOf(value.sizes) > 200) return false;
    bool isSmall = true;
    forEachIndex(value.sizes, [&](const Index &index) {
      const Wide number = compute(index);
      isSmall &=
          !value.isFloat() || (number < (1 << 20) && number > -(1 << 20));
      value.numbers.push_back(wrapped(value, number));
    });
    if (!isSmall) return false;
    body_ += "  " + name(values_.size()) + " = " + text + "\n";
    values_.push_back(std::move(value));
    return true;
  }

  /// Writes a constant that is not one of the values. Returns its name.
  std::string constant(const NumberTensor &value) {
    const std::string constant = "%c" + std::to_string(constants_++);
    body_ += "  " + constant + " = stablehlo.constant " + value.dense() +
             " : " + value.type() + "\n";
    return constant;
  }

  //===-- Ops -------------------------------------------------------------===//

  void addOp();

  // elementwise_ops.cc
  void unary();
  /// Returns the result of a binary op on two elements of a type.
  int64_t combined(const NumberTensor &v, const std::string &op, int64_t a,
                   int64_t b) const;
  void binary();
  void compare();
  void select();
  void convert();
  void iota();
  void literal();

  // moving_ops.cc
  void transpose();
  void reshape();
  void reverse();
  void slice();
  void pad();
  void broadcast();
  void concatenate();
  /// Returns scalars of one type at which a slice begins. The list is empty if
  /// there are none.
  std::vector<size_t> starts(size_t count);
  Index clampedStarts(llvm::ArrayRef<size_t> starts,
                      llvm::ArrayRef<int64_t> sizes,
                      llvm::ArrayRef<int64_t> window);
  void dynamicSlice();
  void dynamicUpdateSlice();
  /// Gathers rows of x, whose numbers a tensor has.
  void gather();
  /// Scatters slices: each is put into a row of x, or added to the row.
  void scatter();
  void tensorScatter();
  void insertSlice();

  // reducing_ops.cc
  std::string reducer(const NumberTensor &v);
  /// Visits every index of `sizes` that is `kept` at the dimensions not in
  /// `dims`.
  void forEachReduced(const Index &sizes, llvm::ArrayRef<int64_t> dims,
                      const Index &kept,
                      const std::function<void(const Index &)> &visit);
  void reduce();
  /// Writes a reduction to a maximum and a sum. One of the two is kept.
  void twoReductions();
  void reduceWindow();
  /// A function of its own, of one value: x + reverse(x).
  void call();
  std::optional<size_t> signless(size_t rank);
  void matmul();
  /// out[j] = sum over i of x[i, j] * i, or out[j, i] = x[i, j] + j.
  void generic();
  void upstream();

  Random &random_;
  const std::string name_;
  std::vector<NumberTensor> values_;
  std::string body_, helpers_;
  int constants_ = 0;
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_LOWER_TENSOR_WRITER_H
