#include "indexical/answers/inputs/given_sizes.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/argument_types.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/maps/refine.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

/// The largest number of notes for a module.
constexpr size_t kMostNotes = 8;

bool isOpen(const ArrayShape &shape, int64_t dimension) {
  return shape.dimensions[dimension] == kDynamicSize ||
         (!shape.dynamic.empty() && shape.dynamic[dimension]);
}

const Instruction &parameterOf(const Computation &of, int32_t number) {
  return of.instructions[of.parameters[number]];
}

/// Returns the number of the parameter, or -1.
int32_t numberOf(const Computation &of, llvm::StringRef name) {
  for (size_t n = 0; n < of.parameters.size(); ++n)
    if (parameterOf(of, n).name == name) return n;
  int32_t number = 0;
  const bool isNumber = !name.getAsInteger(10, number) && number >= 0 &&
                        number < static_cast<int32_t>(of.parameters.size());
  return isNumber ? number : -1;
}

//===-- Giving ------------------------------------------------------------===//

class Giving {
 public:
  Giving(Program &program, const GivenSizes &given)
      : program_(program), given_(given), isUsed_(given.sizes.size(), false) {}

  absl::Status give() {
    for (Module &module : program_.modules)
      if (module.entry >= 0) INDEXICAL_RETURN_IF_ERROR(giveTo(module));
    for (const auto &[size, isUsed] : llvm::zip(given_.sizes, isUsed_))
      if (!isUsed) return noParameter(size);
    return absl::OkStatus();
  }

 private:
  absl::Status noParameter(const GivenSize &size) const {
    std::vector<std::string> names;
    for (const Module &module : program_.modules) {
      if (module.entry < 0) continue;
      const Computation &entry = module.computations[module.entry];
      for (size_t n = 0; n < entry.parameters.size(); ++n)
        names.push_back("`" + parameterOf(entry, n).name.str() + "`");
    }
    return absl::InvalidArgumentError(
        absl::StrCat("--size: there is no parameter `", size.parameter, "`",
                     names.empty() ? std::string()
                                   : "; there are " + llvm::join(names, ", ")));
  }

  absl::Status giveTo(Module &module) {
    const Computation &entry = module.computations[module.entry];
    const auto leaves = parameterLeaves(entry);
    std::vector<KnownArgument> arguments;
    for (const ParameterLeaf &leaf : leaves)
      arguments.push_back(
          {shapesOf(parameterOf(entry, leaf.parameter).op).results[leaf.leaf],
           {}});
    if (given_.arguments) {
      if (given_.arguments->size() != arguments.size())
        return errorAt(
            entry.place,
            absl::StrCat("--arguments has ", given_.arguments->size(),
                         " arrays, and `", entry.name.str(), "` takes ",
                         arguments.size()));
      for (auto [argument, shape] : llvm::zip(arguments, *given_.arguments))
        argument.shape = shape;
    }
    for (auto [i, size] : llvm::enumerate(given_.sizes)) {
      const int32_t number = numberOf(entry, size.parameter);
      if (number < 0) continue;
      isUsed_[i] = true;
      for (auto [argument, leaf] : llvm::zip(arguments, leaves))
        if (leaf.parameter == number)
          INDEXICAL_RETURN_IF_ERROR(set(argument.shape, size, entry));
    }
    INDEXICAL_ASSIGN_OR_RETURN(auto known,
                               refined(module, module.entry, arguments));
    const size_t before = module.computations.size();
    module = std::move(known);
    putCopiesInPlace(module, before);
    tellOpen(module);
    return absl::OkStatus();
  }

  static absl::Status set(ArrayShape &shape, const GivenSize &size,
                          const Computation &entry) {
    const Instruction &parameter =
        parameterOf(entry, numberOf(entry, size.parameter));
    auto wrong = [&](auto... words) {
      return errorAt(parameter.place, absl::StrCat("--size: ", words...));
    };
    if (size.dimension >= shape.rank())
      return wrong("`", size.parameter, "` is ", shape.str(),
                   " and has no dimension ", size.dimension);
    int64_t &has = shape.dimensions[size.dimension];
    const bool isBound = has != kDynamicSize;
    if (!isOpen(shape, size.dimension) && has != size.value)
      return wrong("dimension ", size.dimension, " of `", size.parameter,
                   "` is ", has, ", not ", size.value);
    if (isBound && size.value > has)
      return wrong("dimension ", size.dimension, " of `", size.parameter,
                   "` is at most ", has, ", not ", size.value);
    has = size.value;
    if (!shape.dynamic.empty()) {
      shape.dynamic.reset(size.dimension);
      if (shape.dynamic.none()) shape.dynamic.clear();
    }
    return absl::OkStatus();
  }

  /// Puts a call's copy of a computation in the place of the original, and
  /// removes computations that are no longer called.
  static void putCopiesInPlace(Module &module, size_t before) {
    const size_t all = module.computations.size();
    std::vector<bool> wasCalled(all, false), isKept(all, false);
    std::vector<int32_t> origin(all);
    std::vector<ComputationId> stack;
    for (size_t c = 0; c < all; ++c) {
      origin[c] = c;
      if (c < before) continue;
      wasCalled[c] = true;
      for (size_t o = 0; o < before; ++o)
        if (module.computations[o].name == module.computations[c].name)
          origin[c] = o;
      wasCalled[origin[c]] = true;
    }
    for (size_t c = 0; c < before; ++c)
      if (!wasCalled[c]) stack.push_back(ComputationId(c));
    while (!stack.empty()) {
      const ComputationId c = stack.back();
      stack.pop_back();
      if (isKept[c]) continue;
      isKept[c] = true;
      for (const Instruction &i : module.computations[c].instructions)
        for (const CalledComputation &called : i.called)
          if (called.computation >= 0) stack.push_back(called.computation);
    }
    std::vector<int32_t> order;
    for (size_t c = 0; c < all; ++c)
      if (isKept[c]) order.push_back(c);
    llvm::stable_sort(
        order, [&](int32_t a, int32_t b) { return origin[a] < origin[b]; });
    std::vector<int32_t> number(all, -1);
    std::vector<Computation> computations;
    for (int32_t c : order) {
      number[c] = computations.size();
      computations.push_back(std::move(module.computations[c]));
    }
    for (Computation &computation : computations)
      for (Instruction &i : computation.instructions)
        for (CalledComputation &called : i.called)
          if (called.computation >= 0)
            called.computation = ComputationId(number[called.computation]);
    module.entry = ComputationId(number[module.entry]);
    module.computations = std::move(computations);
  }

  //===-- Notes -----------------------------------------------------------===//

  void note(Place place, std::string text) {
    program_.notes.push_back({Note::Kind::Note, place, std::move(text)});
  }

  void tellOpen(const Module &module) {
    bool isRefinable = true;
    size_t notes = 0;
    for (const OpenSize &open : openSizes(module)) {
      const Computation &in = module.computations[open.computation];
      const Instruction &i = in.instructions[open.instruction];
      const bool isArgument = open.kind == OpenSize::Argument;
      // The sizes of a callee's arguments follow from those of its caller.
      if (isArgument && open.computation != module.entry) continue;
      isRefinable = isRefinable && isArgument;
      if (++notes > kMostNotes) continue;
      const std::string name = "`" + i.name.str() + "`";
      if (isArgument)
        note(i.place, absl::StrCat("size ", open.dimension, " of ", name,
                                   " is not given, and stays open"));
      else if (open.kind == OpenSize::Own)
        note(i.place, absl::StrCat("size ", open.dimension, " of ", name,
                                   " follows from no size of a parameter"));
      else
        note(i.place,
             absl::StrCat("a size is an element of ", name,
                          ", which follows from no size of a parameter"));
    }
    if (notes > kMostNotes)
      note({}, absl::StrCat(notes - kMostNotes, " more sizes stay open"));
    if (!isRefinable)
      note(module.computations[module.entry].place,
           "sizes of its parameters do not make all sizes known: the program "
           "is not refinable");
  }

  Program &program_;
  const GivenSizes &given_;
  std::vector<bool> isUsed_;
};

}  // namespace

absl::StatusOr<std::vector<ArrayShape>> shapesOfArguments(
    llvm::StringRef text) {
  const bool isMlir = text.contains('<') && !text.contains('[');
  INDEXICAL_ASSIGN_OR_RETURN(auto shape,
                             isMlir || text.trim().empty()
                                 ? shapeOfTypes(text)
                                 : parseHloShape("(" + text.str() + ")"));
  std::vector<ArrayShape> leaves;
  for (const ArrayShape &leaf : shape.leaves()) leaves.push_back(leaf);
  return leaves;
}

GivenSizes exampleSizes(const Program &program, int64_t size) {
  GivenSizes given;
  for (const Module &module : program.modules) {
    if (module.entry < 0) continue;
    const Computation &entry = module.computations[module.entry];
    for (const ParameterLeaf &leaf : parameterLeaves(entry)) {
      const Instruction &parameter = parameterOf(entry, leaf.parameter);
      const ArrayShape shape = shapesOf(parameter.op).results[leaf.leaf];
      for (int64_t d = 0; d < shape.rank(); ++d)
        if (shape.dimensions[d] == kDynamicSize)
          given.sizes.push_back({parameter.name.str(), d, size});
    }
  }
  return given;
}

absl::Status giveSizes(Program &program, const GivenSizes &given) {
  if (given.empty()) return absl::OkStatus();
  return Giving(program, given).give();
}

}  // namespace indexical
