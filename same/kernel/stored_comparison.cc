#include "indexical/same/kernel/stored_comparison.h"

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/kernel/checks.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/same/equality/parameter_names.h"
#include "indexical/same/kernel/ordered_stores.h"
#include "indexical/same/values/element_numbers.h"
#include "indexical/same/values/element_text.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

namespace {

// The most regions into which a store falls.
constexpr int kMostRegions = 256;

}  // namespace

StoredComparison::StoredComparison(const TritonKernel &kernel, Arrays arrays,
                                   Tables tables, const ExactOptions &options)
    : kernel_(kernel),
      arrays_(arrays),
      table_(tables.table),
      same_(tables.same),
      meter_(tables.meter),
      names_(tables.names),
      options_(options) {}

void StoredComparison::addSpelling(SpecTerms &spec, KernelTerms &terms,
                                   std::string law) {
  spellings_.push_back({&spec, &terms, std::move(law)});
}

void StoredComparison::note(std::vector<ValueDifference> &values,
                            ValueDifference difference, std::string reason) {
  for (const ValueDifference &known : values)
    if (known.result == difference.result) return;
  difference.reason = std::move(reason);
  values.push_back(std::move(difference));
}

bool StoredComparison::fail(const ValueDifference &difference,
                            std::string reason) {
  haveSameReads_ = false;
  note(*values_, difference, std::move(reason));
  return false;
}

absl::StatusOr<bool> StoredComparison::compareStores(
    std::vector<ValueDifference> &values) {
  values_ = &values;
  bool isEqual = true;
  for (const KernelAccess &access : kernel_.accesses) {
    if (access.kind == AccessKind::Load) continue;
    isEqual &= compareStore(access);
    INDEXICAL_RETURN_IF_ERROR(options_.check());
  }
  if (isEqual && kernel_.assumed) {
    note(values, {}, kernel_.assumed->reason);
    return false;
  }
  return isEqual;
}

bool StoredComparison::compareStore(const KernelAccess &access) {
  ValueDifference difference;
  difference.line = access.place.line;
  // A division by 0 fails, whatever becomes of its result.
  const auto mayFail = [&] {
    return spellings_.front().terms->mayFail(access.value);
  };
  constexpr char kFails[] = "an op has no result for some numbers, and fails";
  if (isOverwritten(kernel_, access, options_))
    return !mayFail() || fail(difference, kFails);
  const bool isSum = access.kind == AccessKind::Atomic;
  if (isSum && (access.value < 0 || !spellings_.front().terms->followsSums()))
    return fail(difference,
                "an atomic operation adds to what the buffer held, which is "
                "not known");
  if (!access.reason.empty()) return fail(difference, access.reason);
  if (access.mask == MaskKind::Cover)
    return fail(difference, "a part of the mask of a store is not known");
  bool isEqual = true;
  for (const PointerMap &map : access.maps) {
    if (map.argument < 0 || !arrays_[map.argument])
      return fail(difference, "a store is to no result");
    const ArgumentArray &array = *arrays_[map.argument];
    if (array.isScratch && mayFail()) return fail(difference, kFails);
    if (array.isScratch) continue;
    if (array.result < 0) return fail(difference, "a store is to no result");
    difference.result = array.result;
    if (access.value < 0)
      return fail(difference, "what is stored is not followed");
    if (!map.map.runtime().empty())
      return fail(
          difference,
          absl::StrCat("where a store goes depends on values, such as `",
                       map.map.runtime()[0].name, "`"));
    const auto region = regionIn(map.map);
    if (!region) return fail(difference, "an address leaves 64 bits");
    regions_ = 0;
    const Store store{access, array, map.argument, map, map.map};
    isEqual &= compareIn(store, *region, difference);
    if (!isEqual && !haveSameReads_) return false;
  }
  return isEqual;
}

std::optional<ElementId> StoredComparison::leftBy(const Spelling &spelling,
                                                  const Store &store,
                                                  const IndexingMap &region,
                                                  const IndexingMap &place) {
  if (store.access.kind == AccessKind::Atomic)
    return spelling.terms->leftAt(store.argument, place);
  return spelling.terms->storedBy(store.access, region);
}

/// Compares in the parts of a region in which both sides have one term.
bool StoredComparison::compareIn(const Store &store, const IndexingMap &region,
                                 ValueDifference &difference) {
  if (region.isKnownEmpty()) return true;
  if (++regions_ > kMostRegions)
    return fail(difference, "the result falls into too many regions");
  const Spelling &first = spellings_.front();
  const auto place = compose(region, store.toElement);
  if (!place.ok()) return fail(difference, "an address leaves 64 bits");
  const auto theirs = first.spec->at(store.argument, *place);
  const auto ours =
      theirs ? leftBy(first, store, region, *place) : std::nullopt;
  if (ours)
    if (std::string why = undefinedIn(first); !why.empty())
      return fail(difference, std::move(why));
  if (theirs && ours)
    return compareTerms(store, region, *theirs,
                        first.terms->asStored(*ours, store.array.shape.type),
                        difference);
  const llvm::ArrayRef<IndexingMap> from =
      theirs ? first.terms->parts() : first.spec->parts();
  const std::vector<IndexingMap> parts(from.begin(), from.end());
  if (parts.empty())
    return fail(difference, "a region does not become smaller");
  bool isEqual = true;
  for (const IndexingMap &part : parts) {
    if (part == region)
      return fail(difference, "a region does not become smaller");
    isEqual &= compareIn(store, part, difference);
    if (!isEqual && !haveSameReads_) return false;
  }
  return isEqual;
}

std::string StoredComparison::undefinedIn(const Spelling &spelling) const {
  const std::set<ElementId> undefined = spelling.terms->undefined();
  if (undefined.empty()) return "";
  // Theirs is as undefined there, or in more cases.
  const std::set<ElementId> theirs = spelling.spec->undefined();
  for (ElementId each : undefined) {
    bool isTheirs = false;
    for (std::optional<ElementId> at = each; at && !isTheirs;
         at = spelling.terms->whereTaken(*at))
      isTheirs = theirs.count(*at);
    if (!isTheirs)
      return absl::StrCat("line ", spelling.terms->lineOf(each),
                          ": the op has no result for some numbers");
  }
  return "";
}

bool StoredComparison::compareTerms(const Store &store,
                                    const IndexingMap &region, ElementId theirs,
                                    ElementId stored,
                                    ValueDifference &difference) {
  same_.begin();
  if (same_.areSame(theirs, stored, region)) return true;
  for (const Spelling &spelling :
       llvm::ArrayRef<Spelling>(spellings_).drop_front())
    if (isSameBy(spelling, store, region)) {
      if (!spelling.law.empty()) table_.noteLaw(spelling.law);
      return true;
    }
  // A number differs from what is none, unless that is a number, too.
  auto finite = [&](ElementId id) {
    const Element &element = table_[id];
    const bool isNone = specials_ == Specials::None &&
                        element.kind == Element::Kind::Literal &&
                        !numberOfBytes(element.type, element.text);
    if (!isNone) return id;
    const std::string two = bytesOfNumber("2", element.type);
    return two.empty() ? id : table_.literal(element.type, two);
  };
  const ElementId numbers[] = {finite(theirs), finite(stored)};
  const bool areNone = numbers[0] != theirs && numbers[1] != stored;
  const bool isSum = store.access.kind == AccessKind::Atomic;
  auto witness =
      areNone || otherValue_ || !seeksNumbers_ || isSum ||
              // Ours may be anything where theirs is undefined.
              !spellings_.front().spec->undefined().empty()
          ? std::nullopt
          : differentNumbers(table_, numbers[0], numbers[1], region, specials_);
  const auto [a, b] = firstDifference(table_, theirs, stored);
  difference.fusion = textOf(table_, a, names_);
  difference.kernel = textOf(table_, b, names_);
  if (witness && !otherValue_ && isLastStore(store)) {
    addWitness(store, *std::move(witness), theirs, stored, difference);
    if (otherValue_ && numbers[0] != theirs)
      otherValue_->second.value = "no number";
    if (otherValue_ && numbers[1] != stored)
      otherValue_->first.value = "no number";
  }
  if (meter_.left() < 0) return fail(difference, "the budget is spent");
  haveSameReads_ &= haveSameReads(theirs, stored, region);
  using Kind = Element::Kind;
  std::string reason = missingLaw();
  if (table_[stored].kind == Kind::Unknown || table_[b].kind == Kind::Unknown)
    reason = spellings_.front().terms->reason();
  else if (table_[a].kind == Kind::Unknown)
    reason = spellings_.front().spec->reason();
  note(*values_, difference, std::move(reason));
  return false;
}

/// Whether both sides are the same if they are written so.
bool StoredComparison::isSameBy(const Spelling &spelling, const Store &store,
                                const IndexingMap &region) {
  if (region.isKnownEmpty()) return true;
  if (++regions_ > kMostRegions) return false;
  const auto place = compose(region, store.toElement);
  if (!place.ok()) return false;
  const auto theirs = spelling.spec->at(store.argument, *place);
  const auto ours =
      theirs ? leftBy(spelling, store, region, *place) : std::nullopt;
  if (ours) {
    same_.begin();
    return undefinedIn(spelling).empty() &&
           same_.areSame(
               *theirs, spelling.terms->asStored(*ours, store.array.shape.type),
               region);
  }
  const llvm::ArrayRef<IndexingMap> from =
      theirs ? spelling.terms->parts() : spelling.spec->parts();
  const std::vector<IndexingMap> parts(from.begin(), from.end());
  return !parts.empty() && llvm::all_of(parts, [&](const IndexingMap &part) {
    return part != region && isSameBy(spelling, store, part);
  });
}

/// Says which law a loop of the kernel takes that nobody has, if it does.
std::string StoredComparison::missingLaw() const {
  for (const KernelValue &value : kernel_.values)
    if (value.kind == KernelValue::Kind::Turned &&
        value.text.find("no law") != std::string::npos)
      return value.text;
  return "";
}

/// Adds the elements of parameters of which the element is made, as maps from
/// its first `outer` variables. Returns false if they are not known.
bool StoredComparison::addReads(ElementId id, size_t outer,
                                std::set<ElementId> &seen, Reads &reads) {
  using Kind = Element::Kind;
  if (!seen.insert(id).second) return true;
  const Element &element = table_[id];
  if (element.kind == Kind::Unknown) return false;
  if (element.kind == Kind::Along &&
      (!element.functions.empty() || element.op.is<SortOp>()))
    return false;
  if (element.kind == Kind::Sum) {
    for (const auto &[factors, by] : table_.asPolynomial(id).terms())
      for (ElementId factor : factors)
        if (factor == id || !addReads(factor, outer, seen, reads)) return false;
    return true;
  }
  if (element.kind == Kind::Read) {
    const Element &array = table_[element.operands[0]];
    if (array.kind == Kind::List) return true;
    const IndexingMap &map = element.maps[0];
    if (array.kind != Kind::Parameter || !map.runtime().empty() ||
        map.dimensions().size() < outer)
      return false;
    reads[{array.number, array.leaf}].add(withRanges(map, outer));
    return true;
  }
  for (ElementId operand : element.operands)
    if (!addReads(operand, outer, seen, reads)) return false;
  return true;
}

/// Whether both are made of the same elements of the parameters.
bool StoredComparison::haveSameReads(ElementId first, ElementId second,
                                     const IndexingMap &region) {
  const size_t outer = region.dimensions().size();
  Reads reads[2];
  for (int side : {0, 1}) {
    std::set<ElementId> seen;
    if (!addReads(side ? second : first, outer, seen, reads[side]))
      return false;
  }
  if (reads[0].size() != reads[1].size()) return false;
  for (auto &[parameter, relation] : reads[0]) {
    const auto other = reads[1].find(parameter);
    if (other == reads[1].end()) return false;
    if (relation == other->second) continue;
    const auto same = areEqual(relation, other->second, options_);
    if (!same.ok() || same->answer != Answer::Yes) return false;
  }
  return true;
}

/// Whether each element is stored once: what is stored is then what stays. A
/// loop may store one again, and its last store counts.
bool StoredComparison::isLastStore(const Store &store) {
  if (mayBeOverwritten(kernel_, store.access, store.map, options_))
    return false;
  if (!isOnce_)
    isOnce_ = writtenOnce(kernel_, options_).answer == Check::Proved;
  if (!*isOnce_) return false;
  const auto once = isInjective(
      IndexingRelation(rangesToDimensions(store.toElement)), options_);
  return once.ok() && once->answer == Answer::Yes;
}

/// Takes numbers with which the specification, which is first, and the kernel
/// differ as the witness of a store.
void StoredComparison::addWitness(const Store &store, Witness witness,
                                  ElementId theirs, ElementId ours,
                                  const ValueDifference &difference) {
  const std::vector<int64_t> index = std::move(witness.first.index);
  IndexingMap::Point point;
  point.dimensions.assign(index.begin(), index.end());
  const auto element = store.toElement.evaluate(point);
  if (!element || !store.toElement.contains(point)) return;
  std::swap(witness.first, witness.second);
  witness.first.index.clear();
  witness.kind = Witness::Kind::StoredOther;
  witness.array = difference.result;
  witness.element = {(*element)[0]};
  witness.first.program.assign(index.begin(), index.begin() + 3);
  witness.first.line = difference.line;
  witness.first.term = textOf(table_, ours, names_);
  witness.second.term = textOf(table_, theirs, names_);
  nameInputs(names_.computations[names_.entry], witness);
  otherValue_ = std::move(witness);
}

}  // namespace indexical::kernels
