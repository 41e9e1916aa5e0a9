#include "indexical/same/mlir/check_passes.h"

#include <map>
#include <mutex>
#include <utility>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "indexical/import/stablehlo/import/import.h"

namespace indexical {
namespace {

std::string textOf(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, mlir::OpPrintingFlags().useLocalScope());
  return text;
}

std::string listed(llvm::ArrayRef<int64_t> index) {
  std::string text;
  for (int64_t k : index)
    text += (text.empty() ? "" : ", ") + std::to_string(k);
  return "(" + text + ")";
}

/// A way, as in ` by %1, %0, %arg0`.
std::string placed(llvm::ArrayRef<InstructionLine> way) {
  std::string text;
  for (const InstructionLine &at : way)
    text += (text.empty() ? "%" : ", %") + at.instruction;
  return text;
}

/// Returns the first result whose values differ, or are not known to be equal.
std::string wordsOf(const ValueEquality &values) {
  for (const LeafValue &leaf : values.leaves) {
    if (leaf.isEqual) continue;
    std::string words = "result " + std::to_string(leaf.result);
    if (leaf.witness)
      return words + " at " + listed(leaf.witness->first.index) + " was " +
             leaf.witness->first.value + ", and is now " +
             leaf.witness->second.value;
    if (!leaf.reason.empty()) return words + ": " + leaf.reason;
    return words + " was " + leaf.terms[0] + ", and is now " + leaf.terms[1];
  }
  return "";
}

std::string wordsOf(const DumpComparison &found) {
  if (!found.verdict.reason.empty()) return found.verdict.reason;
  if (found.verdict.level == Level::Values && found.values)
    return wordsOf(*found.values);
  if (!found.equality) return "";
  for (const LeafEquality &leaf : found.equality->leaves) {
    if (leaf.decision.answer != Answer::No || !leaf.decision.witness) continue;
    const PairWitness &witness = *leaf.decision.witness;
    const bool isGone = witness.onlyIn == PairWitness::Side::First;
    std::string words = "index " + listed(witness.index) + " of result " +
                        std::to_string(leaf.result);
    for (const auto &[name, value] : witness.runtime)
      words += ", " + name + " = " + std::to_string(value) + ",";
    words += (isGone ? " read " : " reads ") + listed(witness.element) +
             " of argument " + std::to_string(leaf.parameter) +
             (isGone ? ", and does not now" : ", and did not before");
    for (int side : {0, 1})
      if (!found.ways[side].empty())
        words += std::string(side ? "; after: " : "; before: ") +
                 placed(found.ways[side]);
    return words;
  }
  for (const LeafEquality &leaf : found.equality->leaves)
    if (leaf.decision.answer == Answer::Undecided && leaf.because)
      return "because of `" + leaf.because->instruction + "` (" +
             leaf.because->opcode + "): " + leaf.because->reason;
  return "";
}

/// The module with another entry.
Module withEntry(Module module, ComputationId entry) {
  module.entry = entry;
  return module;
}

class PassChecker : public mlir::PassInstrumentation {
 public:
  explicit PassChecker(CheckPassesOptions options)
      : options_(std::move(options)) {
    if (!options_.report)
      options_.report = [](const CheckedPass &checked) { emit(checked); };
  }

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    if (isHidden(pass)) return;
    std::string text = textOf(op);
    const std::lock_guard<std::mutex> lock(mutex_);
    before_[{pass, op}] = std::move(text);
  }

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (isHidden(pass)) return;
    const std::string before = take(pass, op), after = textOf(op);
    if (before == after) return;
    if (check(pass, op, before, after) && options_.fails)
      signalPassFailure(pass);
  }

  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override {
    take(pass, op);
  }

 private:
  /// Returns whether the pass is the adaptor that runs the passes of nested
  /// ops: it is not reported.
  static bool isHidden(mlir::Pass *pass) {
    return pass->getName().contains("OpToOpPassAdaptor");
  }

  static std::string nameOf(mlir::Pass *pass) {
    const llvm::StringRef argument = pass->getArgument();
    return (argument.empty() ? pass->getName() : argument).str();
  }

  static void emit(const CheckedPass &checked) {
    const std::string changes =
        "`" + checked.pass + "` changes what @" + checked.function +
        (checked.comparison.verdict.level == Level::Values ? " computes"
                                                           : " reads");
    if (checked.comparison.verdict.answer == Verdict::Different)
      checked.op->emitError() << changes << ": " << checked.words;
    else if (checked.comparison.verdict.answer == Verdict::Undecided)
      checked.op->emitRemark()
          << "whether " << changes << " is not decided"
          << (checked.words.empty() ? "" : ": ") << checked.words;
  }

  std::string take(mlir::Pass *pass, mlir::Operation *op) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = before_.find({pass, op});
    if (found == before_.end()) return "";
    std::string text = std::move(found->second);
    before_.erase(found);
    return text;
  }

  /// Whether a function reads otherwise.
  bool check(mlir::Pass *pass, mlir::Operation *op, const std::string &before,
             const std::string &after) {
    CheckedPass checked;
    checked.pass = nameOf(pass);
    checked.op = op;
    const auto first = importMlir(before), second = importMlir(after);
    if (!first.ok() || !second.ok() || first->modules.size() != 1 ||
        second->modules.size() != 1) {
      // An op that is not a program of tensors (on memory, for example) is not
      // compared.
      return false;
    }
    bool differs = false;
    op->walk([&](mlir::FunctionOpInterface function) {
      const llvm::StringRef name = function.getName();
      const ComputationId own = first->modules[0].find(name);
      const ComputationId other = second->modules[0].find(name);
      if (own < 0 || other < 0) return;
      auto found = compareModules(withEntry(first->modules[0], own),
                                  withEntry(second->modules[0], other),
                                  options_.comparison);
      // A function whose types have changed cannot be compared.
      if (!found.ok() || (!found->equality && !found->verdict.reason.empty()))
        return;
      checked.function = name.str();
      checked.comparison = *std::move(found);
      checked.words = wordsOf(checked.comparison);
      differs |= checked.comparison.verdict.answer == Verdict::Different;
      const std::lock_guard<std::mutex> lock(mutex_);
      options_.report(checked);
    });
    return differs;
  }

  CheckPassesOptions options_;
  std::mutex mutex_;
  std::map<std::pair<mlir::Pass *, mlir::Operation *>, std::string> before_;
};

class CheckPasses
    : public mlir::PassWrapper<CheckPasses,
                               mlir::OperationPass<mlir::ModuleOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckPasses)

  CheckPasses() = default;
  CheckPasses(const CheckPasses &other) : PassWrapper(other) {
    pipeline = other.pipeline;
    values = other.values;
    fails = other.fails;
  }

  llvm::StringRef getArgument() const final { return "indexical-check-passes"; }
  llvm::StringRef getDescription() const final {
    return "run a pipeline, and check after each of its passes that functions "
           "still read what they read";
  }

  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    mlir::OpPassManager passes("builtin.module");
    std::string ignored;
    llvm::raw_string_ostream os(ignored);
    if (mlir::succeeded(parse(passes, os)))
      passes.getDependentDialects(registry);
  }

  void runOnOperation() override {
    mlir::PassManager passes(&getContext(), "builtin.module");
    std::string mistakes;
    llvm::raw_string_ostream os(mistakes);
    if (mlir::failed(parse(passes, os))) {
      getOperation().emitError() << "`pipeline` is not a pipeline of "
                                    "passes: "
                                 << llvm::StringRef(mistakes).trim();
      return signalPassFailure();
    }
    CheckPassesOptions options;
    if (values) options.comparison.values.emplace();
    options.fails = fails;
    passes.addInstrumentation(createPassChecker(std::move(options)));
    if (mlir::failed(passes.run(getOperation()))) signalPassFailure();
  }

 private:
  /// `builtin.module(…)`, or what stands in it.
  mlir::LogicalResult parse(mlir::OpPassManager &passes,
                            llvm::raw_ostream &errors) const {
    llvm::StringRef text = llvm::StringRef(pipeline.getValue()).trim();
    if (text.consume_front("builtin.module(") && !text.consume_back(")"))
      return mlir::failure();
    return mlir::parsePassPipeline(text, passes, errors);
  }

  Option<std::string> pipeline{
      *this, "pipeline",
      llvm::cl::desc("the passes that are run, `func.func(canonicalize),cse`")};
  Option<bool> values{
      *this, "values", llvm::cl::init(false),
      llvm::cl::desc("also whether functions compute what they computed")};
  Option<bool> fails{
      *this, "fails", llvm::cl::init(true),
      llvm::cl::desc("whether a pass that changes a function fails")};
};

}  // namespace

std::unique_ptr<mlir::PassInstrumentation> createPassChecker(
    CheckPassesOptions options) {
  return std::make_unique<PassChecker>(std::move(options));
}

void registerCheckPassesPass() { mlir::PassRegistration<CheckPasses>(); }

}  // namespace indexical
