// A table of values, each of which has one number: its place in the order in
// which values came.
//
//   intern(parameter p)     0, new
//   intern(add(p, p))       1, new
//   intern(parameter p)     0
//
// A value is compared only with those of its hash. A reference to one stays
// valid as long as the table does.
#ifndef INDEXICAL_INDEXING_INTERNED_H
#define INDEXICAL_INDEXING_INTERNED_H

#include <cstddef>
#include <deque>
#include <unordered_map>
#include <utility>

namespace indexical {

/// `Value` has operator== and hash().
template <typename Value, typename Id>
class Interned {
 public:
  /// Returns the number of the value, and whether it is new.
  std::pair<Id, bool> intern(Value value) {
    const size_t hash = value.hash();
    for (auto [at, end] = byHash_.equal_range(hash); at != end; ++at)
      if (values_[at->second] == value) return {at->second, false};
    const Id id = static_cast<Id>(values_.size());
    values_.push_back(std::move(value));
    byHash_.emplace(hash, id);
    return {id, true};
  }
  const Value &operator[](Id id) const { return values_[id]; }
  size_t size() const { return values_.size(); }

 private:
  std::deque<Value> values_;
  std::unordered_multimap<size_t, Id> byHash_;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_INTERNED_H
