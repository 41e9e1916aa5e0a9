// The ops and literals of unknown meaning that an answer rests on, and those
// that are new in every execution.
#ifndef INDEXICAL_SAME_EQUALITY_MEANINGS_H
#define INDEXICAL_SAME_EQUALITY_MEANINGS_H

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/program/values/term_table.h"

namespace indexical {

/// Questions about the reads of a table that only grows.
class Meanings {
 public:
  explicit Meanings(const TermTable &table) : table_(table) {}

  /// Returns whether the term `reads` contains the parameter.
  bool depends(TermId reads, TermId parameter);
  /// Returns the parameters of which the term is made, sorted. The next call
  /// may change what it returns.
  const std::vector<TermId> &parametersOf(TermId reads);
  /// Returns the names of the ops and literals on which the term rests, sorted.
  const std::vector<std::string> &under(TermId reads);
  /// Returns a name for an op, a literal or a computation without a body:
  /// "custom-call `x`", "constant `{1, 2}` of s32[2]", "`infeed`",
  /// "computation `f`".
  std::string nameOf(TermId term) const;

 private:
  /// A term; or the tuple that is its one operand, and the steering beside it.
  using Parts = std::pair<TermId, llvm::SmallVector<TermId, 2>>;

  bool isUnknown(const ValueTerm &term) const;

  const TermTable &table_;
  /// By parameter: for each term, whether it depends on the parameter.
  std::map<TermId, std::vector<bool>> depends_;
  std::map<Parts, std::vector<std::string>> under_;
  std::vector<TermId> parameters_;                ///< of the last term
  std::map<TermId, std::vector<TermId>> tuples_;  ///< by tuple: its parameters
  std::vector<uint32_t> seen_;  // by term: the last walk that met it
  uint32_t walks_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_MEANINGS_H
