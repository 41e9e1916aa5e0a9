// A map while it is simplified: its parts, and what is known of them so far.
//
//   parts         d0 in [0, 8], d0 mod 2 in [0, 0], result d0 floordiv 2
//   a round on    the box is q in [0, 4], d0 is q * 2 (dense.h), no constraint
//                 is left; the result is q
//
// All forms are made on one box, in the variables of that time. When one of
// these changes, restart() begins anew, and the forms that were made before
// mean nothing.
#ifndef INDEXICAL_SIMPLIFIER_MAP_IN_WORK_H
#define INDEXICAL_SIMPLIFIER_MAP_IN_WORK_H

#include <optional>
#include <string>

#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/composition.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/dense.h"
#include "indexical/simplifier/simplify.h"
#include "indexical/simplifier/workspace.h"

namespace indexical {

class MapInWork {
 public:
  MapInWork(const MapParts &parts, const SimplifyOptions &options,
            Workspace &workspace);
  MapInWork(const MapInWork &) = delete;
  MapInWork &operator=(const MapInWork &) = delete;

  bool isProduct() const { return parts.second != nullptr; }
  /// Returns the bounds that the parts give.
  VariableBounds givenBox() const;
  /// Drops all forms; new ones are made on the current box.
  void restart();
  /// Returns a part in canonical form.
  FormId import(PartForm part) { return (*import_)(part); }
  PartsImport &partsImport() { return *import_; }
  /// Returns the current canonical form of the variable.
  FormId variable(VariableId id, size_t fromStep = 0);
  /// Returns the runtime variable, or an earlier one that has the same value.
  FormId runtimeForm(uint32_t i);
  /// Forgets the forms of runtime variables. They are made again when asked
  /// for.
  void forgetRuntime();
  /// Returns whether all constraints are sums of variables.
  bool haveNoDigits() const;

  /// Returns the variable's name as it was given.
  std::string oldName(VariableId id) const;
  /// Returns the text of the expression that the variable now stands for. A
  /// dense range variable keeps its name, and is written as that.
  std::string nameNow(VariableId id) const;

  const MapParts &parts;
  const SimplifyOptions &options;
  ExpressionPool &pool;  // of the canonical forms
  CanonicalForms &forms;
  std::optional<Recorder> recorder;
  VariableBounds box;
  DenseVariables dense;
  llvm::SmallVector<Constraint, 4> constraints;
  llvm::SmallVector<llvm::SmallVector<FormId, 2>, 0> indices;
  /// For each runtime variable, the first one that has the same value, or the
  /// variable itself. The form of that one may be a constant.
  llvm::SmallVector<uint32_t, 4> representatives;
  /// Constraints from the bounds of runtime variables that equal an earlier
  /// one.
  llvm::SmallVector<Constraint, 2> sharedBounds;

 private:
  bool mayBeSame(uint32_t i, uint32_t earlier);

  /// Imports the parts into the forms as they are now.
  std::optional<PartsImport> import_;
  struct {
    MapInWork *self;
    FormId operator()(VariableId id) const { return self->variable(id); }
  } replace_{this};
  llvm::SmallVector<int64_t, 4> runtimeForms_;  // -1: not yet
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_MAP_IN_WORK_H
