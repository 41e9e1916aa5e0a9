#include "indexical/tools/dump.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/communication/collectives.h"
#include "indexical/exact/exact_prover.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/tools/answers.h"
#include "indexical/tools/command.h"
#include "indexical/tools/conditions_report.h"
#include "indexical/tools/element_report.h"
#include "indexical/tools/front_end.h"
#include "indexical/tools/ordered.h"
#include "indexical/tools/progress.h"
#include "indexical/tools/report.h"
#include "indexical/tools/selection.h"

namespace indexical {
namespace {

void reportWays(const Program &program, const Selection &selection,
                Reporter &reporter) {
  for (auto [module, plans] : llvm::zip_equal(program.modules, selection))
    for (const ComputationPlan &plan : plans)
      if (std::optional<Note> note = noteOnWay(module, plan))
        report(*note, reporter);
}

size_t countInstructions(const Selection &selection) {
  size_t count = 0;
  for (const auto &plans : selection)
    for (const ComputationPlan &plan : plans) count += plan.instructions.size();
  return count;
}

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

/// Makes items on one thread. Keeps what it has found of a module until an item
/// of another module comes.
class Worker {
 public:
  Worker(const Program &program, const DumpOptions &options,
         const DumpSink &sink, const Budget &budget)
      : program_(program),
        options_(options),
        sink_(sink),
        budget_(budget),
        prover_(ExactProver::ofProofs(budget)) {}

  Made make(const Step &step) {
    if (std::exchange(module_, step.module) != step.module) {
      items_.reset();
      maps_.emplace(program_.modules[step.module], &prover_, budget_);
      items_.emplace(*maps_, options_);
      if (options_.devices)
        devices_ = deviceCountsOf(program_, program_.modules[step.module]);
    }
    Made made;
    if (step.instruction < 0 && !step.plan->ownMaps) {
      made.isWhole = budget_.check().ok();
      return made;
    }
    const ComputationId computation = step.plan->computation;
    const Instruction *instruction = step.instruction < 0
                                         ? nullptr
                                         : &program_.modules[step.module]
                                                .computations[computation]
                                                .instructions[step.instruction];
    Item item = instruction
                    ? items_->ofInstruction(ComputationId(computation),
                                            InstructionId(step.instruction))
                    : items_->ofComputation(*step.plan);
    made.isWhole = budget_.check().ok();
    if (!made.isWhole) return made;
    if (options_.devices && instruction) addDevices(*instruction, item);
    made.isOpaque = item.isOpaque();
    made.item = sink_.render(*maps_, item, instruction, texts_);
    made.errors = std::move(item.errors);
    return made;
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
  const DumpOptions &options_;
  const DumpSink &sink_;
  const Budget budget_;
  DeviceCounts devices_;
  ExactProver prover_;
  MapTexts texts_;
  int32_t module_ = -1;
  std::optional<ProgramIndexing> maps_;
  std::optional<ItemMaker> items_;
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
  Document(const Program &program, const DumpOptions &options,
           Reporter &reporter, Progress &progress, DumpSink &sink)
      : program_(program),
        options_(options),
        reporter_(reporter),
        progress_(progress),
        sink_(sink) {}

  void begin() { sink_.begin(); }

  /// Returns false if the call has ended.
  bool take(const Step &step, Made made) {
    if (step.instruction < 0) endComputation();
    while (module_ < step.module) nextModule();
    if (!made.isWhole) return false;
    for (const absl::Status &error : made.errors) reporter_.error(error);
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
    progress_.step();
    if (options_.strict && made.isOpaque) {
      reporter_.error(opaqueError(instruction.place, instruction.name));
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
    if (options_.strict && isOpaque_ && !isExplained_)
      reporter_.error(opaqueError(computation_->place, computation_->name));
    sink_.endComputation();
    computation_ = nullptr;
    isExplained_ = false;
  }

  const Program &program_;
  const DumpOptions &options_;
  Reporter &reporter_;
  Progress &progress_;
  DumpSink &sink_;
  int32_t module_ = -1;
  const Computation *computation_ = nullptr;  ///< that is open
  bool isOpaque_ = false, isExplained_ = false;
};

/// With fewer items, the work is done before a thread has started.
constexpr size_t kFewItems = 200;

void walk(const Program &program, const Selection &selection,
          const DumpOptions &options, size_t jobs, const Budget &budget,
          DumpSink &sink, Document &document) {
  const std::vector<Step> steps = stepsOf(selection);
  document.begin();
  if (jobs == 1 || steps.size() < kFewItems) {
    Worker worker(program, options, sink, budget);
    for (const Step &step : steps)
      if (!document.take(step, worker.make(step))) break;
  } else {
    const Owners owners(program, steps, jobs);
    std::vector<std::unique_ptr<Worker>> workers;
    for (size_t i = 0; i < jobs; ++i)
      workers.push_back(
          std::make_unique<Worker>(program, options, sink, budget));
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

class DumpResult : public Result {
 public:
  DumpResult(const Program &program, const Selection &selection,
             const DumpOptions &options, Call &call)
      : program_(program),
        selection_(selection),
        options_(options),
        call_(call) {}

  void text(llvm::raw_ostream &os, TextStyle style) override {
    walk(*makeTextSink(os, options_, style));
  }
  void structure(Structure &to) override {
    walk(*makeStructureSink(to, call_.input().path, formatName()));
  }
  void page(Structure &to, PageData &data) override {
    if (!options_.way) options_.way = DumpOptions::Way::Both;
    walk(*makePageSink(to, call_.input().path, formatName(), data));
  }

 private:
  llvm::StringRef formatName() {
    const bool isMlir = formatOf(call_.input(), options_.readAs.format) ==
                        InputFormat::StableHlo;
    return isMlir ? "stablehlo" : "hlo";
  }

  void walk(DumpSink &sink) {
    Reporter &reporter = call_.reporter();
    Progress progress(call_.err(), call_.showsProgress(),
                      countInstructions(selection_), call_.progressPrefix(),
                      " instructions");
    reporter.beforeMessage([&] { progress.clear(); });
    Document document(program_, options_, reporter, progress, sink);
    indexical::walk(program_, selection_, options_, call_.jobs(),
                    call_.budget(), sink, document);
    reporter.beforeMessage(nullptr);
  }

  const Program &program_;
  const Selection &selection_;
  DumpOptions options_;
  Call &call_;
};

absl::StatusOr<int> dump(const DumpOptions &options, Call &call) {
  auto program =
      readProgram(call, options.readAs, /*input=*/0,
                  options.strict ? LetPass::Error : LetPass::Warning);
  if (!program.ok()) return program.status();
  if (options.element) return answerElement(options, *program, call);
  if (options.constraints) return answerConditions(*program, call);
  absl::StatusOr<Selection> selection = select(*program, options);
  if (!selection.ok()) return selection.status();
  reportWays(*program, *selection, call.reporter());
  DumpResult result(*program, *selection, options, call);
  return call.writeAndEnd(result, kDone);
}

Option directionOption(DumpOptions &asked) {
  using Way = DumpOptions::Way;
  Option option = choiceOption<std::optional<Way>>(
      "direction", "DIRECTION", asked.way,
      {{"output-to-input", Way::OutputToInput},
       {"input-to-output", Way::InputToOutput},
       {"both", Way::Both}},
      "Which way maps go; in a page both, where it is not given");
  option.byDefault = "output-to-input";
  return option;
}

std::vector<Option> optionsOf(DumpOptions &asked) {
  return {
      namesOption("computation", Names::Computations, asked.computations,
                  "Only this computation"),
      namesOption("instruction", Names::Instructions, asked.instructions,
                  "Only this instruction"),
      nameOption("from", Names::Instructions, asked.from,
                 "Composed maps from this instruction, on the result's side "
                 "(default, with --to: the root)"),
      nameOption("to", Names::Instructions, asked.to,
                 "Composed maps to this instruction, on the operand's side "
                 "(default, with --from: every parameter)"),
      directionOption(asked),
      choiceOption<bool>("precision", "PRECISION", asked.cover,
                         {{"exact", false}, {"cover", true}},
                         "All pieces, or one map an operand, a superset of "
                         "what is read"),
      choiceOption<bool>("layout", "LAYOUT", asked.physical,
                         {{"logical", false}, {"physical", true}},
                         "The order of indices and sizes; physical is that of "
                         "minor_to_major, the slowest first; tiles are not "
                         "applied"),
      indexOption("element", asked.element,
                  "What this element of an instruction, or of a computation's "
                  "result, needs, instead of maps; with "
                  "--direction=input-to-output who needs this element of an "
                  "operand"),
      countOption("result", asked.result, "the number of an array",
                  "With --element: which array of a result that has several "
                  "(default: 0)"),
      runtimeOption(asked.runtime,
                    "With --element: the value of the element of that "
                    "instruction which a runtime variable has"),
      flagOption("devices", asked.devices,
                 "Name the devices of each collective: the members of its "
                 "groups, in order, or the pairs of a permute"),
      flagOption("constraints", asked.constraints,
                 "What must hold of sizes and values when the module runs, "
                 "instead of maps"),
      flagOption("strict", asked.strict,
                 "An answer about an op whose meaning is not known is an "
                 "error, and so is a rule of StableHLO's specification that "
                 "its own verifier lets pass"),
  };
}

}  // namespace

bool Item::isOpaque() const {
  for (const auto &answers : {&outputToInput, &inputToOutput})
    if (*answers && llvm::any_of(**answers, [](const LeafAnswer &answer) {
          return answer.relation.precision() == Precision::Opaque;
        }))
      return true;
  return false;
}

Command makeDump() {
  auto asked = std::make_shared<DumpOptions>();
  Command dump;
  dump.name = "dump";
  dump.sentence =
      "maps of every instruction and computation of HLO or StableHLO text";
  dump.example =
      "echo 'f { p = f32[4,8] parameter(0)\n"
      "          ROOT s = f32[2,3] slice(p), slice={[1:3], [0:6:2]} }' |\n"
      "  indexical dump --direction=both --format=json -";
  dump.offers = {Offer::Text, Offer::Maps, Offer::Structure, Offer::Page};
  dump.page = PageKind::Instructions;
  dump.options = optionsOf(*asked);
  addReadAs(dump, asked->readAs);
  dump.check = [asked,
                settings = dump.settings]() -> std::optional<std::string> {
    if (asked->between() && !asked->instructions.empty())
      return "--instruction does not go with --from and --to, which show one "
             "pair and no instructions";
    if (asked->constraints) {
      if (asked->element || asked->between() || asked->physical ||
          asked->cover || asked->devices || asked->way ||
          !asked->instructions.empty() || !asked->computations.empty())
        return "--constraints is about the whole module: it goes with no "
               "option that chooses maps or elements";
      if (settings->format->needs == Offer::Page ||
          settings->format->needs == Offer::Maps)
        return "--constraints shows no maps";
    }
    if (!asked->element) {
      if (asked->result || !asked->runtime.empty())
        return "--result and --runtime go with --element";
      return std::nullopt;
    }
    if (settings->format->needs == Offer::Page)
      return "a page answers for every element, without --element";
    if (asked->instructions.size() > 1 || asked->computations.size() > 1)
      return "--element asks about one instruction";
    if (asked->way == DumpOptions::Way::Both)
      return "--element goes one way: --direction=output-to-input or "
             "input-to-output";
    if (asked->physical) return "--element is a logical index";
    return std::nullopt;
  };
  dump.run = [asked](Call &call) { return indexical::dump(*asked, call); };
  return dump;
}

}  // namespace indexical
