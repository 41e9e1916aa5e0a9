// The memory in which canonical forms are made.
//
//   Workspace workspace;             // the thread's, or a new one
//   workspace.forms().restart(box);  // forms on a box, in its pool
//
// A thread keeps one workspace for all its maps (indexing/kept.h). A workspace
// inside another one, as in a prover's call, has its own memory.
#ifndef INDEXICAL_SIMPLIFIER_WORKSPACE_H
#define INDEXICAL_SIMPLIFIER_WORKSPACE_H

#include "indexical/indexing/expression.h"
#include "indexical/indexing/kept.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {

/// Gives its memory back to the thread when it ends.
class Workspace {
 public:
  ExpressionPool &pool() { return memory_->pool; }
  CanonicalForms &forms() { return memory_->forms; }

 private:
  struct Memory {
    bool recycle() { return pool.recycle(); }

    ExpressionPool pool;
    VariableBounds nothing;
    CanonicalForms forms{pool, nothing};
  };
  Kept<Memory> memory_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_WORKSPACE_H
