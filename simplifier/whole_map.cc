#include "indexical/simplifier/whole_map.h"

#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/simplifier/collapse.h"
#include "indexical/simplifier/emission.h"
#include "indexical/simplifier/fixpoint.h"
#include "indexical/simplifier/map_in_work.h"
#include "indexical/simplifier/marks.h"
#include "indexical/simplifier/normal_form/normal_form.h"
#include "indexical/simplifier/result_bounds.h"
#include "indexical/simplifier/shortcuts/delinearize.h"
#include "indexical/simplifier/simplified.h"

namespace indexical {
namespace {

absl::Status leaves64Bits() {
  return absl::OutOfRangeError(
      "arithmetic on the map's constants leaves the range of 64-bit integers");
}

/// Whether all numbers of the map are so small that a product of two stays
/// inside 64 bits.
bool hasSmallNumbers(const IndexingMap &map) {
  uint64_t bits = 0;  // that any of their magnitudes has
  auto see = [&](int64_t number) { bits |= number ^ (number >> 63); };
  auto seeBounds = [&](const auto &bounded) {
    if (bounded.bounds.hasLower()) see(bounded.bounds.lower);
    if (bounded.bounds.hasUpper()) see(bounded.bounds.upper);
  };
  llvm::for_each(map.dimensions(), seeBounds);
  llvm::for_each(map.ranges(), seeBounds);
  llvm::for_each(map.runtime(), seeBounds);
  llvm::for_each(map.constraints(), seeBounds);
  const ExpressionTable &table = map.expressions();
  for (FormId form = 0; form < table.formCount(); ++form) {
    see(table.constant(form));
    for (const Term &term : table.terms(form)) see(term.coefficient);
  }
  for (AtomId id = 0; id < table.atomCount(); ++id) {
    const Atom &atom = table.atom(id);
    if (atom.kind != AtomKind::Digit) continue;
    see(atom.stride);
    see(atom.modulus);
  }
  return bits >> 31 == 0;
}

/// Removes the mark of a map that is not in normal form. Only great numbers can
/// make it so: a form stays as it was given if a better one leaves 64 bits.
absl::StatusOr<IndexingMap> markedIfNormal(absl::StatusOr<IndexingMap> map) {
  if (!map.ok() || !isSimplified(*map) || hasSmallNumbers(*map) ||
      isNormal(*map))
    return map;
  return SimplifierMarks::unmarked(*map);
}

class Simplifier {
 public:
  Simplifier(MapParts &parts, const SimplifyOptions &options,
             Workspace &workspace)
      : work_(parts, options, workspace) {}

  absl::StatusOr<IndexingMap> run();

 private:
  DomainEnd settleDomain();
  void importResults();
  void keepWholeIndex();
  void collapseResults();
  using IsBetter = llvm::function_ref<bool(FormId given, FormId canonical)>;
  bool keepGiven(const char *why, IsBetter isBetter);
  bool keepThoseInside();
  void keepThoseShorter();
  absl::StatusOr<IndexingMap> write();
  absl::StatusOr<IndexingMap> withoutPoints();

  MapInWork work_;
  llvm::SmallVector<FormId, 4> results_;
  bool areCanonical_ = true;                        // the results
  std::optional<Delinearization> delinearization_;  // of the results
};

/// Import, the domain to its fixpoint, results, points, write.
absl::StatusOr<IndexingMap> Simplifier::run() {
  if (work_.box.isEmpty()) return IndexingMap::knownEmpty();
  const DomainEnd domain = settleDomain();
  if (domain == DomainEnd::Leaves64Bits) return leaves64Bits();
  if (domain == DomainEnd::NoPoint) return withoutPoints();
  areCanonical_ = domain == DomainEnd::Points;
  importResults();
  if (work_.options.foldPoints) collapseResults();
  if (!work_.isProduct()) keepThoseShorter();
  auto map = write();
  return map.ok() || !keepThoseInside() ? std::move(map) : write();
}

/// A product of maps of one index may be known to have no constraints.
DomainEnd Simplifier::settleDomain() {
  delinearization_ = delinearizedProduct(work_.parts);
  if (!delinearization_ || !staysInside(work_.parts)) return Fixpoint(work_)();
  work_.restart();
  return DomainEnd::Points;
}

/// Imports the results, and the index whose digits they are, if they fill it.
/// Digits of an index that they do not fill could have another form than alone.
void Simplifier::importResults() {
  if (delinearization_) {
    Attempt attempt(work_.pool);
    auto replace = [&](VariableId id) { return work_.variable(id); };
    results_ = digitsOf(*delinearization_, work_.forms, replace);
    if (attempt.failed()) delinearization_.reset();
    keepWholeIndex();
  }
  if (!delinearization_) {
    results_.clear();
    for (PartForm form : work_.parts.results)
      results_.push_back(work_.import(form));
  }
  for (FormId &form : results_) form = withKnownDigits(work_.forms, form);
  if (!work_.isProduct()) {
    delinearization_ = delinearized(*work_.parts.first, work_.forms, results_);
    keepWholeIndex();
  }
}

void Simplifier::keepWholeIndex() {
  if (delinearization_ &&
      !isWhole(*delinearization_, work_.forms, work_.constraints, results_))
    delinearization_.reset();
}

/// Replaces results that are constants or variables at all points of the
/// domain.
void Simplifier::collapseResults() {
  const auto simple = collapsed(work_.forms, work_.box, work_.constraints,
                                results_, work_.dense);
  for (size_t i = 0; i < simple.size(); ++i) {
    if (work_.recorder && simple[i] != results_[i])
      work_.recorder->add({"one variable or value at every point",
                           work_.recorder->text(results_[i]),
                           work_.recorder->text(simple[i]),
                           "all points of the domain"});
    results_[i] = simple[i];
  }
}

/// Replaces results by those that were given, in the current variables, if
/// `isBetter` prefers these, for the reason `why`. Returns whether any was.
bool Simplifier::keepGiven(const char *why, IsBetter isBetter) {
  auto replace = [&](VariableId id) -> FormId {
    if (id.kind == VariableKind::Runtime) return work_.runtimeForm(id.index);
    return work_.dense.given(work_.pool, id,
                             work_.options.foldPoints && work_.box[id].isPoint()
                                 ? work_.pool.constantForm(work_.box[id].lower)
                                 : work_.pool.variable(id));
  };
  if (work_.pool.overflowed()) return false;
  PartsImport import(work_.parts, work_.pool, replace);
  bool kept = false;
  for (size_t i = 0; i < results_.size(); ++i) {
    Attempt attempt(work_.pool);
    const FormId given = import(work_.parts.results[i]);
    if (given == results_[i] || attempt.failed() ||
        !isBetter(given, results_[i]))
      continue;
    if (work_.recorder)
      work_.recorder->add({why, work_.recorder->text(results_[i]),
                           work_.recorder->text(given), ""});
    results_[i] = given;
    kept = true;
  }
  if (kept) areCanonical_ = false;
  return kept;
}

/// Keeps given expressions whose canonical forms leave 64 bits: constants and
/// bounds of the parts of a form are others. Returns whether there are any.
bool Simplifier::keepThoseInside() {
  auto boundsOf = [&](VariableId id) { return work_.box[id]; };
  return keepGiven(
      "as it was given, inside 64 bits", [&](FormId, FormId canonical) {
        return !FormBounds(work_.pool, boundsOf).check(canonical).ok();
      });
}

/// Keeps given expressions whose canonical forms are longer, since digits do
/// not overlap: d0 + d0 floordiv 2 is (d0 floordiv 2) * 3 + d0 mod 2.
void Simplifier::keepThoseShorter() {
  auto hasNeighbours = [&](FormId form) {
    return work_.forms.measures.hasNeighbours(form);
  };
  if (llvm::none_of(results_, hasNeighbours)) return;
  auto boundsOf = [&](VariableId id) { return work_.box[id]; };
  auto isShorter = [&](FormId given, FormId canonical) {
    return hasNeighbours(canonical) && !hasNeighbours(given) &&
           work_.pool.writtenSize(given) < work_.pool.writtenSize(canonical) &&
           FormBounds(work_.pool, boundsOf).check(given).ok();
  };
  keepGiven("as it was given, shorter", isShorter);
}

/// Returns the canonical map of an empty domain, or an error if a form left 64
/// bits.
absl::StatusOr<IndexingMap> Simplifier::withoutPoints() {
  // Forms that left 64 bits prove nothing.
  if (work_.pool.overflowed()) return leaves64Bits();
  if (work_.recorder)
    work_.recorder->add({"no point is left",
                         work_.recorder->text(work_.constraints), "KNOWN EMPTY",
                         "the bounds of the variables"});
  return IndexingMap::knownEmpty();
}

absl::StatusOr<IndexingMap> Simplifier::write() {
  if (work_.pool.overflowed()) return leaves64Bits();
  llvm::SmallVector<Interval, 4> bounds;
  if (!work_.constraints.empty()) {
    ResultBounds boundsOf(work_.pool, work_.forms.facts, work_.constraints);
    for (FormId form :
         llvm::ArrayRef(results_).drop_back(work_.parts.collectives.size()))
      bounds.push_back(boundsOf(form));
  }
  return markedIfNormal(emitted(
      {work_.parts, work_.pool, work_.box, results_, bounds, work_.constraints,
       work_.indices, work_.representatives, work_.dense, delinearization_},
      work_.options.rename, work_.options.foldPoints && areCanonical_));
}

}  // namespace

absl::StatusOr<IndexingMap> simplifyParts(MapParts &parts,
                                          const SimplifyOptions &options,
                                          Workspace &workspace) {
  return Simplifier(parts, options, workspace).run();
}

}  // namespace indexical
