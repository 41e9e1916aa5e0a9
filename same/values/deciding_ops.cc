#include "indexical/same/values/deciding_ops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/custom_calls.h"
#include "indexical/program/module/op_definitions.h"

namespace indexical {
namespace {

/// Instructions of both modules above which no meaning is tried: each attempt
/// compares the modules once more.
constexpr size_t kMostTried = 5000;

using Modules = const Module *[2];

/// Returns the name under which a line can define the op, or "". HLO's opcodes
/// have no dot, and no line can define one.
llvm::StringRef definableName(const Instruction &of) {
  const auto *cover = of.op.as<CoverOp>();
  if (!cover || cover->precision != Precision::Opaque || !of.called.empty())
    return "";
  if (!of.customCallTarget.empty()) return of.customCallTarget;
  const bool isUnknown = &of.op.kind() == kindOf<CoverOp>("unknown");
  return isUnknown && of.opcode.contains('.') ? of.opcode : "";
}

/// Returns the `backend_config` as a CustomCall has it.
std::string configurationOf(const Instruction &of) {
  llvm::StringRef raw = of.backendConfig;
  if (!raw.consume_front("\"") || !raw.consume_back("\"")) return raw.str();
  std::string text;
  absl::CUnescape(absl::string_view(raw.data(), raw.size()), &text);
  return text;
}

/// Calls of one name with one configuration, and the shapes of one of them.
struct Calls {
  std::string head;  ///< what a line for them begins with
  size_t settings = 0;
  OpShapes shapes;
};

/// The calls, in both modules, of the names that stand in the way.
class OpaqueCalls {
 public:
  OpaqueCalls(const Modules &modules, llvm::ArrayRef<LeafEquality> leaves);

  bool areTold() const { return areTold_; }
  llvm::ArrayRef<Calls> all() const { return calls_; }
  int64_t mostRank() const;

 private:
  std::vector<Calls> calls_;  // the most settings first
  bool areTold_ = true;       // apart, each by its head
};

OpaqueCalls::OpaqueCalls(const Modules &modules,
                         llvm::ArrayRef<LeafEquality> leaves) {
  std::vector<std::string> names;
  for (const LeafEquality &leaf : leaves) {
    if (leaf.doubt != Doubt::UnknownOp || !leaf.because) continue;
    for (const Computation &c : modules[leaf.because->module]->computations) {
      if (c.name != leaf.because->computation) continue;
      const int32_t at = c.find(leaf.because->instruction);
      if (at < 0) continue;
      const llvm::StringRef name = definableName(c.instructions[at]);
      if (!name.empty() && !llvm::is_contained(names, name))
        names.push_back(name.str());
    }
  }
  // What a name reads counts for all of its calls, so all are defined at once.
  std::map<std::string, std::vector<std::pair<std::string, OpShapes>>> found;
  for (const Module *module : modules)
    for (const Computation &c : module->computations)
      for (const Instruction &i : c.instructions) {
        const std::string name = definableName(i).str();
        if (name.empty() || !llvm::is_contained(names, name)) continue;
        std::string text = configurationOf(i);
        auto &own = found[name];
        if (llvm::none_of(own, [&](auto &each) { return each.first == text; }))
          own.push_back({std::move(text), shapesOf(i.op)});
      }
  for (const std::string &name : names) {
    std::vector<std::string> texts;
    for (const auto &each : found[name]) texts.push_back(each.first);
    for (auto [k, head] : llvm::enumerate(definitionHeads(name, texts))) {
      areTold_ = areTold_ && head.has_value();
      std::string text = head.value_or(name);
      const size_t settings = llvm::count(text, '=');
      if (head || llvm::none_of(calls_, [&](const Calls &other) {
            return other.head == text;
          }))
        calls_.push_back({std::move(text), settings, found[name][k].second});
    }
  }
  llvm::stable_sort(calls_, [](const Calls &a, const Calls &b) {
    return a.settings > b.settings;
  });
}

int64_t OpaqueCalls::mostRank() const {
  int64_t most = 0;
  for (const Calls &each : calls_)
    for (const ArrayShape &result : each.shapes.results)
      most = std::max<int64_t>(most, result.rank());
  return most;
}

//===-- Meanings ----------------------------------------------------------===//

/// `d0, d1, d2`
std::string variables(char letter, int64_t count) {
  std::string text;
  for (int64_t k = 0; k < count; ++k)
    text += (k ? ", " : "") + std::string(1, letter) + std::to_string(k);
  return text;
}

/// The map by which each result reads an operand whole.
std::string wholeMap(const ArrayShape &result, const ArrayShape &operand) {
  std::string ranges = variables('s', operand.rank());
  return "(" + variables('d', result.rank()) + ")" +
         (ranges.empty() ? "" : "[" + ranges + "]") + " -> (" + ranges + ")";
}

/// The map by which each result reads the row along a dimension that it is in.
std::string rowMap(int64_t rank, int64_t dimension) {
  std::string read;
  for (int64_t k = 0; k < rank; ++k)
    read += (k ? ", " : "") +
            (k == dimension ? std::string("s0") : "d" + std::to_string(k));
  return "(" + variables('d', rank) + ")[s0] -> (" + read + ")";
}

/// Rows along that dimension, of operands of the result's shape; others whole.
std::optional<std::string> rowMaps(const OpShapes &shapes, int64_t dimension) {
  if (shapes.results.size() != 1) return std::nullopt;
  const ArrayShape &result = shapes.results[0];
  std::vector<std::string> maps;
  for (const ArrayShape &operand : shapes.operands)
    maps.push_back(operand.dimensions == result.dimensions &&
                           dimension < result.rank()
                       ? rowMap(result.rank(), dimension)
                       : wholeMap(result, operand));
  return llvm::join(maps, "; ");
}

/// Lines that give all calls one meaning; nothing if it fits none of them.
using Lines = std::vector<std::string>;

Lines linesOf(
    llvm::ArrayRef<Calls> calls,
    llvm::function_ref<std::optional<std::string>(const OpShapes &)> meaning) {
  Lines lines;
  for (const Calls &each : calls) {
    const auto text = meaning(each.shapes);
    if (!text) return {};
    lines.push_back(each.head + " " + *text);
  }
  return lines;
}

//===-- Modules in which the ops have a meaning ---------------------------===//

/// Returns the module with the ops as the definitions have them; nothing if
/// they do not fit.
std::optional<Module> defined(const Module &module,
                              const CustomCallRegistry &registry) {
  Module copy = module;
  for (Computation &computation : copy.computations)
    for (Instruction &i : computation.instructions) {
      const CustomCallBuilder *builder = registry.find(definableName(i));
      if (!builder || definableName(i).empty()) continue;
      std::vector<const Shape *> operands;
      for (const InstructionId operand : i.operands)
        operands.push_back(&*computation.instructions[operand].shape);
      auto raw = [](llvm::StringRef) { return llvm::StringRef(); };
      const auto op = (*builder)(
          {definableName(i), operands, *i.shape, configurationOf(i), raw});
      if (!op.ok()) return std::nullopt;
      const Op known = op->changed([&](OpDraft &draft) {
        static_cast<OpShapes &>(*draft) = shapesOf(i.op);
        draft->opKind = &i.op.kind();
        draft->configuration = i.op.descriptor().configuration;
      });
      if (!verify(known).ok()) return std::nullopt;
      i.op = known;
    }
  return copy;
}

}  // namespace

std::vector<std::string> opsThatDecide(
    const Module &first, const Module &second,
    llvm::ArrayRef<LeafEquality> leaves,
    llvm::function_ref<bool(const Module &, const Module &)> areEqual) {
  const Modules modules = {&first, &second};
  const OpaqueCalls calls(modules, leaves);
  if (calls.all().empty()) return {};
  auto decides = [&](const Lines &lines) {
    CustomCallRegistry registry;
    if (lines.empty() ||
        !addOpDefinitions(llvm::join(lines, "\n"), registry).ok())
      return false;
    const auto one = defined(first, registry), two = defined(second, registry);
    return one && two && areEqual(*one, *two);
  };
  std::vector<Lines> attempts;
  auto attempt = [&](auto meaning) {
    attempts.push_back(linesOf(calls.all(), meaning));
  };
  using Text = std::optional<std::string>;
  attempt([](const OpShapes &) { return Text("elementwise"); });
  attempt([](const OpShapes &) { return Text("broadcasting"); });
  for (int64_t k = calls.mostRank(); k-- > 0;)
    attempt([k](const OpShapes &shapes) { return rowMaps(shapes, k); });
  // No result has this dimension: all is read whole.
  attempt([all = calls.mostRank()](const OpShapes &shapes) {
    return rowMaps(shapes, all);
  });
  size_t instructions = 0;
  for (const Module *module : modules)
    for (const Computation &c : module->computations)
      instructions += c.instructions.size();
  if (calls.areTold() && instructions <= kMostTried)
    for (const Lines &lines : attempts)
      if (decides(lines))
        return {std::string("--ops with the line") +
                (lines.size() > 1 ? "s `" : " `") + llvm::join(lines, "`, `") +
                "`"};
  std::vector<std::string> heads;
  for (const Calls &each : calls.all())
    heads.push_back("--ops with a line for " + each.head);
  return heads;
}

}  // namespace indexical
