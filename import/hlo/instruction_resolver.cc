#include "indexical/import/hlo/instruction_resolver.h"

#include <algorithm>
#include <string>
#include <utility>

#include "indexical/import/hlo/attribute_names.h"
#include "indexical/import/hlo/attributes.h"
#include "indexical/import/hlo/call_check.h"
#include "indexical/import/hlo/cut_text.h"
#include "indexical/import/hlo/lexer.h"
#include "indexical/import/hlo/op_builder.h"
#include "indexical/import/hlo/shape_parser.h"

namespace indexical {
namespace {

/// To look for what was meant takes a while; a text full of unknown opcodes is
/// no HLO.
constexpr size_t kSuggestedOpcodes = 32;

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

}  // namespace

bool InstructionResolver::resolveTexts(int32_t i) {
  const InstructionSyntax &syntax = syntax_.instructions[i];
  Instruction &instruction = computation_.instructions[i];
  takeAttributes(instruction, syntax_.attributesOf(syntax));
  return checkOperandTypes(instruction, syntax_.operandsOf(syntax));
}

bool InstructionResolver::resolveOp(int32_t i) {
  const InstructionSyntax &syntax = syntax_.instructions[i];
  Instruction &instruction = computation_.instructions[i];
  llvm::SmallVector<const Shape *, 8> operands;
  for (int32_t operand : instruction.operands)
    operands.push_back(&*computation_.instructions[operand].shape);
  if (syntax.shape && !areDeclared_) instruction.shape = *syntax.shape;
  const Op *written = nullptr;
  if (syntax.shape && instruction.called.empty())
    written = state_.ops.find({&computation_, &instruction, &*instruction.shape,
                               syntax_.attributesOf(syntax)},
                              operands);
  if (!written) return findShapeAndOp(instruction, syntax, operands);
  instruction.op = *written;
  return true;
}

bool InstructionResolver::findShapeAndOp(
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
  if (!syntax.shape) {
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

void InstructionResolver::takeAttributes(
    Instruction &instruction, llvm::ArrayRef<AttributeSyntax> attributes) {
  for (const AttributeSyntax &attribute : attributes) {
    llvm::StringRef value = attribute.value;
    if (attribute.key == "metadata") {
      const MetadataSyntax metadata = parseMetadata(value);
      instruction.metadata.opName = metadata.opName;
      instruction.metadata.frame = frameOf(metadata);
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
                                   "` is not an attribute and is not read; "
                                   "did you mean `" +
                                   meant + "`?")
                                      .str());
    }
  }
}

/// `{HloInstructionProto.101="0a02"}`: of a module that came as protocol
/// buffers (import/hlo/proto/known_fields.h).
void InstructionResolver::warnOfUnreadFields(llvm::StringRef value) {
  forEachField(value, [&](llvm::StringRef key, llvm::StringRef) {
    const auto [message, number] = key.rsplit('.');
    if (!source_.hasWarned(key))
      source_.warn(key, ("field " + number + " of " + message +
                         " is not known and is not read: the instruction may "
                         "mean something else than what is answered")
                            .str());
  });
}

int32_t InstructionResolver::frameOf(const MetadataSyntax &metadata) {
  const int32_t listed = state_.frames->frameOf(source_, metadata);
  if (listed >= 0 || metadata.sourceFile.empty()) return listed;
  StackFrame frame;
  frame.file = metadata.sourceFile;
  frame.line = metadata.sourceLine;
  const int32_t number = state_.added->add(frame);
  return state_.areApart ? -2 - number : number;
}

void InstructionResolver::noteUnknownOpcode(const Instruction &instruction) {
  if (isCut(instruction.opcode)) return;
  if (state_.metOpcodes.insert(instruction.opcode).second)
    state_.unknownOpcodes.push_back(
        {instruction.opcode, opcodePlace(instruction)});
}

/// Returns the place of the opcode, or of the name if the text has no opcode.
Place InstructionResolver::opcodePlace(const Instruction &instruction) const {
  const size_t i = &instruction - computation_.instructions.data();
  return Attributes(source_, syntax_.instructions[i], {}).opcodePlace();
}

// A type beside an operand says again what its instruction is. Layouts may
// differ: passes that assign them need not print them everywhere.
bool InstructionResolver::checkOperandTypes(
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

/// Those of the results of its op are the same.
const ShapeList &InstructionResolver::leavesOf(int32_t operand) const {
  const Instruction &instruction = computation_.instructions[operand];
  return areDeclared_ ? instruction.shape.leaves()
                      : shapesOf(instruction.op).results;
}

bool InstructionResolver::takeOperandLeaves(const Instruction &instruction,
                                            ShapeList &leaves) {
  if (instruction.operands.size() == 1) {
    leaves = leavesOf(instruction.operands[0]);
    return true;
  }
  size_t count = 0;
  for (int32_t operand : instruction.operands) {
    const size_t leavesOfOperand = leavesOf(operand).size();
    if (leavesOfOperand > 1 && !spend(instruction, leavesOfOperand))
      return false;
    count += leavesOfOperand;
  }
  std::vector<ArrayShape> all;
  all.reserve(count);
  for (int32_t operand : instruction.operands)
    all.insert(all.end(), leavesOf(operand).begin(), leavesOf(operand).end());
  leaves = std::move(all);
  return true;
}

llvm::ArrayRef<int64_t> InstructionResolver::firstLeavesOf(int32_t tuple) {
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

bool InstructionResolver::spend(const Instruction &instruction,
                                int64_t leaves) {
  state_.unwrittenLeavesLeft -= leaves;
  if (state_.unwrittenLeavesLeft >= 0) return true;
  return fail(instruction,
              "the shapes of this module are too large: tuples of so "
              "many elements, used so many times");
}

void addNotes(llvm::ArrayRef<ResolverState::UnknownOpcode> opcodes,
              Program &program) {
  for (size_t i = 0; i < opcodes.size(); ++i) {
    const llvm::StringRef opcode = opcodes[i].opcode;
    std::string text = ("unknown opcode `" + opcode +
                        "`: it is taken to read every operand whole")
                           .str();
    llvm::StringRef near;
    if (i + 1 < kSuggestedOpcodes) near = nearest(opcode, opcodeNames());
    if (!near.empty()) text += ("; did you mean `" + near + "`?").str();
    program.notes.push_back(
        {Note::Kind::Warning, opcodes[i].place, std::move(text)});
  }
}

}  // namespace indexical
