#include "indexical/same/kernel/kernel_pair.h"

#include <deque>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/kernel/open_sizes.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/program/maps/merged_ranges.h"
#include "indexical/program/module/module_builder.h"
#include "indexical/same/equality/parameter_names.h"
#include "indexical/same/kernel/kernel_terms.h"
#include "indexical/same/kernel/masked_lanes.h"
#include "indexical/same/kernel/result_stores.h"
#include "indexical/same/kernel/stored_comparison.h"
#include "indexical/same/values/element_numbers.h"
#include "indexical/same/values/element_text.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

namespace {

// The steps of one question, at 50 ns each.
constexpr int64_t kMostSteps = 100'000'000;
// An array whose size is not known has at most so many elements.
constexpr int64_t kMostElements = int64_t{1} << 62;

using Arrays = std::vector<std::optional<ArgumentArray>>;

/// The type that the elements of an array have in memory, or that a scalar has.
ElementType typeInMemory(const KernelArgument &argument) {
  std::string text = elementTypeOf(argument).str();
  if (text.empty()) text = argument.type;
  if (text == "i1") return ElementType::Pred;
  if (text[0] == 'i') text[0] = 's';
  for (char &letter : text) letter = llvm::toLower(letter);
  return parseElementType(text).value_or(ElementType::Unknown);
}

/// Returns how many numbers an element of the array has: several if the kernel
/// is read for all sizes.
size_t numbersOfElement(const TritonKernel &kernel, int64_t array) {
  for (const KernelAccess &access : kernel.accesses)
    for (const PointerMap &map : access.maps)
      if (kernel.arrayOf(map.argument) == array)
        return map.map.results().size();
  return 1;
}

/// Returns the map of the numbers of an element to themselves.
absl::StatusOr<IndexingMap> numbersOf(std::optional<int64_t> count,
                                      size_t numbers) {
  IndexingMapBuilder b;
  if (numbers == 1)
    b.result(b.dimension({0, count.value_or(kMostElements) - 1}));
  else
    for (size_t k = 0; k < numbers; ++k)
      b.result(b.dimension({-kMostElements / 4, kMostElements / 4}));
  return b.build();
}

/// The old kernel as the specification.
class KernelSpec : public SpecTerms {
 public:
  KernelSpec(KernelTerms &terms, ElementTable &table,
             const PairedArguments &arguments)
      : terms_(terms), table_(table), arguments_(arguments) {}

  std::optional<ElementId> at(int64_t argument,
                              const IndexingMap &elements) override {
    parts_.clear();
    const int64_t old = arguments_.oldOf[argument];
    if (old < 0) {
      reason_ = "an array has no partner";
      return table_.unknown();
    }
    const auto found = terms_.leftAt(old, elements);
    if (!found) parts_.assign(terms_.parts().begin(), terms_.parts().end());
    return found;
  }
  const std::string &reason() const override {
    return reason_.empty() ? terms_.reason() : reason_;
  }
  std::set<ElementId> undefined() const override { return terms_.undefined(); }

 private:
  KernelTerms &terms_;
  ElementTable &table_;
  const PairedArguments &arguments_;
  std::string reason_;
};

/// Returns a program whose entry has a parameter for each argument of the new
/// kernel, behind these for each of the old one, and behind these for the
/// masked lanes of each access of the new one: names for terms.
absl::StatusOr<Program> namesOf(const TritonKernel &first,
                                const TritonKernel &second) {
  ModuleBuilder module("kernels");
  ComputationBuilder entry = module.entry("main");
  std::set<std::string> taken;
  std::optional<BuiltInstruction> any;
  for (const TritonKernel *kernel : {&first, &second})
    for (auto [number, argument] : llvm::enumerate(kernel->arguments)) {
      std::string name =
          argument.name.empty() ? absl::StrCat("arg", number) : argument.name;
      while (!taken.insert(name).second) name += " of old";
      any = entry.parameter(ArrayShape(ElementType::F32, {}), name);
    }
  for (auto [number, access] : llvm::enumerate(first.accesses)) {
    std::string name =
        absl::StrCat("a masked lane of line ", access.place.line);
    if (!taken.insert(name).second)
      name = absl::StrCat(name, ", access ", number);
    entry.parameter(ArrayShape(ElementType::F32, {}), name);
  }
  if (!any) return absl::InvalidArgumentError("the kernels have no arguments");
  entry.root(*any);
  return module.build();
}

class PairComparer {
 public:
  PairComparer(const CheckedKernel &first, const CheckedKernel &second,
               const PairedArguments &arguments, const Module &names,
               const ValueOptions &values, const ExactOptions &options,
               bool seeksNumbers)
      : first_(first),
        second_(second),
        arguments_(arguments),
        names_(names),
        options_(options),
        table_(values.floats),
        meter_(options, kMostSteps),
        same_(table_, options_),
        seeksNumbers_(seeksNumbers),
        maskedLanes_(static_cast<int64_t>(first.kernel.arguments.size() +
                                          second.kernel.arguments.size())),
        isOfAllSizes_(
            llvm::any_of(first.kernel.accesses, [](const KernelAccess &access) {
              return sizesAround(access.loops) > 0;
            })) {}

  absl::StatusOr<PairComparison> run() {
    result_.verdict.level = Level::Values;
    result_.maskedLanes = maskedLanes_;
    if (std::string why = whyNoSpecification(); !why.empty()) {
      result_.isOfOld = true;
      result_.verdict.doubt("old: " + why);
      return std::move(result_);
    }
    if (const auto *open = first_.kernel.openEnd()) {
      result_.verdict.doubt(open->reason);
      return std::move(result_);
    }
    // What has no defined result comes first: numbers of it say nothing.
    for (const Check *check : {&first_.bounds, &first_.once, &first_.ordered})
      if (check->answer == Check::Violated) {
        result_.verdict.differ(*check->witness);
        return std::move(result_);
      }
    INDEXICAL_RETURN_IF_ERROR(compare());
    INDEXICAL_RETURN_IF_ERROR(options_.check());
    return std::move(result_);
  }

 private:
  /// Returns why the old kernel does not say what every element is in the end;
  /// "" if it does.
  std::string whyNoSpecification() const {
    if (const auto *open = second_.kernel.openEnd()) return open->reason;
    struct Need {
      const Check &check;
      const char *violated;
    };
    for (const Need &need :
         {Need{second_.bounds, "it accesses what is outside of an array"},
          Need{second_.once, "an element is written twice without an order"},
          Need{second_.ordered,
               "an element is loaded that may be overwritten"}}) {
      if (need.check.answer == Check::Violated) return need.violated;
      if (need.check.answer == Check::Undecided &&
          &need.check != &second_.bounds)
        return need.check.reason;
    }
    return "";
  }

  /// Makes the arrays of one of the kernels, which parameters they are.
  absl::Status addArrays(const CheckedKernel &of, bool isOld, Arrays &arrays) {
    const auto behind = static_cast<int64_t>(first_.kernel.arguments.size());
    arrays.resize(of.kernel.arguments.size());
    for (auto [k, argument] : llvm::enumerate(of.kernel.arguments)) {
      const auto number = static_cast<int64_t>(of.kernel.arrayOf(k));
      ArgumentArray array;
      const int64_t own = isOld ? arguments_.newOf(number) : number;
      array.parameter = own >= 0 ? own : behind + number;
      array.result = own;
      array.isScratch = !isOld && !arguments_.counts[number];
      array.isZero = argument.isPointer && own >= 0 && arguments_.areZero[own];
      array.shape = ArrayShape(typeInMemory(argument), {});
      const int64_t sized = isOld && own >= 0 ? own : number;
      const auto &sizes = isOld && own >= 0 ? first_.sizes : of.sizes;
      INDEXICAL_ASSIGN_OR_RETURN(
          array.toIndex,
          numbersOf(sizes[sized] ? sizes[sized] : of.sizes[number],
                    numbersOfElement(of.kernel, number)));
      if (argument.isPointer || !argument.value) arrays[k] = std::move(array);
    }
    return absl::OkStatus();
  }

  struct Spelled {
    std::deque<KernelTerms> terms;
    std::deque<KernelSpec> specs;
  };

  void addSpelling(StoredComparison &compared, KernelTerms::Sums sums,
                   const char *law) {
    auto make = [&](const CheckedKernel &of, const Arrays &arrays,
                    int64_t maskedLanes) -> KernelTerms & {
      KernelTerms &terms = spelled_.terms.emplace_back(
          of.kernel, table_, arrays, meter_, options_);
      terms.take(sums);
      terms.takePair({of.ordered.answer == Check::Proved, of.ordered.reason,
                      !isAsExact(first_.kernel, second_.kernel), maskedLanes});
      return terms;
    };
    // What old stores of such lanes is no specification.
    KernelTerms &ours =
        make(first_, arrays_[0], isOfAllSizes_ ? -1 : maskedLanes_);
    KernelTerms &theirs = make(second_, arrays_[1], -1);
    KernelSpec &spec = spelled_.specs.emplace_back(theirs, table_, arguments_);
    compared.addSpelling(spec, ours, law);
  }

  /// Returns which array is stored by elements of one size in one kernel and of
  /// another size in the other one; "" if there is none.
  std::string whyNoCommonElements() const {
    for (auto [k, argument] : llvm::enumerate(first_.kernel.arguments)) {
      const int64_t old = arguments_.oldOf[k];
      if (!argument.isPointer || old < 0) continue;
      const int64_t ours = argument.elementBits;
      const int64_t theirs = second_.kernel.arguments[old].elementBits;
      if (ours <= 0 || theirs <= 0 || ours == theirs) continue;
      if (!storedBy(first_.kernel, first_.kernel.arrayOf(k)).pieces().empty() ||
          !storedBy(second_.kernel, old).pieces().empty())
        return absl::StrCat(argument.name, " is stored by elements of ", ours,
                            " bits, and old has elements of ", theirs);
    }
    return "";
  }

  absl::Status compare() {
    INDEXICAL_RETURN_IF_ERROR(addArrays(first_, false, arrays_[0]));
    INDEXICAL_RETURN_IF_ERROR(addArrays(second_, true, arrays_[1]));
    if (std::string why = whyNoCommonElements(); !why.empty()) {
      result_.verdict.doubt(std::move(why));
      return absl::OkStatus();
    }
    StoredComparison compared(first_.kernel, arrays_[0],
                              {table_, same_, meter_, names_}, options_);
    compared.takeSpecials(Specials::Numbers);
    if (!seeksNumbers_ || isOfAllSizes_ || first_.kernel.hasAssumptions ||
        second_.kernel.hasAssumptions || second_.kernel.assumed)
      compared.seekNoNumbers();
    using Sums = KernelTerms::Sums;
    addSpelling(compared, Sums::InOrder, "");
    // Old fails with some numbers, which show nothing then.
    if (spelled_.terms[1].mayFail()) compared.seekNoNumbers();
    const bool hasSums = hasLoops(first_.kernel) || hasLoops(second_.kernel);
    if (hasSums) addSpelling(compared, Sums::ByTurns, "");
    if (hasSums && has(table_.floats(), FloatLaws::Reassociate))
      addSpelling(compared, Sums::AsReductions, "reassociate");
    INDEXICAL_ASSIGN_OR_RETURN(bool isEqual,
                               compared.compareStores(result_.values));
    Verdict &verdict = result_.verdict;
    if (compared.witness()) {
      Witness witness = *std::move(compared.witness());
      nameStoreOfOld(witness);
      verdict.differ(std::move(witness));
    }
    for (size_t k = 0; k < first_.kernel.arguments.size(); ++k)
      if (verdict.answer != Verdict::Different)
        isEqual &= compareRest(static_cast<int64_t>(k));
    for (const char *law :
         {"reassociate", "no-nan", "zero-sign", "excess-precision", "real"})
      if (table_.lawsUsed().count(law)) verdict.laws.push_back(law);
    if (!isEqual && seeksNumbers_ && !isOfAllSizes_)
      result_.defined = definedStores(first_, arrays_[0], spelled_.terms[0],
                                      table_, maskedLanes_, options_);
    if (verdict.answer == Verdict::Different) return absl::OkStatus();
    std::string reason;
    auto note = [&](const std::string &why) {
      if (reason.empty()) reason = why;
    };
    for (const Check *check : {&first_.once, &first_.ordered})
      if (check->answer == Check::Undecided) note(check->reason);
    if (!isEqual) {
      for (const ValueDifference &value : result_.values) note(value.reason);
      note("what new stores and what old leaves are not known to be the same");
    }
    if (reason.empty()) {
      verdict.settle(Level::Values, Verdict::Same);
      result_.values.clear();
      // No term of old has a masked lane.
      result_.defined = Check();
    } else {
      verdict.doubt(std::move(reason));
    }
    return absl::OkStatus();
  }

  /// Returns the elements that a kernel stores to an array.
  static IndexingRelation storedBy(const TritonKernel &kernel, int64_t array) {
    IndexingRelation stored;
    for (const KernelAccess &access : kernel.accesses)
      if (access.kind != AccessKind::Load)
        for (const PointerMap &map : access.maps)
          if (kernel.arrayOf(map.argument) == array && !map.map.isKnownEmpty())
            stored.add(withMergedDigits(withRanges(map.map, 0)));
    return stored;
  }

  /// Returns how exactly products of matrices of f32 are computed.
  static std::set<std::string> precisionsOf(const TritonKernel &kernel) {
    std::set<std::string> all;
    for (const KernelValue &value : kernel.values)
      if (value.kind == KernelValue::Kind::Dot &&
          kernel.values[value.operands[0]].type == "f32")
        all.insert(value.text);
    return all;
  }

  /// Whether all products of the first kernel are as exact as the second asks.
  static bool isAsExact(const TritonKernel &first, const TritonKernel &second) {
    const auto ours = precisionsOf(first), theirs = precisionsOf(second);
    if (ours.empty() && theirs.empty()) return true;
    if (ours.size() != 1 || theirs.size() != 1) return false;
    const std::string &own = *ours.begin(), &asked = *theirs.begin();
    return own == asked || own == "ieee" ||
           (own == "tf32x3" && asked == "tf32");
  }

  static bool hasLoops(const TritonKernel &kernel) {
    return llvm::any_of(kernel.values, [](const KernelValue &value) {
      return value.kind == KernelValue::Kind::Loop;
    });
  }

  /// Whether atomic operations change the array: by 0, perhaps.
  static bool adds(const TritonKernel &kernel, int64_t array) {
    return llvm::any_of(kernel.accesses, [&](const KernelAccess &access) {
      return access.kind == AccessKind::Atomic &&
             llvm::any_of(access.maps, [&](const PointerMap &map) {
               return kernel.arrayOf(map.argument) == array;
             });
    });
  }

  static bool loads(const TritonKernel &kernel, int64_t array) {
    return llvm::any_of(kernel.accesses, [&](const KernelAccess &access) {
      return access.kind != AccessKind::Store &&
             llvm::any_of(access.maps, [&](const PointerMap &map) {
               return kernel.arrayOf(map.argument) == array;
             });
    });
  }

  bool fail(int64_t argument, std::string reason) {
    ValueDifference difference;
    difference.result = argument;
    StoredComparison::note(result_.values, difference, std::move(reason));
    return false;
  }

  /// Compares the elements of an array that new does not store: whether old
  /// leaves them as they were.
  bool compareRest(int64_t argument) {
    const TritonKernel &kernel = first_.kernel;
    const int64_t old = arguments_.oldOf[argument];
    if (!kernel.arguments[argument].isPointer || old < 0 ||
        kernel.arrayOf(argument) != argument || !arguments_.counts[argument])
      return true;
    const IndexingRelation theirs = storedBy(second_.kernel, old);
    const IndexingRelation ours = storedBy(kernel, argument);
    if (!isKnown(kernel) || !isKnown(second_.kernel))
      return fail(argument, "which elements a kernel stores is not known");
    if (const auto more = firstOf(ours, theirs);
        more && !loads(kernel, argument) && !isOfAllSizes_ &&
        !adds(kernel, argument) && !arguments_.areZero[argument])
      return differAt(argument, *more, /*isOfOld=*/false);
    if (theirs.pieces().empty()) return true;
    const auto inside = isSubset(theirs, ours, options_);
    if (!inside.ok())
      return fail(argument, std::string(inside.status().message()));
    if (inside->answer == Answer::Undecided)
      return fail(argument, inside->reason);
    if (inside->answer == Answer::Yes) return true;
    if (isOfAllSizes_)
      return fail(argument, "new stores less elements than old at some sizes");
    return compareRestAt(argument, old, inside->witness->element[0], theirs,
                         ours);
  }

  bool isKnown(const TritonKernel &kernel) const {
    return llvm::all_of(kernel.accesses, [](const KernelAccess &access) {
      return access.kind == AccessKind::Load ||
             (access.reason.empty() && access.mask != MaskKind::Cover &&
              llvm::all_of(access.maps, [](const PointerMap &map) {
                return map.map.runtime().empty();
              }));
    });
  }

  /// Returns an element that the first relation has alone, if one is found.
  std::optional<int64_t> firstOf(const IndexingRelation &a,
                                 const IndexingRelation &b) const {
    if (a.pieces().empty()) return std::nullopt;
    const auto inside = isSubset(a, b, options_);
    if (!inside.ok() || inside->answer != Answer::No || !inside->witness)
      return std::nullopt;
    return inside->witness->element[0];
  }

  /// One kernel stores the element, whatever it held, and the other does not.
  bool differAt(int64_t argument, int64_t element, bool isOfOld) {
    Witness witness;
    witness.kind =
        isOfOld ? Witness::Kind::NotStored : Witness::Kind::StoredOther;
    witness.array = argument;
    witness.element = {element};
    nameStore(isOfOld ? second_.kernel : first_.kernel,
              isOfOld ? arguments_.oldOf[argument] : argument, element,
              isOfOld ? witness.second : witness.first);
    result_.verdict.differ(std::move(witness));
    return false;
  }

  bool compareRestAt(int64_t argument, int64_t old, int64_t element,
                     const IndexingRelation &theirs,
                     const IndexingRelation &ours) {
    IndexingMapBuilder b;
    b.result(b.constant(element));
    const auto point = b.build();
    if (!point.ok()) return fail(argument, "an element leaves 64 bits");
    KernelTerms &terms = spelled_.terms[1];
    const auto left = terms.leftAt(old, *point);
    if (left) {
      const ElementId start = startOf(argument, *point);
      const auto region = regionIn(*point);
      auto numbers = region && terms.undefined().empty()
                         ? differentNumbers(table_, start, *left, *region,
                                            Specials::Numbers)
                         : std::nullopt;
      if (numbers) {
        numbers->kind = Witness::Kind::NotStored;
        numbers->array = argument;
        numbers->element = {element};
        numbers->first.index.clear();
        numbers->second.index.clear();
        numbers->second.term = textOf(table_, *left, names_);
        nameStore(second_.kernel, old, element, numbers->second);
        nameInputs(names_.computations[names_.entry], *numbers);
        result_.verdict.differ(*std::move(numbers));
        return false;
      }
    }
    if (!loads(second_.kernel, old) && !adds(second_.kernel, old) &&
        !arguments_.areZero[argument])
      return differAt(argument, element, /*isOfOld=*/true);
    // Old may leave all of them as they were.
    const auto rest = difference(theirs, ours, options_);
    if (rest.ok() && rest->precision() == Precision::Exact &&
        llvm::all_of(rest->pieces(), [&](const IndexingMap &piece) {
          const IndexingMap elements = rangesToDimensions(piece);
          const auto region = regionIn(elements);
          regions_ = 0;
          return region && keeps(argument, old, elements, *region);
        }))
      return true;
    return fail(argument, absl::StrCat("whether old changes element ", element,
                                       ", which new does not store, is not "
                                       "known"));
  }

  /// Whether old leaves these elements as they were.
  bool keeps(int64_t argument, int64_t old, const IndexingMap &elements,
             const IndexingMap &region) {
    if (region.isKnownEmpty()) return true;
    if (++regions_ > kMostRegions) return false;
    const auto here = compose(region, elements);
    if (!here.ok()) return false;
    KernelTerms &terms = spelled_.terms[1];
    if (const auto left = terms.leftAt(old, *here)) {
      same_.begin();
      return same_.areSame(*left, startOf(argument, *here), region);
    }
    const std::vector<IndexingMap> parts(terms.parts().begin(),
                                         terms.parts().end());
    return !parts.empty() && llvm::all_of(parts, [&](const IndexingMap &part) {
      return part != region && keeps(argument, old, elements, part);
    });
  }

  ElementId startOf(int64_t argument, const IndexingMap &elements) {
    // An array that holds 0 is like no other here.
    if (arrays_[0][argument]->isZero) return table_.unknown();
    Element parameter;
    parameter.kind = Element::Kind::Parameter;
    parameter.number = arrays_[0][argument]->parameter;
    parameter.leaf = 0;
    return table_.read(table_.intern(std::move(parameter)),
                       arrays_[0][argument]->shape.type, elements);
  }

  /// Names the program and the line at which a kernel stores the element.
  static void nameStore(const TritonKernel &kernel, int64_t array,
                        int64_t element, Witness::Access &access) {
    for (const KernelAccess &store : kernel.accesses) {
      if (store.kind == AccessKind::Load) continue;
      const StorePlaces places = placesOfStore(kernel, store, array);
      for (const IndexingMap &place : places.maps) {
        IndexingMap::Point point;
        point.dimensions = {element};
        if (!place.contains(point)) continue;
        const auto at = place.evaluate(point);
        if (!at) continue;
        access.program.assign(at->begin(), at->begin() + 3);
        access.line = store.place.line;
      }
    }
  }

  void nameStoreOfOld(Witness &witness) const {
    const int64_t old = arguments_.oldOf[*witness.array];
    if (old >= 0)
      nameStore(second_.kernel, old, witness.element[0], witness.second);
  }

  static constexpr int kMostRegions = 256;

  const CheckedKernel &first_, &second_;
  const PairedArguments &arguments_;
  const Module &names_;
  const ExactOptions options_;
  ElementTable table_;
  Meter meter_;
  SameElements same_;
  Arrays arrays_[2];
  Spelled spelled_;
  const bool seeksNumbers_;
  const int64_t maskedLanes_;
  /// Both kernels are read for all sizes: an element has several numbers, and
  /// nothing is told apart.
  const bool isOfAllSizes_;
  int regions_ = 0;
  PairComparison result_;
};

}  // namespace

absl::StatusOr<PairComparison> compareKernels(const CheckedKernel &first,
                                              const CheckedKernel &second,
                                              const PairedArguments &arguments,
                                              const ValueOptions &values,
                                              const ExactOptions &options,
                                              OtherLaws laws) {
  if (!hasStack(kStackOfQuestion * 2))
    return onDeepStack([&] {
      return compareKernels(first, second, arguments, values, options, laws);
    });
  INDEXICAL_ASSIGN_OR_RETURN(const Program names,
                             namesOf(first.kernel, second.kernel));
  auto by = [&](FloatLaws floats, bool seeksNumbers) {
    return PairComparer(first, second, arguments, names.modules[0],
                        ValueOptions(floats), options, seeksNumbers)
        .run();
  };
  INDEXICAL_ASSIGN_OR_RETURN(PairComparison found,
                             by(values.floats, /*seeksNumbers=*/true));
  if (found.verdict.answer != Verdict::Undecided || found.isOfOld ||
      laws == OtherLaws::Ignored)
    return found;
  // Laws with which both would be the same.
  for (const FloatLaws more :
       {FloatLaws::Reassociate, FloatLaws::NoNan | FloatLaws::ZeroSign,
        FloatLaws::Real}) {
    if (has(values.floats, more)) continue;
    INDEXICAL_ASSIGN_OR_RETURN(
        const PairComparison other,
        by(values.floats | more, /*seeksNumbers=*/false));
    if (!other.verdict.isSame() || other.verdict.laws.empty()) continue;
    std::string list;
    for (const std::string &law : other.verdict.laws)
      absl::StrAppend(&list, list.empty() ? "" : ",", law);
    found.verdict.decidedBy.push_back("--float-laws=" + list);
    found.verdict.laws = other.verdict.laws;
    break;
  }
  return found;
}

}  // namespace indexical::kernels
