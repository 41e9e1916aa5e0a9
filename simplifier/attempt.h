// What is tried, and may leave 64 bits without harm.
//
//   d0 in [0, 9], ((d0 * 2^61) mod 8) * 3     as two floors it would leave 64
//                                             bits: it stays as it is
//
// Overflow inside an attempt is not the input's: it fails the attempt only.
#ifndef INDEXICAL_SIMPLIFIER_ATTEMPT_H
#define INDEXICAL_SIMPLIFIER_ATTEMPT_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/expression.h"

namespace indexical {

class Attempt {
 public:
  explicit Attempt(ExpressionPool &pool)
      : pool_(pool), before_(pool.overflowed()) {
    pool_.setOverflowed(false);
  }
  ~Attempt() { pool_.setOverflowed(before_); }
  Attempt(const Attempt &) = delete;
  Attempt &operator=(const Attempt &) = delete;
  bool failed() const { return pool_.overflowed(); }

 private:
  ExpressionPool &pool_;
  bool before_;
};

/// What `make` makes, or the form as it is where that leaves 64 bits. What is
/// made after that, while an attempt has failed, is of no use.
inline FormId attempted(ExpressionPool &pool, FormId form,
                        llvm::function_ref<FormId()> make) {
  Attempt attempt(pool);
  const FormId made = make();
  return attempt.failed() ? form : made;
}

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_ATTEMPT_H
