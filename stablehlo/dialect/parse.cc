#include "indexical/stablehlo/dialect/parse.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/stablehlo/dialect/text_checks.h"
#include "indexical/stablehlo/vhlo/rename.h"

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

// Rewrites MLIR's message about an op in its own syntax that is unknown, to say
// whether its dialect or its name is unknown. Returns nothing for other
// messages.
std::optional<absl::Status> explainUnknownOp(mlir::MLIRContext &context,
                                             StringRef message, Place place) {
  size_t at = message.find("custom op '");
  if (at == StringRef::npos ||
      !(message.contains("' is unknown") || message.starts_with("Dialect `")))
    return std::nullopt;
  StringRef name =
      message.substr(at + 11).take_until([](char c) { return c == '\''; });
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
    Place place = placeIn(diagnostic.getLocation(), path);
    if (auto explained = explainUnknownOp(context, message, place))
      status = *explained;
    else
      status = errorAt(place, message);
  }

  mlir::MLIRContext &context;
  std::string path;
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
  for (AsmParserState::OperationDefinition &op : parsed.state->getOpDefs()) {
    Place place = parsed.placeOf(op.loc);
    op.op->setLoc(
        mlir::FileLineColLoc::get(&context, path, place.line, place.column));
  }
  FirstError error(context, path);
  (void)mlir::verify(*parsed.module);
  return error.take();
}

absl::StatusOr<MlirModule> parseText(mlir::MLIRContext &context,
                                     MlirChunk chunk, StringRef path) {
  MlirModule parsed;
  parsed.text =
      std::make_unique<std::string>(std::string(chunk.line - 1, '\n'));
  parsed.text->append(chunk.text.begin(), chunk.text.end());
  for (size_t i = 0; i < parsed.text->size(); ++i)
    if ((*parsed.text)[i] == '\n') parsed.lineEnds.push_back(i);
  INDEXICAL_RETURN_IF_ERROR(checkText(*parsed.text));
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(*parsed.text, path), llvm::SMLoc());
  parsed.state = std::make_unique<AsmParserState>();
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  mlir::Block block;
  FirstError error(context, path);
  if (mlir::failed(mlir::parseAsmSourceFile(sources, &block, config,
                                            parsed.state.get())))
    return error.take();
  parsed.module =
      mlir::detail::constructContainerOpForParserIfNecessary<mlir::ModuleOp>(
          &block, &context,
          mlir::FileLineColLoc::get(&context, path, chunk.line, 1));
  if (!parsed.module) return error.take();
  return parsed;
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
  if (!text || !pointer || pointer < text->data() ||
      pointer > text->data() + text->size())
    return {};
  size_t offset = pointer - text->data();
  // The newline before the place; there is none before the first line.
  auto line = std::lower_bound(lineEnds.begin(), lineEnds.end(), offset);
  size_t number = line - lineEnds.begin();
  size_t column = number == 0 ? offset + 1 : offset - lineEnds[number - 1];
  return {static_cast<uint32_t>(number + 1), static_cast<uint32_t>(column)};
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
  absl::StatusOr<MlirModule> parsed = parseText(context, {text, 1}, path);
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
  INDEXICAL_ASSIGN_OR_RETURN(MlirModule parsed,
                             parseText(context, chunk, path));
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
