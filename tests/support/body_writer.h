// The instructions of a random computation, one op at a time.
//
//   BodyWriter writer(random, called, text);
//   writer.parameter(array);  // p0 = f32[2,3] parameter(0)
//   writer.ops(4);            // v0 = … v1 = … tuples, calls, branches, loops
//   writer.root();            // ROOT root = …
//
// An op's operands (an array of some rank, integers that steer) are chosen
// among the arrays that exist. An array is made if none of them fits.
#ifndef INDEXICAL_TESTS_SUPPORT_BODY_WRITER_H
#define INDEXICAL_TESTS_SUPPORT_BODY_WRITER_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include "tests/support/program_parts.h"
#include "tests/support/random.h"
#include "tests/support/random_products.h"

namespace indexical::testing::programs {

class BodyWriter {
 public:
  BodyWriter(Random &random, const Called &called, std::string &text)
      : random(random), called(called), text(text) {}

  void parameter(Array array) {
    array.name = "p" + std::to_string(parameters++);
    text += "  " + array.name + " = " + array.shape() + " parameter(" +
            std::to_string(parameters - 1) + ")\n";
    arrays.push_back(array);
  }

  /// Writes one parameter, a tuple of `leaves`, and takes its elements out.
  void tupleParameter(llvm::ArrayRef<Array> leaves) {
    text += "  arg = " + tupleShape(leaves) + " parameter(0)\n";
    for (size_t i = 0; i < leaves.size(); ++i)
      emit(leaves[i].sizes,
           "get-tuple-element(arg), index=" + std::to_string(i),
           leaves[i].integral);
  }

  /// Writes the root, a tuple of arrays like `leaves`, mostly late ones.
  void rootLike(llvm::ArrayRef<Array> leaves) {
    std::string operands;
    for (const Array &leaf : leaves) {
      std::string found;
      for (const Array &array : arrays)
        if (array.integral == leaf.integral && array.sizes == leaf.sizes &&
            (found.empty() || !random.oneIn(3)))
          found = array.name;
      operands += (operands.empty() ? "" : ", ") + found;
    }
    text +=
        "  ROOT root = " + tupleShape(leaves) + " tuple(" + operands + ")\n";
  }

  /// Writes the root, a comparison of two integers.
  void rootPredicate() {
    const std::string a = indices({}).name, b = indices({}).name;
    text +=
        "  ROOT root = pred[] compare(" + a + ", " + b + "), direction=LT\n";
  }

  void ops(int64_t count) {
    while (count > 0) count -= op();
  }

  /// Writes the root, a copy of the last array or a tuple of several. Returns
  /// its leaves.
  std::vector<Array> root() {
    std::vector<Array> leaves{arrays.back()};
    if (random.oneIn(3)) {
      for (int64_t i = random.in(0, 2); i > 0; --i)
        leaves.push_back(arrays[random.in(0, arrays.size() - 1)]);
      text += "  ROOT root = " + tupleShape(leaves) + " tuple(";
      for (size_t i = 0; i < leaves.size(); ++i)
        text += (i ? ", " : "") + leaves[i].name;
      text += ")\n";
      isTuple = true;
    } else {
      text += "  ROOT root = " + leaves[0].shape() + " copy(" + leaves[0].name +
              ")\n";
    }
    return leaves;
  }
  bool isTuple = false;

 private:
  const Array &pick(bool integral = false, int64_t leastRank = 0) {
    for (int i = 0; i < 12; ++i) {
      const Array &array = arrays[random.in(0, arrays.size() - 1)];
      if (array.integral == integral &&
          static_cast<int64_t>(array.sizes.size()) >= leastRank)
        return array;
    }
    // An array is made if none fits.
    Sizes sizes = randomSizes(random);
    while (static_cast<int64_t>(sizes.size()) < leastRank) sizes.push_back(2);
    return integral ? indices(sizes)
                    : emit(sizes, "broadcast(" + scalar() + "), dimensions={}");
  }

  std::string scalar() {
    return emit({}, "constant(" + std::to_string(random.in(0, 9)) + ")").name;
  }

  const Array &emit(Sizes sizes, const std::string &expression,
                    bool integral = false) {
    Array array{"v" + std::to_string(next++), sizes, integral};
    text += "  " + array.name + " = " + array.shape() + " " + expression + "\n";
    arrays.push_back(array);
    return arrays.back();
  }

  /// Returns an expression of integer arithmetic. The library follows the
  /// values of some of the ops.
  std::string computedIndex() {
    static const char *const kOps[] = {
        "negate",  "abs",      "add",    "maximum",   "subtract",
        "minimum", "multiply", "divide", "remainder", "clamp"};
    const int64_t op = random.in(0, 9);
    std::string text = std::string(kOps[op]) + "(" + indices({}).name;
    for (int64_t more = op < 2 ? 0 : op < 9 ? 1 : 2; more > 0; --more)
      text += ", " + indices({}).name;
    return text + ")";
  }

  /// Returns integers of these sizes. Something may be known of their values.
  const Array &indices(Sizes sizes) {
    if (sizes.empty()) {
      switch (random.in(0, 3)) {
        case 0:
          break;
        case 3:
          return emit({}, computedIndex(), true);
        case 1: {
          const std::string iota = indices({4}).name;
          const std::string at = std::to_string(random.in(0, 3));
          const std::string end = std::to_string(at[0] - '0' + 1);
          const std::string part =
              emit({1}, "slice(" + iota + "), slice={[" + at + ":" + end + "]}",
                   true)
                  .name;
          return emit({}, "reshape(" + part + ")", true);
        }
        default:
          for (const Array &array : arrays)
            if (array.integral && array.sizes.empty() && random.oneIn(2))
              return array;
      }
      return emit({}, "constant(" + std::to_string(random.in(-2, 5)) + ")",
                  true);
    }
    for (const Array &array : arrays)
      if (array.integral && array.sizes == sizes && random.oneIn(2))
        return array;
    if (random.oneIn(2))
      return emit(sizes,
                  "iota(), iota_dimension=" +
                      std::to_string(random.in(0, sizes.size() - 1)),
                  true);
    return emit(sizes, "broadcast(" + indices({}).name + "), dimensions={}",
                true);
  }

  std::string starts(size_t rank) {
    std::string text;
    for (size_t k = 0; k < rank; ++k) text += ", " + indices({}).name;
    return text;
  }

  int64_t op() {
    switch (random.in(0, 22)) {
      case 0:
        return elementwise();
      case 1:
        return binary();
      case 2:
        return transpose();
      case 3:
        return reshape();
      case 4:
        return broadcast();
      case 5:
        return reverse();
      case 6:
        return slice();
      case 7:
        return pad();
      case 8:
        return concatenate();
      case 9:
        return reduce();
      case 10:
      case 14:
        return product();
      case 11:
        return dynamicSlice();
      case 12:
        return dynamicUpdateSlice();
      case 13:
        return gather();
      case 15:
      case 16:
        return conditional();
      case 17:
        return start();
      case 18:
        return loop();
      case 19:
        return scan();
      default:
        return call();
    }
  }

  int64_t elementwise() {
    const Array a = pick(random.oneIn(3));
    emit(a.sizes, "negate(" + a.name + ")", a.integral);
    return 1;
  }

  int64_t binary() {
    const Array a = pick(random.oneIn(3));
    std::string other = a.name;
    for (const Array &b : arrays)
      if (b.integral == a.integral && b.sizes == a.sizes && random.oneIn(2))
        other = b.name;
    emit(a.sizes, "add(" + a.name + ", " + other + ")", a.integral);
    return 1;
  }

  int64_t transpose() {
    const Array a = pick(false, 2);
    const Sizes order = random.permutation(a.sizes.size());
    Sizes sizes;
    for (int64_t k : order) sizes.push_back(a.sizes[k]);
    emit(sizes, "transpose(" + a.name + "), dimensions=" + braces(order));
    return 1;
  }

  int64_t reshape() {
    const Array a = pick(random.oneIn(4));
    Sizes sizes(random.in(countOf(a.sizes) > 1, 3), 1);
    int64_t count = countOf(a.sizes);
    for (int64_t p = 2; count > 1; ++p)
      for (; count % p == 0; count /= p)
        sizes[random.in(0, sizes.size() - 1)] *= p;
    emit(sizes, "reshape(" + a.name + ")", a.integral);
    return 1;
  }

  int64_t broadcast() {
    const Array a = pick();
    Sizes sizes = a.sizes, dimensions;
    const size_t at = random.in(0, sizes.size());
    const int64_t size = random.in(1, 3);
    if (countOf(sizes) * size > kMostElements || sizes.size() > 3) return 0;
    sizes.insert(sizes.begin() + at, size);
    for (size_t k = 0; k < sizes.size(); ++k)
      if (k != at) dimensions.push_back(k);
    emit(sizes, "broadcast(" + a.name + "), dimensions=" + braces(dimensions));
    return 1;
  }

  int64_t reverse() {
    const Array a = pick(random.oneIn(4), 1);
    const Sizes dimensions =
        random.subset(a.sizes.size(), random.in(1, a.sizes.size()));
    emit(a.sizes, "reverse(" + a.name + "), dimensions=" + braces(dimensions),
         a.integral);
    return 1;
  }

  int64_t slice() {
    const Array a = pick(random.oneIn(4), 1);
    Sizes sizes;
    std::string bounds;
    for (int64_t size : a.sizes) {
      const int64_t start = random.in(0, size - 1),
                    limit = random.in(start + 1, size);
      const int64_t stride = random.in(1, 3);
      sizes.push_back((limit - start + stride - 1) / stride);
      bounds += (bounds.empty() ? "[" : ", [") + std::to_string(start) + ":" +
                std::to_string(limit) + ":" + std::to_string(stride) + "]";
    }
    emit(sizes, "slice(" + a.name + "), slice={" + bounds + "}", a.integral);
    return 1;
  }

  int64_t pad() {
    const Array a = pick(false, 1);
    Sizes sizes;
    std::string padding;
    for (int64_t size : a.sizes) {
      const int64_t low = random.in(-1, 2), interior = random.in(0, 1);
      int64_t high = random.in(-1, 2);
      const int64_t inner = size + (size - 1) * interior;
      if (inner + low + high < 1) high = 1 - inner - low;
      sizes.push_back(inner + low + high);
      padding += (padding.empty() ? "" : "x") + std::to_string(low) + "_" +
                 std::to_string(high) + "_" + std::to_string(interior);
    }
    if (countOf(sizes) > kMostElements) return 0;
    emit(sizes, "pad(" + a.name + ", " + scalar() + "), padding=" + padding);
    return 1;
  }

  int64_t concatenate() {
    const Array a = pick(false, 1);
    const int64_t dimension = random.in(0, a.sizes.size() - 1);
    Sizes sizes = a.sizes;
    std::string operands = a.name;
    for (const Array &b : arrays) {
      if (b.integral || b.sizes.size() != sizes.size() || random.oneIn(2))
        continue;
      bool fits = sizes[dimension] + b.sizes[dimension] <= 8;
      for (size_t k = 0; k < sizes.size(); ++k)
        fits &= static_cast<int64_t>(k) == dimension || b.sizes[k] == sizes[k];
      if (!fits) continue;
      sizes[dimension] += b.sizes[dimension];
      operands += ", " + b.name;
    }
    if (countOf(sizes) > kMostElements) return 0;
    emit(sizes,
         "concatenate(" + operands + "), dimensions=" + braces(dimension));
    return 1;
  }

  int64_t reduce() {
    const Array a = pick(false, 1);
    const Sizes dimensions =
        random.subset(a.sizes.size(), random.in(1, a.sizes.size()));
    Sizes sizes;
    for (size_t k = 0; k < a.sizes.size(); ++k)
      if (!llvm::is_contained(dimensions, static_cast<int64_t>(k)))
        sizes.push_back(a.sizes[k]);
    emit(sizes, "reduce(" + a.name + ", " + scalar() +
                    "), dimensions=" + braces(dimensions) + ", to_apply=sum");
    return 1;
  }

  int64_t product() {
    const Array a = pick(false, 1);
    const std::optional<Product> product = randomProduct(a.sizes, random);
    if (!product || countOf(product->result) > kMostElements) return 0;
    std::vector<Array> others;
    for (const Product::Operand &operand : product->others) {
      if (countOf(operand.sizes) > kMostElements) return 0;
      others.push_back({"", operand.sizes, operand.integral});
    }
    emit(product->result, product->opcode + "(" + a.name + ", " +
                              operandsLike(others) + ")" + product->attributes);
    return 2;
  }

  int64_t dynamicSlice() {
    const Array a = pick(random.oneIn(4), 1);
    Sizes sizes;
    for (int64_t size : a.sizes) sizes.push_back(random.in(1, size));
    emit(sizes,
         "dynamic-slice(" + a.name + starts(sizes.size()) +
             "), dynamic_slice_sizes=" + braces(sizes),
         a.integral);
    return 2;
  }

  int64_t dynamicUpdateSlice() {
    const Array a = pick(false, 1);
    std::string update;
    for (const Array &b : arrays) {
      bool fits = !b.integral && b.sizes.size() == a.sizes.size();
      for (size_t k = 0; fits && k < a.sizes.size(); ++k)
        fits = b.sizes[k] <= a.sizes[k];
      if (fits && random.oneIn(2)) update = b.name;
    }
    if (update.empty()) return 0;
    emit(a.sizes, "dynamic-update-slice(" + a.name + ", " + update +
                      starts(a.sizes.size()) + ")");
    return 2;
  }

  int64_t gather() {
    // One index a row of the result, along dimension 0.
    const Array a = pick(random.oneIn(4), 1);
    const Array rows = indices({random.in(1, 3)});
    Sizes sizes{rows.sizes[0]}, offsets, slices{1};
    for (size_t k = 1; k < a.sizes.size(); ++k) {
      sizes.push_back(a.sizes[k]);
      slices.push_back(a.sizes[k]);
      offsets.push_back(k);
    }
    emit(sizes,
         "gather(" + a.name + ", " + rows.name + "), offset_dims=" +
             braces(offsets) + ", collapsed_slice_dims={0}, " +
             "start_index_map={0}, index_vector_dim=1, slice_sizes=" +
             braces(slices),
         a.integral);
    return 2;
  }

  /// Returns the names of arrays like `wanted`, which exist or are made.
  std::string operandsLike(llvm::ArrayRef<Array> wanted) {
    std::string operands;
    for (const Array &parameter : wanted) {
      std::string found;
      for (const Array &array : arrays)
        if (array.integral == parameter.integral &&
            array.sizes == parameter.sizes &&
            (found.empty() || random.oneIn(2)))
          found = array.name;
      if (found.empty())
        found = parameter.integral
                    ? indices(parameter.sizes).name
                    : emit(parameter.sizes,
                           "broadcast(" + scalar() + "), dimensions={}")
                          .name;
      operands += (operands.empty() ? "" : ", ") + found;
    }
    return operands;
  }

  /// Takes some of the elements out of `name`, a tuple of `elements`.
  void takeApart(const std::string &name, llvm::ArrayRef<Array> elements) {
    for (size_t i = 0; i < elements.size(); ++i)
      if (i == 0 || random.oneIn(2))
        emit(elements[i].sizes,
             "get-tuple-element(" + name + "), index=" + std::to_string(i),
             elements[i].integral);
  }

  /// Writes an instruction whose result is no array. Returns its name.
  std::string emitTuple(const std::string &shape,
                        const std::string &expression) {
    const std::string name = "t" + std::to_string(next++);
    text += "  " + name + " = " + shape + " " + expression + "\n";
    return name;
  }

  int64_t call() {
    if (called.functions.empty()) return 0;
    const Callee &callee =
        called.functions[random.in(0, called.functions.size() - 1)];
    const std::string operands = operandsLike(callee.parameters);
    if (random.oneIn(3)) return asyncCall(callee, operands);
    const std::string call =
        random.oneIn(2) ? "call(" + operands + "), to_apply="
                        : "fusion(" + operands + "), kind=kLoop, calls=";
    if (!calleeIsTuple(callee)) {
      emit(callee.results[0].sizes, call + callee.name,
           callee.results[0].integral);
      return 1;
    }
    takeApart(emitTuple(tupleShape(callee.results), call + callee.name),
              callee.results);
    return 2;
  }

  int64_t asyncCall(const Callee &callee, const std::string &operands) {
    const std::string result = calleeIsTuple(callee)
                                   ? tupleShape(callee.results)
                                   : callee.results[0].shape();
    const std::string done =
        started("async", tupleShape(callee.parameters), result, operands,
                ", calls=" + callee.name);
    if (calleeIsTuple(callee))
      takeApart(emitTuple(result, done), callee.results);
    else
      emit(callee.results[0].sizes, done, callee.results[0].integral);
    return 2;
  }

  /// Writes the start of an async op and, now and then, an update. Returns the
  /// expression that finishes it.
  std::string started(const std::string &opcode, const std::string &arguments,
                      const std::string &result, const std::string &operands,
                      const std::string &attributes) {
    const std::string shape = "(" + arguments + ", " + result + ", s32[])";
    std::string last =
        emitTuple(shape, opcode + "-start(" + operands + ")" + attributes);
    if (random.oneIn(3))
      last = emitTuple(shape, opcode + "-update(" + last + ")");
    if (random.oneIn(3))
      emitTuple(arguments, "get-tuple-element(" + last + "), index=0");
    return opcode + "-done(" + last + ")";
  }

  /// Writes an op that is started and finished later.
  int64_t start() {
    const Array a = pick(false, 1);
    if (random.oneIn(2)) {
      emit(a.sizes, started("reverse", "(" + a.shape() + ")", a.shape(), a.name,
                            ", dimensions={0}"));
      return 2;
    }
    Sizes sizes;
    for (int64_t size : a.sizes) sizes.push_back(random.in(1, size));
    std::string shapes = a.shape();
    for (size_t k = 0; k < sizes.size(); ++k) shapes += ", s32[]";
    emit(sizes, started("dynamic-slice", "(" + shapes + ")",
                        Array{"", sizes}.shape(), a.name + starts(sizes.size()),
                        ", dynamic_slice_sizes=" + braces(sizes)));
    return 2;
  }

  int64_t conditional() {
    if (called.choices.empty()) return 0;
    const Choice &choice =
        called.choices[random.in(0, called.choices.size() - 1)];
    std::string operands = indices({}).name, names;
    if (choice.branches.size() == 2 && random.oneIn(2))
      operands = emitTuple("pred[]", "compare(" + operands + ", " +
                                         indices({}).name + "), direction=LT");
    for (const Callee &branch : choice.branches) {
      operands +=
          ", " + emitTuple(tupleShape(branch.parameters),
                           "tuple(" + operandsLike(branch.parameters) + ")");
      names += (names.empty() ? "" : ", ") + branch.name;
    }
    const std::vector<Array> &results = choice.branches[0].results;
    takeApart(emitTuple(tupleShape(results), "conditional(" + operands +
                                                 "), branch_computations={" +
                                                 names + "}"),
              results);
    return 2;
  }

  int64_t loop() {
    if (called.loops.empty()) return 0;
    const Loop &loop = called.loops[random.in(0, called.loops.size() - 1)];
    const std::string shape = tupleShape(loop.state);
    const std::string state =
        emitTuple(shape, "tuple(" + operandsLike(loop.state) + ")");
    takeApart(emitTuple(shape, "while(" + state + "), condition=" +
                                   loop.condition + ", body=" + loop.body),
              loop.state);
    return 2;
  }

  int64_t scan() {
    if (called.steps.empty()) return 0;
    const Step &step = called.steps[random.in(0, called.steps.size() - 1)];
    size_t least = 3;
    for (const std::vector<Array> *slices : {&step.inputs, &step.outputs})
      for (const Array &slice : *slices)
        least = std::min(least, slice.sizes.size());
    const int64_t dimension = random.in(0, least), size = random.in(1, 4);
    auto whole = [&](std::vector<Array> slices) {
      for (Array &slice : slices)
        slice.sizes.insert(slice.sizes.begin() + dimension, size);
      return slices;
    };
    std::vector<Array> operands = whole(step.inputs),
                       results = whole(step.outputs);
    operands.insert(operands.end(), step.carries.begin(), step.carries.end());
    results.insert(results.end(), step.carries.begin(), step.carries.end());
    takeApart(emitTuple(tupleShape(results),
                        "scan(" + operandsLike(operands) + "), dimensions={" +
                            std::to_string(dimension) + "}, num_carries=" +
                            std::to_string(step.carries.size()) +
                            (random.oneIn(2) ? ", is_reverse=true" : "") +
                            ", to_apply=" + step.body),
              results);
    return 2;
  }

  static bool calleeIsTuple(const Callee &callee) {
    return callee.name.back() == 't';
  }

  Random &random;
  const Called &called;
  std::string &text;
  std::vector<Array> arrays;
  int next = 0, parameters = 0;
};

}  // namespace indexical::testing::programs

#endif  // INDEXICAL_TESTS_SUPPORT_BODY_WRITER_H
