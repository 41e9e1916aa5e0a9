// Engines: the ways to find whether a set has a point, and how many.
//
// They are asked in this order, until one answers:
//
//   closed form   simplification, and formulas of sums       microseconds
//   sizes         a proof that products and quotients of     half a millisecond
//                 unknown sizes leave no point
//   enumeration   boxes, tightened and cut in two            up to the budget
//   isl           integer sets, Omega-style                  up to the budget
//
// The budget counts operations, so that an answer does not depend on how fast
// the machine is. If it ends the answer is `undecided`, with the reason.
#ifndef INDEXICAL_EXACT_ENGINES_H
#define INDEXICAL_EXACT_ENGINES_H

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/exact/options.h"
#include "indexical/exact/system.h"
#include "indexical/indexing/budget.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/enumeration.h"

namespace indexical {

/// The engines of one query, with the strongest that was used.
class Engines {
 public:
  explicit Engines(const ExactOptions &options)
      : options_(options), meter_(options, ExactOptions::kUsualOperations) {}

  /// Returns a point of a set, which is a simplified map without ranges.
  Sample sample(const IndexingMap &set);
  /// Returns a point of a system, or unknown if arithmetic leaves 64 bits.
  Sample sample(System &system);
  /// Returns the number of points of a set, or nothing if it is not found;
  /// reason() then says why.
  std::optional<llvm::DynamicAPInt> count(const IndexingMap &set);
  /// Returns the number of different results that the points have, or nothing
  /// if it is not found; reason() then says why.
  std::optional<llvm::DynamicAPInt> countResults(const IndexingMap &set);

  /// Calls `visit` with the results of each point, by enumeration. Returns
  /// false if `visit` returned false or if the points could not be enumerated.
  bool visitResults(const IndexingMap &set,
                    llvm::function_ref<bool(Values)> visit);

  const ExactOptions &options() const { return options_; }
  Engine engine() const { return engine_; }
  Meter &meter() { return meter_; }
  void used(Engine engine) { engine_ = std::max(engine_, engine); }
  /// Returns why the last query had no answer.
  const std::string &reason() const { return reason_; }
  void noteReason(std::string reason) { reason_ = std::move(reason); }
  /// Returns the answer, or an error if the call was stopped meanwhile: then
  /// half of the work is missing.
  template <typename Answer>
  absl::StatusOr<Answer> unlessStopped(Answer answer) const {
    if (absl::Status end = options_.check(); !end.ok()) return end;
    return answer;
  }

 private:
  bool isEmptyBySizes(const IndexingMap &set);
  void share(llvm::function_ref<void(Meter &)> ask);
  std::optional<llvm::DynamicAPInt> countComponent(const IndexingMap &set);
  std::optional<llvm::DynamicAPInt> countImage(const IndexingMap &set);
  std::optional<llvm::DynamicAPInt> enumerateResults(const IndexingMap &set);

  ExactOptions options_;
  Meter meter_;
  Engine engine_ = Engine::ClosedForm;
  std::string reason_;
};

}  // namespace indexical

#endif  // INDEXICAL_EXACT_ENGINES_H
