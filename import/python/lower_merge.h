// Merges the values of two branches, tuple by tuple; private to import/python.
//
//   (%1, None)  and  (%2, None)     first: %1, second: %2; rebuilt of %3:
//                                   (%3, None)
#ifndef INDEXICAL_IMPORT_PYTHON_LOWER_MERGE_H
#define INDEXICAL_IMPORT_PYTHON_LOWER_MERGE_H

#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/import/python/values.h"

namespace indexical::python {

struct Merge {
  std::vector<Value> first, second;  ///< the tensors of both, in order

  /// Adds the tensors of two values. Returns false if their structures differ.
  bool add(const Value &a, const Value &b) {
    if (a.kind != b.kind) return false;
    if (a.is(ValueKind::Tuple)) {
      if (a.items->size() != b.items->size()) return false;
      for (size_t k = 0; k < a.items->size(); ++k)
        if (!add((*a.items)[k], (*b.items)[k])) return false;
      return true;
    }
    if (a.isTensor()) {
      if (a.type != b.type || a.shape != b.shape) return false;
      first.push_back(a);
      second.push_back(b);
      return true;
    }
    const ConstantResult same = constantCompare("==", a, b);
    return same.error.empty() && isTrue(same.value);
  }

  /// Returns the value with the tensors from `next` on in place of its own.
  static Value rebuilt(const Value &like, llvm::ArrayRef<Value> tensors,
                       size_t &next) {
    if (like.isTensor()) return tensors[next++];
    if (!like.is(ValueKind::Tuple)) return like;
    std::vector<Value> items;
    for (const Value &item : *like.items)
      items.push_back(rebuilt(item, tensors, next));
    return Value::tuple(std::move(items));
  }
};

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_LOWER_MERGE_H
