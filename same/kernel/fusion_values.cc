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
#include "indexical/same/kernel/spec_terms.h"
#include "indexical/same/kernel/stored_comparison.h"
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

/// The computation as the specification of its kernel.
class FusionSpec : public SpecTerms {
 public:
  FusionSpec(ElementTerms &terms, ElementTable &table,
             StoredComparison::Arrays arrays)
      : terms_(terms), table_(table), arrays_(arrays) {}

  std::optional<ElementId> at(int64_t argument,
                              const IndexingMap &elements) override {
    const ArgumentArray &array = *arrays_[argument];
    auto index = compose(elements, array.toIndex);
    if (!index.ok()) {
      reason_ = "an address leaves 64 bits";
      return table_.unknown();
    }
    const auto found = terms_.at(LeafId(array.result), *index);
    parts_.clear();
    if (!found) parts_.assign(terms_.parts().begin(), terms_.parts().end());
    return found;
  }
  const std::string &reason() const override { return reason_; }

 private:
  ElementTerms &terms_;
  ElementTable &table_;
  const StoredComparison::Arrays arrays_;
  std::string reason_;
};

class FusionValues {
 public:
  FusionValues(const TritonKernel &kernel, const Module &module,
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
    if (const auto *open = kernel_.openEnd(); !isKnown || open) {
      if (open) StoredComparison::note(result.values, {}, open->reason);
      return absl::OkStatus();
    }
    fusion_.emplace(module_, table_, arrays_, llvm::ArrayRef<int32_t>(),
                    kLevels, meter_, options_);
    fusion_->leaveOutNeutral();
    spec_.emplace(*fusion_, table_, arrays);
    terms_.emplace(kernel_, table_, arrays, meter_, options_);
    compared_.emplace(kernel_, arrays,
                      StoredComparison::Tables{table_, same_, meter_, module_},
                      options_);
    compared_->addSpelling(*spec_, *terms_);
    addSpellings(arrays);
    INDEXICAL_ASSIGN_OR_RETURN(bool isEqual,
                               compared_->compareStores(result.values));
    for (auto [argument, array] : llvm::enumerate(arrays))
      if (array && array->result >= 0 && array->parameter >= 0 &&
          !keepsRest(static_cast<int64_t>(argument), *array)) {
        ValueDifference difference;
        difference.result = array->result;
        isEqual = false;
        compared_->loseReads();
        StoredComparison::note(
            result.values, difference,
            "what the kernel does not store, the fusion may change");
      }
    for (const char *law :
         {"reassociate", "no-nan", "zero-sign", "excess-precision", "real"})
      if (table_.lawsUsed().count(law)) result.verdict.laws.push_back(law);
    Verdict &verdict = result.verdict;
    // One witness is enough.
    if (verdict.answer == Verdict::Different) return absl::OkStatus();
    if (compared_->witness()) {
      verdict.differ(*std::move(compared_->witness()));
    } else if (isEqual && result.isCovered) {
      verdict.settle(Level::Values, Verdict::Same);
      result.values.clear();
    } else if (compared_->haveSameReads() && result.isCovered) {
      verdict.settle(Level::Reads, Verdict::Same);
    }
    return absl::OkStatus();
  }

 private:
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

  /// Adds other spellings of what the kernel computes, of which the fusion may
  /// have one: sums in the order of their loops, and products that are rounded
  /// by an op of their own.
  void addSpellings(StoredComparison::Arrays arrays) {
    const bool hasSums = llvm::any_of(kernel_.values, [](const auto &value) {
      return value.kind == KernelValue::Kind::Loop && value.operands.size() > 2;
    });
    const bool hasProducts = llvm::any_of(
        kernel_.values,
        [](const auto &value) { return value.kind == KernelValue::Kind::Dot; });
    if (hasSums) {
      spellings_.emplace_back(kernel_, table_, arrays, meter_, options_)
          .take(KernelTerms::Sums::ByTurns);
      compared_->addSpelling(*spec_, spellings_.back());
    }
    if (hasProducts) {
      spellings_.emplace_back(kernel_, table_, arrays, meter_, options_)
          .take(KernelTerms::Products::Converted);
      compared_->addSpelling(*spec_, spellings_.back());
    }
  }

  const TritonKernel &kernel_;
  const ExactOptions &options_;
  Module module_;
  TermTable arrays_;
  ElementTable table_;
  Meter meter_;
  SameElements same_;
  std::optional<ElementTerms> fusion_;
  std::optional<FusionSpec> spec_;
  std::optional<KernelTerms> terms_;
  std::deque<KernelTerms> spellings_;
  std::optional<StoredComparison> compared_;
  IndexingRelation stored_;  ///< the elements of the result in question
  int regions_ = 0;
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
  FusionValues compared(kernel, module, computation, values, options);
  INDEXICAL_RETURN_IF_ERROR(compared.run(comparison));
  if (comparison.verdict.isSame())
    comparison.verdict.assumed = assumptionsOf(compared.module());
  return absl::OkStatus();
}

}  // namespace indexical::kernels
