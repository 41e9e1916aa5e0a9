#include "indexical/import/stablehlo/dialect/parse.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "indexical/import/stablehlo/dialect/text_checks.h"
#include "indexical/import/stablehlo/dialect/tosa.h"
#include "indexical/import/stablehlo/text/foreign_ops.h"
#include "indexical/import/stablehlo/text/mhlo.h"
#include "indexical/import/stablehlo/text/moved_ops.h"
#include "indexical/import/stablehlo/text/old_syntax.h"
#include "indexical/import/stablehlo/vhlo/rename.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {

namespace {

using llvm::StringRef;
using mlir::AsmParserState;

//===-- Diagnostics to statuses -------------------------------------------===//

// Returns the place of a location that the parser made of this file.
Place placeIn(mlir::Location location, StringRef path) {
  Place place;
  location->walk([&](mlir::Location each) {
    auto file = llvm::dyn_cast<mlir::FileLineColLoc>(each);
    if (!file || file.getFilename().getValue() != path)
      return mlir::WalkResult::advance();
    place = {file.getLine(), file.getColumn()};
    return mlir::WalkResult::interrupt();
  });
  return place;
}

// Returns the name of an op in its own syntax that MLIR's message says is
// unknown, or "" if it says something else.
StringRef unknownOpIn(StringRef message) {
  const size_t at = message.find("custom op '");
  if (at == StringRef::npos ||
      !(message.contains("' is unknown") || message.starts_with("Dialect `")))
    return "";
  return message.substr(at + 11).take_until([](char c) { return c == '\''; });
}

// Says of an op that is unknown in its own syntax whether its dialect or its
// name is unknown.
absl::Status explainUnknownOp(mlir::MLIRContext &context, StringRef name,
                              Place place) {
  StringRef dialect = name.split('.').first;
  if (dialect == "vhlo")
    return errorAt(place, ("`" + name +
                           "` is an op of VHLO, the portable form of "
                           "StableHLO, which is read as bytecode (an artifact) "
                           "and not as text")
                              .str());
  if (!context.getOrLoadDialect(dialect))
    return errorAt(place,
                   ("the op `" + name + "` is of the dialect `" + dialect +
                    "`, whose syntax is not known here; in generic form, \"" +
                    name + "\"(…) : (…) -> (…), it can be read")
                       .str());
  llvm::SmallVector<StringRef> names;
  for (mlir::RegisteredOperationName each :
       context.getRegisteredOperationsByDialect(dialect))
    names.push_back(each.getStringRef());
  llvm::sort(names);
  return errorAt(
      place,
      ("`" + name + "` is not an op of the dialect `" + dialect + "`").str(),
      nearest(name, names));
}

// Keeps the first error that the context reports, and prints nothing.
class FirstError {
 public:
  FirstError(mlir::MLIRContext &context, StringRef path)
      : context(context),
        // MLIR's name for a file without a name.
        path(path.empty() ? "-" : path.str()),
        handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
              status.ok())
            note(diagnostic);
          return mlir::success();
        }) {}

  /// Returns the reported error, or an error of its own if none was reported.
  absl::Status take() {
    if (status.ok()) return errorAt({}, "the module could not be read");
    return std::exchange(status, absl::OkStatus());
  }

  /// What MLIR said, and where.
  StringRef message() const { return said; }
  Place place() const { return at; }

  /// Says where the error stands in the file, if that is elsewhere than in the
  /// text that MLIR read.
  absl::Status takeAt(Place inFile) {
    if (status.ok() || !inFile.known()) return take();
    at = inFile;
    status = explained();
    return take();
  }

 private:
  void note(mlir::Diagnostic &diagnostic) {
    std::string message = diagnostic.str();
    for (mlir::Diagnostic &more : diagnostic.getNotes())
      if (std::string text = more.str();
          !StringRef(text).starts_with("see current"))
        message += "; " + text;
    // Makes the message begin as the verifier's messages do.
    StringRef text = message;
    if (text.consume_front("custom op '")) {
      auto [name, rest] = text.split("' ");
      if (!rest.starts_with("is unknown"))
        message = ("'" + name + "' op " + rest).str();
    }
    said = std::move(message);
    at = placeIn(diagnostic.getLocation(), path);
    status = explained();
  }

  absl::Status explained() {
    const StringRef unknown = unknownOpIn(said);
    return unknown.empty() ? errorAt(at, said)
                           : explainUnknownOp(context, unknown, at);
  }

  mlir::MLIRContext &context;
  std::string path;
  std::string said;
  Place at;
  absl::Status status;
  mlir::ScopedDiagnosticHandler handler;
};

// Whether the text has nothing but comments.
bool isBlank(StringRef text) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    line = line.trim();
    if (!line.empty() && !line.starts_with("//")) return false;
    text = rest;
  }
  return true;
}

//===-- Parsing and verifying ---------------------------------------------===//

// MLIR's verifier computes the maps of every `linalg.transpose`, and crashes if
// the rank is 0.
absl::Status checkTransposes(const MlirModule &parsed) {
  mlir::Operation *wrong = nullptr;
  mlir::ModuleOp module = *parsed.module;
  module->walk([&](mlir::linalg::TransposeOp op) {
    if (!op.getPermutation().empty()) return mlir::WalkResult::advance();
    wrong = op;
    return mlir::WalkResult::interrupt();
  });
  if (!wrong) return absl::OkStatus();
  Place place;
  if (parsed.state)
    for (const AsmParserState::OperationDefinition &op :
         parsed.state->getOpDefs())
      if (op.op == wrong) place = parsed.placeOf(op.loc);
  return errorAt(place,
                 "'linalg.transpose' op of rank 0: MLIR does not take it");
}

// Whether nobody looks into the ops of a dialect, but for some that work
// element by element. What one of its ops must have is no reason to refuse a
// file: a later MLIR renames it (`tosa.const` had `value`, and has `values`).
bool isLeftAlone(StringRef dialect) {
  return dialect == "tosa" || dialect == "sparse_tensor" ||
         dialect == "bufferization" || dialect == "ml_program" ||
         dialect == "memref" || dialect == "complex" || dialect == "quant" ||
         dialect == "ub";
}

// Puts an op that is not known in the place of the op. MLIR may have dropped an
// attribute that it cannot use, so the new op keeps what the text says.
mlir::Operation *madeUnknown(mlir::Operation *op, StringRef text) {
  const std::string name = ("unknown." + op->getName().getStringRef()).str();
  mlir::OperationState state(op->getLoc(), name, op->getOperands(),
                             op->getResultTypes(), op->getAttrs(),
                             op->getSuccessors());
  for (mlir::Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  mlir::OpBuilder builder(op);
  if (const size_t begin = text.find('{'); begin != StringRef::npos)
    state.addAttribute(
        "indexical.attributes",
        builder.getStringAttr(text.slice(begin, text.rfind('}') + 1)));
  mlir::Operation *made = builder.create(state);
  op->replaceAllUsesWith(made);
  op->erase();
  return made;
}

// Makes unknown what breaks a rule of a dialect that is left alone.
void passOverBroken(MlirModule &parsed, StringRef path) {
  for (AsmParserState::OperationDefinition &each : parsed.state->getOpDefs()) {
    const StringRef name = each.op->getName().getStringRef();
    if (!isLeftAlone(each.op->getName().getDialectNamespace())) continue;
    FirstError error(*parsed.module->getContext(), path);
    if (mlir::succeeded(mlir::verify(each.op, /*verifyRecursively=*/false)))
      continue;
    auto known = llvm::find_if(parsed.passedOver, [&](const auto &other) {
      return other.name == name;
    });
    if (known == parsed.passedOver.end())
      known = parsed.passedOver.insert(
          parsed.passedOver.end(),
          {name.str(), parsed.placeOf(each.loc), 0, error.message().str()});
    ++known->count;
    each.op = madeUnknown(each.op, parsed.textOf(each.scopeLoc));
  }
}

// Verifies the module. An error has the op's place in the file, whatever `loc`
// says.
absl::Status verify(MlirModule &parsed, StringRef path) {
  mlir::MLIRContext &context = *parsed.module->getContext();
  INDEXICAL_RETURN_IF_ERROR(checkTransposes(parsed));
  {
    FirstError error(context, path);
    if (mlir::succeeded(mlir::verify(*parsed.module))) return absl::OkStatus();
    if (!parsed.state) return error.take();
  }
  passOverBroken(parsed, path);
  for (AsmParserState::OperationDefinition &op : parsed.state->getOpDefs()) {
    Place place = parsed.placeOf(op.loc);
    op.op->setLoc(
        mlir::FileLineColLoc::get(&context, path, place.line, place.column));
  }
  FirstError error(context, path);
  if (mlir::succeeded(mlir::verify(*parsed.module))) return absl::OkStatus();
  return error.take();
}

//===-- What is not understood --------------------------------------------===//

// So many times a text is parsed again, with one more dialect or op passed over
// or one more type known.
constexpr int kMostAttempts = 256;

size_t offsetOf(StringRef text, Place place) {
  size_t at = 0;
  for (uint32_t line = 1; line < place.line && at < text.size(); ++line)
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  return std::min(at + place.column - 1, text.size());
}

// A wrong name in one of these is the author's mistake.
bool isOurs(StringRef dialect) {
  return dialect == "stablehlo" || dialect == "chlo" || dialect == "sdy" ||
         dialect == "vhlo" || dialect == "func" || dialect == "builtin";
}

// Edits the text so that what the error is about is no error any more.
bool passOverError(mlir::MLIRContext &context, StringRef message, size_t offset,
                   TextEdits &edits, ForeignOps &foreign) {
  if (message.contains("unsupported memory space"))
    return quoteMemorySpace(edits, offset);
  if (message.ends_with("expand_shape' op expected 'output_shape'"))
    return writeOutputShape(edits, offset) ||
           foreign.passOverLast("tensor.expand_shape", offset);
  if ((message.ends_with("expected ':'") ||
       message.contains("does not support properties")) &&
      leavePromisesOut(edits, offset))
    return true;
  if (message.contains("unexpected key: dimLevelType"))
    return writeLevels(edits, offset);
  if (message.ends_with("'bufferization.to_tensor' op expected 'to'"))
    return writeBothTypes(edits);
  if (message.contains("unexpected iterator_type (window)"))
    return writeWindows(edits);
  if (message.contains("attribute 'axis' failed to satisfy constraint: 32-bit"))
    return writeAxes(edits, offset);
  const StringRef unknown = unknownOpIn(message);
  if (unknown.empty())
    return foreign.learnType(message, offset) || foreign.forgetTypes(offset);
  const StringRef dialect = unknown.split('.').first;
  if (!unknown.contains('.') || isOurs(dialect)) return false;
  if ((unknown == "bufferization.to_memref" ||
       unknown == "memref.buffer_cast" || unknown == "memref.tensor_load") &&
      writeBothTypes(edits))
    return true;
  if (context.getOrLoadDialect(dialect))
    return writeSuccessor(edits, unknown, offset) ||
           foreign.passOver(unknown, offset);
  if (writeModule(edits, unknown, offset)) return true;
  return foreign.passOver(dialect, offset);
}

// Whether something is left beside the ops that were passed over.
bool holdsMore(mlir::ModuleOp module) {
  return module
      ->walk([&](mlir::Operation *op) {
        const bool isOther = !llvm::isa<mlir::ModuleOp>(op) &&
                             !op->hasAttr(kForeignText) &&
                             (op->getNumResults() > 0 || op->getNumRegions());
        return isOther ? mlir::WalkResult::interrupt()
                       : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

std::vector<MlirModule::PassedOver> listOf(const ForeignOps &foreign,
                                           StringRef text) {
  std::vector<MlirModule::PassedOver> list;
  for (const ForeignOps::PassedOver &op : foreign.ops()) {
    StringRef name = op.name;
    name.consume_front("unknown.");
    auto known = llvm::find_if(
        list, [&](const auto &each) { return each.name == name; });
    if (known == list.end())
      known = list.insert(list.end(),
                          {name.str(), placeOfOffset(text, op.begin), 0, ""});
    ++known->count;
  }
  return list;
}

// Says why the text cannot be read either once the op of the first error is
// passed over.
absl::Status withSecond(const absl::Status &first, const absl::Status &second) {
  const Place place = placeOf(second).value_or(Place());
  return errorAt(placeOf(first).value_or(Place()),
                 std::string(first.message()) + "; without it, line " +
                     std::to_string(place.line) + ": " +
                     std::string(second.message()),
                 suggestionOf(first));
}

bool parseMade(mlir::MLIRContext &context, StringRef path, Place begin,
               MlirModule &parsed) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(parsed.text->text, path), llvm::SMLoc());
  parsed.state = std::make_unique<AsmParserState>();
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  mlir::Block block;
  if (mlir::failed(mlir::parseAsmSourceFile(sources, &block, config,
                                            parsed.state.get())))
    return false;
  parsed.module =
      mlir::detail::constructContainerOpForParserIfNecessary<mlir::ModuleOp>(
          &block, &context,
          mlir::FileLineColLoc::get(&context, path, begin.line, begin.column));
  return bool(parsed.module);
}

absl::StatusOr<MlirModule> parseText(mlir::MLIRContext &context,
                                     MlirChunk chunk, StringRef path,
                                     bool passesOver) {
  std::string original(chunk.line - 1, '\n');
  original.append(chunk.text.begin(), chunk.text.end());
  INDEXICAL_RETURN_IF_ERROR(checkText(original));
  TextEdits edits(original);
  context.getOrLoadDialect("stablehlo");
  renameMhlo(edits, [&context](StringRef name) {
    return mlir::RegisteredOperationName::lookup(name, &context).has_value();
  });
  if (StringRef(original).contains("tosa.")) writeTosaWords(edits);
  ForeignOps foreign(edits);
  absl::Status first;
  for (int attempts = 0;; ++attempts) {
    MlirModule parsed;
    parsed.text = std::make_unique<EditedText>(edits.made());
    FirstError error(context, path);
    if (parseMade(context, path, {chunk.line, 1}, parsed)) {
      if (!first.ok() && !holdsMore(*parsed.module)) return first;
      for (size_t i = 0; i < original.size(); ++i)
        if (original[i] == '\n') parsed.lineEnds.push_back(i);
      if (const auto *missing =
              foreign.attachOperands(*parsed.state, *parsed.text))
        return errorAt(placeOfOffset(original, missing->offset),
                       "no value `" + missing->name + "` is defined here");
      parsed.passedOver = listOf(foreign, original);
      if (StringRef(original).contains("tosa.")) writeTosa(parsed);
      return parsed;
    }
    const Place at = error.place();
    if (!at.known()) return first.ok() ? error.take() : first;
    const size_t offset =
        parsed.text->original(offsetOf(parsed.text->text, at));
    const bool goesOn =
        passesOver && attempts < kMostAttempts &&
        passOverError(context, error.message(), offset, edits, foreign);
    const absl::Status now =
        error.takeAt(edits.empty() ? at : placeOfOffset(original, offset));
    if (!goesOn) return first.ok() ? now : withSecond(first, now);
    if (first.ok()) first = now;
  }
}

// Returns the module that bytecode holds, not verified yet. Renames a portable
// artifact to StableHLO.
absl::StatusOr<MlirModule> readBytecode(mlir::MLIRContext &context,
                                        StringRef bytes, StringRef path) {
  vhlo::registerVhlo(context);
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  mlir::Block block;
  FirstError error(context, path);
  // Bytecode is read in words, and must be aligned as they are.
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      llvm::MemoryBuffer::getMemBufferCopy(bytes, path);
  MlirModule read;
  if (mlir::succeeded(mlir::readBytecodeFile(*buffer, &block, config)))
    read.module =
        mlir::detail::constructContainerOpForParserIfNecessary<mlir::ModuleOp>(
            &block, &context, mlir::UnknownLoc::get(&context));
  if (!read.module)
    return absl::InvalidArgumentError(std::string(error.take().message()) +
                                      vhlo::whatIsStrange(bytes));
  INDEXICAL_RETURN_IF_ERROR(vhlo::renameVhlo(*read.module));
  return read;
}

}  // namespace

std::unique_ptr<mlir::MLIRContext> makeMlirContext() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  context->allowUnregisteredDialects();
  context->printOpOnDiagnostic(false);
  return context;
}

Place MlirModule::placeOf(llvm::SMLoc location) const {
  const char *pointer = location.getPointer();
  if (!text || !pointer || pointer < text->text.data() ||
      pointer > text->text.data() + text->text.size())
    return {};
  size_t offset = text->original(pointer - text->text.data());
  // The newline before the place; there is none before the first line.
  auto line = std::lower_bound(lineEnds.begin(), lineEnds.end(), offset);
  size_t number = line - lineEnds.begin();
  size_t column = number == 0 ? offset + 1 : offset - lineEnds[number - 1];
  return {static_cast<uint32_t>(number + 1), static_cast<uint32_t>(column)};
}

void MlirModule::replace(mlir::Operation *op, mlir::Value value) {
  if (value) op->getResult(0).replaceAllUsesWith(value);
  op->remove();
  op->dropAllReferences();
  replaced.emplace_back(op);
}

StringRef MlirModule::textOf(llvm::SMRange range) const {
  if (!range.isValid() || !placeOf(range.Start).known() ||
      !placeOf(range.End).known())
    return "";
  return StringRef(range.Start.getPointer(),
                   range.End.getPointer() - range.Start.getPointer());
}

bool isMlirBytecode(StringRef bytes) { return bytes.starts_with("ML\xefR"); }

std::vector<MlirChunk> splitMlir(StringRef text) {
  if (isMlirBytecode(text)) return {{text, 1}};
  std::vector<MlirChunk> chunks;
  uint32_t line = 1, begin = 1;
  size_t start = 0;
  auto add = [&](StringRef part) {
    if (!isBlank(part)) chunks.push_back({part, begin});
  };
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    StringRef words = text.slice(at, end);
    // A line of dashes frames the modules that a log holds.
    if (words.ltrim(" \t").starts_with("// -----") ||
        words.starts_with("-----")) {
      add(text.slice(start, at));
      start = std::min(end + 1, text.size());
      begin = line + 1;
    }
    at = end + 1;
    ++line;
  }
  add(text.substr(start));
  if (chunks.empty()) chunks.push_back({text, 1});
  return chunks;
}

absl::StatusOr<std::string> textOfTrustedBytecode(mlir::MLIRContext &context,
                                                  StringRef bytes) {
  // The context is new: one that already has a resource's name renames it.
  mlir::MLIRContext reading(context.getDialectRegistry(),
                            mlir::MLIRContext::Threading::DISABLED);
  reading.allowUnregisteredDialects();
  reading.printOpOnDiagnostic(false);
  absl::StatusOr<MlirModule> read = readBytecode(reading, bytes, "");
  absl::Status status = read.ok() ? verify(*read, "") : read.status();
  // Places in bytecode do not refer to a file that is read.
  if (!status.ok())
    return absl::InvalidArgumentError(std::string(status.message()));
  std::string text;
  llvm::raw_string_ostream out(text);
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo();
  read->module->print(out, flags);
  return text;
}

absl::StatusOr<MlirModule> parseTextOfBytecode(mlir::MLIRContext &context,
                                               StringRef text, StringRef path) {
  absl::StatusOr<MlirModule> parsed =
      parseText(context, {text, 1}, path, /*passesOver=*/false);
  if (!parsed.ok())
    return absl::InvalidArgumentError("this bytecode is damaged: " +
                                      std::string(parsed.status().message()));
  // Places in that text have no meaning for the caller.
  parsed->state = nullptr;
  parsed->text = nullptr;
  INDEXICAL_RETURN_IF_ERROR(verify(*parsed, path));
  return parsed;
}

absl::StatusOr<MlirModule> parseMlirModule(mlir::MLIRContext &context,
                                           MlirChunk chunk, StringRef path,
                                           const MlirParseOptions &options) {
  if (isMlirBytecode(chunk.text)) {
    if (!options.trustBytecode)
      return absl::InvalidArgumentError(
          "this is MLIR bytecode, whose reader may crash where it is damaged: "
          "the library reads it if its caller says with `trustBytecode` that "
          "it is trusted");
    INDEXICAL_ASSIGN_OR_RETURN(auto text,
                               textOfTrustedBytecode(context, chunk.text));
    return parseTextOfBytecode(context, text, path);
  }
  INDEXICAL_ASSIGN_OR_RETURN(
      MlirModule parsed, parseText(context, chunk, path, options.passesOver));
  INDEXICAL_RETURN_IF_ERROR(verify(parsed, path));
  return parsed;
}

absl::StatusOr<MlirFile> parseMlir(StringRef text, StringRef path,
                                   const MlirParseOptions &options) {
  MlirFile file;
  file.context = makeMlirContext();
  for (MlirChunk chunk : splitMlir(text)) {
    INDEXICAL_ASSIGN_OR_RETURN(
        MlirModule parsed,
        parseMlirModule(*file.context, chunk, path, options));
    file.modules.push_back(std::move(parsed));
  }
  return file;
}

}  // namespace indexical
