#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"
#include "tests/import/stablehlo/write_stablehlo.h"

namespace indexical::testing {
namespace {

/// A value of the text: its name and what it is.
struct Value {
  std::string name;
  Shape shape;
};

class ModuleWriter {
 public:
  explicit ModuleWriter(const Module &module) : module(module) {}

  std::optional<std::string> write() {
    std::string text;
    for (size_t c = 0; c < module.computations.size(); ++c)
      if (static_cast<int32_t>(c) == module.entry || isCalled(c))
        text += function(c);
    if (!supported) return std::nullopt;
    return text;
  }

 private:
  bool isCalled(int32_t c) const {
    for (const Computation &computation : module.computations)
      for (const Instruction &instruction : computation.instructions)
        if (innermost(instruction.op).is<CallOp>())
          if (auto callee = calleeOfCall(instruction);
              callee && callee->computation == c)
            return true;
    return false;
  }

  std::string nameOf(int32_t c) const {
    return c == module.entry ? "main" : absl::StrCat("f", c);
  }
  std::string fresh() { return absl::StrCat("%v", next++); }

  std::string function(int32_t c) {
    const Computation &computation = module.computations[c];
    std::string header, text;
    std::vector<Value> arguments;
    for (int32_t p : computation.parameters) {
      arguments.push_back({fresh(), computation.instructions[p].shape});
      absl::StrAppend(&header, header.empty() ? "" : ", ",
                      arguments.back().name, ": ",
                      typeText(arguments.back().shape));
    }
    const Value root = body(c, arguments, text);
    return absl::StrCat("func.func @", nameOf(c), "(", header, ") -> ",
                        typeText(root.shape), " {\n", text, "return ",
                        root.name, " : ", typeText(root.shape), "\n}\n");
  }

  /// The computation's instructions with these arguments; its root.
  Value body(int32_t c, llvm::ArrayRef<Value> arguments, std::string &text) {
    const Computation &computation = module.computations[c];
    std::vector<Value> values(computation.instructions.size());
    for (int32_t i : computation.postOrder()) {
      const Instruction &instruction = computation.instructions[i];
      std::vector<Value> operands;
      for (int32_t operand : instruction.operands)
        operands.push_back(values[operand]);
      values[i] = instruction.parameterNumber >= 0
                      ? arguments[instruction.parameterNumber]
                      : emit(instruction, operands, text);
    }
    return values[computation.root];
  }

  Value emit(const Instruction &instruction, llvm::ArrayRef<Value> operands,
             std::string &text) {
    const llvm::StringRef opcode = instruction.opcode;
    if (instruction.op.is<ForwardOp>()) {
      if (opcode.ends_with("-update")) return operands[0];
      if (opcode.ends_with("-done")) return element(operands[0], 1, text);
      if (opcode == "tuple") return tuple(operands, text);
      if (opcode == "get-tuple-element")
        return elementOf(instruction, operands[0], text);
      supported = false;
      return {};
    }
    if (auto *start = instruction.op.as<StartOp>()) {
      const Value result = plain(instruction, start->inner, operands,
                                 instruction.shape->elements[1], text);
      const Shape context = instruction.shape->elements[2];
      Value none{fresh(), context};
      absl::StrAppend(&text, none.name,
                      " = stablehlo.constant dense<0> : ", typeText(context),
                      "\n");
      return tuple({tuple(operands, text), result, none}, text);
    }
    return plain(instruction, instruction.op, operands, instruction.shape,
                 text);
  }

  Value plain(const Instruction &instruction, const Op &op,
              llvm::ArrayRef<Value> operands, const Shape &shape,
              std::string &text) {
    if (op.is<CallOp>()) return call(instruction, operands, shape, text);
    if (op.is<ConditionalOp>())
      return conditional(instruction, operands, shape, text);
    if (op.is<WhileOp>()) return loop(instruction, operands[0], text);
    if (auto *scan = op.as<ScanOp>())
      return steps(instruction, *scan, operands, shape, text);
    auto one = written(op);
    if (op.is<ElementwiseOp>()) one = elementwise(instruction.opcode);
    if (!one) {
      supported = false;
      return {fresh(), shape};
    }
    return line(*one, operands, shape, text);
  }

  Value line(const WrittenOp &op, llvm::ArrayRef<Value> operands,
             const Shape &shape, std::string &text) {
    Value result{fresh(), shape};
    text += op.line(result.name, namesOf(operands), typesOf(operands),
                    typeText(shape));
    return result;
  }

  static std::optional<WrittenOp> elementwise(llvm::StringRef opcode) {
    if (opcode == "copy" || opcode == "convert")
      return WrittenOp{"stablehlo.convert", "", ""};
    if (opcode == "compare")
      return WrittenOp{
          "stablehlo.compare",
          "comparison_direction = #stablehlo<comparison_direction LT>", ""};
    static const char *const kSameName[] = {
        "abs",     "add",      "clamp",  "divide",    "maximum",
        "minimum", "multiply", "negate", "remainder", "subtract"};
    if (llvm::is_contained(kSameName, opcode))
      return WrittenOp{"stablehlo." + opcode.str(), "", ""};
    return std::nullopt;
  }

  //===-- Tuples ----------------------------------------------------------===//

  Value tuple(llvm::ArrayRef<Value> elements, std::string &text) {
    std::vector<Shape> shapes;
    for (const Value &element : elements) shapes.push_back(element.shape);
    return line({"stablehlo.tuple", "", ""}, elements,
                Shape::ofTuple(std::move(shapes)), text);
  }

  Value element(const Value &tuple, int64_t index, std::string &text) {
    return line({"stablehlo.get_tuple_element",
                 absl::StrCat("index = ", index, " : i32"), ""},
                tuple, tuple.shape.elements[index], text);
  }

  /// The element that begins with the leaf that is read.
  Value elementOf(const Instruction &instruction, const Value &tuple,
                  std::string &text) {
    const auto &forward = instruction.op.get<ForwardOp>();
    int64_t leaves = 0;
    for (size_t k = 0; k < tuple.shape.elements.size(); ++k) {
      if (!forward.reads.empty() && leaves == forward.reads[0])
        return element(tuple, k, text);
      leaves += tuple.shape.elements[k].leafCount();
    }
    supported = false;
    return {fresh(), instruction.shape};
  }

  std::vector<Value> elements(const Value &tuple, std::string &text) {
    std::vector<Value> all;
    for (size_t k = 0; k < tuple.shape.elements.size(); ++k)
      all.push_back(element(tuple, k, text));
    return all;
  }

  static std::vector<std::string> namesOf(llvm::ArrayRef<Value> values) {
    std::vector<std::string> names;
    for (const Value &value : values) names.push_back(value.name);
    return names;
  }
  static std::string typesOf(llvm::ArrayRef<Value> values) {
    std::string types;
    for (const Value &value : values)
      absl::StrAppend(&types, types.empty() ? "" : ", ", typeText(value.shape));
    return types;
  }
  static std::string list(llvm::ArrayRef<std::string> names) {
    std::string text;
    for (const std::string &name : names)
      absl::StrAppend(&text, text.empty() ? "" : ", ", name);
    return text;
  }

  //===-- Calls and regions -----------------------------------------------===//

  Value call(const Instruction &instruction, llvm::ArrayRef<Value> operands,
             const Shape &shape, std::string &text) {
    Value result{fresh(), shape};
    absl::StrAppend(&text, result.name, " = func.call @",
                    nameOf(calleeOfCall(instruction)->computation), "(",
                    list(namesOf(operands)), ") : (", typesOf(operands),
                    ") -> ", typeText(shape), "\n");
    return result;
  }

  static std::string returned(llvm::ArrayRef<Value> values) {
    return "\"stablehlo.return\"(" + list(namesOf(values)) + ") : (" +
           typesOf(values) + ") -> ()\n";
  }

  /// Results of an op of several, as a tuple.
  Value several(WrittenOp op, llvm::ArrayRef<Value> operands,
                llvm::ArrayRef<Shape> shapes, std::string &text) {
    const std::string name = fresh();
    std::vector<Value> results;
    for (size_t k = 0; k < shapes.size(); ++k)
      results.push_back(
          {shapes.size() > 1 ? absl::StrCat(name, "#", k) : name, shapes[k]});
    text += op.line(absl::StrCat(name, ":", shapes.size()), namesOf(operands),
                    typesOf(operands), typesOf(results));
    return tuple(results, text);
  }

  /// Writes the branches in place. They capture their arguments.
  Value conditional(const Instruction &instruction,
                    llvm::ArrayRef<Value> operands, const Shape &shape,
                    std::string &text) {
    WrittenOp op{"stablehlo.case", "", ""};
    if (operands[0].shape.array.type == ElementType::Pred)
      op.name = "stablehlo.if";
    for (size_t b = 0; b < instruction.called.size(); ++b) {
      std::string branch;
      const Value root =
          body(instruction.called[b].computation, operands[b + 1], branch);
      branch += returned(elements(root, branch));
      absl::StrAppend(&op.regions, b ? ", " : "", "{\n", branch, "}");
    }
    op.regions = "(" + op.regions + ")";
    return several(op, operands[0], shape.elements, text);
  }

  /// Returns whether the body passes element k on as it is.
  bool passes(int32_t c, size_t k) const {
    const Computation &body = module.computations[c];
    const Instruction &root = body.instructions[body.root];
    if (root.opcode != "tuple") return false;
    const Instruction &from = body.instructions[root.operands[k]];
    auto *forward = from.op.as<ForwardOp>();
    return forward && from.opcode == "get-tuple-element" &&
           forward->reads[0] == static_cast<int64_t>(k) &&
           body.instructions[from.operands[0]].parameterNumber == 0;
  }

  /// A value for each element of the state; every other one of those that the
  /// body leaves alone is captured instead.
  Value loop(const Instruction &instruction, const Value &state,
             std::string &text) {
    const int32_t condition =
        calleeOf(instruction, CallRole::Condition)->computation;
    const int32_t step = calleeOf(instruction, CallRole::Body)->computation;
    const std::vector<Value> before = elements(state, text);
    std::vector<Value> kept, after;
    std::vector<bool> captured;
    for (size_t k = 0; k < before.size(); ++k) {
      captured.push_back(k % 2 == 1 && passes(step, k));
      if (!captured[k]) kept.push_back(before[k]);
    }
    WrittenOp op{"stablehlo.while", "", ""};
    for (int32_t c : {condition, step}) {
      std::string header, inside;
      std::vector<Value> inner;
      for (size_t k = 0; k < before.size(); ++k) {
        inner.push_back(before[k]);
        if (captured[k]) continue;
        inner[k].name = fresh();
        absl::StrAppend(&header, header.empty() ? "" : ", ", inner[k].name,
                        ": ", typeText(inner[k].shape));
      }
      const Value root = body(c, tuple(inner, inside), inside);
      std::vector<Value> results{root};
      if (c == step) {
        results.clear();
        for (size_t k = 0; k < before.size(); ++k)
          if (!captured[k]) results.push_back(element(root, k, inside));
      }
      absl::StrAppend(&op.regions, c == step ? ", " : "", "{\n^bb0(", header,
                      "):\n", inside, returned(results), "}");
    }
    op.regions = "(" + op.regions + ")";
    std::vector<Shape> shapes;
    for (const Value &value : kept) shapes.push_back(value.shape);
    const std::string name = fresh();
    text += op.line(absl::StrCat(name, ":", kept.size()), namesOf(kept),
                    typesOf(kept), typesOf(kept));
    size_t number = 0;
    for (size_t k = 0; k < before.size(); ++k) {
      after.push_back(before[k]);
      if (captured[k]) continue;
      after[k].name =
          kept.size() > 1 ? absl::StrCat(name, "#", number++) : name;
    }
    return tuple(after, text);
  }

  Value steps(const Instruction &instruction, const ScanOp &op,
              llvm::ArrayRef<Value> operands, const Shape &shape,
              std::string &text) {
    const int32_t c = calleeOf(instruction, CallRole::ToApply)->computation;
    const Computation &step = module.computations[c];
    std::string header, inside;
    std::vector<Value> arguments;
    for (int32_t p : step.parameters) {
      arguments.push_back({fresh(), step.instructions[p].shape});
      absl::StrAppend(&header, header.empty() ? "" : ", ",
                      arguments.back().name, ": ",
                      typeText(arguments.back().shape));
    }
    const Value root = body(c, arguments, inside);
    inside += returned(elements(root, inside));
    const int64_t carries = op.carries;
    WrittenOp one{
        "chlo.scan",
        absl::StrCat(
            "dimension = ", op.dimension,
            " : i64, is_reverse = ", op.reverse ? "true" : "false",
            ", operandSegmentSizes = array<i32: ", op.operands.size() - carries,
            ", ", carries, ">, resultSegmentSizes = array<i32: ",
            op.results.size() - carries, ", ", carries, ">"),
        "({\n^bb0(" + header + "):\n" + inside + "})"};
    return several(one, operands, shape.elements, text);
  }

  const Module &module;
  int next = 0;
  bool supported = true;
};

bool isIndex(const Op &op, size_t operand) {
  if (op.is<DynamicSliceOp>()) return operand >= 1;
  if (op.is<DynamicUpdateSliceOp>()) return operand >= 2;
  if (op.is<GatherOp>() || op.is<SetDimensionSizeOp>() ||
      op.is<DynamicReshapeOp>())
    return operand == 1;
  if (op.is<RaggedDotOp>()) return operand == 2;
  if (auto *scatter = op.as<ScatterOp>())
    return operand == scatter->results.size();
  return false;
}

}  // namespace

Op withPlainTypes(Op op) {
  if (op.is<BitcastConvertOp>() || op.is<ConstantOp>()) return op;
  OpDraft draft(op);
  OpShapes &shapes = *draft;
  for (size_t k = 0; k < shapes.operands.size(); ++k)
    shapes.operands.mutableAt(k).type =
        isIndex(op, k) ? ElementType::S32 : ElementType::F32;
  for (size_t r = 0; r < shapes.results.size(); ++r)
    shapes.results.mutableAt(r).type = ElementType::F32;
  if (auto *fft = draft.as<FftOp>()) {
    if (fft->kind != FftOp::Kind::Rfft)
      fft->operands.mutableAt(0).type = ElementType::C64;
    if (fft->kind != FftOp::Kind::Irfft)
      fft->results.mutableAt(0).type = ElementType::C64;
  }
  if (op.is<TopKOp>()) shapes.results.mutableAt(1).type = ElementType::S32;
  op = Op(std::move(draft));
  if (auto one = written(op); one && one->name == "stablehlo.select")
    op = op.changed([](OpDraft &select) {
      select->operands.mutableAt(0).type = ElementType::Pred;
    });
  return op;
}

std::optional<std::string> functionText(const Op &op) {
  auto one = written(op);
  if (!one) return std::nullopt;
  const OpShapes &shapes = shapesOf(op);
  std::string header, operandTypes, resultTypes, results;
  std::vector<std::string> operands;
  for (size_t k = 0; k < shapes.operands.size(); ++k) {
    operands.push_back(absl::StrCat("%a", k));
    const std::string type = typeText(shapes.operands[k]);
    absl::StrAppend(&header, k ? ", " : "", operands[k], ": ", type);
    absl::StrAppend(&operandTypes, k ? ", " : "", type);
  }
  const size_t count = shapes.results.size();
  for (size_t r = 0; r < count; ++r) {
    absl::StrAppend(&resultTypes, r ? ", " : "", typeText(shapes.results[r]));
    absl::StrAppend(&results, r ? ", " : "",
                    count > 1 ? absl::StrCat("%r#", r) : "%r");
  }
  return absl::StrCat("func.func @main(", header, ") -> (", resultTypes,
                      ") {\n",
                      one->line(absl::StrCat("%r:", count), operands,
                                operandTypes, resultTypes),
                      "return ", results, " : ", resultTypes, "\n}\n");
}

std::optional<std::string> moduleText(const Module &module) {
  return ModuleWriter(module).write();
}

}  // namespace indexical::testing
