#include "indexical/answers/dump/selection.h"

#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include "indexical/answers/find_instruction.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;

using Names = std::vector<std::string>;

bool contains(const Names &names, StringRef name) {
  return llvm::any_of(names, [&](StringRef n) { return n == name; });
}

class Selector {
 public:
  Selector(const Program &program, const DumpQuestion &question)
      : program_(program), options_(question) {}

  absl::StatusOr<Selection> run() {
    INDEXICAL_RETURN_IF_ERROR(checkNames());
    Selection selection(program_.modules.size());
    for (size_t m = 0; m < selection.size(); ++m) {
      const Module &module = program_.modules[m];
      if (options_.between()) {
        INDEXICAL_RETURN_IF_ERROR(pairOf(module, selection[m]));
      } else {
        for (size_t c = 0; c < module.computations.size(); ++c)
          planOf(module, ComputationId(c), selection[m]);
      }
    }
    return selection;
  }

 private:
  bool isSelected(const Computation &computation) const {
    return options_.computations.empty() ||
           contains(options_.computations, computation.name);
  }

  /// Every name of the call is somewhere in the program, --instruction, --from
  /// and --to in a selected computation.
  absl::Status checkNames() const {
    llvm::SmallVector<StringRef, 16> computations, instructions;
    for (const Module &module : program_.modules)
      for (const Computation &computation : module.computations) {
        computations.push_back(computation.name);
        if (isSelected(computation))
          for (const Instruction &instruction : computation.instructions)
            if (!instruction.terminator)
              instructions.push_back(instruction.name);
      }
    for (StringRef name : options_.computations)
      INDEXICAL_RETURN_IF_ERROR(checkName("computation", name, computations));
    Names asked = options_.instructions;
    for (const std::string &end : {options_.from, options_.to})
      if (!end.empty()) asked.push_back(end);
    for (StringRef name : asked)
      INDEXICAL_RETURN_IF_ERROR(checkName("instruction", name, instructions));
    return absl::OkStatus();
  }

  absl::Status checkName(StringRef kind, StringRef name,
                         llvm::ArrayRef<StringRef> known) const {
    if (llvm::is_contained(known, name)) return absl::OkStatus();
    const bool isInside =
        kind == "instruction" && !options_.computations.empty();
    return unknownName(kind, name, known,
                       isInside ? " in what --computation selects" : "");
  }

  void planOf(const Module &module, ComputationId number,
              std::vector<ComputationPlan> &plans) const {
    const Computation &computation = module.computations[number];
    if (!isSelected(computation)) return;
    ComputationPlan plan;
    plan.computation = number;
    size_t count = computation.instructions.size();
    bool everything = options_.instructions.empty();
    plan.ownMaps = !options_.computations.empty() ||
                   (everything && count <= kMostForOwnMaps);
    for (size_t i = 0; i < count; ++i)
      if (!computation.instructions[i].terminator &&
          (everything ||
           contains(options_.instructions, computation.instructions[i].name)))
        plan.instructions.push_back(InstructionId(i));
    if (everything || !plan.instructions.empty())
      plans.push_back(std::move(plan));
  }

  /// The computation of the module that has both ends; of several, the entry.
  /// None is no error here: another module may have them.
  absl::Status pairOf(const Module &module,
                      std::vector<ComputationPlan> &plans) const {
    for (size_t c = 0; c < module.computations.size(); ++c)
      if (std::optional<ComputationPlan> plan =
              pairIn(module, ComputationId(c)))
        plans.push_back(std::move(*plan));
    if (plans.size() <= 1) return absl::OkStatus();
    auto entry = llvm::find_if(plans, [&](const ComputationPlan &plan) {
      return module.computations[plan.computation].entry;
    });
    if (entry != plans.end()) {
      plans = {*entry};
      return absl::OkStatus();
    }
    const Computation &first = module.computations[plans[0].computation];
    const Computation &second = module.computations[plans[1].computation];
    StringRef name = options_.from.empty() ? options_.to : options_.from;
    return errorAt(second.place, ("both `" + first.name + "` and `" +
                                  second.name + "` have an instruction `" +
                                  name + "`; --computation says which is meant")
                                     .str());
  }

  std::optional<ComputationPlan> pairIn(const Module &module,
                                        ComputationId number) const {
    const Computation &computation = module.computations[number];
    if (!isSelected(computation)) return std::nullopt;
    ComputationPlan plan;
    plan.computation = number;
    plan.between = plan.ownMaps = true;
    if (!options_.from.empty()) {
      plan.from = computation.find(options_.from);
      if (plan.from < 0) return std::nullopt;
    }
    if (!options_.to.empty()) {
      plan.to = computation.find(options_.to);
      if (plan.to < 0) return std::nullopt;
    }
    return plan;
  }

  const Program &program_;
  const DumpQuestion &options_;
};

/// Whether a path of operands leads from the one instruction to the other.
bool reaches(const Computation &computation, InstructionId from,
             InstructionId to) {
  std::vector<bool> seen(computation.instructions.size(), false);
  std::vector<InstructionId> open = {from};
  while (!open.empty()) {
    const InstructionId i = open.back();
    open.pop_back();
    if (i == to) return true;
    if (seen[i]) continue;
    seen[i] = true;
    llvm::append_range(open, computation.instructions[i].operands);
  }
  return false;
}

}  // namespace

std::optional<Note> noteOnWay(const Module &module,
                              const ComputationPlan &plan) {
  const Computation &computation = module.computations[plan.computation];
  const InstructionId from = plan.from >= 0 ? plan.from : computation.root;
  if (!plan.between || from < 0 || plan.to < 0 ||
      reaches(computation, from, plan.to) ||
      !reaches(computation, plan.to, from))
    return std::nullopt;
  const Instruction &reader = computation.instructions[plan.to];
  std::string result = reader.name.str();
  std::string operand = computation.instructions[from].name.str();
  return Note{Note::Kind::Note, reader.place,
              "`" + operand + "` reads nothing of `" + result +
                  "`, which is computed from it; the other way round: --from=" +
                  result + " --to=" + operand};
}

absl::StatusOr<Selection> select(const Program &program,
                                 const DumpQuestion &question) {
  absl::StatusOr<Selection> selection = Selector(program, question).run();
  bool found = !selection.ok() ||
               llvm::any_of(*selection,
                            [](const auto &plans) { return !plans.empty(); });
  if (found || !question.between()) return selection;
  return errorAt({}, "no computation has both `" + question.from + "` and `" +
                         question.to + "`");
}

}  // namespace indexical
