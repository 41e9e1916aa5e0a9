#include "indexical/answers/kernel/judge.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/inputs/kernel_input.h"
#include "indexical/answers/kernel/judge_bounds.h"
#include "indexical/answers/kernel/judge_sizes.h"
#include "indexical/answers/kernel/judge_written.h"
#include "indexical/answers/kernel/sized_launch.h"
#include "indexical/import/llvm/read.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"
#include "indexical/program/kernel/named_arguments.h"
#include "indexical/same/kernel/result_stores.h"

namespace indexical {
namespace {

using kernels::BufferSizes;
using kernels::KernelSource;

absl::Status refusedOf(std::string text) {
  return errorAt({}, absl::StrCat("--of: ", std::move(text)));
}

/// Whether the name stands in the text as a word.
bool hasWord(llvm::StringRef text, llvm::StringRef name) {
  auto isLetter = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = text.find(name); at != llvm::StringRef::npos;
       at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !isLetter(text[at - 1])) &&
        (end == text.size() || !isLetter(text[end])))
      return true;
  }
  return false;
}

/// Takes the values of the new kernel whose names the old text has (all, if it
/// is empty), and over them those of the old one's own.
template <typename Pairs>
Pairs ofBoth(const Pairs &ofNew, const Pairs &ofOld, llvm::StringRef text) {
  Pairs both;
  for (const auto &pair : ofNew) {
    const bool isOwn = llvm::any_of(
        ofOld, [&](const auto &each) { return each.first == pair.first; });
    if (!isOwn && (text.empty() || hasWord(text, pair.first)))
      both.push_back(pair);
  }
  both.insert(both.end(), ofOld.begin(), ofOld.end());
  return both;
}

KernelQuestion questionOfOld(const KernelQuestion &question,
                             llvm::StringRef name, llvm::StringRef text) {
  KernelQuestion old = question;
  old.function = name.str();
  old.constants = ofBoth(question.constants, question.old.constants, text);
  old.types = ofBoth(question.types, {}, text);
  // A value of a size need not be one of an argument.
  old.arguments = ofBoth(question.arguments, question.old.arguments, "");
  old.numbers = ofBoth(question.numbers, question.old.numbers, "");
  old.program.clear();
  old.runtime.clear();
  old.at.reset();
  old.printsText = false;
  old.readsValues = true;
  return old;
}

/// Returns the sizes of arrays, by argument.
BufferSizes sizesOf(const KernelFindings &found) {
  BufferSizes sizes(found.kernel.arguments.size());
  for (auto [size, argument, array] :
       llvm::zip(sizes, found.kernel.arguments, found.arrays)) {
    if (argument.bytes && argument.elementBits >= 8)
      size = *argument.bytes / (argument.elementBits / 8);
    if (array) size = storedElements(*array);
  }
  return sizes;
}

/// Returns the old kernel: that of the name, else that of the new one's name,
/// else the only one. Of configurations it is the first.
absl::StatusOr<const KernelSource *> chosen(const OldKernels &old,
                                            const std::string &function) {
  std::vector<const KernelSource *> own;
  auto take = [&](llvm::StringRef name) {
    for (const KernelSource &source : old.sources)
      if (name.empty() || source.read.function == name) own.push_back(&source);
  };
  const bool areNamed = llvm::any_of(old.sources, [](const auto &each) {
    return !each.read.function.empty();
  });
  if (!old.name.empty() && areNamed) {
    take(old.name);
    if (own.empty())
      return refusedOf(
          absl::StrCat(old.path, " has no kernel `", old.name, "`"));
  } else {
    if (areNamed) take(function);
    if (own.empty()) take("");
  }
  const KernelSource *first = own.front();
  for (const KernelSource *each : own)
    if (each->read.function != first->read.function || each->launch > 0)
      return refusedOf(
          absl::StrCat(old.path, " has several kernels; FILE#NAME names one"));
  return first;
}

/// Returns the values of integers that both kernels are compared at.
std::vector<std::pair<std::string, int64_t>> sizesOfCall(
    const kernels::TritonKernel &kernel, const KernelQuestion &question) {
  std::vector<std::pair<std::string, int64_t>> sizes;
  auto add = [&](const std::string &name, int64_t value) {
    if (llvm::none_of(sizes,
                      [&](const auto &each) { return each.first == name; }))
      sizes.push_back({name, value});
  };
  for (const kernels::KernelArgument &argument : kernel.arguments)
    if (!argument.isPointer && argument.value)
      add(argument.name, *argument.value);
  for (const auto &[name, value] : question.arguments) {
    // An argument without a name is named by its number, too.
    bool isTaken = false;
    for (size_t k = 0; k < kernel.arguments.size(); ++k)
      isTaken |= kernel.arguments[k].value && kernels::isNamed(kernel, k, name);
    if (!isTaken) add(name, value);
  }
  return sizes;
}

}  // namespace

absl::StatusOr<OldKernels> readOldKernels(FusionSource::OfKernels of,
                                          const KernelQuestion &question,
                                          Messages &messages) {
  OldKernels old;
  old.path = of.input.path;
  old.name = llvm::StringRef(of.name).ltrim('@').str();
  const KernelQuestion own = questionOfOld(question, old.name, of.input.text);
  auto sources = kernelsIn(of.input, messages, pythonOptionsOf(own));
  if (!sources.ok())
    return refusedOf(
        absl::StrCat(old.path, ": ", std::string(sources.status().message())));
  old.sources = *std::move(sources);
  return old;
}

namespace {

/// The old kernel with its own launch.
struct OldSide {
  kernels::KernelSource source;
  KernelQuestion question;
};

/// Whether a condition, whose names are those of the new kernel, is one of
/// arguments of this kernel. Constants of one name may differ.
bool isOfKernel(llvm::StringRef condition, const KernelSource &source) {
  const auto read = conditionsIn(condition);
  if (!read.ok() || !source.written) return read.ok();
  std::set<std::string> names;
  for (const kernels::SizeCondition &each : *read) {
    addUnknown(each.left, {}, names);
    addUnknown(each.right, {}, names);
  }
  return llvm::all_of(names, [&](const std::string &name) {
    return llvm::is_contained(source.written->parameters, name) &&
           llvm::none_of(source.written->constants, [&](const auto &constant) {
             return constant.first == name;
           });
  });
}

absl::StatusOr<OldSide> oldSideOf(const OldKernels &old,
                                  const KernelQuestion &question,
                                  const std::string &function) {
  INDEXICAL_ASSIGN_OR_RETURN(const KernelSource *source, chosen(old, function));
  OldSide side = {
      *source,
      questionOfOld(question, old.name,
                    source->written ? *source->written->text : source->text)};
  KernelQuestion &own = side.question;
  own.shapes.clear();
  llvm::erase_if(own.assumed, [&](const std::string &condition) {
    return !question.pairing.pairs.empty() ||
           !isOfKernel(condition, side.source);
  });
  const bool saysGrid = source->written ? !source->written->grid.empty()
                                        : source->read.grid.has_value();
  if (!question.old.grid.empty() || !question.old.gridSizes.empty()) {
    own.grid = question.old.grid;
    own.gridSizes = question.old.gridSizes;
  } else if (saysGrid) {
    own.grid.clear();
    own.gridSizes.clear();
  }
  // Names of the new kernel need not be those of the old one.
  for (const auto &[name, value] : own.arguments)
    side.source.read.otherNames.insert(name);
  for (const auto &[name, value] : own.numbers)
    side.source.read.otherNames.insert(name);
  return side;
}

/// Returns what a pointer of a kernel points to, as HLO names it; "" if the
/// kernel does not say it.
std::string pointerTypeOf(const kernels::KernelArgument &argument) {
  llvm::StringRef type = kernels::elementTypeOf(argument);
  if (!argument.isPointer || type.empty() || type == "i1") return "";
  return type.consume_front("i") ? absl::StrCat("s", type.str()) : type.lower();
}

/// Returns what a pointer of a kernel in LLVM's IR points to, as its shape or
/// its accesses have it: their float, if they have one, else an integer; ""
/// if they have several floats, or none that is as wide as an element.
std::string accessedTypeOf(const KernelFindings &found, int64_t number) {
  static constexpr std::pair<llvm::StringRef, llvm::StringRef> kFloats[] = {
      {"float", "f32"}, {"double", "f64"}, {"half", "f16"}, {"bfloat", "bf16"}};
  const kernels::KernelArgument &argument = found.kernel.arguments[number];
  if (!argument.isPointer || argument.elementBits < 8) return "";
  if (const auto &array = found.arrays[number])
    return elementTypeName(array->type).str();
  std::string type;
  for (const kernels::KernelAccess &access : found.kernel.accesses) {
    const bool isHere = llvm::any_of(access.maps, [&](const auto &map) {
      return found.kernel.arrayOf(map.argument) == found.kernel.arrayOf(number);
    });
    for (const auto &[name, own] : kFloats) {
      if (!isHere || access.elementType != name) continue;
      if (!type.empty() && type != own) return "";
      type = own.str();
    }
  }
  return type.empty() ? absl::StrCat("s", argument.elementBits) : type;
}

/// Returns what an array is, of the types that two kernels access it as; "" if
/// they do not agree. Of a float and an integer, which takes bits as they are,
/// it is the float.
std::string typeOfBoth(const std::string &first, const std::string &second) {
  if (first == second) return first;
  if (first.empty() || second.empty()) return "";
  if (first[0] != 's' && second[0] != 's') return "";
  return first[0] == 's' ? second : first;
}

/// Takes what the pointers of a kernel in LLVM's IR point to from its partner,
/// if that says it; for two such kernels, from the accesses of both. `found` is
/// read again, and both questions have it.
absl::Status takePointerTypes(const OldKernels &old, const KernelSource &source,
                              const Budget &budget, KernelQuestion &question,
                              OldSide &side, KernelFindings &found) {
  const bool isOld = kernels::looksLikeLlvm(side.source.text);
  const bool isNew = kernels::looksLikeLlvm(source.text);
  if (!isOld && !isNew) return absl::OkStatus();
  const auto theirs = measureKernel(side.source, side.question, budget);
  if (!theirs.ok())
    return refusedOf(
        absl::StrCat(old.path, ": ", std::string(theirs.status().message())));
  INDEXICAL_ASSIGN_OR_RETURN(
      const auto pairs,
      kernels::pairArguments(found.kernel, theirs->kernel, question.pairing));
  std::map<int64_t, std::string> types, typesOfOld;
  for (auto [k, partner] : llvm::enumerate(pairs.oldOf)) {
    if (partner < 0) continue;
    const auto number = static_cast<int64_t>(k);
    std::string type;
    if (isOld && isNew)
      type = typeOfBoth(accessedTypeOf(found, number),
                        accessedTypeOf(*theirs, partner));
    else
      type = pointerTypeOf(isOld ? found.kernel.arguments[k]
                                 : theirs->kernel.arguments[partner]);
    if (type.empty()) continue;
    types[number] = type;
    typesOfOld[partner] = type;
  }
  if (isOld) side.question.elementTypes = std::move(typesOfOld);
  if (!isNew) return absl::OkStatus();
  question.elementTypes = std::move(types);
  INDEXICAL_ASSIGN_OR_RETURN(
      found, findKernel(source, question, /*fusion=*/std::nullopt, budget));
  return absl::OkStatus();
}

/// Compares both at the sizes of the call, sets `found.judge`, and returns the
/// findings of the old kernel.
absl::StatusOr<KernelFindings> judgeAtSizes(
    const OldKernels &old, const OldSide &side, const KernelQuestion &question,
    const Budget &budget, kernels::OtherLaws laws, KernelFindings &found) {
  auto theirs =
      findKernel(side.source, side.question, /*fusion=*/std::nullopt, budget);
  if (!theirs.ok())
    return refusedOf(
        absl::StrCat(old.path, ": ", std::string(theirs.status().message())));
  KernelFindings &specified = *theirs;
  JudgeFindings judge;
  judge.path = old.path;
  judge.function = specified.kernel.function;
  judge.grid = specified.kernel.grid;
  judge.taken = std::move(specified.taken);
  judge.movedByOld = specified.moved();
  if (specified.time) judge.timeOfOld = specified.time->total();
  judge.sizes = sizesOfCall(found.kernel, question);
  INDEXICAL_ASSIGN_OR_RETURN(
      judge.arguments,
      kernels::pairArguments(found.kernel, specified.kernel, question.pairing));
  const BufferSizes sizes = sizesOf(found);
  BufferSizes sizesOfOld = sizesOf(specified);
  for (auto [number, size] : llvm::enumerate(sizesOfOld))
    if (const int64_t partner =
            judge.arguments.newOf(static_cast<int64_t>(number));
        partner >= 0 && sizes[partner])
      size = sizes[partner];
  const ExactOptions exact(budget);
  Check bounds;
  for (const kernels::KernelAccess &access : specified.kernel.accesses)
    bounds.take(kernels::inBounds(access, sizesOfOld, exact));
  const kernels::CheckedKernel first = {found.kernel, sizes,
                                        found.worstBounds(), found.once,
                                        found.overwritten.value_or(Check())};
  const kernels::CheckedKernel second = {
      specified.kernel, sizesOfOld, bounds, specified.once,
      specified.overwritten.value_or(Check())};
  INDEXICAL_ASSIGN_OR_RETURN(
      judge.compared,
      kernels::compareKernels(first, second, judge.arguments,
                              ValueOptions{question.floats}, exact, laws));
  if (judge.compared.verdict.isSame())
    if (std::string why = whyMoreThanOld(found.kernel, specified.kernel,
                                         judge.arguments, sizes, exact);
        !why.empty())
      judge.compared.verdict.doubt(std::move(why));
  WrittenChecks written =
      checkWritten(found.kernel, specified.kernel, judge.arguments, sizes,
                   first.ordered, exact);
  judge.neverWritten = std::move(written.never);
  judge.readBeforeWritten = std::move(written.before);
  found.judge = std::move(judge);
  return std::move(specified);
}

// Sizes at which the old kernel specifies nothing, after which no others are
// tried.
constexpr int kMostWithout = 2;

/// Returns the findings at sizes that tell both apart, if some that are tried
/// do.
absl::StatusOr<std::optional<KernelFindings>> foundDifferent(
    const OldKernels &old, const OpenSide (&sides)[2], const SizesOfPair &sizes,
    const std::optional<std::vector<int64_t>> &likely, const Budget &budget) {
  int without = 0;
  std::vector<std::vector<int64_t>> lists = valuesToTry(sides, sizes);
  if (likely) lists.insert(lists.begin(), *likely);
  for (const std::vector<int64_t> &values : lists) {
    INDEXICAL_RETURN_IF_ERROR(budget.check());
    KernelQuestion questions[] = {sides[0].question, sides[1].question};
    OldSide theirs = {sides[1].source, {}};
    KernelSource ours = sides[0].source;
    for (size_t side : {0, 1})
      for (const auto &[name, size] : sizes.sizeOf[side]) {
        questions[side].arguments.push_back({name, values[size]});
        (side == 0 ? ours : theirs.source).read.otherNames.insert(name);
      }
    theirs.question = std::move(questions[1]);
    auto found =
        findKernel(ours, questions[0], /*fusion=*/std::nullopt, budget);
    if (!found.ok()) continue;
    const auto judged = judgeAtSizes(old, theirs, questions[0], budget,
                                     kernels::OtherLaws::Ignored, *found);
    if (!judged.ok()) continue;
    if (found->judge->compared.verdict.answer == Verdict::Different)
      return std::optional(*std::move(found));
    // Strides that are not those of the host make most kernels store twice.
    without += found->judge->compared.isOfOld;
    if (without == kMostWithout) break;
  }
  INDEXICAL_RETURN_IF_ERROR(budget.check());
  return std::optional<KernelFindings>();
}

// Conditions are looked for as long as this lasts; one whose proof takes the
// whole budget counts as several.
constexpr int64_t kMostWork = 32, kLongWork = 8;

/// Returns the condition under which no integer of the new kernel leaves its
/// range; "" if none does, or where the old one's do: there that specifies
/// nothing.
std::string whereNothingWraps(const kernels::TritonKernel &ours,
                              const kernels::TritonKernel &theirs) {
  using kernels::WrapsCheck;
  const WrapsCheck own = ours.wraps.value_or(WrapsCheck());
  const WrapsCheck old = theirs.wraps.value_or(WrapsCheck());
  if (own.answer == WrapsCheck::Never ||
      (own.answer == old.answer && own.where == old.where &&
       own.reason == old.reason))
    return "";
  const auto [left, right] = llvm::StringRef(own.where).split(" > ");
  if (right.empty() || right.contains(' '))
    return "no integer of 32 bits leaves its range";
  return absl::StrCat(left.str(), " <= ", right.str());
}

/// Whether an integer of the kernel leaves its range at all sizes.
bool alwaysWraps(const kernels::TritonKernel &kernel) {
  return kernel.wraps && kernel.wraps->answer == kernels::WrapsCheck::From &&
         kernel.wraps->first.empty();
}

/// Judges both for all sizes that have no value.
absl::Status judgeForAll(const OldKernels &old, const OpenSide (&sides)[2],
                         const SizesOfPair &sizes,
                         const std::optional<std::vector<int64_t>> &likely,
                         const Budget &budget, KernelFindings &found) {
  const std::string inRange =
      whereNothingWraps(sides[0].kernel, sides[1].kernel);
  JudgeFindings &judge = *found.judge;
  const kernels::PairedArguments arguments = judge.arguments;
  INDEXICAL_ASSIGN_OR_RETURN(
      ProvedForSizes all,
      compareForSizes(sides, arguments, sizes, SizesWhere(), budget));
  judge.isForAll = true;
  judge.sizes.clear();
  judge.assumed = sides[0].question.assumed;
  judge.compared = std::move(all.compared);
  if (judge.compared.verdict.isSame()) {
    found.once = all.once;
    if (found.overwritten) found.overwritten = all.ordered;
    Check worst;
    for (const Check &check : all.bounds) worst.take(check);
    const bool areAll = all.bounds.size() == found.bounds.size();
    for (auto [k, check] : llvm::enumerate(found.bounds))
      check = areAll ? all.bounds[k] : worst;
    judge.neverWritten = std::move(all.written.never);
    judge.readBeforeWritten = std::move(all.written.before);
    if (!inRange.empty()) {
      const bool isAlways = alwaysWraps(sides[0].kernel);
      if (!isAlways) judge.where = inRange;
      judge.compared.verdict.doubt(absl::StrCat(
          "an integer of 32 bits of the new kernel leaves its range at ",
          isAlways ? "all" : "other", " sizes"));
    }
    return absl::OkStatus();
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto apart,
                             foundDifferent(old, sides, sizes, likely, budget));
  std::string where;
  int64_t left = kMostWork;
  for (const SizesWhere &each : conditionsOf(sides, sizes)) {
    if (left <= 0 || (!inRange.empty() && alwaysWraps(sides[0].kernel))) break;
    INDEXICAL_ASSIGN_OR_RETURN(
        const ProvedForSizes proved,
        compareForSizes(sides, arguments, sizes, each, budget));
    left -= proved.isLong ? kLongWork : 1;
    if (!proved.compared.verdict.isSame()) continue;
    where = textOf(each, sizes);
    if (!inRange.empty()) absl::StrAppend(&where, " and ", inRange);
    break;
  }
  judge.where = where;
  if (!apart) return absl::OkStatus();
  apart->judge->isForAll = true;
  apart->judge->assumed = judge.assumed;
  apart->judge->where = std::move(where);
  // `found` and its judge end here.
  found = *std::move(apart);
  return absl::OkStatus();
}

/// Calls `take` for each integer argument that a witness gives a number.
void forIntegers(const Witness &witness, const OpenSide (&sides)[2],
                 llvm::function_ref<void(size_t side, const std::string &name,
                                         int64_t number)>
                     take) {
  const auto &ours = sides[0].kernel.arguments;
  for (const Witness::Input &input : witness.inputs) {
    auto k = static_cast<size_t>(input.parameter);
    const size_t side = k < ours.size() ? 0 : 1;
    if (side == 1) k -= ours.size();
    const auto &arguments = sides[side].kernel.arguments;
    int64_t number = 0;
    if (k < arguments.size() && isOpenSize(arguments[k]) &&
        absl::SimpleAtoi(input.value, &number))
      take(side, arguments[k].name, number);
  }
}

/// Whether a witness gives an integer without a value a number that is no size,
/// or may do so.
bool isOfNoSize(const Witness &witness, const OpenSide (&sides)[2]) {
  bool isNone = witness.others && *witness.others < 1 &&
                llvm::any_of(sides, [](const OpenSide &side) {
                  return llvm::any_of(side.kernel.arguments, isOpenSize);
                });
  forIntegers(witness, sides, [&](size_t, const std::string &, int64_t number) {
    isNone |= number < 1 || number > INT32_MAX;
  });
  return isNone;
}

/// Returns the sizes that a witness names, and 37 for the others; nothing if
/// one is out of its bounds.
std::optional<std::vector<int64_t>> sizesOfWitness(const Witness &witness,
                                                   const OpenSide (&sides)[2],
                                                   const SizesOfPair &sizes) {
  std::vector<int64_t> values;
  for (const SizesOfPair::Named &named : sizes.sizes)
    values.push_back(std::max(named.least, std::min<int64_t>(named.most, 37)) /
                     named.step * named.step);
  forIntegers(witness, sides,
              [&](size_t side, const std::string &name, int64_t number) {
                const auto size = sizes.sizeOf[side].find(name);
                if (size != sizes.sizeOf[side].end())
                  values[size->second] = number;
              });
  for (auto [value, named] : llvm::zip(values, sizes.sizes))
    if (value < named.least || value > named.most || value % named.step != 0)
      return std::nullopt;
  return values;
}

/// Returns the verdict without its witness, and undecided.
Verdict doubtOf(const Verdict &verdict, std::string reason) {
  Verdict open;
  open.level = verdict.level;
  open.doubt(std::move(reason));
  return open;
}

}  // namespace

absl::Status judgeKernel(const OldKernels &old, const KernelSource &source,
                         const KernelQuestion &asked, const Budget &budget,
                         KernelFindings &found) {
  KernelQuestion question = asked;
  INDEXICAL_ASSIGN_OR_RETURN(OldSide side,
                             oldSideOf(old, question, found.kernel.function));
  INDEXICAL_RETURN_IF_ERROR(
      takePointerTypes(old, source, budget, question, side, found));
  INDEXICAL_ASSIGN_OR_RETURN(const KernelFindings theirs,
                             judgeAtSizes(old, side, question, budget,
                                          kernels::OtherLaws::Sought, found));
  const Verdict &verdict = found.judge->compared.verdict;
  if (verdict.isSame()) return absl::OkStatus();
  // The kernel that is replaced may be named by the sides.
  const kernels::TritonKernel ours = found.kernel;
  const OpenSide sides[] = {{source, question, ours},
                            {side.source, side.question, theirs.kernel}};
  const auto sizes = sizesOfPair(sides, found.judge->arguments, budget);
  if (!sizes) {
    if (verdict.witness && isOfNoSize(*verdict.witness, sides))
      found.judge->compared.verdict =
          doubtOf(verdict,
                  "integers without a value are from 1 on, and no numbers with "
                  "such ones are known to tell both apart");
    return absl::OkStatus();
  }
  // Numbers that tell both apart have to be sizes.
  std::optional<std::vector<int64_t>> likely;
  if (verdict.witness) likely = sizesOfWitness(*verdict.witness, sides, *sizes);
  return judgeForAll(old, sides, *sizes, likely, budget, found);
}

}  // namespace indexical
