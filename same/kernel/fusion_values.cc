#include "indexical/same/kernel/fusion_values.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/address.h"
#include "indexical/program/kernel/checks.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/program/maps/merged_ranges.h"
#include "indexical/same/equality/hidden_effects.h"
#include "indexical/same/equality/parameter_names.h"
#include "indexical/same/kernel/kernel_terms.h"
#include "indexical/same/kernel/ordered_stores.h"
#include "indexical/same/kernel/result_stores.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/element_text.h"
#include "indexical/same/values/regions.h"
#include "indexical/same/values/same_elements.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

namespace {

// The steps of one question, at 50 ns each: some seconds for large fusions.
constexpr int64_t kUsualOperations = 100'000'000;
// The most regions into which a store falls.
constexpr int kMostRegions = 256;
constexpr int kLevels = 4;

class StoredComparison {
 public:
  StoredComparison(const TritonKernel &kernel, const Module &module,
                   ComputationId computation, const ValueOptions &values,
                   const ExactOptions &options)
      : kernel_(kernel),
        options_(options),
        module_(module),
        table_(values.floats),
        meter_(options, kUsualOperations),
        same_(table_, options_) {
    module_.entry = computation;
    same_.letSecondSettle();
  }

  /// Returns the module whose entry is the computation.
  const Module &module() const { return module_; }

  absl::Status run(FusionComparison &result) {
    const Computation &entry = module_.computations[module_.entry];
    const auto shapes = argumentShapes(entry);
    const auto &numbers = result.arguments;
    if (shapes.size() != numbers.size()) return absl::OkStatus();
    std::vector<std::optional<ArgumentArray>> arrays(kernel_.arguments.size());
    size_t k = 0;
    bool isKnown = true;
    auto addArray = [&](int64_t parameter, int64_t leaf, int64_t output) {
      const size_t own = k++;
      std::optional<ArgumentArray> &known = arrays[numbers[own]];
      const bool hasType =
          hasElementsOf(kernel_.arguments[numbers[own]], shapes[own]);
      isKnown &= hasType;
      if (known) {
        // Equal operands are one array, and a result that takes the place of
        // one. Elements have to lie where they do in the other.
        isKnown &= sameInMemory(known->shape, shapes[own]);
        if (output >= 0) known->result = output;
        return;
      }
      ArgumentArray array;
      array.parameter = parameter;
      array.leaf = leaf;
      array.result = output;
      array.shape = shapes[own];
      auto map = indexMap(shapes[own]);
      if (map.ok())
        array.toIndex = *std::move(map);
      else
        isKnown = false;
      known = std::move(array);
    };
    for (auto [p, parameter] : llvm::enumerate(entry.parameters)) {
      const size_t leaves =
          shapesOf(entry.instructions[parameter].op).results.size();
      for (size_t leaf = 0; leaf < leaves; ++leaf) addArray(p, leaf, -1);
    }
    const size_t parameters = k;
    while (k < shapes.size()) addArray(-1, 0, k - parameters);
    if (!isKnown || kernel_.incomplete) {
      if (kernel_.incomplete) note(result, {}, kernel_.incomplete->reason);
      return absl::OkStatus();
    }
    fusion_.emplace(module_, table_, arrays_, llvm::ArrayRef<int32_t>(),
                    kLevels, meter_, options_);
    fusion_->leaveOutNeutral();
    terms_.emplace(kernel_, table_, arrays, meter_, options_);
    addSpellings(arrays);
    bool isEqual = true;
    for (const KernelAccess &access : kernel_.accesses) {
      if (access.kind == AccessKind::Load) continue;
      isEqual &= compareStore(access, arrays, result);
      INDEXICAL_RETURN_IF_ERROR(options_.check());
    }
    for (auto [argument, array] : llvm::enumerate(arrays))
      if (array && array->result >= 0 && array->parameter >= 0 &&
          !keepsRest(static_cast<int64_t>(argument), *array)) {
        ValueDifference difference;
        difference.result = array->result;
        isEqual = haveSameReads_ = false;
        note(result, difference,
             "what the kernel does not store, the fusion may change");
      }
    for (const char *law :
         {"reassociate", "no-nan", "zero-sign", "excess-precision", "real"})
      if (table_.lawsUsed().count(law)) result.verdict.laws.push_back(law);
    Verdict &verdict = result.verdict;
    // One witness is enough.
    if (verdict.answer == Verdict::Different) return absl::OkStatus();
    if (otherValue_) {
      verdict.differ(*std::move(otherValue_));
    } else if (isEqual && result.isCovered) {
      verdict.settle(Level::Values, Verdict::Same);
      result.values.clear();
    } else if (haveSameReads_ && result.isCovered) {
      verdict.settle(Level::Reads, Verdict::Same);
    }
    return absl::OkStatus();
  }

 private:
  struct Store {
    const KernelAccess &access;
    const ArgumentArray &array;    ///< of a result
    int64_t argument;              ///< of the kernel
    const IndexingMap &toElement;  ///< from the space of the store
    IndexingMap toIndex;
  };

  /// Notes the first terms that differ of a result, or why there are none.
  void note(FusionComparison &result, ValueDifference difference,
            std::string reason) {
    for (const ValueDifference &known : result.values)
      if (known.result == difference.result) return;
    difference.reason = std::move(reason);
    result.values.push_back(std::move(difference));
  }

  bool compareStore(const KernelAccess &access,
                    llvm::ArrayRef<std::optional<ArgumentArray>> arrays,
                    FusionComparison &result) {
    ValueDifference difference;
    difference.line = access.place.line;
    auto fail = [&](std::string reason) {
      haveSameReads_ = false;
      note(result, difference, std::move(reason));
      return false;
    };
    if (isOverwritten(kernel_, access, options_)) return true;
    if (access.kind == AccessKind::Atomic)
      return fail(
          "an atomic operation adds to what the buffer held, which is not "
          "known");
    if (!access.reason.empty()) return fail(access.reason);
    if (access.mask == MaskKind::Cover)
      return fail("a part of the mask of a store is not known");
    for (const PointerMap &map : access.maps) {
      if (map.argument < 0 || !arrays[map.argument] ||
          arrays[map.argument]->result < 0)
        return fail("a store is to no result");
      const ArgumentArray &array = *arrays[map.argument];
      difference.result = array.result;
      if (access.value < 0) return fail("what is stored is not followed");
      if (!map.map.runtime().empty())
        return fail(
            absl::StrCat("where a store goes depends on values, such as `",
                         map.map.runtime()[0].name, "`"));
      auto index = compose(map.map, array.toIndex);
      const auto region = regionIn(map.map);
      if (!index.ok() || !region) return fail("an address leaves 64 bits");
      regions_ = 0;
      Store store{access, array, map.argument, map.map, *std::move(index)};
      if (!compareIn(store, *region, difference, result)) return false;
    }
    return true;
  }

  static bool sameInMemory(const ArrayShape &a, const ArrayShape &b) {
    if (a.type != b.type || a.dimensions != b.dimensions) return false;
    const auto first = indexMap(a), second = indexMap(b);
    return first.ok() && second.ok() && *first == *second;
  }

  /// Whether each element of a result that no program stores is that of the
  /// parameter in whose place it is.
  bool keepsRest(int64_t argument, const ArgumentArray &array) {
    stored_ = IndexingRelation();
    for (const KernelAccess &access : kernel_.accesses)
      if (access.kind == AccessKind::Store)
        for (const PointerMap &map : access.maps)
          if (map.argument == argument) {
            if (!map.map.runtime().empty()) return false;
            stored_.add(withMergedDigits(withRanges(map.map, 0)));
          }
    const auto whole = namedRegion(array.shape);
    regions_ = 0;
    return whole.ok() && keepsIn(array, *whole);
  }

  bool keepsIn(const ArgumentArray &array, const IndexingMap &region) {
    if (region.isKnownEmpty()) return true;
    if (++regions_ > kMostRegions) return false;
    const auto theirs = fusion_->at(LeafId(array.result), region);
    if (!theirs) {
      const std::vector<IndexingMap> parts(fusion_->parts().begin(),
                                           fusion_->parts().end());
      return !parts.empty() &&
             llvm::all_of(parts, [&](const IndexingMap &part) {
               return part != region && keepsIn(array, part);
             });
    }
    Element parameter;
    parameter.kind = Element::Kind::Parameter;
    parameter.number = array.parameter;
    parameter.leaf = array.leaf;
    same_.begin();
    if (same_.areSame(*theirs,
                      table_.read(table_.intern(std::move(parameter)),
                                  array.shape.type, region),
                      region))
      return true;
    const auto address = addressMap(array.shape);
    auto elements = address.ok() ? compose(region, *address) : address;
    if (!elements.ok() || !elements->runtime().empty()) return false;
    const auto isStored =
        isSubset(IndexingRelation(withRanges(*elements, 0)), stored_, options_);
    return isStored.ok() && isStored->answer == Answer::Yes;
  }

  /// Compares in the parts of a region in which both sides have one term.
  bool compareIn(const Store &store, const IndexingMap &region,
                 ValueDifference &difference, FusionComparison &result) {
    if (region.isKnownEmpty()) return true;
    auto fail = [&](std::string reason) {
      haveSameReads_ = false;
      note(result, difference, std::move(reason));
      return false;
    };
    if (++regions_ > kMostRegions)
      return fail("the result falls into too many regions");
    auto index = compose(region, store.toIndex);
    if (!index.ok()) return fail("an address leaves 64 bits");
    const auto theirs = fusion_->at(LeafId(store.array.result), *index);
    const auto ours =
        theirs ? terms_->storedBy(store.access, region) : std::nullopt;
    if (!theirs || !ours) {
      const llvm::ArrayRef<IndexingMap> from =
          theirs ? terms_->parts() : fusion_->parts();
      const std::vector<IndexingMap> parts(from.begin(), from.end());
      bool isEqual = true;
      for (const IndexingMap &part : parts) {
        if (part == region) return fail("a region does not become smaller");
        isEqual &= compareIn(store, part, difference, result);
        if (!isEqual && !haveSameReads_) return false;
      }
      return isEqual;
    }
    const ElementId stored = terms_->asStored(*ours, store.array.shape.type);
    same_.begin();
    if (same_.areSame(*theirs, stored, region)) return true;
    for (KernelTerms &spelling : spellings_)
      if (isSameBy(spelling, store, region)) return true;
    // A number differs from what is none.
    auto finite = [&](ElementId id) {
      const Element &element = table_[id];
      const bool isNone = element.kind == Element::Kind::Literal &&
                          !numberOfBytes(element.type, element.text);
      if (!isNone) return id;
      const std::string two = bytesOfNumber("2", element.type);
      return two.empty() ? id : table_.literal(element.type, two);
    };
    const ElementId numbers[] = {finite(*theirs), finite(stored)};
    const bool areNone = numbers[0] != *theirs && numbers[1] != stored;
    auto witness =
        areNone ? std::nullopt
                : differentNumbers(table_, numbers[0], numbers[1], region);
    const auto [a, b] = firstDifference(table_, *theirs, stored);
    difference.fusion = textOf(table_, a, module_);
    difference.kernel = textOf(table_, b, module_);
    if (witness && !otherValue_ && isLastStore(store)) {
      addWitness(store, *std::move(witness), *theirs, stored, difference);
      if (otherValue_ && numbers[0] != *theirs)
        otherValue_->second.value = "no number";
      if (otherValue_ && numbers[1] != stored)
        otherValue_->first.value = "no number";
    }
    if (meter_.left() < 0) return fail("the budget is spent");
    haveSameReads_ &= haveSameReads(*theirs, stored, region);
    const bool isOpen = table_[stored].kind == Element::Kind::Unknown ||
                        table_[b].kind == Element::Kind::Unknown;
    note(result, difference, isOpen ? terms_->reason() : missingLaw());
    return false;
  }

  /// Adds other spellings of what the kernel computes, of which the fusion may
  /// have one: sums in the order of their loops, and products that are rounded
  /// by an op of their own.
  void addSpellings(llvm::ArrayRef<std::optional<ArgumentArray>> arrays) {
    const bool hasSums = llvm::any_of(kernel_.values, [](const auto &value) {
      return value.kind == KernelValue::Kind::Loop && value.operands.size() > 2;
    });
    const bool hasProducts = llvm::any_of(
        kernel_.values,
        [](const auto &value) { return value.kind == KernelValue::Kind::Dot; });
    if (hasSums)
      spellings_.emplace_back(kernel_, table_, arrays, meter_, options_)
          .take(KernelTerms::Sums::ByTurns);
    if (hasProducts)
      spellings_.emplace_back(kernel_, table_, arrays, meter_, options_)
          .take(KernelTerms::Products::Converted);
  }

  /// Whether the fusion's elements are those of the kernel in that spelling.
  bool isSameBy(KernelTerms &spelling, const Store &store,
                const IndexingMap &region) {
    if (region.isKnownEmpty()) return true;
    if (++regions_ > kMostRegions) return false;
    auto index = compose(region, store.toIndex);
    if (!index.ok()) return false;
    const auto theirs = fusion_->at(LeafId(store.array.result), *index);
    const auto ours =
        theirs ? spelling.storedBy(store.access, region) : std::nullopt;
    if (ours) {
      same_.begin();
      return same_.areSame(
          *theirs, spelling.asStored(*ours, store.array.shape.type), region);
    }
    const llvm::ArrayRef<IndexingMap> from =
        theirs ? spelling.parts() : fusion_->parts();
    const std::vector<IndexingMap> parts(from.begin(), from.end());
    return !parts.empty() && llvm::all_of(parts, [&](const IndexingMap &part) {
      return part != region && isSameBy(spelling, store, part);
    });
  }

  /// Says which law a loop of the kernel takes that nobody has, if it does.
  std::string missingLaw() const {
    for (const KernelValue &value : kernel_.values)
      if (value.kind == KernelValue::Kind::Turned &&
          value.text.find("no law") != std::string::npos)
        return value.text;
    return "";
  }

  using Reads = std::map<std::pair<int64_t, int64_t>, IndexingRelation>;

  /// Adds the elements of parameters of which the element is made, as maps from
  /// its first `outer` variables. Returns false if they are not known.
  bool addReads(ElementId id, size_t outer, std::set<ElementId> &seen,
                Reads &reads) {
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
          if (factor == id || !addReads(factor, outer, seen, reads))
            return false;
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
  bool haveSameReads(ElementId first, ElementId second,
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
  bool isLastStore(const Store &store) {
    for (const KernelAccess &other : kernel_.accesses)
      if (other.kind == AccessKind::Store && other.phase > store.access.phase &&
          llvm::any_of(other.maps, [&](const PointerMap &map) {
            return map.argument == store.argument;
          }))
        return false;
    if (!isOnce_)
      isOnce_ = writtenOnce(kernel_, options_).answer == Check::Proved;
    if (!*isOnce_) return false;
    const auto once = isInjective(
        IndexingRelation(rangesToDimensions(store.toElement)), options_);
    return once.ok() && once->answer == Answer::Yes;
  }

  /// Takes numbers with which the fusion, which is first, and the kernel differ
  /// as the witness of a store.
  void addWitness(const Store &store, Witness witness, ElementId theirs,
                  ElementId ours, const ValueDifference &difference) {
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
    witness.first.term = textOf(table_, ours, module_);
    witness.second.term = textOf(table_, theirs, module_);
    nameInputs(module_.computations[module_.entry], witness);
    otherValue_ = std::move(witness);
  }

  const TritonKernel &kernel_;
  const ExactOptions &options_;
  Module module_;
  TermTable arrays_;
  ElementTable table_;
  Meter meter_;
  SameElements same_;
  std::optional<ElementTerms> fusion_;
  std::optional<KernelTerms> terms_;
  std::deque<KernelTerms> spellings_;
  std::optional<bool> isOnce_;
  IndexingRelation stored_;  ///< the elements of the result in question
  std::optional<Witness> otherValue_;  ///< the first one
  int regions_ = 0;
  bool haveSameReads_ = true;
};

}  // namespace

absl::Status compareStoredValues(const TritonKernel &kernel,
                                 const Module &module,
                                 ComputationId computation,
                                 const ValueOptions &values,
                                 const ExactOptions &options,
                                 FusionComparison &comparison) {
  if (!hasStack(kStackOfQuestion * 2))
    return onDeepStack([&] {
      return compareStoredValues(kernel, module, computation, values, options,
                                 comparison);
    });
  StoredComparison compared(kernel, module, computation, values, options);
  INDEXICAL_RETURN_IF_ERROR(compared.run(comparison));
  if (comparison.verdict.isSame())
    comparison.verdict.assumed = assumptionsOf(compared.module());
  return absl::OkStatus();
}

}  // namespace indexical::kernels
