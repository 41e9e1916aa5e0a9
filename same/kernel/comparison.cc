#include "indexical/same/kernel/comparison.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/address.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/program/maps/merged_ranges.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/same/kernel/call_arguments.h"
#include "indexical/same/kernel/fusion_ways.h"
#include "indexical/same/kernel/open_indices.h"
#include "indexical/same/kernel/result_stores.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

absl::StatusOr<IndexingMap> indexMap(const ArrayShape &shape) {
  const auto count = shape.elementCount();
  if (!count || (shape.layout && !shape.layout->tiles.empty()))
    return absl::UnimplementedError(absl::StrCat(
        "where the elements of ", shape.str(true), " lie is not followed"));
  IndexingMapBuilder b;
  const Expr element = b.dimension({0, *count - 1});
  std::vector<Expr> index(shape.rank(), b.constant(0));
  int64_t below = 1;
  for (int64_t k : shape.minorToMajor()) {
    const int64_t size = shape.dimensions[k];
    const Expr above = floorDiv(element, below);
    index[k] = below * size == *count ? above : mod(above, size);
    below *= size;
  }
  for (const Expr &each : index) b.result(each);
  return b.build();
}

namespace {

/// The elements that each program loads or needs.
struct ProgramSet {
  IndexingRelation elements;
  /// The arguments that hold the indices, of which the relation has dimensions
  /// (open_indices.h).
  std::vector<int64_t> indices;
  int64_t line = 0;    ///< of a load
  std::string reader;  ///< of a use
};

class Comparer {
 public:
  Comparer(const TritonKernel &kernel, const Module &module,
           ComputationId computation, const ExactOptions &options,
           const Instruction *caller)
      : kernel_(kernel),
        module_(module),
        number_(computation),
        computation_(module.computations[computation]),
        options_(options),
        caller_(caller),
        isCompiled_(kernel.form == "llvm") {}

  absl::StatusOr<FusionComparison> run() {
    shapes_ = argumentShapes(computation_);
    result_.computation = computation_.name.str();
    auto arguments = argumentsOfLeaves(kernel_, module_, number_, caller_);
    if (!arguments)
      return absl::InvalidArgumentError(absl::StrCat(
          "the kernel has ", arrayArguments(kernel_).size(),
          " arguments that are arrays, and the fusion ", shapes_.size(),
          " parameters and results",
          arrayArguments(kernel_).size() == shapes_.size() ? " of other sizes"
                                                           : ""));
    arguments_ = *std::move(arguments);
    result_.arguments = arguments_;
    compare();
    decide();
    INDEXICAL_RETURN_IF_ERROR(options_.check());
    return std::move(result_);
  }

 private:
  void compare() {
    FusionWays::Parameters arguments;
    for (InstructionId parameter : computation_.parameters) {
      const size_t leaves =
          shapesOf(computation_.instructions[parameter].op).results.size();
      for (LeafId leaf; leaf < static_cast<int64_t>(leaves); ++leaf)
        arguments[{parameter, leaf}] = parameters_++;
    }
    collect();
    if (reason_.empty()) {
      FusionWays ways(module_, number_, arguments, options_);
      auto uses = ways.uses();
      if (!uses.ok()) reason_ = std::string(uses.status().message());
      if (uses.ok())
        for (const Use &use : *uses)
          if (auto status = addUse(use, ways); !status.ok())
            reasons_[use.parameter] = std::string(status.message());
    }
    for (size_t k = 0; k < shapes_.size(); ++k)
      if (!reason_.empty())
        addUndecided(k, reason_);
      else if (isResult(k))
        compareResult(k);
      else
        compareParameter(k);
    Verdict::Answer &tiles = result_.tiles.answer;
    for (const ArgumentPair &pair : result_.pairs)
      tiles = std::max(tiles, pair.verdict.answer);
    // A load without a use, or a use without a load, makes the kernel different
    // even if the sets are equal.
    const bool isUnmatched =
        !result_.unmatchedLines.empty() || !result_.unmatchedUses.empty();
    if (isUnmatched && tiles == Verdict::Same) tiles = Verdict::Different;
  }

  bool isResult(int64_t k) const { return k >= parameters_; }

  /// Returns the parameter that has the argument of that result, or -1.
  int64_t updatedBy(int64_t result) const {
    for (int64_t k = 0; k < parameters_; ++k)
      if (arguments_[k] == arguments_[result]) return k;
    return -1;
  }
  /// Whether the kernel stores a result into the array of that parameter.
  bool isUpdated(int64_t parameter) const {
    for (size_t k = parameters_; k < shapes_.size(); ++k)
      if (arguments_[k] == arguments_[parameter]) return true;
    return false;
  }

  /// Finds the verdict, once the answer is known.
  void decide() {
    std::string reason;
    auto note = [&](std::string text) {
      if (reason.empty()) reason = std::move(text);
    };
    result_.isCovered = true;
    for (int64_t k = 0; k < static_cast<int64_t>(shapes_.size()); ++k) {
      const KernelArgument &argument = kernel_.arguments[arguments_[k]];
      const bool isOfWidth =
          !isCompiled_ || argument.elementBits == storedBits(shapes_[k]);
      if (hasElementsOf(argument, shapes_[k]) && !isOfWidth)
        note(absl::StrCat(argument.name,
                          " is accessed by parts of elements of ",
                          shapes_[k].str()));
      if (!hasElementsOf(argument, shapes_[k]))
        note(absl::StrCat(
            argument.name, " is ",
            argument.elementType.empty() ? argument.type : argument.elementType,
            ", and ", isResult(k) ? "the result " : "the parameter ",
            shapes_[k].str()));
    }
    for (int64_t k = parameters_; k < static_cast<int64_t>(shapes_.size());
         ++k) {
      // Whether what is not stored stays as it was is asked of the terms.
      const bool isInPlace = updatedBy(k) >= 0;
      Check stores = checkStores(kernel_, arguments_[k], shapes_[k], options_,
                                 isInPlace ? Stored::Some : Stored::All);
      if (isInPlace && stores.answer == Check::Proved && !keepsRest(k))
        note("what the kernel does not store, the fusion may change");
      result_.isCovered &= stores.answer == Check::Proved;
      if (stores.answer == Check::Undecided) note(stores.reason);
      if (stores.answer != Check::Violated) continue;
      stores.witness->array = k - parameters_;
      result_.verdict.differ(*std::move(stores.witness));
      return;
    }
    for (int64_t k = 0; k < parameters_; ++k)
      if (const auto line = lineOfWrite(arguments_[k]); line && !isUpdated(k))
        note(absl::StrCat("line ", *line, " writes ",
                          kernel_.arguments[arguments_[k]].name,
                          ", a parameter, which the fusion only reads"));
    for (const ArgumentPair &pair : result_.pairs) note(pair.verdict.reason);
    if (result_.tiles.answer > Verdict::More)
      note(
          "what a program loads is not what its elements read, which a right "
          "kernel can do, too");
    if (reason.empty())
      result_.verdict.settle(Level::Tiles, Verdict::Same);
    else
      result_.verdict.doubt(std::move(reason));
  }

  /// Returns the line of an access that writes the argument, or may.
  std::optional<int64_t> lineOfWrite(int64_t argument) const {
    for (const KernelAccess &access : kernel_.accesses)
      if (access.kind != AccessKind::Load)
        for (const PointerMap &map : access.maps)
          if (map.argument == argument) return access.place.line;
    return std::nullopt;
  }

  /// Sorts the kernel's loads and stores by argument.
  void collect() {
    if (const auto *open = kernel_.openEnd()) reason_ = open->reason;
    for (const KernelAccess &access : kernel_.accesses) {
      if (!access.reason.empty()) reason_ = access.reason;
      if (access.kind == AccessKind::Atomic) reason_ = "the kernel has atomics";
      if (access.mask == MaskKind::Cover)
        reason_ = "a part of a mask is not known";
      std::map<std::pair<int64_t, std::vector<int64_t>>, ProgramSet> sets;
      for (const PointerMap &map : access.maps) {
        auto part = openPart(map);
        if (!part ||
            (access.kind == AccessKind::Store && !part->arguments.empty())) {
          const char *why =
              "an index depends on values of arguments or of memory";
          // The other arguments can be compared.
          (access.kind == AccessKind::Load ? openLoads_[map.argument]
                                           : reason_) = why;
          continue;
        }
        ProgramSet &set = sets[{map.argument, part->arguments}];
        for (const IndexingMap &each : part->maps)
          set.elements.add(withMergedDigits(each));
        set.indices = std::move(part->arguments);
        set.line = access.place.line;
      }
      for (auto &[key, set] : sets) {
        if (access.kind == AccessKind::Store)
          stores_[key.first].unite(set.elements);
        else
          loads_[key.first].push_back(std::move(set));
      }
    }
  }

  /// Returns the elements that each program accesses, for all values of the
  /// indices that it loads.
  std::optional<OpenPart> openPart(const PointerMap &map) const {
    const IndexingMap programs = withRanges(map.map, 3);
    std::vector<OpenIndex> indices;
    for (const RuntimeVariable &variable : programs.runtime()) {
      auto index = loadedIndex(kernel_, programs, variable);
      if (!index) return std::nullopt;
      indices.push_back(*std::move(index));
    }
    if (indices.empty()) return OpenPart{{}, {programs}};
    return withDimensions(programs, std::move(indices));
  }

  /// Returns the elements that the fusion needs, for all values of the indices
  /// that it reads.
  std::optional<OpenPart> openPart(const IndexingMap &way,
                                   FusionWays &ways) const {
    std::vector<OpenIndex> indices;
    for (const RuntimeVariable &variable : way.runtime()) {
      int64_t parameter = 0;
      auto index = ways.indexOf(way, variable, parameter);
      if (!index) return std::nullopt;
      index->argument = arguments_[parameter];
      indices.push_back(*std::move(index));
    }
    if (indices.empty()) return OpenPart{{}, {way}};
    return withDimensions(way, std::move(indices));
  }

  absl::Status addUse(const Use &use, FusionWays &ways) {
    const int64_t result = parameters_ + use.result;
    INDEXICAL_RETURN_IF_ERROR(options_.check());
    INDEXICAL_ASSIGN_OR_RETURN(const auto index, indexMap(shapes_[result]));
    INDEXICAL_ASSIGN_OR_RETURN(const auto address,
                               addressMap(shapes_[use.parameter]));
    std::map<std::vector<int64_t>, IndexingRelation> elements;
    for (const IndexingMap &stored : stores_[arguments_[result]].pieces()) {
      auto way = compose(stored, index);
      if (way.ok()) way = compose(*way, use.map);
      if (way.ok()) way = compose(*way, address);
      INDEXICAL_RETURN_IF_ERROR(way.status());
      const auto part = openPart(*way, ways);
      if (!part)
        return absl::UnimplementedError(
            "what the fusion reads depends on values");
      for (const IndexingMap &each : part->maps)
        elements[part->arguments].add(withMergedDigits(each));
    }
    for (auto &[indices, set] : elements)
      uses_[use.parameter].push_back({std::move(set), indices, 0, use.reader});
    // Where an element is that of the array that it is stored in.
    if (arguments_[use.parameter] == arguments_[result]) {
      auto same = compose(index, use.map);
      if (same.ok()) same = compose(*same, address);
      if (same.ok()) same = simplify(*same);
      if (same.ok() && same->runtime().empty() && same->ranges().empty() &&
          isIdentityMap(*same))
        kept_[result].add(withRanges(*same, 0));
    }
    return absl::OkStatus();
  }

  static bool isIdentityMap(const IndexingMap &map) {
    if (map.dimensions().size() != 1 || map.results().size() != 1) return false;
    const auto same = isIdentity(IndexingRelation(map));
    return same.ok() && same->answer == Answer::Yes;
  }

  /// Whether each element of a result is stored, or the fusion reads it from
  /// the array that it is stored in.
  bool keepsRest(int64_t result) {
    const auto count = shapes_[result].elementCount();
    if (!count) return false;
    IndexingMapBuilder b;
    b.result(b.range({0, *count - 1}));
    auto all = b.build();
    if (!all.ok()) return false;
    IndexingRelation known = kept_[result];
    for (const IndexingMap &map : stores_[arguments_[result]].pieces())
      known.add(withMergedDigits(withRanges(map, 0)));
    const auto has = isSubset(IndexingRelation(*all), known, options_);
    return has.ok() && has->answer == Answer::Yes;
  }

  absl::StatusOr<Decision> equal(const IndexingRelation &a,
                                 const IndexingRelation &b) {
    if (a == b) {
      Decision yes;
      yes.answer = Answer::Yes;
      return yes;
    }
    return areEqual(a, b, options_);
  }

  void compareParameter(int64_t number) {
    if (reasons_.count(number)) {
      addUndecided(number, reasons_[number]);
      return;
    }
    ArgumentPair pair = pairOf(number);
    if (const auto open = openLoads_.find(pair.argument);
        open != openLoads_.end()) {
      addUndecided(number, open->second);
      return;
    }
    const auto &loads = loads_[pair.argument];
    std::vector<ProgramSet> uses = uses_[number];
    if (isCompiled_) {
      // Equal parameters are one array.
      for (int64_t k = 0; k < parameters_; ++k)
        if (k != number && arguments_[k] == pair.argument)
          uses.insert(uses.end(), uses_[k].begin(), uses_[k].end());
      compareUnions(loads, uses, pair.verdict);
      result_.pairs.push_back(std::move(pair));
      return;
    }
    std::vector<bool> isUsed(uses.size(), false);
    bool isMatched = true;
    std::string undecided;
    for (const ProgramSet &load : loads) {
      bool isUse = false;
      for (size_t k = 0; k < uses.size(); ++k) {
        if (load.indices != uses[k].indices) continue;
        const auto same = equal(load.elements, uses[k].elements);
        if (!same.ok() || same->answer == Answer::Undecided)
          undecided =
              same.ok() ? same->reason : std::string(same.status().message());
        else if (same->answer == Answer::Yes)
          isUse = isUsed[k] = true;
      }
      if (isUse) continue;
      isMatched = false;
      result_.unmatchedLines.push_back(load.line);
    }
    for (size_t k = 0; k < uses.size(); ++k) {
      if (isUsed[k]) continue;
      isMatched = false;
      result_.unmatchedUses.push_back({pair.argument, uses[k].reader});
    }
    if (isMatched) {
      result_.pairs.push_back(std::move(pair));
      return;
    }
    compareUnions(loads, uses, pair.verdict);
    if (!undecided.empty() && pair.verdict.isSame())
      pair.verdict.doubt(undecided);
    else if (pair.verdict.isSame())
      pair.verdict.answer = Verdict::Different;
    result_.pairs.push_back(std::move(pair));
  }

  void compareUnions(const std::vector<ProgramSet> &loads,
                     const std::vector<ProgramSet> &uses, Verdict &verdict) {
    // By the arguments that hold indices: the elements of the kernel, and those
    // of the fusion.
    std::map<std::vector<int64_t>,
             std::pair<IndexingRelation, IndexingRelation>>
        sets;
    for (const ProgramSet &load : loads)
      sets[load.indices].first.unite(load.elements);
    for (const ProgramSet &use : uses)
      sets[use.indices].second.unite(use.elements);
    const bool isOpen = llvm::any_of(
        sets, [](const auto &each) { return !each.first.empty(); });
    for (const auto &[indices, both] : sets) {
      Verdict own = {Level::Tiles, Verdict::Same};
      compareSets(both.first, both.second, own);
      // Elements may also be those of other indices, or of none.
      if (isOpen && own.answer > Verdict::More) {
        std::string why =
            own.reason.empty()
                ? "an index depends on values of arguments or of memory"
                : own.reason;
        own = {Level::Tiles, Verdict::Same};
        own.doubt(std::move(why));
      }
      if (isOpen) own.witness.reset();
      if (own.answer >= verdict.answer) verdict = std::move(own);
    }
  }

  void compareSets(const IndexingRelation &kernel,
                   const IndexingRelation &fusion, Verdict &verdict) {
    const auto same = equal(kernel, fusion);
    if (!same.ok() || same->answer == Answer::Undecided) {
      verdict.doubt(same.ok() ? same->reason
                              : std::string(same.status().message()));
      return;
    }
    if (same->answer == Answer::Yes) return;
    const auto hasAll = isSubset(fusion, kernel, options_);
    const auto hasNoMore = isSubset(kernel, fusion, options_);
    const bool isMore = hasAll.ok() && hasAll->answer == Answer::Yes;
    const bool isLess = hasNoMore.ok() && hasNoMore->answer == Answer::Yes;
    verdict.answer = isMore   ? Verdict::More
                     : isLess ? Verdict::Less
                              : Verdict::Different;
    if (!same->witness) return;
    const PairWitness &at = *same->witness;
    const bool isOfKernel = at.onlyIn == PairWitness::Side::First;
    Witness witness;
    witness.kind = Witness::Kind::Touched;
    witness.onlyIn = isOfKernel ? Witness::Side::First : Witness::Side::Second;
    witness.first.program.assign(at.index.begin(), at.index.end());
    witness.element = {at.element[0]};
    verdict.witness = std::move(witness);
  }

  /// Compares the stores of all programs together with the whole result.
  void compareResult(int64_t number) {
    ArgumentPair pair = pairOf(number);
    const int64_t argument = pair.argument;
    if (updatedBy(number) >= 0) {
      if (!keepsRest(number))
        pair.verdict.doubt(
            "what the kernel does not store, the fusion may change");
      result_.pairs.push_back(std::move(pair));
      return;
    }
    for (const ProgramSet &load : loads_[argument])
      result_.unmatchedLines.push_back(load.line);
    if (!loads_[argument].empty()) pair.verdict.answer = Verdict::Different;
    const auto count = shapes_[number].elementCount();
    IndexingRelation stored, whole;
    for (const IndexingMap &map : stores_[argument].pieces())
      stored.add(withMergedDigits(withRanges(map, 0)));
    IndexingMapBuilder b;
    b.result(b.range({0, count.value_or(0) - 1}));
    auto all = b.build();
    if (!count || !all.ok()) {
      pair.verdict.doubt("the size of the result is not known");
    } else {
      whole.add(*std::move(all));
      Verdict sets = {Level::Tiles, Verdict::Same};
      compareSets(stored, whole, sets);
      if (sets.answer > pair.verdict.answer) {
        pair.verdict = std::move(sets);
        auto &witness = pair.verdict.witness;
        if (witness && witness->isOnlyInFirst())
          nameProgram(argument, *witness);
      }
    }
    result_.pairs.push_back(std::move(pair));
  }

  /// Names a program that stores the element, if one is found.
  void nameProgram(int64_t argument, Witness &witness) {
    for (const IndexingMap &map : stores_[argument].pieces()) {
      auto part = restricted(
          map, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> results) {
            b.constraint(results[0], Interval::point(witness.element[0]));
          });
      if (!part.ok()) continue;
      const auto found = isEmpty(IndexingRelation(*part), options_);
      if (!found.ok() || found->answer != Answer::No) continue;
      witness.first.program.assign(found->witness->index.begin(),
                                   found->witness->index.end());
      return;
    }
  }

  /// Returns the pair of parameter or result `k`, in their common order.
  ArgumentPair pairOf(int64_t k) const {
    ArgumentPair pair;
    pair.argument = arguments_[k];
    pair.isResult = isResult(k);
    pair.number = pair.isResult ? k - parameters_ : k;
    return pair;
  }

  void addUndecided(int64_t k, std::string reason) {
    ArgumentPair pair = pairOf(k);
    pair.verdict.doubt(std::move(reason));
    result_.pairs.push_back(std::move(pair));
  }

  const TritonKernel &kernel_;
  const Module &module_;
  const ComputationId number_;
  const Computation &computation_;
  const ExactOptions options_;
  const Instruction *const caller_;
  const bool isCompiled_;
  std::vector<ArrayShape> shapes_;  ///< of parameters, then of results
  std::vector<int64_t> arguments_;  ///< the kernel's argument of each
  int64_t parameters_ = 0;          ///< how many of these are parameters
  std::map<int64_t, IndexingRelation> stores_;  ///< by argument
  std::map<int64_t, std::vector<ProgramSet>> loads_;
  std::map<int64_t, std::vector<ProgramSet>> uses_;  ///< by parameter
  /// By result: the elements that the fusion leaves as they are, perhaps more.
  std::map<int64_t, IndexingRelation> kept_;
  std::map<int64_t, std::string> reasons_;
  std::map<int64_t, std::string> openLoads_;  ///< by argument: why
  std::string reason_;
  FusionComparison result_;
};

}  // namespace

std::vector<ArrayShape> argumentShapes(const Computation &computation) {
  std::vector<ArrayShape> all;
  auto add = [&](InstructionId instruction) {
    for (const ArrayShape &leaf :
         shapesOf(computation.instructions[instruction].op).results)
      all.push_back(leaf);
  };
  for (InstructionId parameter : computation.parameters) add(parameter);
  add(computation.root);
  return all;
}

std::vector<int64_t> arrayArguments(const TritonKernel &kernel) {
  std::vector<int64_t> numbers;
  for (auto [number, argument] : llvm::enumerate(kernel.arguments))
    if (argument.isPointer || llvm::StringRef(argument.type).starts_with("!"))
      numbers.push_back(number);
  return numbers;
}

absl::StatusOr<FusionComparison> compareWithFusion(const TritonKernel &kernel,
                                                   const Module &module,
                                                   ComputationId computation,
                                                   const ExactOptions &options,
                                                   const Instruction *caller) {
  return Comparer(kernel, module, computation, options, caller).run();
}

}  // namespace indexical::kernels
