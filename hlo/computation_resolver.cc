#include "indexical/hlo/computation_resolver.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "llvm/ADT/DenseMap.h"

#include "indexical/hlo/attribute_names.h"
#include "indexical/hlo/attributes.h"
#include "indexical/hlo/call_check.h"
#include "indexical/hlo/lexer.h"
#include "indexical/hlo/op_builder.h"
#include "indexical/hlo/shape_parser.h"

namespace indexical {
namespace {

/// To look for what was meant takes a while; a text full of unknown opcodes is
/// no HLO.
constexpr size_t kSuggestedOpcodes = 32;

class ComputationResolver {
 public:
  ComputationResolver(Source &source, Program &program, Module &module,
                      ComputationSyntax &syntax, int32_t index,
                      ResolverState &state)
      : source_(source),
        program_(program),
        module_(module),
        computation_(module.computations[index]),
        syntax_(syntax),
        state_(state) {}

  bool resolve();

 private:
  bool nameInstructions();
  void nameNested();
  llvm::StringRef freshName(llvm::StringRef opcode, int32_t &number);
  bool findOperands();
  bool findOperand(const OperandSyntax &operand, int32_t &found);
  bool addFreeParameters();
  bool findOrder(std::vector<int32_t> &order);
  bool resolveInstruction(int32_t i);
  bool findShapeAndOp(Instruction &instruction, const InstructionSyntax &syntax,
                      llvm::ArrayRef<const Shape *> operands);
  bool checkOperandTypes(const Instruction &instruction,
                         llvm::ArrayRef<OperandSyntax> operands);
  bool takeOperandLeaves(const Instruction &instruction, ShapeList &leaves);
  bool spend(const Instruction &instruction, int64_t leaves);
  llvm::ArrayRef<int64_t> firstLeavesOf(int32_t tuple);
  void takeAttributes(Instruction &instruction,
                      llvm::ArrayRef<AttributeSyntax> attributes);
  void warnOfUnreadFields(llvm::StringRef value);
  void noteUnknownOpcode(const Instruction &instruction);
  Place opcodePlace(const Instruction &instruction) const;
  /// Notes an error at the instruction's opcode.
  bool fail(const Instruction &instruction, const llvm::Twine &message) {
    return source_.fail(opcodePlace(instruction), message);
  }
  bool findParameters();
  bool findRoot();

  Source &source_;
  Program &program_;
  Module &module_;
  Computation &computation_;
  ComputationSyntax &syntax_;
  ResolverState &state_;
  llvm::DenseMap<llvm::StringRef, int32_t> names_;
  /// The first leaf of each element of a tuple, for tuples that are taken apart
  /// (a large one is, element by element).
  llvm::DenseMap<int32_t, std::vector<int64_t>> firstLeaves_;
  int32_t writtenCount_ = 0;  // instructions that the text holds
  bool forwardReference_ = false;
};

bool ComputationResolver::resolve() {
  if (syntax_.instructions.empty())
    return source_.fail(syntax_.place, "computation `" + computation_.name +
                                           "` has no instruction");
  writtenCount_ = syntax_.instructions.size();
  std::vector<int32_t> order;
  if (!nameInstructions() || (syntax_.bare && !addFreeParameters()) ||
      !findOperands() || !findOrder(order))
    return false;
  for (int32_t i : order)
    if (!resolveInstruction(i)) return false;
  return findParameters() && findRoot();
}

bool ComputationResolver::nameInstructions() {
  bool nested = false;
  names_.reserve(syntax_.instructions.size());
  for (size_t i = 0; i < syntax_.instructions.size(); ++i) {
    const InstructionSyntax &syntax = syntax_.instructions[i];
    Instruction &instruction = computation_.instructions[i];
    instruction.name = syntax.name;
    instruction.opcode = syntax.opcode;
    instruction.place = syntax.place;
    if (syntax.name.empty())
      nested = true;
    else if (!names_.try_emplace(syntax.name, i).second)
      return source_.fail(syntax.place, "instruction `" + syntax.name +
                                            "` of `" + computation_.name +
                                            "` is defined twice");
  }
  if (nested) nameNested();
  return true;
}

// `negate.1`, with a number that makes it unique.
void ComputationResolver::nameNested() {
  llvm::DenseMap<llvm::StringRef, int32_t> next;
  for (size_t i = 0; i < computation_.instructions.size(); ++i) {
    Instruction &instruction = computation_.instructions[i];
    if (!instruction.name.empty()) continue;
    instruction.name = freshName(instruction.opcode, next[instruction.opcode]);
    names_.try_emplace(instruction.name, i);
  }
}

llvm::StringRef ComputationResolver::freshName(llvm::StringRef opcode,
                                               int32_t &number) {
  std::string name;
  do {
    name = opcode.str() + "." + std::to_string(++number);
  } while (names_.contains(name));
  return program_.keptStrings.emplace_back(std::move(name));
}

// Instructions without a computation around them may read values that are
// defined elsewhere; their types stand beside them, or alone. They become
// parameters.
bool ComputationResolver::addFreeParameters() {
  int64_t number = 0;
  int32_t unnamed = 0;
  for (const InstructionSyntax &instruction : syntax_.instructions)
    if (instruction.opcode == "parameter") ++number;
  for (size_t i = 0, count = syntax_.instructions.size(); i < count; ++i) {
    const uint32_t first = syntax_.instructions[i].firstOperand;
    const uint32_t operands = syntax_.instructions[i].operandCount;
    for (uint32_t k = first; k < first + operands; ++k) {
      OperandSyntax &operand = syntax_.operands[k];
      if (operand.nested >= 0 || operand.shape.empty()) continue;
      if (operand.name.empty()) operand.name = freshName("parameter", unnamed);
      if (!names_.try_emplace(operand.name, syntax_.instructions.size()).second)
        continue;
      InstructionSyntax parameter;
      parameter.name = operand.name;
      parameter.opcode = "parameter";
      parameter.place = syntax_.instructions[i].place;
      parameter.shapeText = operand.shape;
      parameter.argument =
          program_.keptStrings.emplace_back(std::to_string(number++));
      Lexer lexer(source_, operand.shape);
      parameter.shape = state_.shapes.read(lexer);
      if (!parameter.shape) return false;
      Instruction &added = computation_.instructions.emplace_back();
      added.name = parameter.name;
      added.opcode = parameter.opcode;
      added.place = parameter.place;
      syntax_.instructions.push_back(std::move(parameter));
    }
  }
  return true;
}

bool ComputationResolver::findOperands() {
  for (size_t i = 0; i < syntax_.instructions.size(); ++i) {
    auto operands = syntax_.operandsOf(syntax_.instructions[i]);
    auto &found = computation_.instructions[i].operands;
    found.reserve(operands.size());
    for (const OperandSyntax &operand : operands) {
      int32_t producer;
      if (!findOperand(operand, producer)) return false;
      forwardReference_ |= producer >= static_cast<int32_t>(i);
      found.push_back(producer);
    }
  }
  return true;
}

bool ComputationResolver::findOperand(const OperandSyntax &operand,
                                      int32_t &found) {
  found = operand.nested;
  if (found >= 0) return true;
  auto known = names_.find(operand.name);
  if (known != names_.end()) {
    found = known->second;
    return true;
  }
  std::vector<llvm::StringRef> names;
  for (const Instruction &instruction : computation_.instructions)
    names.push_back(instruction.name);
  return source_.fail(operand.name,
                      "there is no instruction `" + operand.name + "` in `" +
                          computation_.name + "`",
                      nearest(operand.name, names));
}

// Operands before users.
bool ComputationResolver::findOrder(std::vector<int32_t> &order) {
  size_t count = computation_.instructions.size();
  if (!forwardReference_) {
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
    return true;
  }
  order = computation_.postOrder();
  if (order.size() == count) return true;
  // Instructions on a cycle, or behind one, are left out of the order.
  std::vector<bool> done(count, false);
  for (int32_t i : order) done[i] = true;
  size_t first = std::find(done.begin(), done.end(), false) - done.begin();
  return source_.fail(computation_.instructions[first].place,
                      "instruction `" + computation_.instructions[first].name +
                          "` depends on itself");
}

/// The shape itself, and all that it is made of.
int64_t partsOf(const Shape &shape) {
  int64_t parts = 1;
  for (const Shape &element : shape.elements) parts += partsOf(element);
  return parts;
}

/// The parts of its shape for which there is neither an operand nor the
/// instruction itself in the text.
int64_t partsBeside(const Instruction &instruction) {
  int64_t written = 1 + instruction.operands.size();
  return std::max<int64_t>(partsOf(instruction.shape) - written, 0);
}

bool ComputationResolver::resolveInstruction(int32_t i) {
  const InstructionSyntax &syntax = syntax_.instructions[i];
  Instruction &instruction = computation_.instructions[i];
  auto attributes = syntax_.attributesOf(syntax);
  takeAttributes(instruction, attributes);
  if (!checkOperandTypes(instruction, syntax_.operandsOf(syntax))) return false;
  llvm::SmallVector<const Shape *, 8> operands;
  for (int32_t operand : instruction.operands)
    operands.push_back(&*computation_.instructions[operand].shape);
  Op *written = nullptr;
  if (instruction.called.empty())
    written = state_.ops.find(syntax, attributes, operands);
  if (written && *written) {
    instruction.shape = *syntax.shape;
    instruction.op = *written;
    return true;
  }
  if (!findShapeAndOp(instruction, syntax, operands)) return false;
  if (written) *written = instruction.op;
  return true;
}

bool ComputationResolver::findShapeAndOp(
    Instruction &instruction, const InstructionSyntax &syntax,
    llvm::ArrayRef<const Shape *> operands) {
  ShapeList operandLeaves;
  if (!takeOperandLeaves(instruction, operandLeaves)) return false;
  llvm::SmallVector<const Shape *, 8> roots;
  for (const CalledComputation &called : instruction.called) {
    const Shape *root = nullptr;
    if (called.computation >= 0) {
      const Computation &callee = module_.computations[called.computation];
      root = &*callee.instructions[callee.root].shape;
    }
    roots.push_back(root);
  }
  ResolvedInstruction resolved{
      source_,
      syntax,
      findOpcode(syntax.opcode),
      Attributes(source_, syntax, syntax_.attributesOf(syntax)),
      operands,
      operandLeaves,
      {},
      roots,
      module_,
      instruction.called,
      state_.customCalls};
  if (!resolved.opcode) noteUnknownOpcode(instruction);
  if (!checkOperandCount(resolved)) return false;
  if (resolved.opcode && resolved.opcode->name == "get-tuple-element")
    resolved.firstLeaves = firstLeavesOf(instruction.operands[0]);
  if (syntax.shape) {
    instruction.shape = *syntax.shape;
  } else {
    Shape shape;
    if (!inferShape(resolved, shape)) return false;
    instruction.shape = std::move(shape);
    if (!spend(instruction, partsBeside(instruction))) return false;
  }
  resolved.shape = &instruction.shape;
  OpDraft op;
  if (!buildOp(resolved, *instruction.shape, op)) return false;
  absl::Status status = verifyUse(op);
  if (!status.ok())
    return source_.fail(withPlace(std::move(status), opcodePlace(instruction)));
  instruction.op = Op(std::move(op));
  return checkCalls(source_, module_, computation_, instruction,
                    resolved.attributes);
}

/// The text, quotes escaped, of `xla.sdy.sharding="…"` in frontend attributes;
/// empty if they have none.
static llvm::StringRef shardySharding(llvm::StringRef attributes) {
  constexpr llvm::StringLiteral key = "xla.sdy.sharding=\"";
  const size_t at = attributes.find(key);
  if (at == llvm::StringRef::npos) return "";
  llvm::StringRef text = attributes.drop_front(at + key.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') return text.take_front(i);
    if (text[i] == '\\') ++i;
  }
  return "";
}

void ComputationResolver::takeAttributes(
    Instruction &instruction, llvm::ArrayRef<AttributeSyntax> attributes) {
  for (const AttributeSyntax &attribute : attributes) {
    llvm::StringRef value = attribute.value;
    if (attribute.key == "metadata") {
      const MetadataSyntax metadata = parseMetadata(value);
      instruction.metadata.opName = metadata.opName;
      instruction.metadata.frame =
          state_.frames.frameOf(source_, metadata, module_);
    } else if (attribute.key == "sharding") {
      if (value.consume_front("{")) value.consume_back("}");
      instruction.sharding = value;
    } else if (attribute.key == "frontend_attributes") {
      if (instruction.sharding.empty())
        instruction.sharding = shardySharding(value);
    } else if (attribute.key == "kind") {
      instruction.fusionKind = value;
    } else if (attribute.key == "backend_config") {
      instruction.backendConfig = value;
      if (instruction.opcode == "while")
        instruction.tripCount = parseTripCount(value);
    } else if (attribute.key == "indices_are_sorted") {
      instruction.indicesAreSorted = value.trim() == "true";
    } else if (attribute.key == "unique_indices") {
      instruction.uniqueIndices = value.trim() == "true";
    } else if (attribute.key == "custom_call_target") {
      instruction.customCallTarget = value.trim('"');
    } else if (attribute.key == "unread_fields") {
      warnOfUnreadFields(value);
    } else if (llvm::StringRef meant = meantAttribute(attribute.key);
               !meant.empty() && !source_.hasWarned(attribute.key)) {
      source_.warn(attribute.key, ("`" + attribute.key +
                                   "` is no attribute and is not read; did "
                                   "you mean `" +
                                   meant + "`?")
                                      .str());
    }
  }
}

/// `{HloInstructionProto.101="0a02"}`: of a module that came as protocol
/// buffers (hlo/proto/known_fields.h).
void ComputationResolver::warnOfUnreadFields(llvm::StringRef value) {
  forEachField(value, [&](llvm::StringRef key, llvm::StringRef) {
    const auto [message, number] = key.rsplit('.');
    if (!source_.hasWarned(key))
      source_.warn(key, ("field " + number + " of " + message +
                         " is not known and is not read: the instruction may "
                         "mean something else than what is answered")
                            .str());
  });
}

void ComputationResolver::noteUnknownOpcode(const Instruction &instruction) {
  if (!state_.notedOpcodes.insert(instruction.opcode).second) return;
  std::string text = ("unknown opcode `" + instruction.opcode +
                      "`: it is taken to read every operand whole")
                         .str();
  llvm::StringRef near;
  if (state_.notedOpcodes.size() < kSuggestedOpcodes)
    near = nearest(instruction.opcode, opcodeNames());
  if (!near.empty()) text += ("; did you mean `" + near + "`?").str();
  program_.notes.push_back(
      {Note::Kind::Warning, opcodePlace(instruction), std::move(text)});
}

/// The place of the opcode, or that of the name if the text does not hold the
/// opcode.
Place ComputationResolver::opcodePlace(const Instruction &instruction) const {
  const size_t i = &instruction - computation_.instructions.data();
  return Attributes(source_, syntax_.instructions[i], {}).opcodePlace();
}

// A type beside an operand says again what its instruction is. Layouts may
// differ: passes that assign them need not print them everywhere.
bool ComputationResolver::checkOperandTypes(
    const Instruction &instruction, llvm::ArrayRef<OperandSyntax> operands) {
  for (size_t k = 0; k < operands.size(); ++k) {
    const int32_t producer = instruction.operands[k];
    llvm::StringRef text = operands[k].shape;
    // Most are the same to the letter.
    if (text.empty() || text == syntax_.instructions[producer].shapeText)
      continue;
    Lexer lexer(source_, text);
    Shape written;
    if (!parseShape(lexer, written)) return false;
    const Instruction &operand = computation_.instructions[producer];
    if (!sameUpToLayout(written, operand.shape))
      return source_.fail(text, "operand `" + operand.name + "` is " +
                                    operand.shape->str() + ", not " +
                                    written.str());
  }
  return true;
}

bool ComputationResolver::takeOperandLeaves(const Instruction &instruction,
                                            ShapeList &leaves) {
  auto resultsOf = [&](int32_t i) -> const ShapeList & {
    return shapesOf(computation_.instructions[i].op).results;
  };
  if (instruction.operands.size() == 1) {
    leaves = resultsOf(instruction.operands[0]);
    return true;
  }
  size_t count = 0;
  for (int32_t operand : instruction.operands) {
    const size_t leavesOfOperand = resultsOf(operand).size();
    if (leavesOfOperand > 1 && !spend(instruction, leavesOfOperand))
      return false;
    count += leavesOfOperand;
  }
  std::vector<ArrayShape> all;
  all.reserve(count);
  for (int32_t operand : instruction.operands)
    all.insert(all.end(), resultsOf(operand).begin(), resultsOf(operand).end());
  leaves = std::move(all);
  return true;
}

llvm::ArrayRef<int64_t> ComputationResolver::firstLeavesOf(int32_t tuple) {
  std::vector<int64_t> &first = firstLeaves_[tuple];
  const std::vector<Shape> &elements =
      computation_.instructions[tuple].shape->elements;
  if (!first.empty() || elements.empty()) return first;
  first.reserve(elements.size());
  int64_t leaves = 0;
  for (const Shape &element : elements) {
    first.push_back(leaves);
    leaves += element.leafCount();
  }
  return first;
}

bool ComputationResolver::spend(const Instruction &instruction,
                                int64_t leaves) {
  state_.unwrittenLeavesLeft -= leaves;
  if (state_.unwrittenLeavesLeft >= 0) return true;
  return fail(instruction,
              "the shapes of this module are too large: tuples of so "
              "many elements, used so many times");
}

bool ComputationResolver::findParameters() {
  auto &parameters = computation_.parameters;
  for (size_t i = 0; i < computation_.instructions.size(); ++i) {
    Instruction &instruction = computation_.instructions[i];
    if (instruction.opcode != "parameter") continue;
    llvm::StringRef text = syntax_.instructions[i].argument;
    int32_t number;
    if (text.trim().getAsInteger(10, number) || number < 0)
      return fail(instruction,
                  "`parameter` needs its number, as in `parameter(0)`");
    // A number this large cannot be one of so many instructions.
    if (number >= static_cast<int64_t>(computation_.instructions.size()))
      return fail(instruction, "there is no parameter before parameter " +
                                   llvm::Twine(number) + " with number " +
                                   llvm::Twine(number - 1));
    if (number >= static_cast<int64_t>(parameters.size()))
      parameters.resize(number + 1, -1);
    if (parameters[number] >= 0)
      return fail(instruction, "parameter " + llvm::Twine(number) + " of `" +
                                   computation_.name + "` is defined twice");
    parameters[number] = i;
    instruction.parameterNumber = number;
  }
  for (size_t n = 0; n < parameters.size(); ++n)
    if (parameters[n] < 0)
      return source_.fail(syntax_.place, "computation `" + computation_.name +
                                             "` has no parameter " +
                                             llvm::Twine(n) +
                                             ", but a later one");
  return true;
}

bool ComputationResolver::findRoot() {
  for (size_t i = 0; i < syntax_.instructions.size(); ++i) {
    if (!syntax_.instructions[i].root) continue;
    if (computation_.root >= 0)
      return source_.fail(syntax_.instructions[i].place,
                          "computation `" + computation_.name +
                              "` has two instructions marked ROOT");
    computation_.root = i;
  }
  // Without ROOT the last instruction; free parameters come after it.
  if (computation_.root < 0) computation_.root = writtenCount_ - 1;
  return true;
}

}  // namespace

bool resolveComputation(Source &source, Program &program, Module &module,
                        ComputationSyntax &syntax, int32_t index,
                        ResolverState &state) {
  return ComputationResolver(source, program, module, syntax, index, state)
      .resolve();
}

}  // namespace indexical
