// Hashes of the fields of descriptors: numbers, lists, shapes, texts.
//
// Equal fields have equal hashes. Nothing that is printed depends on them.
#ifndef INDEXICAL_OPS_FIELD_HASH_H
#define INDEXICAL_OPS_FIELD_HASH_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/interval.h"
#include "indexical/ops/shape.h"

namespace indexical {
namespace fieldHash {

template <typename T>
std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>, size_t> of(
    T value) {
  return llvm::hash_value(static_cast<int64_t>(value));
}
template <typename T>
size_t of(const T *pointer) {
  return llvm::hash_value(pointer);
}
inline size_t of(const std::string &text) { return llvm::hash_value(text); }
inline size_t of(llvm::ArrayRef<int64_t> values) {
  return llvm::hash_combine_range(values.begin(), values.end());
}
inline size_t of(const llvm::SmallVectorImpl<int64_t> &values) {
  return of(llvm::ArrayRef<int64_t>(values));
}
inline size_t of(const std::vector<int64_t> &values) {
  return of(llvm::ArrayRef<int64_t>(values));
}
inline size_t of(const Interval &interval) {
  return llvm::hash_combine(interval.lower, interval.upper);
}
/// Returns the hash of a field whose type has a hash().
template <typename T>
auto of(const T &value) -> decltype(value.hash()) {
  return value.hash();
}
template <typename T>
size_t of(const std::shared_ptr<T> &pointer) {
  return of(static_cast<const T *>(pointer.get()));
}
template <typename T>
size_t of(const std::optional<T> &value) {
  return value ? of(*value) + 1 : 0;
}
template <typename T>
size_t ofList(const T &values) {
  size_t hash = values.size();
  for (const auto &value : values) hash = llvm::hash_combine(hash, of(value));
  return hash;
}
template <typename T>
size_t of(const std::vector<T> &values) {
  return ofList(values);
}
template <typename T, unsigned n>
size_t of(const llvm::SmallVector<T, n> &values) {
  return ofList(values);
}

template <typename... Fields>
size_t all(const Fields &...fields) {
  return llvm::hash_combine(size_t{sizeof...(Fields)}, of(fields)...);
}

}  // namespace fieldHash
}  // namespace indexical

#endif  // INDEXICAL_OPS_FIELD_HASH_H
