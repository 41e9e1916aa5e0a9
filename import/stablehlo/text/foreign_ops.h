// Ops whose syntax is not known here, passed over where they stand.
//
//   %1:2 = torch.foo %0, %c {n = 1}
//          : !torch.int, tensor<4xf32> -> !torch.int, tensor<8xf32>
//
//   becomes   %1:2 = "torch.foo"() {indexical.text = "%0, %1 {n = 1} : …"}
//                    : () -> (!torch.int, tensor<8xf32>)
//
// An op in its own syntax reaches up to the next op at the same depth: to a
// line that begins with `%r =`, with the name of an op, or with a label, or to
// the bracket that closes what is around it. Its regions go with it.
//
// The operands are the values that its text names and does not define. They
// are attached once the module is parsed, when names have values: no type of
// theirs need be known (attachOperands). The types of the results are those
// that its text ends with, if there are as many as results; where it says
// nothing, or a use says otherwise, the use is right (learnType).
//
// An op of a dialect that is known, but has no such op, gets the dialect
// `unknown`: MLIR's own dialects cannot be extended.
//
// The new op keeps the old one's text, with values numbered in order, so that
// two ops are the same only if their texts are.
#ifndef INDEXICAL_IMPORT_STABLEHLO_TEXT_FOREIGN_OPS_H
#define INDEXICAL_IMPORT_STABLEHLO_TEXT_FOREIGN_OPS_H

#include <cstddef>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/BuiltinOps.h"

#include "indexical/import/stablehlo/text/edits.h"

namespace indexical {

/// The attribute in which an op that was passed over keeps its text.
inline constexpr llvm::StringLiteral kForeignText = "indexical.text";

class ForeignOps {
 public:
  /// `edits` must outlive the object.
  explicit ForeignOps(TextEdits &edits) : edits_(edits) {}

  struct PassedOver {
    size_t begin;  ///< of its name, in the original
    size_t end;    ///< behind it, in the original
    std::string name;
    std::string text;                  ///< behind the name
    std::vector<std::string> results;  ///< `%1`, each with how many it is
    std::vector<int> counts;
    std::vector<std::string> types;  ///< one for each result
    struct Operand {
      std::string name;  ///< `%0`, `%1#1`, each once
      size_t offset;     ///< in the original
      /// Whether the text may bind the name, in front of a region of its own:
      /// `foo.for %i in %x {`.
      bool mayBeBound;
    };
    std::vector<Operand> operands;
  };

  /// Passes over each op of the dialect (`torch`), or each op of the name
  /// (`linalg.foo`), that stands in its own syntax at or behind the offset of
  /// the original. Returns whether there is one.
  bool passOver(llvm::StringRef dialectOrName, size_t offset);

  /// Passes over the last op of the name that begins before the offset, and no
  /// other.
  bool passOverLast(llvm::StringRef name, size_t offset);

  /// Takes a type for a result from MLIR's message about a use of another type.
  /// Returns whether that told something new.
  bool learnType(llvm::StringRef message, size_t offset);
  /// Forgets the types of the op at the offset, which cannot be read. Returns
  /// whether there is such an op, and its types were not forgotten before.
  bool forgetTypes(size_t offset);

  /// Gives each op that was passed over its operands. `text` is what `state`
  /// has pointers into. Returns the first one that no value has the name of, or
  /// null.
  const PassedOver::Operand *attachOperands(const mlir::AsmParserState &state,
                                            const EditedText &text);

  const std::vector<PassedOver> &ops() const { return ops_; }

 private:
  bool passOver(llvm::StringRef dialectOrName, size_t first, size_t last);
  void write(const PassedOver &op);

  TextEdits &edits_;
  std::vector<PassedOver> ops_;  ///< by `begin`
};

/// Returns the values that the op whose text is [begin, end) uses and does not
/// define, each once.
std::vector<ForeignOps::PassedOver::Operand> operandsIn(llvm::StringRef text,
                                                        size_t begin,
                                                        size_t end);

/// Returns the names that the text may define somewhere: `%a` of `%a, %b:2 =`,
/// of `(%a: f32)` and of `iter_args(%a = %b)`.
llvm::StringSet<> namesDefinedIn(llvm::StringRef text);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_TEXT_FOREIGN_OPS_H
