// Which ops and literals of unknown meaning an answer rests on, and which that
// are new in every execution.
#ifndef INDEXICAL_ANALYSIS_EQUALITY_MEANINGS_H
#define INDEXICAL_ANALYSIS_EQUALITY_MEANINGS_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "indexical/program/term_table.h"

namespace indexical {

/// Questions about the reads of a table that only grows.
class Meanings {
 public:
  explicit Meanings(const TermTable &table) : table_(table) {}

  /// Whether what is read by the term is found by what the parameter is.
  bool depends(TermId reads, TermId parameter);
  /// The parameters by which what is read by the term is found, sorted.
  std::vector<TermId> parametersOf(TermId reads);
  /// The names of those that what is read rests on.
  const std::vector<std::string> &under(TermId reads);
  /// `custom-call `x``, `constant of s32[4]`, ``infeed``.
  std::string nameOf(TermId term) const;

 private:
  bool isUnknown(const ValueTerm &term) const;

  const TermTable &table_;
  /// By parameter: of each term whether it depends on it.
  std::map<TermId, std::vector<bool>> depends_;
  std::map<TermId, std::vector<std::string>> under_;
  std::vector<uint32_t> seen_;  // by term: the last walk that met it
  uint32_t walks_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_EQUALITY_MEANINGS_H
