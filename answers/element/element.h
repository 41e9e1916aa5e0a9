// The elements that one element needs, or that need it: the answer of
// `dump --element`.
//
//   r = f32[4] reduce(p), p f32[4,3], dimension 1
//
//   ElementQuestion question;
//   question.instructions = {"r"};
//   question.element = {2};
//   auto found = elementOf(*program, question);
//   // (2, 0), (2, 1), (2, 2), of p
//   const auto &ofP = *found->arrays[0].elements.listed;
#ifndef INDEXICAL_ANSWERS_ELEMENT_ELEMENT_H
#define INDEXICAL_ANSWERS_ELEMENT_ELEMENT_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/dump/items.h"
#include "indexical/answers/dump/question.h"
#include "indexical/cost/use/elements.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The subject is one instruction, one computation or one pair of `from` and
/// `to`; by default the computation that find_instruction.h finds. The
/// direction is OutputToInput by default, or InputToOutput.
struct ElementQuestion : DumpQuestion {
  std::vector<int64_t> element;
  /// The array of the result that has the element. Ignored for InputToOutput,
  /// where the element is one of each operand that has such an index.
  int64_t result = 0;
  /// The values of elements, by instruction, for runtime variables.
  std::vector<std::pair<std::string, int64_t>> runtime;
};

/// The elements of one array: those of an operand that the element needs, or
/// those of a result that need the element of an operand.
struct ArrayElements {
  int64_t result = 0, operand = 0;
  Elements elements;
  /// The elements whose values decide which ones are needed (`indices[3]`), and
  /// their instructions, each once.
  std::vector<std::string> dependsOn;
  std::vector<llvm::StringRef> sources;
};

/// The answer about one element. It refers to the program.
struct ElementAnswer {
  const Computation *computation = nullptr;
  const Instruction *instruction = nullptr;  ///< null: the computation
  bool isBackward = false;                   ///< InputToOutput
  std::vector<int64_t> element;
  int64_t result = 0;
  Item item;  ///< the arrays of the subject
  std::vector<ArrayElements> arrays;

  /// Returns the name of the subject.
  llvm::StringRef name() const {
    return instruction ? instruction->name : computation->name;
  }
};

/// Returns the elements that the element needs, or that need it. A map that
/// could not be found is a message. Returns an error if the subject or the
/// element does not exist, or if nothing depends on a value of `runtime`.
absl::StatusOr<ElementAnswer> elementOf(const Program &program,
                                        const ElementQuestion &question,
                                        const Ask &ask = {});

/// Returns the text of an index, in these brackets: `(2, 0)`.
std::string indexText(llvm::ArrayRef<int64_t> index,
                      llvm::StringRef brackets = "()");

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_ELEMENT_ELEMENT_H
