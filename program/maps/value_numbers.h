// The values that answers name, and their numbers (ProgramIndexing::value):
// private to program/.
#ifndef INDEXICAL_PROGRAM_MAPS_VALUE_NUMBERS_H
#define INDEXICAL_PROGRAM_MAPS_VALUE_NUMBERS_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "indexical/program/maps/program_indexing.h"

namespace indexical {

/// The table itself is ProgramIndexing's.
class ValueNumbers {
 public:
  ValueNumbers(std::vector<Value> &values, std::map<Value, int64_t> &numbers)
      : values_(values), numbers_(numbers) {}

  const Value &operator[](int64_t number) const { return values_[number]; }
  /// Returns the values by number. The list grows.
  const std::vector<Value> &all() const { return values_; }

  /// Returns the number of a value, a new one if it has none.
  int64_t number(Value value) {
    auto [entry, isNew] = numbers_.try_emplace(value, values_.size());
    if (isNew) values_.push_back(std::move(value));
    return entry->second;
  }
  /// Returns the number of an instruction's leaf, seen from its computation.
  int64_t number(ComputationId c, InstructionId i, LeafId leaf) {
    return number({c, i, leaf, {}});
  }

 private:
  std::vector<Value> &values_;
  std::map<Value, int64_t> &numbers_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_VALUE_NUMBERS_H
