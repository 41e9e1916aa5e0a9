#include "indexical/import/hlo/hlo_parser.h"

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "indexical/import/hlo/crew.h"
#include "indexical/import/hlo/lexer.h"
#include "indexical/import/hlo/proto/proto_text.h"
#include "indexical/import/hlo/resolver.h"
#include "indexical/import/hlo/shape_parser.h"
#include "indexical/import/hlo/source.h"
#include "indexical/import/hlo/syntax.h"
#include "indexical/import/hlo/syntax_pieces.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

void addWarnings(Source &source, Program &program) {
  Lexer lexer(source, source.text());
  for (const Source::Warning &warning : source.warnings())
    program.notes.push_back({Note::Kind::Warning,
                             lexer.placeHere(warning.word.data()),
                             warning.text});
}

/// False where the text has to be read on one thread, and where it is wrong.
bool parseTogether(Program &program, const HloOptions &options, Crew &crew) {
  Source source(*program.text);
  std::deque<WrittenShapes> shapes;
  std::vector<ModuleSyntax> modules;
  if (!parseSyntaxTogether(source, crew, options.leastPiece, shapes, modules))
    return false;
  program.modules.reserve(modules.size());
  for (ModuleSyntax &module : modules)
    if (!resolveModuleTogether(source, module, options, program, crew))
      return false;
  addWarnings(source, program);
  return true;
}

/// Nothing where the text has to be read on one thread, and where it is wrong.
std::optional<Program> parseTogether(std::shared_ptr<const std::string> text,
                                     const std::string &path,
                                     const HloOptions &options) {
  Program program;
  program.path = path;
  program.text = std::move(text);
  bool isRead = false;
  withCrew(options.jobs,
           [&](Crew &crew) { isRead = parseTogether(program, options, crew); });
  if (!isRead) return std::nullopt;
  return program;
}

}  // namespace

absl::StatusOr<Program> parseHlo(std::string text, std::string path,
                                 const HloOptions &options) {
  return parseHlo(std::make_shared<const std::string>(std::move(text)),
                  std::move(path), options);
}

absl::StatusOr<Program> parseHlo(std::shared_ptr<const std::string> text,
                                 std::string path, const HloOptions &options) {
  if (!hasStack(kStackOfReader))
    return onDeepStack(
        [&] { return parseHlo(std::move(text), std::move(path), options); });
  if (options.jobs > 1 && text->size() >= 2 * options.leastPiece)
    if (auto program = parseTogether(text, path, options))
      return *std::move(program);
  Program program;
  program.path = std::move(path);
  program.text = std::move(text);
  Source source(*program.text);
  WrittenShapes shapes;
  std::vector<ModuleSyntax> modules;
  if (!parseSyntax(source, shapes, modules)) return source.error();
  program.modules.reserve(modules.size());
  for (ModuleSyntax &module : modules) {
    if (!resolveModule(source, module, options, program)) return source.error();
    // Its place in memory is wanted for the next module's.
    module = ModuleSyntax();
  }
  addWarnings(source, program);
  return program;
}

absl::StatusOr<Program> parseHlo(std::string_view text, std::string path,
                                 const HloOptions &options) {
  return parseHlo(std::string(text), std::move(path), options);
}

absl::StatusOr<Program> parseHlo(const char *text, std::string path,
                                 const HloOptions &options) {
  return parseHlo(std::string(text), std::move(path), options);
}

absl::StatusOr<Program> parseHloProto(llvm::StringRef bytes, std::string path,
                                      const HloOptions &options) {
  if (!looksLikeHloProto(bytes))
    return absl::InvalidArgumentError(
        "these bytes are no HloModuleProto, HloProto or HloSnapshot with a "
        "computation");
  INDEXICAL_ASSIGN_OR_RETURN(std::string text, hloTextOfProto(bytes));
  return parseHlo(std::move(text), std::move(path), options);
}

absl::StatusOr<Shape> parseHloShape(llvm::StringRef text) {
  if (!hasStack(kStackOfReader))
    return onDeepStack([&] { return parseHloShape(text); });
  Source source(text);
  Lexer lexer(source, text);
  Shape shape;
  if (!parseShape(lexer, shape)) return source.error();
  if (!lexer.atEnd()) {
    lexer.failExpected("the end of the shape");
    return source.error();
  }
  return shape;
}

}  // namespace indexical
