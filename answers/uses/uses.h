// An instruction uses elements of its operands: for its whole result, for a
// tile of it, or for a block of threads. usesOf says which and how many.
//
//   f { p = f32[64,64] parameter(0)
//       ROOT s = f32[32,64] slice(p), slice={[0:64:2], [0:64]} }
//
//   UseQuestion question;
//   question.tile = {8, 16};
//   auto uses = usesOf(*program, question);
//   const Footprint &ofP = uses->operands[0].use.footprint;  // 128 elements
#ifndef INDEXICAL_ANSWERS_USES_USES_H
#define INDEXICAL_ANSWERS_USES_USES_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/maps/open_sizes.h"
#include "indexical/cost/tiles/use_formulas.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct UseQuestion {
  std::string computation, instruction;  ///< empty: find_instruction.h
  /// The size of a tile of the result, and where it begins, in elements. No
  /// `tile`: the whole result; no `at`: the first element.
  std::vector<int64_t> tile, at;
  /// A map from threads to the result, and the index of the block whose uses
  /// are returned in place of a tile's: at most three numbers, 0 if left out.
  std::optional<IndexingMap> threads;
  std::vector<int64_t> block;
  /// Values of elements, by instruction, for runtime variables.
  std::vector<std::pair<std::string, int64_t>> runtime;
  bool inside = false;  ///< also the uses in what the instruction calls
  bool unread = false;  ///< also which elements are never read

  std::vector<int64_t> blockIndex() const {
    std::vector<int64_t> index = block;
    index.resize(3, 0);
    return index;
  }
  std::vector<int64_t> tileBegin() const {
    return at.empty() ? std::vector<int64_t>(tile.size(), 0) : at;
  }
};

/// The elements of one array that are used.
struct ArrayUse {
  Use use;
  llvm::StringRef name;   ///< of the instruction that makes the array
  std::string dependsOn;  ///< of Footprint::dependsOn, with `, ` between
  /// Formulas for figures that depend on open sizes of the program.
  std::optional<UseFormulas> formulas;
  std::vector<NamedSize> openSizes;  ///< the sizes that formulas name
};

/// The used elements of an instruction's operands. It refers to the program.
struct InstructionUses {
  const Module *module;
  const Computation *computation;
  const Instruction *instruction;
  std::vector<ArrayUse> operands;
  std::vector<ArrayUse> inside;  ///< users before producers
};

/// Returns what the instruction uses. If several modules have it, the first one
/// is used, with a note. Returns an error if the instruction does not exist or
/// is not an array, if the tile or block is not a part of the result, or if no
/// runtime variable has a given value for all of it.
absl::StatusOr<InstructionUses> usesOf(const Program &program,
                                       const UseQuestion &question,
                                       const Ask &ask = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_USES_USES_H
