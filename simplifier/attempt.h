// Attempts whose overflow does no harm.
//
//   d0 in [0, 9], ((d0 * 2^61) mod 8) * 3     as two floors it would leave 64
//                                             bits: it stays as it is
//
// An overflow inside an attempt fails the attempt only, not the whole map.
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

/// Returns what `make` makes, or `form` if that leaves 64 bits. Forms that are
/// made in an attempt after it has failed are of no use.
inline FormId attempted(ExpressionPool &pool, FormId form,
                        llvm::function_ref<FormId()> make) {
  Attempt attempt(pool);
  const FormId made = make();
  return attempt.failed() ? form : made;
}

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_ATTEMPT_H
