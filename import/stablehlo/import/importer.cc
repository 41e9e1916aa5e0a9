#include "indexical/import/stablehlo/import/importer.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "indexical/import/stablehlo/import/configuration.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/parameter_reads.h"

namespace indexical {
namespace {

using llvm::StringRef;

//===-- Computations ------------------------------------------------------===//

class Planner {
 public:
  Planner(ModuleImport &import, std::vector<mlir::ModuleOp> &nested)
      : import_(import), nested_(nested) {}

  void run() {
    mlir::Region &body = import_.op.getBodyRegion();
    if (llvm::any_of(body.getOps(), isLoose))
      add(body, "module", import_.labels.of(import_.op).place);
    visit(body);
  }

 private:
  /// Functions and modules, also within what holds them (a device's module).
  void visit(mlir::Region &region) {
    for (mlir::Operation &op : region.getOps()) {
      if (auto module = llvm::dyn_cast<mlir::ModuleOp>(op)) {
        nested_.push_back(module);
      } else if (auto function =
                     llvm::dyn_cast<mlir::FunctionOpInterface>(op)) {
        if (function.isExternal() || import_.leftOut.contains(&op)) continue;
        add(function.getFunctionBody(), function.getName().str(),
            import_.labels.of(&op).place);
      } else if (!isLoose(op)) {
        for (mlir::Region &inner : op.getRegions()) visit(inner);
      }
    }
  }

  void add(mlir::Region &region, const std::string &name, Place place) {
    import_.computations[&region] = import_.module.computations.size();
    import_.regions.push_back(&region);
    Computation &computation = import_.module.computations.emplace_back();
    computation.name = import_.keep(name);
    computation.place = place;
    llvm::StringMap<int64_t> counts;  // of opcodes that have regions
    for (mlir::Operation &op : region.getOps()) {
      if (op.getNumRegions() == 0 || !isInstruction(op)) continue;
      const std::string prefix = name + "." + shortName(&op).str() + "." +
                                 std::to_string(counts[shortName(&op)]++) + ".";
      for (auto [k, inner] : llvm::enumerate(op.getRegions()))
        if (!inner.empty())
          add(inner, prefix + roleOf(&op, k).name,
              import_.labels.of(&op).place);
    }
  }

  ModuleImport &import_;
  std::vector<mlir::ModuleOp> &nested_;
};

/// Marks `main` as the entry, or every public function if there is no `main`.
void findEntry(ModuleImport &import) {
  Module &module = import.module;
  bool hasMain = false;
  auto functionOf = [&](int32_t c) {
    return llvm::dyn_cast<mlir::FunctionOpInterface>(
        import.regions[c]->getParentOp());
  };
  const int32_t count = module.computations.size();
  for (int32_t c = 0; c < count; ++c)
    hasMain |= functionOf(c) && functionOf(c).getName() == "main";
  for (int32_t c = 0; c < count; ++c) {
    auto function = functionOf(c);
    const bool isModule =
        !function && import.regions[c] == &import.op.getBodyRegion();
    Computation &computation = module.computations[c];
    computation.entry =
        isModule || (function && (hasMain ? function.getName() == "main"
                                          : function.isPublic()));
    if (computation.entry && module.entry < 0) module.entry = ComputationId(c);
  }
  if (module.entry < 0 && count > 0) module.entry = ComputationId(count - 1);
}

//===-- Calls -------------------------------------------------------------===//

/// Cuts cycles of calls: a function may call itself, and its text does not say
/// how deep the recursion goes. A call that closes a cycle reads its operands
/// whole.
class CallCycles {
 public:
  explicit CallCycles(ModuleImport &import)
      : import_(import), states_(import.module.computations.size()) {}

  void cut() {
    for (size_t c = 0; c < states_.size(); ++c) visit(c);
  }

 private:
  enum class State : uint8_t { New, Open, Done };
  struct Frame {
    int32_t computation;
    size_t instruction = 0, called = 0;
  };

  // The stack is explicit, since chains of calls may be long.
  void visit(int32_t first) {
    if (states_[first] != State::New) return;
    std::vector<Frame> stack{{first}};
    states_[first] = State::Open;
    while (!stack.empty()) {
      Frame &frame = stack.back();
      auto &all = import_.module.computations[frame.computation].instructions;
      if (frame.instruction == all.size()) {
        states_[frame.computation] = State::Done;
        stack.pop_back();
        continue;
      }
      Instruction &caller = all[frame.instruction];
      if (frame.called == caller.called.size()) {
        ++frame.instruction;
        frame.called = 0;
        continue;
      }
      CalledComputation &call = caller.called[frame.called++];
      if (call.computation < 0) continue;
      State &state = states_[call.computation];
      if (state == State::Open) {
        import_.program.notes.push_back(
            {Note::Kind::Warning, caller.place,
             ("`" + call.name +
              "` leads back to this call: it is taken to read every operand "
              "whole")
                 .str()});
        call.computation = {};
      } else if (state == State::New) {
        state = State::Open;
        stack.push_back({call.computation});
      }
    }
  }

  ModuleImport &import_;
  std::vector<State> states_;
};

/// Fills in what the update computations of scatters read, also of scatters
/// that capture values.
void findBodyReads(Module &module) {
  auto found = [&](const Op &op, ComputationId body) {
    return op.changed([&](OpDraft &draft) {
      auto &scatter = *draft.as<ScatterOp>();
      scatter.bodyReads = scatterReads(module, body, scatter.results.size());
    });
  };
  for (Computation &computation : module.computations)
    for (Instruction &instruction : computation.instructions) {
      if (instruction.called.empty() || instruction.called[0].computation < 0)
        continue;
      const ComputationId body = instruction.called[0].computation;
      Op &op = instruction.op;
      if (op.is<ScatterOp>()) op = found(op, body);
      const auto *capturing = op.as<CapturingOp>();
      if (capturing && capturing->inner.is<ScatterOp>())
        op = op.changed([&](OpDraft &draft) {
          Op &inner = draft.as<CapturingOp>()->inner;
          inner = found(inner, body);
        });
    }
}

int64_t moduleCount(mlir::ModuleOp op, StringRef name) {
  auto count = op->getAttrOfType<mlir::IntegerAttr>(name);
  if (!count || count.getValue().getSignificantBits() > 63) return -1;
  return count.getInt() > 0 ? count.getInt() : -1;
}

}  // namespace

StringRef ModuleImport::keep(StringRef text) {
  auto [entry, isNew] = kept.try_emplace(text);
  if (isNew) entry->second = program.keptStrings.emplace_back(text.str());
  return entry->second;
}

StringRef ModuleImport::digestOfText() {
  if (digest.empty()) digest = digestOfModule(op);
  return digest;
}

bool ModuleImport::hasEffects(mlir::Operation &one) {
  if (!areUnknownPure)
    areUnknownPure = !op->walk([](mlir::Operation *inner) {
                          return isUnknownEffect(inner)
                                     ? mlir::WalkResult::interrupt()
                                     : mlir::WalkResult::advance();
                        }).wasInterrupted();
  return mayHaveEffects(&one, *areUnknownPure);
}

bool isLoose(mlir::Operation &op) {
  return !llvm::isa<mlir::ModuleOp, mlir::FunctionOpInterface>(op) &&
         (op.getNumOperands() > 0 || op.getNumResults() > 0);
}

bool isInstruction(mlir::Operation &op) {
  return llvm::isa<mlir::ModuleOp>(op.getParentOp())
             ? isLoose(op)
             : !llvm::isa<mlir::ModuleOp, mlir::FunctionOpInterface>(op);
}

namespace {

/// Returns the function that the region is in, or null.
mlir::Operation *functionAround(mlir::Region *region) {
  mlir::Operation *op = region->getParentOp();
  if (llvm::isa<mlir::FunctionOpInterface>(op)) return op;
  return op->getParentOfType<mlir::FunctionOpInterface>();
}

/// Imports the computations of a module, from the last to the first: the
/// regions of an op have higher numbers than its own. Functions that cannot be
/// imported are added to `leftOut`, if the options allow it.
absl::Status importRegions(ModuleImport &import, FunctionSet &leftOut) {
  for (int32_t c = import.module.computations.size(); c-- > 0;) {
    mlir::Operation *function = functionAround(import.regions[c]);
    if (function && leftOut.contains(function)) continue;
    auto status = importRegion(import, c);
    if (status.ok()) continue;
    if (!function || !import.options.notImported) return status;
    leftOut.insert(function);
    import.options.notImported->push_back({function, std::move(status)});
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status importModule(mlir::ModuleOp op, Labels &labels,
                          const MlirOptions &options, Program &program,
                          ImportedOps *ops) {
  FunctionSet leftOut;
  const size_t notes = program.notes.size();
  while (true) {
    const FunctionSet before = leftOut;
    std::vector<mlir::ModuleOp> nested;
    ModuleImport import(op, labels, options, program, before);
    Planner(import, nested).run();
    Module &module = import.module;
    if (!module.computations.empty() || nested.empty()) {
      module.name = import.keep(op.getName().value_or(""));
      if (program.text) module.text = *program.text;
      module.hasHeader = !module.name.empty();
      module.keepsOrder = true;
      module.partitionCount = moduleCount(op, "mhlo.num_partitions");
      module.replicaCount = moduleCount(op, "mhlo.num_replicas");
      findEntry(import);
      INDEXICAL_RETURN_IF_ERROR(importRegions(import, leftOut));
      // Imports again, since a function that is left out is unknown to its
      // callers.
      if (leftOut.size() != before.size()) {
        program.notes.resize(notes);
        continue;
      }
      CallCycles(import).cut();
      findBodyReads(module);
      if (ops) ops->insert(import.ops.begin(), import.ops.end());
      program.modules.push_back(std::move(module));
    }
    for (mlir::ModuleOp inner : nested)
      INDEXICAL_RETURN_IF_ERROR(
          importModule(inner, labels, options, program, ops));
    return absl::OkStatus();
  }
}

}  // namespace indexical
