// Sizes of tensors in classes of equal ones, and what is known of each class.
//
//   SizeClasses sizes;
//   const size_t a = sizes.add({});                     // ?
//   const size_t b = sizes.add({/*size=*/8, false});    // at most 8
//   const size_t c = sizes.add({/*size=*/4, true});     // 4
//   sizes.join(a, b);                                   // a is at most 8
//   sizes.join(c, b);                                   // all three are 4
//   sizes.first(c);                                     // a
//
// An op's rules, the instructions of a computation, and two modules that are
// compared make sizes equal. A caller numbers its sizes in the order in which
// it prefers their names: the first of a class names it.
#ifndef INDEXICAL_OPS_SIZE_CLASSES_H
#define INDEXICAL_OPS_SIZE_CLASSES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "llvm/ADT/IntEqClasses.h"

#include "indexical/ops/shape.h"

namespace indexical {

/// A size as far as it is known: a number, a bound, or nothing.
struct KnownSize {
  int64_t size = kDynamicSize;  ///< the number, or the largest it may be
  bool fixed = false;           ///< whether it is the number

  /// Returns whether a size can be as both say: [3] and [<=4] agree, [5] and
  /// [<=4] do not.
  bool agreesWith(const KnownSize &other) const {
    if (size == kDynamicSize || other.size == kDynamicSize) return true;
    return (!fixed ||
            (other.fixed ? size == other.size : size <= other.size)) &&
           (!other.fixed || fixed || other.size <= size);
  }
  /// Returns whether `other` says more about a size: a number, or a smaller
  /// bound. Requires that both agree.
  bool saysLessThan(const KnownSize &other) const {
    if (fixed || other.size == kDynamicSize) return false;
    return other.fixed || size == kDynamicSize || other.size < size;
  }
};

class SizeClasses {
 public:
  /// Returns the number of a new size, which is alone in its class.
  size_t add(KnownSize known) {
    classes_.grow(known_.size() + 1);
    known_.push_back(known);
    return known_.size() - 1;
  }
  bool empty() const { return known_.empty(); }

  /// Returns the number of the first size that is equal to this one.
  size_t first(size_t size) const { return classes_.findLeader(size); }
  const KnownSize &known(size_t size) const { return known_[first(size)]; }
  void setKnown(size_t size, KnownSize known) { known_[first(size)] = known; }

  /// The result of joining two classes.
  struct Joined {
    size_t into;         ///< the first size of both
    size_t from;         ///< the other class' first; `into` if they were one
    bool agree = true;   ///< whether what is known of both can be true
    bool isNew = false;  ///< whether `into` is now known as `from` was
  };
  /// Makes two sizes equal. If they contradict each other, the class keeps the
  /// value of its first size.
  Joined join(size_t a, size_t b) {
    a = first(a), b = first(b);
    Joined joined{std::min(a, b), std::max(a, b)};
    if (a == b) return joined;
    KnownSize &into = known_[joined.into];
    const KnownSize &from = known_[joined.from];
    joined.agree = into.agreesWith(from);
    joined.isNew = joined.agree && into.saysLessThan(from);
    if (joined.isNew) into = from;
    classes_.join(a, b);
    return joined;
  }

 private:
  llvm::IntEqClasses classes_;
  std::vector<KnownSize> known_;  // of the first of each class
};

}  // namespace indexical

#endif  // INDEXICAL_OPS_SIZE_CLASSES_H
