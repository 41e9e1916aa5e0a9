// The syntax of HLO text, before names are resolved.
//
// A computation may use instructions and computations that the text defines
// later, so a module is read in two steps. This one finds the parts of the text
// without resolving names; hlo_parser.cc makes the program.
//
//   ROOT r = f32[] add(p, f32[] negate(q)), metadata={op_name="x"}
//
//   instruction 0: name "", opcode "negate", operands {q}
//   instruction 1: name "r", opcode "add", operands {p, nested 0},
//                  attributes {metadata: `{op_name="x"}`}, root
#ifndef INDEXICAL_IMPORT_HLO_SYNTAX_H
#define INDEXICAL_IMPORT_HLO_SYNTAX_H

#include <cstdint>
#include <deque>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/source.h"
#include "indexical/import/hlo/written_shapes.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/program/module/shared_shape.h"

namespace indexical {

struct OperandSyntax {
  /// Without `%`; empty for a nested operand, or if there is only a type.
  llvm::StringRef name;
  llvm::StringRef shape;  ///< the text of its type, or empty
  int32_t nested = -1;    ///< the instruction that is written in its place
};

/// A list of computations that are written in place, as in
/// `branch_computations={ {…}, {…} }`, becomes one of these for each.
struct AttributeSyntax {
  llvm::StringRef key;
  llvm::StringRef value;     ///< raw text
  int32_t computation = -1;  ///< the computation that is written in its place
};

struct InstructionSyntax {
  llvm::StringRef name;  ///< empty for a nested one, or if it is left out
  llvm::StringRef opcode;
  Place place;  ///< of the name, or of the opcode
  bool root = false;
  bool cut = false;  ///< operands or attributes are left out (cut_text.h)
  const SharedShape *shape = nullptr;  ///< null: the text leaves it out
  llvm::StringRef shapeText;
  /// The text between the parentheses of `parameter` and `constant`.
  llvm::StringRef argument;
  // Ranges of the computation's lists.
  uint32_t firstOperand = 0, operandCount = 0;
  uint32_t firstAttribute = 0, attributeCount = 0;
};

struct ComputationSyntax {
  llvm::StringRef name;  ///< empty if it is an attribute's value
  Place place;
  bool entry = false;
  bool bare = false;  ///< instructions without a computation around them
  /// The last `...`, which stands for what is left out (cut_text.h), or empty;
  /// and whether no instruction stands behind it.
  llvm::StringRef cut;
  bool endsCut = false;
  std::vector<InstructionSyntax> instructions;
  std::vector<OperandSyntax> operands;
  std::vector<AttributeSyntax> attributes;
  // For a computation that is an attribute's value: the instruction's name (its
  // opcode if it has none), and the attribute's.
  llvm::StringRef ownerName, ownerKey;

  llvm::ArrayRef<OperandSyntax> operandsOf(const InstructionSyntax &i) const {
    return llvm::ArrayRef(operands).slice(i.firstOperand, i.operandCount);
  }
  llvm::ArrayRef<AttributeSyntax> attributesOf(
      const InstructionSyntax &i) const {
    return llvm::ArrayRef(attributes).slice(i.firstAttribute, i.attributeCount);
  }
};

/// `3 {file_name_id=1 line=6}`, `2 "model.py"`
struct TableRowSyntax {
  llvm::StringRef number, value;  ///< raw text
};

/// The tables between a module's header and its computations.
struct StackTablesSyntax {
  std::vector<TableRowSyntax> files, functions, locations, frames;
};

struct ModuleSyntax {
  llvm::StringRef name;
  llvm::StringRef text;  ///< up to the next module's
  bool hasHeader = false;
  StackTablesSyntax tables;
  llvm::StringRef replicaCount, numPartitions;  ///< as written, or empty
  llvm::StringRef isScheduled;                  ///< as written, or empty
  llvm::StringRef cut;  ///< the last `...` for what is left out, or empty
  std::vector<ComputationSyntax> computations;
  /// Shapes that no text has (token_operands.h).
  std::deque<SharedShape> madeShapes;
};

/// Reads the text of `source`: modules separated by lines `// -----`, or by the
/// next header. `shapes` must outlive these.
bool parseSyntax(Source &source, WrittenShapes &shapes,
                 std::vector<ModuleSyntax> &modules);

/// Sets the texts of modules: each ends where the next one begins. Until then
/// they have a beginning only.
void endTexts(llvm::StringRef text, std::vector<ModuleSyntax> &modules);

/// Returns the parts of the text between lines `// -----`, in their order.
std::vector<llvm::StringRef> partsOf(llvm::StringRef text);

/// A piece of a text that is read by itself (import/hlo/syntax_pieces.h).
struct TextPiece {
  enum class Begin : uint8_t {
    Part,      ///< of the text, between lines `// -----`
    TopLevel,  ///< between two computations
    Body,      ///< between two instructions of a computation
  };
  Begin begin = Begin::Part;
  llvm::StringRef rest;       ///< from here to the end of the part
  const char *end = nullptr;  ///< where the next piece begins
  uint32_t line = 1;          ///< where it begins
  uint32_t lines = 0;         ///< about as many instructions
};

/// The syntax found in a piece.
struct PieceSyntax {
  /// The first module has only the part that the piece holds. If the piece
  /// begins within a body, computation `goesOn` is the rest of that body.
  std::vector<ModuleSyntax> modules;
  size_t goesOn = 0;
  /// The first and last place outside of spaces and comments.
  const char *first = nullptr, *last = nullptr;
  bool isOpen = false;     ///< it ends within the body of the last computation
  bool hasInline = false;  ///< some computation is an attribute's value
};

/// Reads one piece of the text into `found`, which must be empty, as if the
/// text were cut at the right places (import/hlo/syntax_pieces.h). The shapes
/// go into `shapes`, which must outlive `found`. Returns false, with an error
/// in `source`, if the piece cannot be read; the text may still be right.
bool parsePiece(Source &source, const TextPiece &piece, WrittenShapes &shapes,
                PieceSyntax &found);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_SYNTAX_H
