#include "indexical/import/triton/tolerant_parse.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Diagnostics.h"

#include "indexical/import/stablehlo/dialect/text_checks.h"
#include "indexical/import/stablehlo/text/foreign_ops.h"
#include "indexical/import/stablehlo/text/old_syntax.h"
#include "indexical/import/triton/op_hints.h"
#include "indexical/import/triton/op_lines.h"
#include "indexical/import/triton/op_syntax.h"
#include "indexical/indexing/status_macros.h"

namespace indexical::triton {

using llvm::StringRef;

namespace {

/// The name that the places of each reading have.
constexpr StringRef kBuffer = "indexical";

/// An error of MLIR's parser.
struct ParseProblem {
  std::optional<size_t> at;  ///< its offset in the text
  /// Of a value that is used with another type than it was defined with.
  mlir::Type used;
  std::optional<size_t> definedAt;  ///< the offset of its name there
  bool isUnknownOp = false;         ///< an MLIR of another year may have the op
};

/// Reads a text with MLIR's parser, again and again.
class Readings {
 public:
  Readings(mlir::MLIRContext &context, std::string text)
      : context_(context),
        text_(std::move(text)),
        names_(namesDefinedIn(text_)) {}

  const std::string &text() const { return text_; }

  /// Reads the text. Returns false if it has no error.
  bool findProblem() {
    lines_ = {0};
    for (size_t k = 0; k < text_.size(); ++k)
      if (text_[k] == '\n') lines_.push_back(k + 1);
    problem_ = {};
    hintsOf(context_).guessed.clear();
    mlir::ScopedDiagnosticHandler handler(
        &context_, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            note(diagnostic);
          return mlir::success();
        });
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text_, kBuffer),
                               llvm::SMLoc());
    mlir::Block block;
    return mlir::failed(mlir::parseAsmSourceFile(
        sources, &block,
        mlir::ParserConfig(&context_, /*verifyAfterParse=*/false)));
  }

  /// Returns the error of an op that was passed over and uses a value that the
  /// text does not define; OK if there is none.
  const absl::Status &undefined() const { return undefined_; }

  /// Takes the reason of the last problem away. Returns false if it cannot.
  bool repair() {
    if (!problem_.at) return false;
    if (leavePromisesOut()) return true;
    if (problem_.used && problem_.definedAt && learn()) return true;
    const auto op = opAround(text_, *problem_.at);
    if (!op || (isOfMlir(op->space()) && !problem_.isUnknownOp) ||
        op->name == kPassedOver || op->name.ends_with(".func"))
      return false;
    for (const auto &operand : operandsIn(text_, op->nameAt, op->end)) {
      if (operand.mayBeBound ||
          names_.contains(StringRef(operand.name).split('#').first))
        continue;
      const auto [line, column] = placeOf(operand.offset);
      undefined_ =
          errorAt({static_cast<uint32_t>(line), static_cast<uint32_t>(column)},
                  "no value `" + operand.name + "` is defined here");
      return false;
    }
    passOver(*op);
    return true;
  }

 private:
  /// Whether MLIR has the namespace, so that its parser says what is wrong.
  static bool isOfMlir(StringRef space) {
    return llvm::StringSwitch<bool>(space)
        .Cases({"arith", "builtin", "cf", "func", "math", "scf", "ub"}, true)
        .Default(false);
  }

  std::optional<size_t> offsetOf(mlir::Location location) const {
    std::optional<size_t> found;
    location->walk([&](mlir::Location each) {
      const auto file = llvm::dyn_cast<mlir::FileLineColLoc>(each);
      if (!file || file.getFilename().getValue() != kBuffer ||
          file.getLine() < 1 || file.getLine() > lines_.size() ||
          file.getColumn() < 1)
        return mlir::WalkResult::advance();
      found = lines_[file.getLine() - 1] + file.getColumn() - 1;
      return mlir::WalkResult::interrupt();
    });
    return found;
  }

  OpHints::LineAndColumn placeOf(size_t offset) const {
    const size_t line =
        std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin();
    return {line, offset - lines_[line - 1] + 1};
  }

  /// Keeps the last error: what a type or an attribute reports may be passed
  /// over where it is.
  void note(mlir::Diagnostic &diagnostic) {
    problem_ = {};
    problem_.at = offsetOf(diagnostic.getLocation());
    const std::string message = diagnostic.str();
    problem_.isUnknownOp = StringRef(message).contains("' is unknown") &&
                           !StringRef(message).contains("'builtin.") &&
                           !StringRef(message).contains("'func.");
    if (!StringRef(message).contains("expects different type than")) return;
    for (mlir::DiagnosticArgument &part : diagnostic.getArguments())
      if (!problem_.used &&
          part.getKind() ==
              mlir::DiagnosticArgument::DiagnosticArgumentKind::Type)
        problem_.used = part.getAsType();
    for (mlir::Diagnostic &before : diagnostic.getNotes())
      if (!problem_.definedAt)
        problem_.definedAt = offsetOf(before.getLocation());
  }

  /// Gives the value that is used with another type this type. Returns false if
  /// its op says what it is, or it has been given another one before.
  bool learn() {
    const auto op = opAround(text_, *problem_.definedAt);
    const auto group =
        op ? resultAt(text_, *op, *problem_.definedAt) : std::nullopt;
    if (!group) return false;
    OpHints &hints = hintsOf(context_);
    const auto place = placeOf(op->nameAt);
    if (!hints.guessed.count(place)) return false;
    // `%a#1` is one of several results with one name.
    size_t number = 0;
    const StringRef use = StringRef(text_).substr(*problem_.at);
    const size_t end = use.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.-",
        1);
    if (end != StringRef::npos && use[end] == '#')
      use.substr(end + 1)
          .take_while([](char c) { return llvm::isDigit(c); })
          .getAsInteger(10, number);
    number += *group;
    hints.ofName.try_emplace({op->name.str(), number}, problem_.used);
    return hints.results.try_emplace({place, number}, problem_.used).second;
  }

  /// Puts blanks in place of what an op promises, `nneg`, that this MLIR does
  /// not know.
  bool leavePromisesOut() {
    const auto parts = promisesFrom(text_, *problem_.at);
    for (const TextPart &part : parts)
      std::fill(text_.begin() + part.begin, text_.begin() + part.end, ' ');
    return !parts.empty();
  }

  /// Puts `tt.passed_over "NAME"` in place of the op, in as many lines.
  void passOver(const OpSpan &op) {
    const StringRef text(text_);
    std::string made = (text.slice(op.begin, op.nameAt) + kPassedOver + " \"" +
                        op.name + "\" ")
                           .str();
    made.append(text.slice(op.nameAt, op.end).count('\n'), '\n');
    text_.replace(op.begin, op.end - op.begin, made);
  }

  mlir::MLIRContext &context_;
  std::string text_;
  const llvm::StringSet<> names_;  ///< that the text defines
  absl::Status undefined_;
  std::vector<size_t> lines_;  ///< the offsets at which they begin
  ParseProblem problem_;
};

}  // namespace

absl::StatusOr<MlirModule> parseTolerantly(mlir::MLIRContext &context,
                                           MlirChunk chunk, StringRef path,
                                           const Stop *stop) {
  /// How much is read again: a text of 1 MB 256 times.
  constexpr size_t kMostRead = size_t{256} << 20;
  constexpr size_t kMostReadings = 1024;
  // What is not known is passed over here, as Triton writes it.
  MlirParseOptions options;
  options.passesOver = false;
  auto parsed = parseMlirModule(context, chunk, path, options);
  if (parsed.ok() || !checkText(chunk.text).ok()) return parsed;
  const std::string before(chunk.line - 1, '\n');
  Readings readings(context, before + chunk.text.str());
  const Budget budget{std::nullopt, stop};
  size_t read = 0;
  for (size_t count = 0; readings.findProblem(); ++count) {
    INDEXICAL_RETURN_IF_ERROR(budget.check());
    read += readings.text().size();
    if (read > kMostRead || count == kMostReadings) return parsed;
    if (readings.repair()) continue;
    INDEXICAL_RETURN_IF_ERROR(readings.undefined());
    return parsed;
  }
  return parseMlirModule(context, {readings.text(), 1}, path, options);
}

}  // namespace indexical::triton
