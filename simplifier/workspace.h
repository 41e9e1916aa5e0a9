// The memory in which canonical forms are made.
//
//   Workspace workspace;             // the thread's, or a new one
//   workspace.forms().restart(box);  // forms on a box, in its pool
//
// A thread keeps one workspace for all its maps: most of the time of a small
// map went into asking for memory. A workspace inside another one, as in a
// prover's call, has its own memory.
#ifndef INDEXICAL_SIMPLIFIER_WORKSPACE_H
#define INDEXICAL_SIMPLIFIER_WORKSPACE_H

#include <memory>
#include <utility>

#include "indexical/simplifier/canonical_form.h"

namespace indexical {

/// Gives its memory back to the thread when it ends.
class Workspace {
 public:
  Workspace() : memory_(kept() ? std::move(kept()) : makeMemory()) {}
  ~Workspace() {
    // The memory that one large map needed is not kept for ever.
    constexpr uint32_t kMostForms = 1 << 14;
    if (pool().formCount() > kMostForms) return;
    pool().clear();
    kept() = std::move(memory_);
  }
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  ExpressionPool &pool() { return memory_->pool; }
  CanonicalForms &forms() { return memory_->forms; }

 private:
  struct Memory {
    ExpressionPool pool;
    VariableBounds nothing;
    CanonicalForms forms{pool, nothing};
  };
  static std::unique_ptr<Memory> makeMemory() {
    return std::make_unique<Memory>();
  }
  static std::unique_ptr<Memory> &kept() {
    thread_local std::unique_ptr<Memory> memory;
    return memory;
  }
  std::unique_ptr<Memory> memory_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_WORKSPACE_H
