// Recursive descent through modules, computations, instructions.

#include <algorithm>
#include <utility>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/hlo/cut_text.h"
#include "indexical/import/hlo/lexer.h"
#include "indexical/import/hlo/shape_parser.h"
#include "indexical/import/hlo/syntax.h"

namespace indexical {
namespace {

class SyntaxParser {
 public:
  SyntaxParser(Source &source, WrittenShapes &shapes,
               std::vector<ModuleSyntax> &modules)
      : lexer_(source, source.text()), shapes_(shapes), modules_(modules) {}

  bool parse();
  bool parsePiece(const TextPiece &piece, PieceSyntax &found);

 private:
  bool parsePart(llvm::StringRef part);
  bool parseItems();
  bool parseRestOfBody(PieceSyntax &found, size_t lines);
  void addModule(const char *begin);
  bool parseHeader(const char *begin);
  bool parseTables(StackTablesSyntax &tables);
  bool parseTopLevel();
  bool parseComputation(llvm::StringRef name, const char *where, bool entry);
  bool parseBareInstructions();
  bool parseBody(ComputationSyntax &computation);
  bool parseTrailingAttributes();

  bool takeCutMark(llvm::StringRef &mark);
  bool parseInstruction(ComputationSyntax &computation);
  bool parseRightSide(ComputationSyntax &computation,
                      InstructionSyntax &instruction);
  bool parseArgument(InstructionSyntax &instruction);
  bool parseOperands(ComputationSyntax &computation,
                     llvm::SmallVectorImpl<OperandSyntax> &operands);
  bool parseOperand(ComputationSyntax &computation, OperandSyntax &operand);
  bool parseNested(ComputationSyntax &computation, const char *where,
                   llvm::StringRef shape, OperandSyntax &operand);
  bool parseTupleElement(ComputationSyntax &computation,
                         OperandSyntax &operand);
  bool parseAttributes(InstructionSyntax &instruction,
                       llvm::SmallVectorImpl<AttributeSyntax> &attributes);
  bool parseAttribute(const InstructionSyntax &instruction, llvm::StringRef key,
                      llvm::SmallVectorImpl<AttributeSyntax> &attributes);
  bool parseInlineComputation(const InstructionSyntax &instruction,
                              AttributeSyntax &attribute);
  bool parseInlineComputations(
      const InstructionSyntax &instruction, llvm::StringRef key,
      llvm::SmallVectorImpl<AttributeSyntax> &attributes);
  bool startsInlineComputations();
  bool startsWithoutName();
  bool enterLevel();
  void leaveLevel() { --depth_; }
  /// The text that was read since `begin`.
  llvm::StringRef textFrom(const char *begin) const {
    return llvm::StringRef(begin, lexer_.position() - begin);
  }

  Lexer lexer_;
  WrittenShapes &shapes_;
  std::vector<ModuleSyntax> &modules_;
  int depth_ = 0;
  /// Nothing that begins here or later is read, but what is nested.
  const char *stop_ = nullptr;
  bool isPiece_ = false;  ///< a part is read in pieces
  bool goesOn_ = false;   ///< the first module began before the piece
  bool isOpen_ = false;   ///< the last computation goes on behind `stop_`
  bool hasInline_ = false;
};

bool SyntaxParser::parse() {
  for (llvm::StringRef part : partsOf(lexer_.source().text()))
    if (!parsePart(part)) return false;
  if (modules_.empty())
    return lexer_.fail(
        "there is no HLO in this text: neither a `HloModule` "
        "nor a computation");
  endTexts(lexer_.source().text(), modules_);
  return true;
}

void SyntaxParser::addModule(const char *begin) {
  modules_.emplace_back().text = llvm::StringRef(begin, 0);
}

bool SyntaxParser::parsePart(llvm::StringRef part) {
  lexer_.enter(part);
  stop_ = part.end();
  if (lexer_.atEnd()) return !lexer_.source().failed();
  addModule(part.begin());
  if (!parseItems() || lexer_.source().failed()) return false;
  if (modules_.back().computations.empty())
    return lexer_.fail("this module has no computation");
  return true;
}

// Headers and computations.
bool SyntaxParser::parseItems() {
  while (!lexer_.atEnd() && lexer_.position() < stop_ && !isOpen_) {
    const char *begin = lexer_.position();
    bool header = lexer_.takeWord() == "HloModule";
    if (!header) lexer_.setPosition(begin);
    if (!(header ? parseHeader(begin) : parseTopLevel())) return false;
  }
  return true;
}

bool SyntaxParser::parsePiece(const TextPiece &piece, PieceSyntax &found) {
  lexer_.enterLine(piece.rest, piece.line);
  stop_ = piece.end;
  isPiece_ = true;
  goesOn_ = piece.begin != TextPiece::Begin::Part;
  const bool isEmpty = lexer_.atEnd();
  found.first = lexer_.position();
  if (!isEmpty || goesOn_) addModule(piece.rest.begin());
  if (piece.begin == TextPiece::Begin::Body &&
      !parseRestOfBody(found, piece.lines))
    return false;
  if (!parseItems()) return false;
  lexer_.skipSpace();
  found.last = lexer_.position();
  found.isOpen = isOpen_;
  found.hasInline = hasInline_;
  return !lexer_.source().failed();
}

bool SyntaxParser::parseRestOfBody(PieceSyntax &found, size_t lines) {
  ComputationSyntax rest;
  rest.instructions.reserve(lines);
  rest.operands.reserve(lines);
  if (!parseBody(rest) || !(isOpen_ || parseTrailingAttributes())) return false;
  found.goesOn = modules_.back().computations.size();
  modules_.back().computations.push_back(std::move(rest));
  return true;
}

// Behind the word `HloModule`, which stands at `begin`.
bool SyntaxParser::parseHeader(const char *begin) {
  ModuleSyntax &last = modules_.back();
  if (last.hasHeader && last.computations.empty())
    return lexer_.fail("the module `" + last.name +
                       "`, which ends here, has no computation");
  const bool isBefore = goesOn_ && modules_.size() == 1;
  if (last.hasHeader || !last.computations.empty() || isBefore)
    addModule(begin);
  ModuleSyntax &module = modules_.back();
  module.hasHeader = true;
  // The name may hold characters that no other name has.
  llvm::StringRef rest = lexer_.rest();
  llvm::StringRef line =
      rest.take_front(std::min(rest.find('\n'), rest.size()));
  llvm::StringRef name = line.ltrim();
  name = name.take_until([](char c) { return c == ',' || llvm::isSpace(c); });
  module.name = name;
  if (!name.empty()) lexer_.setPosition(name.end());
  if (module.name.consume_front("\"")) module.name.consume_back("\"");
  while (lexer_.consume(',')) {
    llvm::StringRef key = lexer_.takeWord(), value;
    if (key.empty()) return lexer_.failExpected("an attribute of the module");
    if (key == kCutMark) continue;
    if (!lexer_.expect('=') || !lexer_.takeValue(value)) return false;
    if (key == "replica_count") module.replicaCount = value;
    if (key == "num_partitions") module.numPartitions = value;
    if (key == "is_scheduled") module.isScheduled = value;
  }
  return parseTables(module.tables);
}

// FileNames, FunctionNames, FileLocations, StackFrames: numbered rows.
bool SyntaxParser::parseTables(StackTablesSyntax &tables) {
  while (true) {
    lexer_.skipSpace();
    const char *begin = lexer_.position();
    llvm::StringRef word = lexer_.takeWord();
    auto *rows = word == "FileNames"       ? &tables.files
                 : word == "FunctionNames" ? &tables.functions
                 : word == "FileLocations" ? &tables.locations
                 : word == "StackFrames"   ? &tables.frames
                                           : nullptr;
    if (!rows) {
      lexer_.setPosition(begin);
      return true;
    }
    while (llvm::isDigit(lexer_.peek())) {
      TableRowSyntax &row = rows->emplace_back();
      row.number = lexer_.takeWord();
      lexer_.skipSpace();
      const char *value = lexer_.position();
      llvm::StringRef text;
      if (!(lexer_.peek() == '"' ? lexer_.takeString(text)
                                 : lexer_.takeBalanced(text)))
        return false;
      row.value = textFrom(value);
    }
  }
}

// `f32[2]{0} fusion(…)`, `(f32[2], s32[]) while(…)`: a type without a name.
bool SyntaxParser::startsWithoutName() {
  if (lexer_.peek() == '(') return true;
  const char *begin = lexer_.position();
  const bool type = startsWithShape(lexer_);
  lexer_.setPosition(begin);
  return type;
}

// A line `...`, and what else stands in it.
bool SyntaxParser::takeCutMark(llvm::StringRef &mark) {
  lexer_.skipSpace();
  const llvm::StringRef rest = lexer_.rest();
  if (!rest.starts_with(kCutMark)) return false;
  mark = rest.take_front(kCutMark.size());
  lexer_.setPosition(rest.take_until([](char c) { return c == '\n'; }).end());
  return true;
}

bool SyntaxParser::parseTopLevel() {
  if (takeCutMark(modules_.back().cut)) return !isPiece_;
  if (startsWithoutName()) return parseBareInstructions();
  const char *begin = lexer_.position();
  llvm::StringRef name = lexer_.takeName();
  if (name.empty()) return lexer_.failExpected("a computation");
  char next = lexer_.peek();
  if (next == '=' || (name == "ROOT" && next != '{' && next != '(')) {
    lexer_.setPosition(begin);
    return parseBareInstructions();
  }
  bool entry = name == "ENTRY" && *begin != '%';
  if (entry) {
    lexer_.skipSpace();
    begin = lexer_.position();
    name = lexer_.takeName();
    if (name.empty()) name = "entry";
  }
  return parseComputation(name, begin, entry);
}

bool SyntaxParser::parseComputation(llvm::StringRef name, const char *where,
                                    bool entry) {
  ComputationSyntax computation;
  computation.name = name;
  computation.place = lexer_.placeHere(where);
  computation.entry = entry;
  llvm::StringRef part;
  if (lexer_.peek() == '(') {
    if (!lexer_.takeBalanced(part)) return false;
    if (lexer_.consumeArrow() && !lexer_.takeShapeText(part)) return false;
  }
  if (!lexer_.consume('{'))
    return lexer_.failExpected("`{`, the body of computation `" + name + "`");
  if (!parseBody(computation) || !(isOpen_ || parseTrailingAttributes()))
    return false;
  modules_.back().computations.push_back(std::move(computation));
  return true;
}

bool SyntaxParser::parseBareInstructions() {
  if (isPiece_) return false;  // it has no end before that of the part
  ComputationSyntax computation;
  computation.name = "entry";
  computation.bare = true;
  computation.entry = true;
  computation.place = lexer_.placeHere(lexer_.position());
  computation.cut = modules_.back().cut;
  while (!lexer_.atEnd())
    if (!parseInstruction(computation)) return false;
  modules_.back().computations.push_back(std::move(computation));
  return true;
}

// After `{`, up to and with `}`; of a piece up to its end.
bool SyntaxParser::parseBody(ComputationSyntax &computation) {
  const char *open = lexer_.position() - 1;
  while (!lexer_.consume('}')) {
    if (lexer_.atEnd())
      return lexer_.source().fail(open, "this computation has no `}`");
    if (depth_ == 0 && lexer_.position() >= stop_) {
      isOpen_ = true;
      return true;
    }
    if (!parseInstruction(computation)) return false;
  }
  return true;
}

// `}, execution_thread="host"`
bool SyntaxParser::parseTrailingAttributes() {
  while (lexer_.consume(',')) {
    llvm::StringRef value;
    if (lexer_.takeWord().empty())
      return lexer_.failExpected("an attribute of the computation");
    if (!lexer_.expect('=') || !lexer_.takeValue(value)) return false;
  }
  return true;
}

bool SyntaxParser::parseInstruction(ComputationSyntax &computation) {
  if (takeCutMark(computation.cut)) {
    computation.endsCut = true;
    return !isPiece_;
  }
  computation.endsCut = false;
  InstructionSyntax instruction;
  lexer_.skipSpace();
  const char *where = lexer_.position();
  bool named = !computation.bare || !startsWithoutName();
  if (named) {
    instruction.name = lexer_.takeName();
    if (instruction.name == "ROOT" && *where != '%' && lexer_.peek() != '=') {
      instruction.root = true;
      where = lexer_.position();
      instruction.name = lexer_.takeName();
    }
    if (instruction.name.empty()) return lexer_.failExpected("an instruction");
  }
  instruction.place = lexer_.placeHere(where);
  if (named && !lexer_.expect('=')) return false;
  if (startsWithShape(lexer_)) {
    where = lexer_.position();
    instruction.shape = shapes_.read(lexer_);
    if (!instruction.shape) return false;
    instruction.shapeText = textFrom(where);
  }
  return parseRightSide(computation, instruction);
}

// `opcode(operands), key=value…`; adds the instruction after the ones that are
// nested in it.
bool SyntaxParser::parseRightSide(ComputationSyntax &computation,
                                  InstructionSyntax &instruction) {
  lexer_.skipSpace();
  instruction.opcode = lexer_.takeWord();
  if (instruction.opcode.empty())
    return lexer_.failExpected(instruction.shape ? "an opcode"
                                                 : "a shape or an opcode");
  llvm::SmallVector<OperandSyntax, 8> operands;
  llvm::SmallVector<AttributeSyntax, 8> attributes;
  bool argument =
      instruction.opcode == "parameter" || instruction.opcode == "constant";
  if (!(argument ? parseArgument(instruction)
                 : parseOperands(computation, operands)))
    return false;
  if (!parseAttributes(instruction, attributes)) return false;
  for (const OperandSyntax &operand : operands)
    if (operand.name == kCutMark) computation.cut = operand.name;
  if (instruction.cut) computation.cut = instruction.opcode;
  if (!computation.cut.empty() && isPiece_) return false;
  instruction.firstOperand = computation.operands.size();
  instruction.operandCount = operands.size();
  computation.operands.insert(computation.operands.end(), operands.begin(),
                              operands.end());
  instruction.firstAttribute = computation.attributes.size();
  instruction.attributeCount = attributes.size();
  computation.attributes.insert(computation.attributes.end(),
                                attributes.begin(), attributes.end());
  computation.instructions.push_back(std::move(instruction));
  return true;
}

bool SyntaxParser::parseArgument(InstructionSyntax &instruction) {
  llvm::StringRef text;
  if (lexer_.peek() != '(')
    return lexer_.failExpected("`(` after `" + instruction.opcode + "`");
  if (!lexer_.takeBalanced(text)) return false;
  instruction.argument = text.drop_front().drop_back();
  return true;
}

bool SyntaxParser::parseOperands(
    ComputationSyntax &computation,
    llvm::SmallVectorImpl<OperandSyntax> &operands) {
  if (!lexer_.expect('(')) return false;
  if (lexer_.consume(')')) return true;
  if (!enterLevel()) return false;
  do {
    if (!parseOperand(computation, operands.emplace_back())) return false;
  } while (lexer_.consume(','));
  leaveLevel();
  if (lexer_.consume(')')) return true;
  return lexer_.failExpected("`,` or `)` in the list of operands");
}

// `%x`, `f32[2]{0} %x`, `x#0`, `f32[2] negate(x)`, `negate(x)`; `f32[2]` alone
// if no computation is around it.
bool SyntaxParser::parseOperand(ComputationSyntax &computation,
                                OperandSyntax &operand) {
  lexer_.skipSpace();
  const char *where = lexer_.position();
  llvm::StringRef name = lexer_.takeName();
  char next = lexer_.peekHere();
  bool typed = *where != '%' &&
               (name.empty() || next == '[' || (name == "b" && next == '('));
  if (!typed && (name == "token" || name == "opaque") && lexer_.peek() != ',' &&
      lexer_.peek() != ')')
    typed = true;
  if (typed) {
    lexer_.setPosition(where);
    if (lexer_.peek() != '(' && name.empty())
      return lexer_.failExpected("an operand");
    if (!lexer_.takeShapeText(operand.shape)) return false;
    lexer_.skipSpace();
    where = lexer_.position();
    name = lexer_.takeName();
    if (name.empty() && computation.bare &&
        (lexer_.peek() == ',' || lexer_.peek() == ')'))
      return true;
  }
  if (name.empty()) return lexer_.failExpected("an operand");
  if (lexer_.peek() == '(' && *where != '%') {
    lexer_.setPosition(where);
    return parseNested(computation, where, operand.shape, operand);
  }
  operand.name = name;
  return lexer_.peekHere() != '#' || parseTupleElement(computation, operand);
}

// `x#1#0`: element 0 of element 1 of x; each `#` is a get-tuple-element. A type
// before it is that of the last one.
bool SyntaxParser::parseTupleElement(ComputationSyntax &computation,
                                     OperandSyntax &operand) {
  llvm::StringRef shape = std::exchange(operand.shape, "");
  while (lexer_.consumeHere('#')) {
    InstructionSyntax instruction;
    instruction.opcode = "get-tuple-element";
    instruction.place = lexer_.placeHere(lexer_.position());
    llvm::StringRef index = lexer_.takeWordHere();
    if (index.empty()) return lexer_.failExpected("the number of an element");
    instruction.firstOperand = computation.operands.size();
    instruction.operandCount = 1;
    instruction.firstAttribute = computation.attributes.size();
    instruction.attributeCount = 1;
    computation.operands.push_back(operand);
    computation.attributes.push_back({"index", index});
    computation.instructions.push_back(std::move(instruction));
    operand = OperandSyntax();
    operand.nested = computation.instructions.size() - 1;
  }
  operand.shape = shape;
  return true;
}

bool SyntaxParser::parseNested(ComputationSyntax &computation,
                               const char *where, llvm::StringRef shape,
                               OperandSyntax &operand) {
  if (!enterLevel()) return false;
  InstructionSyntax instruction;
  instruction.place = lexer_.placeHere(where);
  if (!shape.empty()) {
    instruction.shapeText = shape;
    Lexer shapeLexer(lexer_.source(), shape);
    instruction.shape = shapes_.read(shapeLexer);
    if (!instruction.shape) return false;
  }
  if (!parseRightSide(computation, instruction)) return false;
  operand.nested = computation.instructions.size() - 1;
  leaveLevel();
  return true;
}

// A comma in a list of operands is followed by an operand, after an instruction
// by an attribute; only the latter has `=`.
bool SyntaxParser::parseAttributes(
    InstructionSyntax &instruction,
    llvm::SmallVectorImpl<AttributeSyntax> &attributes) {
  while (lexer_.peek() == ',') {
    const char *comma = lexer_.position();
    lexer_.consume(',');
    llvm::StringRef key = lexer_.takeWord();
    if (key == kCutMark && !instruction.name.empty()) {
      instruction.cut = true;
      continue;
    }
    if (!lexer_.consume('=')) {
      if (instruction.name.empty()) {
        lexer_.setPosition(comma);
        return true;
      }
      if (key.empty()) return lexer_.failExpected("an attribute");
      return lexer_.failExpected("`=` after `" + key + "`");
    }
    for (const AttributeSyntax &other : attributes)
      if (other.key == key)
        return lexer_.source().fail(
            key, "`" + key + "` is written twice; which one counts?");
    if (!parseAttribute(instruction, key, attributes)) return false;
  }
  return true;
}

bool SyntaxParser::parseAttribute(
    const InstructionSyntax &instruction, llvm::StringRef key,
    llvm::SmallVectorImpl<AttributeSyntax> &attributes) {
  bool computations =
      key == "branch_computations" || key == "called_computations";
  if (computations && startsInlineComputations())
    return parseInlineComputations(instruction, key, attributes);
  AttributeSyntax &attribute = attributes.emplace_back();
  attribute.key = key;
  bool computation = key == "to_apply" || key == "calls" ||
                     key == "condition" || key == "body" || key == "select" ||
                     key == "scatter" || key == "true_computation" ||
                     key == "false_computation";
  if (computation && lexer_.peek() == '{')
    return parseInlineComputation(instruction, attribute);
  llvm::StringRef shape;
  if (key == "literal" && !lexer_.takeShapeText(shape)) return false;
  return lexer_.takeValue(attribute.value);
}

// `{ {…}, {…} }` and not `{a, b}`.
bool SyntaxParser::startsInlineComputations() {
  lexer_.skipSpace();
  const char *begin = lexer_.position();
  bool list = lexer_.consume('{') && lexer_.peek() == '{';
  lexer_.setPosition(begin);
  return list;
}

bool SyntaxParser::parseInlineComputations(
    const InstructionSyntax &instruction, llvm::StringRef key,
    llvm::SmallVectorImpl<AttributeSyntax> &attributes) {
  lexer_.consume('{');
  do {
    if (lexer_.peek() != '{') return lexer_.failExpected("a computation, `{`");
    AttributeSyntax &attribute = attributes.emplace_back();
    attribute.key = key;
    if (!parseInlineComputation(instruction, attribute)) return false;
  } while (lexer_.consume(','));
  return lexer_.expect('}');
}

bool SyntaxParser::parseInlineComputation(const InstructionSyntax &instruction,
                                          AttributeSyntax &attribute) {
  if (!enterLevel()) return false;
  ComputationSyntax computation;
  computation.place = lexer_.placeHere(lexer_.position());
  computation.ownerName =
      instruction.name.empty() ? instruction.opcode : instruction.name;
  computation.ownerKey = attribute.key;
  lexer_.consume('{');
  if (!parseBody(computation)) return false;
  leaveLevel();
  hasInline_ = true;
  std::vector<ComputationSyntax> &all = modules_.back().computations;
  attribute.computation = all.size();
  all.push_back(std::move(computation));
  return true;
}

bool SyntaxParser::enterLevel() {
  if (++depth_ <= kNestingLimit) return true;
  return lexer_.fail("expressions are nested deeper than " +
                     llvm::Twine(kNestingLimit) + " levels");
}

}  // namespace

bool parseSyntax(Source &source, WrittenShapes &shapes,
                 std::vector<ModuleSyntax> &modules) {
  return SyntaxParser(source, shapes, modules).parse();
}

bool parsePiece(Source &source, const TextPiece &piece, WrittenShapes &shapes,
                PieceSyntax &found) {
  return SyntaxParser(source, shapes, found.modules).parsePiece(piece, found);
}

}  // namespace indexical
