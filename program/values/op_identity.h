// The identity of an op: all that its text says, but for one table.
//
//   r = f32[4] add(x, y), metadata={op_name="sum"}      add of f32[4], f32[4]
//   r = f32[4] tanh(x), result_accuracy={mode=highest}  … result_accuracy=…
//   r = f32[4] tanh(x), flavour=3                       … flavour=3
//
// Two ops are one if they have the same identity: opcode, element types with
// the scales of quantized ones, attributes, and the functions that the ops
// call, which ProgramTerms compares by their terms. The table lists what is
// left out: names, places, how to compile, where to run. It never lists what is
// kept, so an unknown attribute is identity.
//
// A descriptor holds an op's identity in two parts (ops/descriptor.h). Its
// fields have the attributes that a family knows; `configuration` has the text
// of all others. A front end asks here for both: isLeftOut() and isHeld().
//
// Laws hold for ops that say no more than their kind does: isPlain(). A sum
// with an attribute more is not a sum that a law knows.
//
// Law (tests/program/values/op_identity_test.cc,
// tests/same/values/op_identity_test.cc): if one attribute, element type,
// function or literal of an op changes in its text, and the table does not list
// it, the op is another one.
#ifndef INDEXICAL_PROGRAM_VALUES_OP_IDENTITY_H
#define INDEXICAL_PROGRAM_VALUES_OP_IDENTITY_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/op.h"

namespace indexical {

/// The language of the text that an attribute stands in.
enum class Language : uint8_t { Hlo, Mlir };

/// Why an attribute, or an entry of `frontend_attributes`, changes no value.
enum class WhyLeftOut : uint8_t {
  Name,         ///< it names a thing in the text, or says where it stands
  Function,     ///< it names a function, which counts by what it computes
  Compilation,  ///< it says how to compile: layouts, schedules, hints
  Place,        ///< it says on which devices or threads the op runs
  Promise,      ///< it holds in every execution that means anything
};

/// A row of the table.
struct LeftOutAttribute {
  Language language;
  llvm::StringLiteral name;
  WhyLeftOut why;
  /// The ops for which the row holds: their names, separated by spaces; a name
  /// that ends with `.` stands for a dialect. `*` stands for all ops, `known`
  /// for those whose meaning the library knows, which are not custom calls, and
  /// `but …` for all but those that follow.
  llvm::StringLiteral ops;
};

/// Returns the table, ordered by language and name.
llvm::ArrayRef<LeftOutAttribute> leftOutAttributes();

/// An op while a front end makes it.
struct DescribedOp {
  Language language;
  llvm::StringRef name;  ///< `dynamic-slice`, `stablehlo.dynamic_slice`
  OpView descriptor;
  const OpKind &kind;  ///< that the descriptor has, or will get
};

/// Returns whether the table has the attribute for this op.
bool isLeftOut(const DescribedOp &op, llvm::StringRef attribute);

/// Returns whether an entry of `frontend_attributes` is left out, in both
/// languages, of ops for which the attribute counts.
bool isLeftOutEntry(llvm::StringRef entry);

/// Returns whether a field of the descriptor has the attribute: equal fields
/// mean equal attributes. False for an attribute that only has the name of one
/// of another family's.
bool isHeld(const DescribedOp &op, llvm::StringRef attribute);

/// Begins the item of a configuration that names the element types of an op's
/// results of which `ElementType` says less than the text does: quantized types
/// with their scales, and types that are not in its table. The types of its
/// operands are those of their producers' results, so they need no name.
///
///   element_types=!quant.uniform<i8:f32, 1.0e-01>
///   element_types=f6e2m3fn
inline constexpr llvm::StringLiteral kElementTypes = "element_types=";
/// Returns whether the types of the op's results follow from what it passes on,
/// or from the computations that it runs.
bool typesFollow(OpView op);
/// Returns the text behind kElementTypes, or "".
llvm::StringRef elementTypesOf(const Op &op);

/// Returns whether the op says no more than its kind, its fields and the
/// element types of its shapes do: then the laws of its kind hold. A comparison
/// may name its direction and the type that its operands have.
bool isPlain(const Op &op);
/// Like isPlain(), but an elementwise op may have a type that needs a name, and
/// flags of arith and math: its operands still commute if they do so without.
bool isPlainButForFlags(const Op &op);
/// Returns whether the op computes what its kind does wherever it gives a
/// number at all: a plain op, one that promises that nothing overflows, or one
/// whose kind has a rule for its elements.
bool computesItsKind(const Op &op);

/// Returns whether a call gives what the computation that it calls gives: it
/// says no more. A composite is its decomposition, whatever its name is.
bool isInlined(const Op &op);

/// Returns whether the op's result leaf is its operand leaf, if the op is one
/// that forwards it: both have one type and one shape, and the op says no more.
bool isForwarded(const Op &op, int64_t result, int64_t operand);

/// Returns whether its maps or its meaning can depend on layouts.
bool needsLayouts(const Op &op);
/// Returns the op as a part of a value: without layouts, if these say nothing.
/// Ops are one if their values are, of equal operands and called functions.
Op valueOp(const Op &op);

/// Returns the op's effect on elements, wherever they are: its shapes have no
/// sizes, and the fields that are sizes, dimensions or places in arrays have no
/// values. It keeps its kind, its element types, its configuration and the
/// other fields: the kind of a transform, the reversal of a window, which
/// triangle is solved.
Op placelessOp(const Op &op);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_VALUES_OP_IDENTITY_H
