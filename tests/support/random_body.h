// The ops of a random computation of HLO, one at a time.
//
//   RandomBody body(random, called);
//   body.parameter(array);  // p0 = f32[2,3] parameter(0)
//   body.ops(4);    // reshape.1 = … tuples, calls, branches, loops
//   body.root();    // ROOT copy.5 = …
//   body.text("f");  // f { … }
//
// This is the one generator of programs of HLO. BodyOptions has the ops that
// are drawn, how large arrays are, which operands an op takes, and where other
// operands come from. The ops are trees (op_trees.h), so a program of ops that
// have reads can be rewritten and run.
#ifndef INDEXICAL_TESTS_SUPPORT_RANDOM_BODY_H
#define INDEXICAL_TESTS_SUPPORT_RANDOM_BODY_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "tests/support/op_trees.h"
#include "tests/support/program_parts.h"
#include "tests/support/random.h"
#include "tests/support/random_products.h"

namespace indexical::testing::programs {

class RandomBody;

/// Adds an op. Returns the number of ops, or 0 if no operands fit or the result
/// would be too large.
using BodyOp = int64_t (RandomBody::*)();

/// The operand to make if no array that is there fits.
enum class OtherOperands {
  Constants,   ///< a constant that is broadcast; integers: an iota, too
  Parameters,  ///< a new parameter
  Parts,       ///< a part of an array that is there, reshaped
};

struct BodyOptions {
  std::vector<BodyOp> ops = allOps();  ///< each as often as it stands here
  std::vector<int64_t> sizes = {1, 2, 3, 4};
  int64_t leastRank = 0, mostRank = 3;  ///< of parameters
  /// Of results. Reshapes have one dimension less.
  int64_t highestRank = 4;
  int64_t mostElements = 36;
  /// One operand in so many is any array, the others are the newest one.
  int64_t anyOneIn = 2;
  OtherOperands others = OtherOperands::Constants;
  bool movesIntegers = true;  ///< and computes with them
  bool padsWithZero = false;  ///< and not with a constant of its own

  static std::vector<BodyOp> allOps();
};

Sizes randomSizes(Random &random, const BodyOptions &options = {});
/// Returns sizes with the product `count`.
Sizes factored(Random &random, int64_t count, int64_t mostRank = 3);

class RandomBody {
 public:
  explicit RandomBody(Random &random, const Called &called = {},
                      BodyOptions options = {})
      : random(random), called(called), options(std::move(options)) {}

  NodePtr parameter(const Array &array);
  /// Adds one parameter, a tuple of `leaves`, and takes its elements out.
  void tupleParameter(llvm::ArrayRef<Array> leaves);
  void ops(int64_t count);

  /// Adds the root, a copy of the last array or a tuple of several. Returns
  /// its leaves.
  std::vector<Array> root();
  bool isTuple = false;  ///< the root of root()
  /// Adds the root, a tuple of arrays like `leaves`.
  void rootLike(llvm::ArrayRef<Array> leaves);
  /// Adds the root, a comparison of two integers.
  void rootPredicate();
  /// Adds the root, the last array negated.
  void rootNegated() { negate(last()); }
  /// Adds the root, a fusion that calls the last function on parameters.
  void rootFusion();

  const NodePtr &last() const { return values.back(); }
  /// Returns the parameters, in their order.
  std::vector<Array> parameters() const;
  std::string text(const std::string &head) const {
    return computationOf(head, nodes);
  }

  //===-- Ops -------------------------------------------------------------===//

  // random_body.cc
  int64_t negate() { return negate(pick(0, integral(3))); }
  int64_t add() { return combined(Node::Kind::Add); }
  int64_t subtract() { return combined(Node::Kind::Subtract); }
  int64_t multiply() { return combined(Node::Kind::Multiply); }
  int64_t maximum() { return combined(Node::Kind::Maximum); }
  int64_t reshape();
  int64_t transpose();
  int64_t broadcast();
  int64_t reverse();
  int64_t slice();
  int64_t pad();
  int64_t concatenate();
  int64_t sum() { return reduced(Node::Kind::Sum); }
  int64_t largest() { return reduced(Node::Kind::Largest); }
  int64_t dot();
  int64_t reduceWindow();
  int64_t product();  ///< one of random_products.h
  int64_t dynamicSlice();
  int64_t dynamicUpdateSlice();
  int64_t gather();

  // random_body_calls.cc
  int64_t call();
  int64_t start();  ///< an op that is started and finished later
  int64_t conditional();
  int64_t loop();
  int64_t scan();

 private:
  //===-- Operands --------------------------------------------------------===//

  /// Returns an array of at least this rank, or null if none is found.
  NodePtr pick(int64_t leastRank = 0, bool isIntegral = false);
  bool integral(int64_t oneIn) {
    return options.movesIntegers && random.oneIn(oneIn);
  }
  NodePtr scalar() { return aside(testing::scalar(random.in(0, 9))); }
  /// Returns an array of these sizes, which is there or is made.
  NodePtr like(const Array &array);
  NodePtr like(Sizes sizes) { return like(Array{std::move(sizes)}); }
  std::vector<NodePtr> allLike(llvm::ArrayRef<Array> arrays);
  /// Returns integers of these sizes. Something may be known of their values.
  NodePtr indices(const Sizes &sizes);
  NodePtr computedIndex();
  std::vector<NodePtr> withStarts(std::vector<NodePtr> operands, size_t rank);

  //===-- Adding ----------------------------------------------------------===//

  /// Adds a node whose result may be an operand, the newest one.
  NodePtr put(NodePtr node);
  /// Adds a node that is not the newest operand.
  NodePtr aside(NodePtr node);
  /// Adds a node that is no operand: its result is no array, or it is the root.
  NodePtr apart(Node node);
  /// Adds a node, if it is small enough.
  int64_t kept(NodePtr node);
  NodePtr other(const std::string &opcode, const Array &result,
                std::vector<NodePtr> operands, const std::string &attributes);
  int64_t negate(const NodePtr &x) { return x ? kept(negated(x)) : 0; }
  int64_t combined(Node::Kind kind);
  int64_t reduced(Node::Kind kind);
  int64_t produced(const NodePtr &x, const Product &product);

  // random_body_calls.cc
  NodePtr tuple(const std::string &shape, const std::string &opcode,
                std::vector<NodePtr> operands, const std::string &attributes);
  NodePtr tupleOf(llvm::ArrayRef<Array> leaves);
  NodePtr element(const NodePtr &tuple, size_t i, const Array &array);
  void takeApart(const NodePtr &tuple, llvm::ArrayRef<Array> elements);
  /// Adds the start of an async op and, now and then, an update. Returns the
  /// last of them.
  NodePtr started(const std::string &opcode, const std::string &arguments,
                  const std::string &result, std::vector<NodePtr> operands,
                  const std::string &attributes);

  Random &random;
  const Called called;
  const BodyOptions options;
  std::vector<NodePtr> nodes, values;
  int64_t parameterCount = 0;
};

}  // namespace indexical::testing::programs

#endif  // INDEXICAL_TESTS_SUPPORT_RANDOM_BODY_H
