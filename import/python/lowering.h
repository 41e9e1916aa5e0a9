// Lowers the text of a kernel to TTIR, as Triton's own front end does it;
// private to import/python.
//
//   o = pid * B + tl.arange(0, B)     with B = 128
//     %2 = arith.constant 128 : i32
//     %3 = arith.muli %1, %2 : i32
//     %4 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
//     %5 = tt.splat %3 : i32 -> tensor<128xi32>
//     %6 = arith.addi %5, %4 : tensor<128xi32>
//
// Functions are inlined, constants are computed, and every op has the place of
// its source text. After an error `refusal` is set, values are undefined, and
// the output has no meaning.
#ifndef INDEXICAL_IMPORT_PYTHON_LOWERING_H
#define INDEXICAL_IMPORT_PYTHON_LOWERING_H

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/import/python/module.h"
#include "indexical/import/python/values.h"

namespace indexical::python {

/// The arguments of a call of a builtin, one for each parameter in its table.
using Arguments = std::vector<Value>;

class Lowering {
 public:
  /// docs/internals/limits.md
  static constexpr int64_t kMostOps = 200'000;
  static constexpr int64_t kMostNodes = 400'000;
  static constexpr int64_t kMostTurns = 4096;
  static constexpr int kMostCalls = 24;
  static constexpr int kMostReturns = 24;
  static constexpr int kMostLevels = 500;
  static constexpr int kMostItems = 4096;  ///< in a tuple

  /// Locations name the file `path`.
  Lowering(const ModuleText &module, std::string path);

  /// Returns the TTIR of a kernel for these constants and types of its
  /// parameters. Integers in `divisible` are compiled for multiples of 16, as
  /// Triton does for such values, and pointers for addresses that are multiples
  /// of 16 bytes.
  std::string kernel(const FunctionText &function,
                     const std::map<std::string, Value> &constants,
                     const std::map<std::string, ValueType> &types,
                     const std::set<std::string> &divisible);

  /// Returns the value of an expression of the host, in which these names and
  /// the file's constants are known.
  Value evaluate(const Node *node,
                 const std::map<std::string, Value> &names = {});

  std::optional<Refusal> refusal;
  /// The names of Triton 2 that were used, and are libdevice's now: `tl.tanh`.
  std::set<std::string> olderNames;
  /// The constants of the file that Triton 3 does not accept, because they are
  /// not `tl.constexpr`, and their values.
  std::map<std::string, Value> olderConstants;
  /// The parts of used names that are passed over: `@f` of a function, and the
  /// other branches that define a name.
  std::map<std::string, std::string> passedOver;

  /// Notes what is passed over of a function of the file.
  void notePassedOver(const JitFunction &function);

 private:
  struct Binding {
    Value value;
    int64_t version = 0;
  };
  using Names = std::map<llvm::StringRef, Binding>;
  struct Frame {
    llvm::StringRef function;
    bool isPrelude = false;
    Place at;
    Names names;
    int loops = 0;
  };
  /// Statements that follow those of a block in the blocks around it.
  struct Rest {
    llvm::ArrayRef<Node *> statements;
    const Rest *next = nullptr;
  };
  /// The end of a block.
  struct Ended {
    bool isReturn = false;
    Value value;
  };
  friend struct BuiltinRow;
  using Handler = Value (Lowering::*)(const Arguments &args);

  //===-- Text of ops (lower_values.cc) -----------------------------------===//

  Value refuse(RefusalKind kind, std::string message);
  /// Refuses as a type what is refused for all types of values.
  Value refuseCall(std::string message);
  Value refuseAt(Place place, RefusalKind kind, std::string message);
  bool isRefused() const { return refusal.has_value(); }
  Place here() const;
  std::string newName();
  std::string location();
  /// Appends an op, without a result or with one of that name.
  void emit(const std::string &text, const std::string &name = "");
  Value op(const std::string &text, ValueType type, Shape shape = {});
  /// Returns the text that `body` appends.
  std::string region(llvm::function_ref<void()> body);

  Value constant(const Value &number, Element element, Shape shape = {});
  Value constant(int64_t number, Element element, Shape shape = {});
  /// Returns a number as a tensor; a tensor unchanged.
  Value tensorOf(const Value &value);
  std::optional<Element> elementOf(const Value &number);
  Value cast(const Value &value, ValueType type, llvm::StringRef rounding = "");
  Value bitcast(const Value &value, const ValueType &type);
  Value splat(const Value &value, const Shape &shape);
  Value expand(const Value &value, int64_t axis);
  Value broadcastTo(const Value &value, const Shape &shape);
  bool broadcast(Value &a, Value &b);

  //===-- Operators (lower_operators.cc) ----------------------------------===//

  enum class Pointers : uint8_t { Refused, Allowed };
  enum class Divides : uint8_t { No, Yes };
  /// Brings two operands to one type and one shape. Returns false if they do
  /// not have one.
  bool promote(Value &a, Value &b, Divides divides, Pointers pointers);
  Value binary(llvm::StringRef sign, Value a, Value b);
  Value pointerSum(llvm::StringRef sign, Value a, Value b);
  Value compare(llvm::StringRef sign, Value a, Value b);
  Value negate(const Value &of);
  Value logicalNot(const Value &of);
  Value minMax(llvm::StringRef word, Value a, Value b, bool propagatesNan);
  Value select(Value condition, Value a, Value b);

  //===-- Expressions (lower_expressions.cc) ------------------------------===//

  Value evaluate_(const Node &node);
  Value take(ConstantResult result);
  Value name(llvm::StringRef name);
  Value globalName(llvm::StringRef name);
  /// Returns the meaning of what an import of the file has.
  Value ofFile(const Value &value);
  Value computedDefault(const Parameter &parameter);
  Value attribute(const Value &of, llvm::StringRef name);
  Value moduleAttribute(const std::string &module, llvm::StringRef name);
  Value tensorAttribute(const Value &of, llvm::StringRef name);
  Value typeAttribute(const ValueType &type, llvm::StringRef name);
  Value subscript(const Node &node);
  Value logical(const Node &node);
  Value conditional(const Node &node);
  Value call(const Node &node);
  Value makeTuple(std::vector<Value> items);
  Value inlined(const FunctionText &function, const Arguments &positional,
                const std::vector<std::pair<llvm::StringRef, Value>> &named,
                bool isPrelude);
  Value prelude(llvm::StringRef function, const Arguments &args);
  Value applied(const Value &function, const Arguments &args);
  Value builtin(const std::string &name, const Arguments &positional,
                const std::vector<std::pair<llvm::StringRef, Value>> &named);
  Value constantCall(const std::string &name, const Arguments &args);
  Value method(const Value &of, const std::string &name);

  //===-- Statements (lower_statements.cc) --------------------------------===//

  Ended block(llvm::ArrayRef<Node *> statements, const Rest *rest);
  void statement(const Node &node);
  void assign(const Node &target, const Value &value, bool staysConstant);
  void bind(llvm::StringRef name, Value value);
  Value decayed(const Value &value);
  /// Returns the condition as one bit; sets `refusal` if it cannot be one.
  Value condition(const Value &value);
  Ended returningIf(const Value &condition, const Node &node, const Rest *rest);
  void branches(const Value &condition, const Node &node);
  std::vector<Value> ifOp(const Value &condition, std::string then,
                          std::vector<Value> thenValues, std::string other,
                          std::vector<Value> otherValues);
  void loop(const Node &node);
  void staticLoop(const Node &node, const Arguments &range);
  void countedLoop(const Node &node, const Arguments &range);
  void whileLoop(const Node &node);
  /// The names that a loop's body assigns, and their values before the loop.
  struct Carried {
    std::vector<llvm::StringRef> names;
    std::vector<Value> values;  ///< one for each name
    std::vector<Value> leaves;  ///< the tensors within, in order
  };
  std::optional<Carried> carried(const Node &body, Place place,
                                 llvm::StringRef counter,
                                 const ValueType &counterType);
  void bindCarried(const Carried &carried, llvm::ArrayRef<Value> leaves);
  std::vector<Value> yielded(const Carried &carried);

  //===-- Builtins (builtins.cc and lower_*.cc) ---------------------------===//

  std::optional<Shape> shapeOf(const Value &value);
  std::optional<int64_t> axisOf(const Value &value, size_t rank);
  std::optional<std::vector<Value>> listOf(const Value &value, Element element);
  static std::string names(llvm::ArrayRef<Value> values);

  Value programId(const Arguments &args);
  Value numPrograms(const Arguments &args);
  Value arange(const Arguments &args);
  Value full(const Arguments &args);
  Value zeros(const Arguments &args);
  Value castTo(const Arguments &args);
  Value broadcastValues(const Arguments &args);
  Value reshapeTo(const Arguments &args);
  Value viewTo(const Arguments &args);
  Value broadcastToShape(const Arguments &args);
  Value permute(const Arguments &args);
  Value transposed(const Value &of, llvm::ArrayRef<int64_t> order);
  Value expandDims(const Arguments &args);
  Value join(const Arguments &args);
  Value interleave(const Arguments &args);
  Value split(const Arguments &args);
  Value cat(const Arguments &args);
  Value where(const Arguments &args);
  Value minimum(const Arguments &args);
  Value maximum(const Arguments &args);
  Value clamp(const Arguments &args);
  Value absolute(const Arguments &args);
  Value fusedProduct(const Arguments &args);
  Value quotient(const Arguments &args);
  Value preciseQuotient(const Arguments &args);
  Value preciseRoot(const Arguments &args);
  Value highProduct(const Arguments &args);
  Value dot(const Arguments &args);
  Value math(llvm::StringRef op, const Value &of);
  Value external(llvm::StringRef symbol, const Arguments &args);
  Value hint(const Arguments &args);
  Value nothing(const Arguments &args);
  Value staticAssert(const Arguments &args);
  Value barrier(const Arguments &args);

  Value load(const Arguments &args);
  Value store(const Arguments &args);
  Value loadBlock(const Value &pointer, const Value &checked,
                  const Value &padding);
  Value storeBlock(const Value &pointer, const Value &value,
                   const Value &checked);
  Value loadDescriptor(const Arguments &args);
  Value storeDescriptor(const Arguments &args);
  Value atomic(llvm::StringRef name, const Arguments &args);
  Value atomicCas(const Arguments &args);
  Value makeBlockPointer(const Arguments &args);
  Value makeDescriptor(const Arguments &args);
  Value advance(const Arguments &args);
  bool matchMask(Value &pointer, Value &mask);

  Value sum(const Arguments &args);
  Value bitReduction(const Arguments &args, llvm::StringRef name,
                     llvm::StringRef combine);
  Value xorSum(const Arguments &args);
  Value orSum(const Arguments &args);
  Value maxOf(const Arguments &args);
  Value minOf(const Arguments &args);
  Value argMax(const Arguments &args);
  Value argMin(const Arguments &args);
  Value reduceBy(const Arguments &args);
  Value scanBy(const Arguments &args);
  Value cumulativeSum(const Arguments &args);
  Value cumulativeProduct(const Arguments &args);
  Value extreme(bool isMax, const Value &of, const Value &axis,
                bool withIndices, bool tiesLeft, bool keeps);
  Value reduce(std::vector<Value> of, const Value &axis, const Value &by,
               bool keeps, bool isTuple);
  Value scan(std::vector<Value> of, const Value &axis, const Value &by,
             bool reverses, bool isTuple);
  std::optional<std::string> combination(llvm::ArrayRef<Value> of,
                                         const Value &by, const char *returns);

  const ModuleText &module_;
  const std::string path_;
  std::vector<Frame> frames_;
  std::string *out_ = nullptr;
  std::map<std::string, Value> *hostNames_ = nullptr;
  std::map<std::string, int> locations_;
  int64_t names_ = 0, ops_ = 0, nodes_ = 0, versions_ = 0;
  int levels_ = 0, returns_ = 0;
  bool isForgotten_ = false;  ///< ops are dropped for now
};

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_LOWERING_H
