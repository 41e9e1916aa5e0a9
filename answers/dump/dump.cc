#include "indexical/answers/dump/dump.h"

#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/ordered.h"
#include "indexical/cost/communication/collectives.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

absl::Status opaqueError(Place place, llvm::StringRef name) {
  return errorAt(place, "what `" + name.str() +
                            "` reads is not known: its answer is opaque");
}

/// An item of the document: an instruction, or a computation's beginning.
struct Step {
  int32_t module = 0;
  const ComputationPlan *plan = nullptr;
  InstructionId instruction;  ///< none: the computation itself
};

/// The result of a worker for one step.
struct Made {
  std::optional<Rendered> item;  ///< nothing: a computation without own maps
  std::vector<absl::Status> errors;
  std::vector<Note> notes;
  bool isOpaque = false;
  bool isWhole = true;  ///< false: the call has ended
};

std::vector<Step> stepsOf(const Selection &selection) {
  std::vector<Step> steps;
  for (auto [number, plans] : llvm::enumerate(selection))
    for (const ComputationPlan &plan : plans) {
      steps.push_back({static_cast<int32_t>(number), &plan, {}});
      for (InstructionId i : plan.instructions)
        steps.push_back({static_cast<int32_t>(number), &plan, i});
    }
  return steps;
}

/// Finds items on one thread. Keeps what it has found of a module until an item
/// of another module comes.
class ItemFinder {
 public:
  ItemFinder(const Program &program, const DumpQuestion &question,
             const Budget &budget)
      : program_(program),
        question_(question),
        budget_(budget),
        prover_(ExactProver::ofProofs(budget)) {}

  /// Returns the item, or nothing if the computation's own maps are not shown,
  /// or if the call has ended (isEnded).
  std::optional<Item> find(const Step &step) {
    if (std::exchange(module_, step.module) != step.module) {
      items_.reset();
      maps_.emplace(program_.modules[step.module], &prover_, budget_);
      items_.emplace(*maps_, question_);
      if (question_.devices)
        devices_ = deviceCountsOf(program_, program_.modules[step.module]);
    }
    if (step.instruction < 0 && !step.plan->ownMaps) return std::nullopt;
    const Instruction *instruction = instructionOf(step);
    Item item = instruction
                    ? items_->ofInstruction(step.plan->computation,
                                            InstructionId(step.instruction))
                    : items_->ofComputation(*step.plan);
    if (isEnded()) return std::nullopt;
    if (question_.devices && instruction) addDevices(*instruction, item);
    return item;
  }

  bool isEnded() const { return !budget_.check().ok(); }
  const ProgramIndexing &maps() const { return *maps_; }
  /// Returns null for a computation.
  const Instruction *instructionOf(const Step &step) const {
    return step.instruction < 0 ? nullptr
                                : &program_.modules[step.module]
                                       .computations[step.plan->computation]
                                       .instructions[step.instruction];
  }

 private:
  /// Names the devices of a collective.
  void addDevices(const Instruction &of, Item &item) const {
    if (!collectiveOf(of.op)) return;
    ItemDevices devices;
    devices.isPermute = !hasGroups(of.op);
    absl::Status status = absl::OkStatus();
    if (devices.isPermute) {
      auto pairs = pairsOf(of.op, devices_);
      status = pairs.status();
      if (pairs.ok()) devices.pairs = *std::move(pairs);
    } else {
      auto groups = groupsOf(of.op, devices_);
      status = groups.status();
      if (groups.ok()) devices.groups = *std::move(groups);
    }
    if (status.ok())
      item.devices = std::move(devices);
    else
      item.errors.push_back(withPlace(status, of.place));
  }

  const Program &program_;
  const DumpQuestion &question_;
  const Budget budget_;
  DeviceCounts devices_;
  ExactProver prover_;
  int32_t module_ = -1;
  std::optional<ProgramIndexing> maps_;
  std::optional<ItemMaker> items_;
};

/// Makes the texts of items on one thread.
class Worker {
 public:
  Worker(const Program &program, const DumpQuestion &question,
         std::unique_ptr<ItemRenderer> renderer, const Budget &budget)
      : finder_(program, question, budget), renderer_(std::move(renderer)) {}

  Made make(const Step &step) {
    Made made;
    std::optional<Item> item = finder_.find(step);
    if (!item) {
      made.isWhole = !finder_.isEnded();
      return made;
    }
    made.isOpaque = item->isOpaque();
    made.item =
        renderer_->render(finder_.maps(), *item, finder_.instructionOf(step));
    made.errors = std::move(item->errors);
    made.notes = std::move(item->notes);
    return made;
  }

 private:
  ItemFinder finder_;
  const std::unique_ptr<ItemRenderer> renderer_;
};

/// The worker that makes each item. What lies behind calls is found once for
/// all callers, so these items are made by the worker that has found it.
class Owners {
 public:
  Owners(const Program &program, llvm::ArrayRef<Step> steps, size_t jobs)
      : program_(program), jobs_(jobs) {
    for (const Module &module : program.modules)
      groups_.emplace_back(module.computations.size());
    for (const Step &step : steps)
      if (step.instruction < 0 && step.plan->ownMaps) joinCallees(step);
    const size_t together = runLength(steps.size(), jobs);
    for (size_t i = 0; i < steps.size(); ++i) {
      const ComputationId with = computationOf(steps[i]);
      const uint64_t number =
          with < 0 ? i / together : groups_[steps[i].module].findLeader(with);
      // Neighbouring items do not all belong to one worker.
      owners_.push_back((number * 0x9e3779b97f4a7c15u >> 32) % jobs_);
    }
  }

  llvm::ArrayRef<uint32_t> owners() const { return owners_; }

 private:
  const Instruction &at(const Step &step) const {
    return program_.modules[step.module]
        .computations[step.plan->computation]
        .instructions[step.instruction];
  }

  /// Returns the computation whose maps the item needs, or -1.
  ComputationId computationOf(const Step &step) const {
    if (step.instruction < 0)
      return step.plan->ownMaps ? step.plan->computation : ComputationId();
    for (const CalledComputation &called : at(step).called)
      if (called.computation >= 0) return called.computation;
    return {};
  }

  void joinCallees(const Step &step) {
    const ComputationId c = step.plan->computation;
    for (const Instruction &instruction :
         program_.modules[step.module].computations[c].instructions)
      for (const CalledComputation &called : instruction.called)
        if (called.computation >= 0)
          groups_[step.module].join(c, called.computation);
  }

  const Program &program_;
  const size_t jobs_;
  std::vector<llvm::IntEqClasses> groups_;  // of computations, by module
  std::vector<uint32_t> owners_;
};

/// Takes items in the order of the document. With --strict, an opaque
/// instruction is an error, and so is an opaque computation if no shown
/// instruction in it is the reason.
class Document {
 public:
  Document(const Program &program, const DumpQuestion &question, const Ask &ask,
           DumpSink &sink)
      : program_(program), question_(question), ask_(ask), sink_(sink) {}

  void begin() { sink_.begin(); }

  /// Returns false if the call has ended.
  bool take(const Step &step, Made made) {
    if (step.instruction < 0) endComputation();
    while (module_ < step.module) nextModule();
    if (!made.isWhole) return false;
    for (const absl::Status &error : made.errors) ask_.messages.error(error);
    for (const Note &note : made.notes)
      ask_.messages.warning(note.place, note.text);
    const Computation &computation =
        program_.modules[module_].computations[step.plan->computation];
    if (step.instruction < 0) {
      sink_.beginComputation(computation, made.item ? &*made.item : nullptr);
      computation_ = &computation;
      isOpaque_ = made.isOpaque;
      return true;
    }
    const Instruction &instruction = computation.instructions[step.instruction];
    sink_.instruction(instruction, *made.item);
    if (ask_.itemDone) ask_.itemDone();
    if (question_.strict && made.isOpaque) {
      ask_.messages.error(opaqueError(instruction.place, instruction.name));
      isExplained_ = true;
    }
    return true;
  }

  void end() {
    endComputation();
    while (module_ + 1 < static_cast<int32_t>(program_.modules.size()))
      nextModule();
    if (module_ >= 0) sink_.endModule();
    sink_.end();
  }

 private:
  void nextModule() {
    if (module_ >= 0) sink_.endModule();
    ++module_;
    sink_.beginModule(program_.modules[module_], module_);
  }

  void endComputation() {
    if (!computation_) return;
    if (question_.strict && isOpaque_ && !isExplained_)
      ask_.messages.error(opaqueError(computation_->place, computation_->name));
    sink_.endComputation();
    computation_ = nullptr;
    isExplained_ = false;
  }

  const Program &program_;
  const DumpQuestion &question_;
  const Ask &ask_;
  DumpSink &sink_;
  int32_t module_ = -1;
  const Computation *computation_ = nullptr;  ///< that is open
  bool isOpaque_ = false, isExplained_ = false;
};

/// With fewer items, the work is done before a thread has started.
constexpr size_t kFewItems = 200;

}  // namespace

void dumpOf(const Program &program, const Selection &selection,
            const DumpQuestion &question, const Ask &ask, DumpSink &sink) {
  const size_t jobs = ask.jobs;
  const Budget &budget = ask.budget;
  Document document(program, question, ask, sink);
  const std::vector<Step> steps = stepsOf(selection);
  document.begin();
  if (jobs == 1 || steps.size() < kFewItems) {
    Worker worker(program, question, sink.renderer(), budget);
    for (const Step &step : steps)
      if (!document.take(step, worker.make(step))) break;
  } else {
    const Owners owners(program, steps, jobs);
    std::vector<std::unique_ptr<Worker>> workers;
    for (size_t i = 0; i < jobs; ++i)
      workers.push_back(
          std::make_unique<Worker>(program, question, sink.renderer(), budget));
    inOrder<Made>(
        owners.owners(),
        [&](size_t worker, size_t step) {
          return workers[worker]->make(steps[step]);
        },
        [&](size_t step, Made made) {
          return document.take(steps[step], std::move(made));
        });
  }
  document.end();
}

absl::Status dumpOf(const Program &program, const DumpQuestion &question,
                    llvm::function_ref<bool(const DumpedItem &)> take,
                    const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(const Selection selection,
                             select(program, question));
  ItemFinder finder(program, question, ask.budget);
  for (const Step &step : stepsOf(selection)) {
    const std::optional<Item> item = finder.find(step);
    INDEXICAL_RETURN_IF_ERROR(ask.budget.check());
    if (!item) continue;
    if (!take({static_cast<size_t>(step.module), step.plan->computation,
               step.instruction, *item, finder.maps()}))
      break;
    if (ask.itemDone) ask.itemDone();
  }
  return absl::OkStatus();
}

}  // namespace indexical
