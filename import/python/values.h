// The values while a kernel is read: Python constants, and tensors, which are
// results of TTIR ops.
//
//   B                   Integer 128, a constant
//   tl.float16          Type f16
//   (m, n)              Tuple
//   tl.arange(0, B)     Tensor i32 [128], `%4`
//   tl.load             Builtin `tl.load`
//   x.to                Builtin `tl.to`, of x
#ifndef INDEXICAL_IMPORT_PYTHON_VALUES_H
#define INDEXICAL_IMPORT_PYTHON_VALUES_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "llvm/ADT/DynamicAPInt.h"

#include "indexical/import/python/syntax.h"
#include "indexical/import/python/typing.h"

namespace indexical::python {

enum class ValueKind : uint8_t {
  Undefined,
  None,
  Bool,
  Integer,
  Float,
  String,
  Type,
  Tuple,
  Slice,
  Function,
  Module,   ///< `text` is its full name: `triton.language`
  Builtin,  ///< `text` is its name; `items`, if any, its object
  Tensor,
};

struct Value {
  ValueKind kind = ValueKind::Undefined;
  llvm::DynamicAPInt integer = llvm::DynamicAPInt(0);  ///< also of a bool
  double number = 0;
  std::string text;  ///< of a string; or the result's name: `%4#1`
  ValueType type;    ///< of a tensor's elements, or the type itself
  Shape shape;       ///< of a tensor
  std::shared_ptr<const std::vector<Value>> items;
  const FunctionText *function = nullptr;

  bool is(ValueKind of) const { return kind == of; }
  bool isTensor() const { return kind == ValueKind::Tensor; }
  bool isNone() const { return kind == ValueKind::None; }
  /// Returns whether it is a Python number: bools are numbers.
  bool isNumber() const {
    return kind == ValueKind::Bool || kind == ValueKind::Integer ||
           kind == ValueKind::Float;
  }
  bool isWhole() const {
    return kind == ValueKind::Bool || kind == ValueKind::Integer;
  }
  std::string ir() const { return tensorText(shape, type); }

  static Value none() { return of(ValueKind::None); }
  static Value boolean(bool value) {
    Value made = of(ValueKind::Bool);
    made.integer = llvm::DynamicAPInt(value ? 1 : 0);
    return made;
  }
  static Value whole(llvm::DynamicAPInt value) {
    Value made = of(ValueKind::Integer);
    made.integer = std::move(value);
    return made;
  }
  static Value whole(int64_t value) { return whole(llvm::DynamicAPInt(value)); }
  static Value real(double value) {
    Value made = of(ValueKind::Float);
    made.number = value;
    return made;
  }
  static Value string(std::string text) {
    Value made = of(ValueKind::String);
    made.text = std::move(text);
    return made;
  }
  static Value ofType(ValueType type) {
    Value made = of(ValueKind::Type);
    made.type = std::move(type);
    return made;
  }
  /// Returns a tuple: its `integer` is the number of values within, and its
  /// `number` the depth of tuples in it.
  static Value tuple(std::vector<Value> items) {
    Value made = of(ValueKind::Tuple);
    for (const Value &item : items) {
      const bool isTuple = item.is(ValueKind::Tuple);
      made.integer += isTuple ? item.integer : llvm::DynamicAPInt(1);
      if (isTuple && item.number >= made.number) made.number = item.number + 1;
    }
    made.items = std::make_shared<const std::vector<Value>>(std::move(items));
    return made;
  }
  static Value module(std::string name) {
    Value made = of(ValueKind::Module);
    made.text = std::move(name);
    return made;
  }
  static Value builtin(std::string name) {
    Value made = of(ValueKind::Builtin);
    made.text = std::move(name);
    return made;
  }
  static Value method(std::string name, Value self) {
    Value made = builtin(std::move(name));
    made.items = std::make_shared<const std::vector<Value>>(1, std::move(self));
    return made;
  }
  static Value ofFunction(const FunctionText *function) {
    Value made = of(ValueKind::Function);
    made.function = function;
    made.text = function->name.str();
    return made;
  }
  static Value tensor(ValueType type, Shape shape, std::string name) {
    Value made = of(ValueKind::Tensor);
    made.type = std::move(type);
    made.shape = std::move(shape);
    made.text = std::move(name);
    return made;
  }

 private:
  static Value of(ValueKind kind) {
    Value made;
    made.kind = kind;
    return made;
  }
};

/// Returns the text of a value: `128`, `'tf32'`, `tl.float16` for constants, `a
/// block 4x8 of fp32` for a tensor.
std::string wordsOf(const Value &value);

/// Returns the number if it fits in 64 bits, else std::nullopt.
std::optional<int64_t> smallOf(const Value &value);
std::optional<int64_t> smallOf(const llvm::DynamicAPInt &value);
/// Returns the nearest float of a number.
double realOf(const Value &value);
/// Returns an integer modulo 2^64.
uint64_t lowBits(const llvm::DynamicAPInt &value);

/// The result of an operation on constants, or why it has none.
struct ConstantResult {
  Value value;
  RefusalKind kind = RefusalKind::Type;
  std::string error;  ///< empty: there is a value
};
/// The largest number of bits of an integer constant.
constexpr int kMostConstantBits = 4096;
/// Return Python's result of an operation on constants. `sign` is that of a
/// Binary, Unary or Compare node.
ConstantResult constantBinary(llvm::StringRef sign, const Value &a,
                              const Value &b);
ConstantResult constantUnary(llvm::StringRef sign, const Value &of);
ConstantResult constantCompare(llvm::StringRef sign, const Value &a,
                               const Value &b);
/// Returns Python's `bool(value)`; true for a value without one.
bool isTrue(const Value &value);
/// Returns the value of a Number node.
ConstantResult constantNumber(llvm::StringRef digits);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_VALUES_H
