// The names that a map's text declares, by number.
//
//   add("d0"), add("d1"), add("s0")
//   find("d1")    1
//   find("x")     nothing
//
// Most names are as short as `d0` and few. So the first characters of each are
// one number, and numbers are compared one by one. Many names are looked up by
// their hash.
#ifndef INDEXICAL_INDEXING_NAME_TABLE_H
#define INDEXICAL_INDEXING_NAME_TABLE_H

#include <cstddef>
#include <cstdint>
#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Refers to the characters of the names, which must outlive the table.
class NameTable {
 public:
  /// Returns the number of the name, or nothing if the table does not have it.
  std::optional<size_t> find(llvm::StringRef name) const {
    if (!byName_.empty()) {
      const auto found = byName_.find(name);
      if (found == byName_.end()) return std::nullopt;
      return found->second;
    }
    const uint64_t key = keyOf(name);
    for (size_t i = 0; i < keys_.size(); ++i)
      if (keys_[i] == key && names_[i].size() == name.size() &&
          (name.size() <= sizeof key || names_[i] == name))
        return i;
    return std::nullopt;
  }

  /// Gives the name the next number. Requires that the table does not have it.
  void add(llvm::StringRef name) {
    names_.push_back(name);
    keys_.push_back(keyOf(name));
    if (names_.size() <= kFew) return;
    for (size_t i = byName_.size(); i < names_.size(); ++i)
      byName_.try_emplace(names_[i], i);
  }

 private:
  static constexpr size_t kFew = 16;

  /// Returns the first characters of the name as a number.
  static uint64_t keyOf(llvm::StringRef name) {
    uint64_t key = 0;
    for (char c : name.take_front(sizeof key))
      key = key << 8 | static_cast<uint8_t>(c);
    return key;
  }

  llvm::SmallVector<llvm::StringRef, 8> names_;
  llvm::SmallVector<uint64_t, 16> keys_;
  llvm::SmallDenseMap<llvm::StringRef, size_t, 4> byName_;  // empty if few
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_NAME_TABLE_H
