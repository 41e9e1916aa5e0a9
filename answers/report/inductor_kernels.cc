#include "indexical/answers/report/inductor_kernels.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include "indexical/answers/inputs/kernel_input.h"
#include "indexical/answers/ordered.h"
#include "indexical/answers/report/inductor_live.h"
#include "indexical/answers/report/inductor_module.h"
#include "indexical/answers/report/kernel_call.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/python/output_code.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"

namespace indexical {
namespace {

using kernels::AccessKind;
using kernels::KernelAccess;
using kernels::KernelSource;
using llvm::StringRef;
using python::HostStep;
using python::HostTensor;

/// The launches of a file, each with its findings.
class Launches {
 public:
  Launches(const python::OutputCode &code, const Input &input)
      : code_(code), numbers_(code.steps.size()) {
    std::map<std::string, size_t> known;
    for (auto [k, step] : llvm::enumerate(code.steps)) {
      if (!step.isLaunch) continue;
      const auto [at, isNew] = known.try_emplace(keyOf(step), sources_.size());
      numbers_[k] = at->second;
      if (!isNew) continue;
      sources_.push_back(
          sourceOfLaunch(step, code, input.path, input.text.shared()));
      steps_.push_back(&step);
    }
    found_.resize(sources_.size());
  }

  /// Measures them. Returns the number that could not be read, each of which is
  /// a message.
  size_t measure(const KernelQuestion &question, const Ask &ask) {
    std::vector<uint32_t> owners(sources_.size());
    const size_t jobs = std::max<size_t>(1, std::min(ask.jobs, owners.size()));
    for (auto [k, owner] : llvm::enumerate(owners)) owner = k % jobs;
    size_t failed = 0;
    auto take = [&](size_t k, absl::StatusOr<KernelFindings> found) {
      if (found.ok()) {
        found_[k] = *std::move(found);
        warnOfBounds(*found_[k], *steps_[k], ask.messages);
        return true;
      }
      const absl::Status &why = found.status();
      ask.messages.error(errorAt(placeOf(why).value_or(steps_[k]->place),
                                 absl::StrCat("`", steps_[k]->name, "`: ",
                                              std::string(why.message()))));
      ++failed;
      return ask.budget.check().ok();
    };
    auto make = [&](size_t, size_t k) {
      return measureKernel(sources_[k], question, ask.budget);
    };
    inOrder<absl::StatusOr<KernelFindings>>(owners, make, take);
    return failed;
  }

  /// Null if the step is no launch, or could not be read.
  const KernelFindings *of(size_t step) const {
    const auto number = numbers_[step];
    return number && found_[*number] ? &*found_[*number] : nullptr;
  }
  const KernelSource &sourceOf(size_t step) const {
    return sources_[*numbers_[step]];
  }

  /// Returns what each step does with its arrays.
  std::vector<LaunchUses> uses() const {
    std::vector<LaunchUses> all(code_.steps.size());
    for (auto [k, step] : llvm::enumerate(code_.steps)) {
      const KernelFindings *found = of(k);
      if (!found) continue;
      all[k].emplace();
      for (const auto &array : step.arrays)
        all[k]->push_back(useOf(found->kernel, array.first));
    }
    return all;
  }

 private:
  /// Launches that have the same cost: of one kernel, for arrays of the same
  /// sizes.
  std::string keyOf(const HostStep &step) const {
    if (step.kernel->refusal)
      return absl::StrCat(step.name, ": ", step.kernel->refusal->message);
    std::string key = absl::StrCat(
        step.name, " ", reinterpret_cast<uintptr_t>(step.kernel.get()));
    for (const auto &[parameter, array] : step.arrays)
      absl::StrAppend(&key, " ", array.element, ":",
                      elementsOf(code_, array).value_or(-1));
    return key;
  }

  /// Names the first access of a launch that is outside of its array.
  static void warnOfBounds(const KernelFindings &found, const HostStep &step,
                           Messages &messages) {
    for (const auto &[access, check] :
         llvm::zip(found.kernel.accesses, found.bounds)) {
      if (check.answer != Check::Violated) continue;
      const Witness &witness = *check.witness;
      std::string array = "its array";
      if (access.maps.size() == 1)
        array =
            "`" + found.kernel.arguments[access.maps[0].argument].name + "`";
      messages.warning(
          step.place,
          absl::StrCat("`", step.name, "`: program (",
                       absl::StrJoin(witness.first.program, ", "), ") ",
                       access.kind == AccessKind::Load ? "loads" : "stores",
                       " element ", witness.element[0], " of ", array,
                       witness.size ? absl::StrCat(", which has ",
                                                   *witness.size, " elements")
                                    : ""));
      return;
    }
  }

  static LaunchedArray useOf(const kernels::TritonKernel &kernel,
                             StringRef name) {
    if (kernel.incomplete) return {};
    const auto at = llvm::find_if(
        kernel.arguments, [&](const auto &each) { return each.name == name; });
    LaunchedArray use{false, false};
    const int64_t number = at - kernel.arguments.begin();
    for (const KernelAccess &access : kernel.accesses) {
      // Without maps, it may be of any array.
      if (!access.maps.empty() &&
          llvm::none_of(access.maps, [&](const kernels::PointerMap &map) {
            return map.argument == number;
          }))
        continue;
      use.isLoaded |= access.kind != AccessKind::Store;
      use.isStored |= access.kind != AccessKind::Load;
    }
    return use;
  }

  const python::OutputCode &code_;
  std::vector<std::optional<size_t>> numbers_;  ///< of each step
  std::vector<KernelSource> sources_;
  std::vector<const HostStep *> steps_;
  std::vector<std::optional<KernelFindings>> found_;
};

/// Puts what the file says of the steps into its module.
class ModuleFiller {
 public:
  ModuleFiller(const python::OutputCode &code, const Launches &launches,
               const InductorModule &text, StringRef path, Program &program)
      : code_(code),
        launches_(launches),
        text_(text),
        program_(program),
        module_(program.modules.front()),
        path_(kept(program, path.str())) {
    const Computation &entry = module_.entryComputation();
    for (size_t i = 0; i < entry.instructions.size(); ++i)
      numbers_[entry.instructions[i].name] = InstructionId(i);
  }

  void fill(size_t module, InductorCosts &costs) {
    for (const std::string &view : text_.views) at(view).terminator = true;
    for (auto [k, step] : llvm::enumerate(code_.steps)) {
      const InductorStep &own = text_.steps[k];
      Instruction &instruction = at(own.name);
      instruction.place = step.place;
      instruction.metadata.opName = kept(program_, opNameOf(step));
      StackFrame frame;
      frame.file = path_;
      frame.function = "call";
      frame.line = static_cast<int32_t>(step.place.line);
      instruction.metadata.frame = module_.frames.add(frame);
      if (const KernelFindings *found = launches_.of(k))
        costs.add(module, numbers_[own.name],
                  measurementAt(k, *found, instruction));
    }
  }

 private:
  Instruction &at(StringRef name) {
    return module_.computations[module_.entry]
        .instructions[numbers_.find(name)->second];
  }

  /// The nodes of the model, then what they are: `y (aten.relu)`.
  static std::string opNameOf(const HostStep &step) {
    if (step.nodes.empty() || step.ops.empty()) return step.nodes + step.ops;
    return absl::StrCat(step.nodes, " (", step.ops, ")");
  }

  Measurement measurementAt(size_t k, const KernelFindings &found,
                            Instruction &instruction) {
    const HostStep &step = code_.steps[k];
    const InductorStep &own = text_.steps[k];
    // Kernels are alike if these fields are equal.
    std::string launch = launches_.sourceOf(k).text;
    for (int64_t programs : found.kernel.grid)
      absl::StrAppend(&launch, " ", programs);
    absl::StrAppend(&launch, " ", found.kernel.warps.value_or(0));
    for (const kernels::KernelArgument &argument : found.kernel.arguments)
      absl::StrAppend(&launch, " ", argument.value.value_or(0));
    instruction.backendConfig = kept(program_, std::move(launch));
    KernelCall call;
    call.computation = module_.entry;
    call.instruction = numbers_[own.name];
    const OpShapes &shapes = shapesOf(instruction.op);
    call.operands.assign(shapes.operands.begin(), shapes.operands.end());
    call.results.assign(shapes.results.begin(), shapes.results.end());
    call.operandOf.resize(found.kernel.arguments.size());
    call.resultOf.resize(found.kernel.arguments.size());
    for (auto [number, array] : llvm::enumerate(step.arrays)) {
      const auto argument = llvm::find_if(
          found.kernel.arguments, [&name = array.first](const auto &each) {
            return each.name == name;
          });
      if (argument == found.kernel.arguments.end()) continue;
      const size_t at = argument - found.kernel.arguments.begin();
      // A part of a memory is what the kernel sees of it.
      const ArrayShape seen = shapeOf(array.second);
      if ((call.operandOf[at] = own.operandOf[number]))
        call.operands[*own.operandOf[number]] = seen;
      if ((call.resultOf[at] = own.resultOf[number]))
        call.results[*own.resultOf[number]] = seen;
    }
    const Metadata metadata = instruction.metadata;
    call.origins = addOrigins(found.kernel, metadata, program_, module_);
    return measurementOf(found, call);
  }

  /// The elements from the first to the last one in a row.
  static ArrayShape shapeOf(const HostTensor &array) {
    const auto type = parseElementType(array.element);
    return ArrayShape(type.value_or(ElementType::Unknown),
                      {array.isKnown ? array.extent() : kDynamicSize});
  }

  const python::OutputCode &code_;
  const Launches &launches_;
  const InductorModule &text_;
  Program &program_;
  Module &module_;
  StringRef path_;
  std::map<StringRef, InstructionId> numbers_;
};

/// Says what is taken for granted.
void noteTaken(const python::OutputCode &code, const Launches &launches,
               const Ask &ask) {
  std::string sizes;
  for (const kernels::Taken &taken : code.taken)
    absl::StrAppend(&sizes, sizes.empty() ? "" : ", ", taken.name, " = ",
                    taken.value);
  if (!sizes.empty())
    ask.messages.note({},
                      absl::StrCat("sizes of the file's own benchmark: ", sizes,
                                   "; --arg=NAME=NUMBER gives "
                                   "others"));
  std::set<std::string> blocks;
  for (auto [k, step] : llvm::enumerate(code.steps))
    if (launches.of(k))
      for (const kernels::Taken &taken : launches.of(k)->taken)
        if (taken.from == "size_hints" && taken.what == "constant")
          blocks.insert(taken.name);
  if (!blocks.empty()) {
    std::string names;
    for (const std::string &name : blocks)
      absl::StrAppend(&names, names.empty() ? "" : ", ", name);
    ask.messages.note(
        {}, absl::StrCat("Inductor chooses blocks when it runs; taken from "
                         "size_hints: ",
                         names, "; --const=", *blocks.begin(),
                         "=NUMBER gives one"));
  }
  if (code.branches > 0)
    ask.messages.note(
        {}, absl::StrCat("the function `call` has branches or loops (",
                         code.branches,
                         "): both sides of a branch count, and one turn"));
  if (code.ofHost > 0)
    ask.messages.note({}, absl::StrCat("left out, as they run on the host: ",
                                       code.ofHost, " kernels of C++"));
}

}  // namespace

std::shared_ptr<const Measurement> InductorCosts::at(
    size_t module, const KernelSite &site) const {
  const auto known = found_.find({module, site.instruction});
  return known == found_.end()
             ? nullptr
             : std::make_shared<const Measurement>(known->second);
}

void InductorCosts::add(size_t modules, const InductorCosts &others) {
  for (const auto &[at, measurement] : others.found_)
    found_.emplace(std::pair(at.first + modules, at.second), measurement);
}

absl::StatusOr<InductorProgram> readInductorProgram(
    const Input &input, const KernelQuestion &question, const Ask &ask) {
  python::PythonOptions options = pythonOptionsOf(question);
  options.path = input.path;
  INDEXICAL_ASSIGN_OR_RETURN(const auto codes,
                             python::readOutputCode(input.text, options));
  KernelQuestion own = question;
  own.arguments.clear();
  own.function.clear();
  own.checksBounds = true;
  InductorProgram made;
  size_t steps = 0;
  for (const python::OutputCode &code : codes) {
    steps += code.steps.size();
    Launches launches(code, input);
    made.failed += launches.measure(own, ask);
    INDEXICAL_RETURN_IF_ERROR(ask.budget.check());
    const std::string name =
        llvm::sys::path::filename(input.displayName()).str();
    const auto uses = launches.uses();
    InductorModule text = inductorModuleOf(code, name, uses);
    auto parsed = parseHlo(text.text, input.path);
    if (!parsed.ok()) {
      // A library may do otherwise than the op of its name.
      text = inductorModuleOf(code, name, uses, LibraryForm::Opaque);
      parsed = parseHlo(text.text, input.path);
    }
    INDEXICAL_ASSIGN_OR_RETURN(auto program, std::move(parsed));
    ModuleFiller(code, launches, text, input.path, program)
        .fill(made.programs.size(), made.costs);
    made.peaks.push_back(livePeakOf(code, text, program.modules.front()));
    made.names.insert(code.names.begin(), code.names.end());
    noteTaken(code, launches, ask);
    made.programs.push_back(std::move(program));
  }
  if (steps == 0)
    return errorAt({}, "the file launches no kernel and calls no library");
  return made;
}

}  // namespace indexical
