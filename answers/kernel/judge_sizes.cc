#include "indexical/answers/kernel/judge_sizes.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/kernel/judge_bounds.h"
#include "indexical/answers/kernel/kernel_reading.h"
#include "indexical/import/llvm/read.h"
#include "indexical/import/triton/read.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/kernel/open_sizes.h"
#include "indexical/program/kernel/overwritten.h"
#include "indexical/program/kernel/size_conditions.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/program/maps/merged_ranges.h"

namespace indexical {
namespace {

using kernels::AccessKind;
using kernels::KernelAccess;
using kernels::KernelArgument;
using kernels::OpenSizes;
using kernels::PairedArguments;
using kernels::PointerMap;
using kernels::ProductsOfArrays;
using kernels::ReadOptions;
using kernels::SizeCondition;
using kernels::SizeKind;
using kernels::SizeSign;
using kernels::SizeTerm;
using kernels::TritonKernel;

// The most conditions, and lists of values, that are tried.
constexpr size_t kMostConditions = 32;
constexpr size_t kMostLists = 5;
// Each question of a proof has so many operations, at 50 ns each.
constexpr int64_t kOperations = 2'000'000;

/// Returns the name of a size in conditions of a pair.
std::string numberOf(size_t size) { return absl::StrCat("#", size); }

/// Adds that a sum of sizes is in a range and divides by the step.
void addRange(const SizeTerm &sum, int64_t least, int64_t most, int64_t step,
              std::vector<SizeCondition> &into) {
  into.push_back({sum, SizeTerm::of(least), SizeSign::AtLeast});
  into.push_back({sum, SizeTerm::of(most), SizeSign::AtMost});
  if (step > 1)
    into.push_back({SizeTerm::of(SizeKind::Mod, sum, SizeTerm::of(step)),
                    SizeTerm::of(0), SizeSign::Equal});
}

/// Returns 16 of `n % 16 == 0`.
std::optional<int64_t> divisorOf(const SizeCondition &condition) {
  const SizeTerm &left = condition.left, &right = condition.right;
  if (condition.sign != SizeSign::Equal || left.kind != SizeKind::Mod ||
      left.operands[0].kind != SizeKind::Name || valueOf(right, {}) != 0)
    return std::nullopt;
  const auto divisor = valueOf(left.operands[1], {});
  if (!divisor || *divisor < 1 || *divisor > INT32_MAX) return std::nullopt;
  return divisor;
}

/// Takes what the call says of the new kernel's sizes.
void addConditions(const std::vector<SizeCondition> &conditions,
                   SizesOfPair &sizes) {
  kernels::SizeDefinitions numbers;
  for (const auto &[name, size] : sizes.sizeOf[0])
    numbers[name] = SizeTerm::of(numberOf(size));
  for (const SizeCondition &condition : conditions) {
    std::set<std::string> names;
    addUnknown(condition.left, {}, names);
    addUnknown(condition.right, {}, names);
    const bool areSizes = llvm::all_of(
        names, [&](const std::string &name) { return numbers.count(name); });
    if (!areSizes) continue;
    if (const auto divides = divisorOf(condition)) {
      const size_t size = sizes.sizeOf[0].at(condition.left.operands[0].name);
      auto &named = sizes.sizes[size];
      const int64_t step = std::lcm(named.step, *divides);
      if (step <= named.most) {
        named.step = step;
        continue;
      }
    }
    sizes.conditions.push_back({replaced(condition.left, numbers),
                                replaced(condition.right, numbers),
                                condition.sign});
  }
  const auto definitions = kernels::definitionsOf(sizes.conditions, {});
  for (auto [k, named] : llvm::enumerate(sizes.sizes)) {
    const auto said = definitions.find(numberOf(k));
    if (said != definitions.end() &&
        isLinear(said->second, {}, /*divides=*/false))
      named.said = said->second;
  }
}

/// Returns how the text is read without its sizes' values.
absl::StatusOr<ReadOptions> optionsOf(const OpenSide &side,
                                      const SizesOfPair &sizes, size_t number,
                                      const SizesWhere &where,
                                      const Budget &budget) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto reading,
      readingOf(side.source, side.question, /*fusion=*/std::nullopt, budget));
  ReadOptions &read = reading.options;
  OpenSizes open;
  open.sizeOf = sizes.sizeOf[number];
  open.values = reading.launch.values;
  for (const KernelArgument &argument : side.kernel.arguments)
    if (!argument.isPointer && argument.value)
      open.values[argument.name] = *argument.value;
  open.grid = reading.launch.sizesOf(read.grid).grid;
  for (auto [k, named] : llvm::enumerate(sizes.sizes)) {
    int64_t least = named.least, most = named.most, step = named.step;
    using Kind = SizesWhere::Kind;
    if (where.size == k && where.kind == Kind::Divides)
      step = std::lcm(step, where.number);
    if (where.size == k && where.kind == Kind::AtMost)
      most = std::min(most, where.number);
    if (where.size == k && where.kind == Kind::Is) least = most = where.number;
    open.sizeOf[numberOf(k)] = k;
    if (named.said) {
      addRange(*named.said, least, most, step, open.conditions);
      open.sizes.push_back({named.name, 1, 1, 1, named.said});
      continue;
    }
    const int64_t first = (least + step - 1) / step * step;
    if (first > most)
      return absl::UnimplementedError("no size meets the condition");
    open.sizes.push_back(
        {named.name, first, step, (most - first) / step + 1, std::nullopt});
  }
  for (const SizeCondition &condition : sizes.conditions)
    if (isLinear(condition.left, {}, /*divides=*/true) &&
        isLinear(condition.right, {}, /*divides=*/true))
      open.conditions.push_back(condition);
  if (where.kind == SizesWhere::Kind::Remainder) {
    open.conditions.push_back(
        {SizeTerm::of(SizeKind::Mod, SizeTerm::of(numberOf(where.size)),
                      SizeTerm::of(where.number)),
         SizeTerm::of(where.part), SizeSign::Less});
  }
  // One that others say is not put in place of another: it may be said by that.
  if (where.kind == SizesWhere::Kind::Equal &&
      (sizes.sizes[where.size].said || sizes.sizes[where.other].said))
    return absl::UnimplementedError("a size is said by others");
  if (where.kind == SizesWhere::Kind::Equal)
    for (auto &[name, size] : open.sizeOf)
      if (size == where.other) size = where.size;
  read.sizes.reset();
  read.values = true;
  read.open = std::move(open);
  return std::move(read);
}

bool has(const TritonKernel &kernel, int64_t array, bool isStored) {
  return llvm::any_of(kernel.accesses, [&](const KernelAccess &access) {
    return (access.kind != AccessKind::Load) == isStored &&
           llvm::any_of(access.maps, [&](const PointerMap &map) {
             return map.argument == array;
           });
  });
}

/// Whether the rest of each address is below the size: then other numbers are
/// of another element.
bool areDigits(const TritonKernel &kernel, int64_t array,
               const kernels::OpenSize &size, size_t number,
               const ExactOptions &options) {
  for (const KernelAccess &access : kernel.accesses)
    for (const PointerMap &each : access.maps) {
      if (each.argument != array) continue;
      for (const bool isLow : {true, false}) {
        IndexingMapBuilder b;
        std::vector<FormId> dimensions, ranges;
        for (const Variable &v : each.map.dimensions())
          dimensions.push_back(b.dimension(v.bounds).form());
        for (const Variable &v : each.map.ranges())
          ranges.push_back(b.range(v.bounds).form());
        MapCopy copy(each.map, b, std::move(dimensions), std::move(ranges));
        const Expr rest = copy.result(0);
        const Expr whole = copy.result(number) * size.step + size.first;
        if (isLow)
          b.constraint(rest, {Interval::kMinusInfinity, -1});
        else
          b.constraint(rest - whole, {0, Interval::kInfinity});
        copy.addConstraints();
        b.result(rest);
        const auto map = b.build();
        if (!map.ok()) return false;
        const auto none = isEmpty(IndexingRelation(*map), options);
        if (!none.ok() || none->answer != Answer::Yes) return false;
      }
    }
  return true;
}

/// Both kernels, read for all sizes.
struct OpenPair {
  TritonKernel kernels[2];
  OpenSizes sizes;  ///< of the new kernel, with the products of both
};

/// Returns why the numbers of an array's elements may not tell them apart where
/// that matters; "" if they do.
std::string whyNotApart(const OpenPair &pair, const PairedArguments &arguments,
                        const ExactOptions &options) {
  for (const auto &[array, products] : pair.sizes.products) {
    if (products.empty()) continue;
    bool isLoaded = false, isStored = false;
    const int64_t numbers[] = {array, arguments.oldOf[array]};
    for (size_t side : {0, 1}) {
      if (numbers[side] < 0) continue;
      isLoaded |= has(pair.kernels[side], numbers[side], false);
      isStored |= has(pair.kernels[side], numbers[side], true);
    }
    if (!isLoaded || !isStored) continue;
    const auto &product = *products.begin();
    bool isKnown = products.size() == 1 && product.size() == 1;
    // Behind the rest and the product's factor.
    for (size_t side : {0, 1})
      isKnown = isKnown && (numbers[side] < 0 ||
                            areDigits(pair.kernels[side], numbers[side],
                                      pair.sizes.sizes[product[0]],
                                      2 + product[0], options));
    if (!isKnown)
      return absl::StrCat(
          "which elements of `", pair.kernels[0].arguments[array].name,
          "` are the same, which is loaded and stored, is not known for all "
          "sizes");
  }
  return "";
}

/// Returns why the new kernel may access what the old one does not; "" if it
/// does not.
std::string whyOutside(const OpenPair &pair, const PairedArguments &arguments,
                       const ExactOptions &options) {
  const TritonKernel &ours = pair.kernels[0];
  for (auto [k, argument] : llvm::enumerate(ours.arguments)) {
    if (!argument.isPointer) continue;
    IndexingRelation own, theirs;
    if (!addTouched(ours, k, own))
      for (const KernelAccess &access : ours.accesses)
        if (!access.reason.empty())
          return absl::StrCat("line ", access.place.line, ": ", access.reason);
    if (own.pieces().empty()) continue;
    const int64_t old = arguments.oldOf[k];
    if (old < 0)
      return absl::StrCat("how many elements `", argument.name,
                          "` has is not known for all sizes");
    if (!addTouched(pair.kernels[1], old, theirs))
      return "which elements the old kernel accesses is not known for all "
             "sizes";
    const auto inside = isSubset(own, theirs, options);
    if (!inside.ok()) return std::string(inside.status().message());
    if (inside->answer != Answer::Yes)
      return absl::StrCat("new may access elements of `", argument.name,
                          "` that old does not");
  }
  return "";
}

absl::StatusOr<OpenPair> readPair(const OpenSide (&sides)[2],
                                  const PairedArguments &arguments,
                                  const SizesOfPair &sizes,
                                  const SizesWhere &where,
                                  const Budget &budget) {
  OpenPair pair;
  ReadOptions options[2];
  ProductsOfArrays all;
  for (size_t side : {0, 1}) {
    INDEXICAL_ASSIGN_OR_RETURN(
        options[side], optionsOf(sides[side], sizes, side, where, budget));
    INDEXICAL_ASSIGN_OR_RETURN(
        auto products,
        kernels::productsOfSizes(sides[side].source.text, options[side]));
    for (auto &[array, own] : products) {
      const int64_t number = side == 0 ? array : arguments.newOf(array);
      // An array of the old kernel alone.
      if (number < 0)
        options[1].open->products[array] = own;
      else
        all[number].merge(own);
    }
  }
  options[0].open->products = all;
  for (const auto &[array, products] : all)
    if (const int64_t old = arguments.oldOf[array]; old >= 0)
      options[1].open->products[old] = products;
  for (size_t side : {0, 1}) {
    INDEXICAL_ASSIGN_OR_RETURN(
        pair.kernels[side],
        kernels::parseKernel(sides[side].source.text, options[side]));
    for (const KernelArgument &argument : pair.kernels[side].arguments)
      if (argument.sameAs >= 0)
        return absl::UnimplementedError(
            "pointers to one array are not followed for all sizes");
  }
  pair.sizes = *options[0].open;
  return pair;
}

}  // namespace

bool isOpenSize(const KernelArgument &argument) {
  return !argument.isPointer && !argument.isFloat && !argument.value &&
         argument.elementBits > 1;
}

std::string textOf(const SizesWhere &where, const SizesOfPair &sizes) {
  const std::string &name = sizes.sizes[where.size].name;
  switch (where.kind) {
    case SizesWhere::Kind::Remainder:
      return absl::StrCat(name, " mod ", where.number, " < ", where.part);
    case SizesWhere::Kind::Divides:
      return absl::StrCat(name, " mod ", where.number, " = 0");
    case SizesWhere::Kind::AtMost:
      return absl::StrCat(name, " <= ", where.number);
    case SizesWhere::Kind::Is:
      return absl::StrCat(name, " = ", where.number);
    case SizesWhere::Kind::Equal:
      return absl::StrCat(name, " = ", sizes.sizes[where.other].name);
    case SizesWhere::Kind::All:
      break;
  }
  return "";
}

std::optional<SizesOfPair> sizesOfPair(const OpenSide (&sides)[2],
                                       const PairedArguments &arguments,
                                       const Budget &budget) {
  SizesOfPair sizes;
  std::vector<SizeCondition> conditions;
  for (size_t side : {0, 1}) {
    const OpenSide &own = sides[side];
    if (kernels::looksLikeLlvm(own.source.text)) return std::nullopt;
    const auto reading =
        readingOf(own.source, own.question, /*fusion=*/std::nullopt, budget);
    if (!reading.ok()) return std::nullopt;
    auto &sizeOf = sizes.sizeOf[side];
    auto add = [&](const std::string &name, const KernelArgument *argument) {
      SizesOfPair::Named made{name, 1, INT32_MAX, 1, argument == nullptr,
                              std::nullopt};
      if (argument && argument->elementBits < 32)
        made.most = kernels::greatestOfBits(argument->elementBits);
      if (argument && argument->divisibility)
        made.step = *argument->divisibility;
      if (const auto range = reading->launch.ranges.find(name);
          range != reading->launch.ranges.end()) {
        made.least = std::max(made.least, range->second.first);
        made.most = std::min(made.most, range->second.second);
      }
      sizeOf[name] = sizes.sizes.size();
      sizes.sizes.push_back(std::move(made));
    };
    for (auto [k, argument] : llvm::enumerate(own.kernel.arguments)) {
      if (!isOpenSize(argument)) continue;
      if (side == 0) {
        add(argument.name, &argument);
        continue;
      }
      const int64_t partner = arguments.newOf(static_cast<int64_t>(k));
      if (partner < 0) {
        add(argument.name, &argument);
        continue;
      }
      const auto &ours = sides[0].kernel.arguments[partner];
      const auto size = sizes.sizeOf[0].find(ours.name);
      if (size == sizes.sizeOf[0].end()) return std::nullopt;
      sizeOf[argument.name] = size->second;
      auto &named = sizes.sizes[size->second];
      if (argument.divisibility)
        named.step = std::lcm(named.step, *argument.divisibility);
    }
    std::set<std::string> names;
    for (const SizeTerm &term :
         reading->launch.sizesOf(reading->options.grid).grid) {
      kernels::SizeValues values = reading->launch.values;
      for (const KernelArgument &argument : own.kernel.arguments)
        if (!argument.isPointer && argument.value)
          values[argument.name] = *argument.value;
      addUnknown(term, values, names);
    }
    for (const std::string &name : names) {
      if (sizeOf.count(name)) continue;
      // A name that is of the grid alone is one of the new kernel's, too.
      if (const auto same = sizes.sizeOf[0].find(name);
          side == 1 && same != sizes.sizeOf[0].end())
        sizeOf[name] = same->second;
      else
        add(name, nullptr);
    }
    if (side == 0) conditions = reading->launch.conditions;
  }
  if (sizes.isEmpty()) return std::nullopt;
  for (const SizesOfPair::Named &named : sizes.sizes)
    if (named.step < 1 || named.step > named.most) return std::nullopt;
  addConditions(conditions, sizes);
  return sizes;
}

absl::StatusOr<ProvedForSizes> compareForSizes(const OpenSide (&sides)[2],
                                               const PairedArguments &arguments,
                                               const SizesOfPair &sizes,
                                               const SizesWhere &where,
                                               const Budget &budget) {
  ProvedForSizes proved;
  proved.compared.verdict.level = Level::Values;
  auto doubt = [&](std::string reason) {
    proved.isLong = llvm::StringRef(reason).contains("budget");
    proved.compared.verdict.doubt(std::move(reason));
    return proved;
  };
  INDEXICAL_RETURN_IF_ERROR(budget.check());
  const auto pair = readPair(sides, arguments, sizes, where, budget);
  INDEXICAL_RETURN_IF_ERROR(budget.check());
  if (!pair.ok()) return doubt(std::string(pair.status().message()));
  ExactOptions exact(budget);
  // There are far too many sizes to visit.
  exact.enumeration = false;
  exact.operations = kOperations;
  if (std::string why = whyNotApart(*pair, arguments, exact); !why.empty())
    return doubt(std::move(why));
  if (std::string why = whyOutside(*pair, arguments, exact); !why.empty())
    return doubt(std::move(why));
  // The old kernel accesses all elements that the new one does.
  const OpenBounds bounds = boundsForSizes(pair->kernels[0], pair->sizes,
                                           sides[0].question.shapes, exact);
  if (bounds.isViolated) {
    proved.compared.isOfOld = true;
    return doubt("old: it accesses what is outside of an array at some sizes");
  }
  Check once[2], ordered[2];
  std::vector<kernels::BufferSizes> buffers;
  for (size_t side : {0, 1}) {
    const TritonKernel &kernel = pair->kernels[side];
    once[side] = kernels::writtenOnce(kernel, exact);
    if (kernels::isLoadedAndStored(kernel))
      ordered[side] = kernels::overwritten(kernel, exact);
    // A violation at some sizes is not a witness at these sizes.
    for (const Check &check : {once[side], ordered[side]})
      if (check.answer != Check::Proved)
        return doubt(check.answer == Check::Undecided
                         ? check.reason
                         : absl::StrCat(side == 0 ? "new" : "old",
                                        " writes an element twice, or loads "
                                        "what is overwritten, at some sizes"));
    buffers.emplace_back(kernel.arguments.size());
  }
  const kernels::CheckedKernel first = {pair->kernels[0], buffers[0], Check(),
                                        once[0], ordered[0]};
  const kernels::CheckedKernel second = {pair->kernels[1], buffers[1], Check(),
                                         once[1], ordered[1]};
  INDEXICAL_ASSIGN_OR_RETURN(
      proved.compared,
      kernels::compareKernels(first, second, arguments,
                              ValueOptions{sides[0].question.floats}, exact,
                              where.kind == SizesWhere::Kind::All
                                  ? kernels::OtherLaws::Sought
                                  : kernels::OtherLaws::Ignored));
  if (proved.compared.verdict.answer == Verdict::Different) {
    proved.compared.verdict.witness.reset();
    return doubt("the kernels differ at some sizes");
  }
  proved.bounds = bounds.accesses;
  proved.once = once[0];
  proved.ordered = ordered[0];
  return proved;
}

std::vector<SizesWhere> conditionsOf(const OpenSide (&sides)[2],
                                     const SizesOfPair &sizes) {
  // Blocks, by the constants of both.
  std::set<int64_t> blocks;
  for (const OpenSide &side : sides)
    if (side.source.written)
      for (const auto &[name, text] : side.source.written->constants) {
        int64_t number = 0;
        if (absl::SimpleAtoi(text, &number) && number > 1 &&
            number <= (int64_t{1} << 20))
          blocks.insert(number);
      }
  std::vector<SizesWhere> all;
  using Kind = SizesWhere::Kind;
  const size_t count = sizes.sizes.size();
  for (const int64_t block : blocks)
    for (const int64_t part : llvm::reverse(blocks))
      for (size_t k = 0; k < count; ++k)
        if (part < block && block % part == 0)
          all.push_back({Kind::Remainder, k, 0, block, part});
  for (const int64_t block : blocks)
    for (size_t k = 0; k < count; ++k)
      all.push_back({Kind::Divides, k, 0, block});
  // A block that a size does not fill has lanes that the mask leaves out.
  for (const int64_t block : llvm::reverse(blocks))
    for (const int64_t most : {block, block - 1})
      for (size_t k = 0; k < count; ++k)
        all.push_back({Kind::AtMost, k, 0, most});
  for (size_t k = 0; k < count; ++k)
    for (size_t other = k + 1; other < count; ++other)
      all.push_back({Kind::Equal, k, other, 0});
  for (const int64_t block : llvm::reverse(blocks))
    for (size_t k = 0; k < count; ++k) all.push_back({Kind::Is, k, 0, block});
  llvm::erase_if(all, [&](const SizesWhere &where) {
    const auto &named = sizes.sizes[where.size];
    const int64_t number = where.number;
    switch (where.kind) {
      case Kind::Remainder:
      case Kind::Divides:
        return named.step % number == 0 || number > named.most;
      case Kind::AtMost:
        return number >= named.most || number < named.least;
      case Kind::Is:
        return number < named.least || number > named.most ||
               number % named.step != 0;
      case Kind::Equal:
        return named.said || sizes.sizes[where.other].said;
      default:
        return false;
    }
  });
  if (all.size() > kMostConditions) all.resize(kMostConditions);
  return all;
}

/// Returns values near these that meet the conditions: some, or none.
static std::vector<std::vector<int64_t>> thatMeet(
    const SizesOfPair &sizes, const std::vector<int64_t> &values) {
  if (sizes.conditions.empty()) return {values};
  std::vector<SizeCondition> conditions = sizes.conditions;
  kernels::SizeBox box{{}, INT32_MAX};
  kernels::SizeValues near;
  for (auto [k, named] : llvm::enumerate(sizes.sizes)) {
    const std::string name = numberOf(k);
    near[name] = values[k];
    box.ranges[name] = {named.least, named.most};
    if (named.step > 1)
      addRange(SizeTerm::of(name), named.least, named.most, named.step,
               conditions);
  }
  std::vector<std::vector<int64_t>> all;
  for (const auto &met : sizesThatMeet(conditions, {}, box, near)) {
    all.emplace_back();
    for (size_t k = 0; k < values.size(); ++k)
      all.back().push_back(met.at(numberOf(k)));
  }
  return all;
}

std::vector<std::vector<int64_t>> valuesToTry(const OpenSide (&sides)[2],
                                              const SizesOfPair &sizes) {
  int64_t block = 32;
  for (const OpenSide &side : sides)
    if (side.source.written)
      for (const auto &[name, text] : side.source.written->constants) {
        int64_t number = 0;
        if (absl::SimpleAtoi(text, &number) && number <= 1024)
          block = std::max(block, number);
      }
  // Sizes that are apart, the later ones larger: strides are behind sizes. A
  // size of the grid alone is a number of programs that do the same.
  std::vector<std::vector<int64_t>> lists;
  const int64_t starts[] = {5, 37, block - 3, block + 5, 2 * block};
  const int64_t steps[] = {2, 7, 1, 3, block};
  for (size_t list = 0; list < kMostLists; ++list) {
    std::vector<int64_t> values;
    for (auto [k, named] : llvm::enumerate(sizes.sizes)) {
      const auto number = static_cast<int64_t>(k);
      int64_t value =
          named.isOfGrid ? 3 + number : starts[list] + number * steps[list];
      value = std::clamp(value, named.least, named.most);
      value = std::max(named.step, value / named.step * named.step);
      values.push_back(value);
    }
    for (std::vector<int64_t> &met : thatMeet(sizes, values))
      if (!llvm::is_contained(lists, met)) lists.push_back(std::move(met));
  }
  return lists;
}

}  // namespace indexical
