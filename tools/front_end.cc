#include "indexical/tools/front_end.h"

#include <optional>
#include <utility>

#include "llvm/ADT/StringExtras.h"

#include "indexical/hlo/hlo_parser.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/module/op_definitions.h"
#include "indexical/stablehlo/import/describe.h"
#include "indexical/stablehlo/import/import.h"
#include "indexical/tools/bytecode.h"
#include "indexical/tools/command.h"

namespace indexical {

namespace {

Option elementwiseOption(std::vector<std::string> &names) {
  Option option;
  option.name = "elementwise";
  option.value = "NAMES";
  option.sentence =
      "Ops of MLIR, or targets of custom calls, that are not known and work "
      "element by element: bitops.popcount,bitops.parity";
  option.repeatable = true;
  option.take = [&names](llvm::StringRef word) -> std::optional<std::string> {
    for (llvm::StringRef name : llvm::split(word, ',')) {
      if (name.trim().empty()) return "names of ops with `,` between";
      names.push_back(name.trim().str());
    }
    return std::nullopt;
  };
  return option;
}

/// Reads the file of --ops, if there is one. Returns kDone, or the status to
/// end with after a message.
int prepareOps(ReadAs &asked, llvm::raw_ostream &err) {
  if (asked.opsFile.empty() && asked.elementwise.empty()) return kDone;
  absl::StatusOr<Input> file = Input{asked.opsFile, std::string()};
  if (!asked.opsFile.empty()) file = readInput(asked.opsFile);
  if (!file.ok()) {
    Reporter(err, asked.opsFile, "").error(file.status());
    return kWrongInput;
  }
  auto ops = definedOps(asked.elementwise, file->text);
  if (!ops.ok()) {
    const bool isOfFile = placeOf(ops.status()).has_value();
    Reporter(err, isOfFile ? asked.opsFile : "--elementwise", file->text)
        .error(ops.status());
    return isOfFile ? kWrongInput : kWrongWords;
  }
  asked.ops = *std::move(ops);
  return kDone;
}

}  // namespace

void addReadAs(Command &command, ReadAs &asked) {
  command.options.push_back(
      choiceOption<InputFormat>("input-format", "FORMAT", asked.format,
                                {{"auto", InputFormat::Auto},
                                 {"hlo", InputFormat::Hlo},
                                 {"stablehlo", InputFormat::StableHlo}},
                                "What the input is (stablehlo: any MLIR)"));
  command.options.push_back(elementwiseOption(asked.elementwise));
  command.options.push_back(
      fileOption("ops", asked.opsFile,
                 "A file with ops that are not known, one a line: a name, then "
                 "`elementwise`, `broadcasting`, or a map for each operand"));
  llvm::append_range(command.options, givenSizesOptions(asked.sizes));
  command.prepare = [&asked, before = command.prepare](llvm::raw_ostream &err) {
    const int status = before ? before(err) : kDone;
    return status == kDone ? prepareOps(asked, err) : status;
  };
}

absl::StatusOr<std::shared_ptr<const CustomCallRegistry>> definedOps(
    llvm::ArrayRef<std::string> elementwise, llvm::StringRef text) {
  auto ops = std::make_shared<CustomCallRegistry>();
  auto isKnown = [](llvm::StringRef name) {
    return findMlirOp(name) != nullptr;
  };
  for (const std::string &name : elementwise)
    INDEXICAL_RETURN_IF_ERROR(addElementwise(name, *ops, isKnown));
  INDEXICAL_RETURN_IF_ERROR(addOpDefinitions(text, *ops, isKnown));
  return ops;
}

InputFormat formatOf(const Input &input, InputFormat format) {
  if (format != InputFormat::Auto) return format;
  return looksLikeMlir(input.text) ? InputFormat::StableHlo : InputFormat::Hlo;
}

/// The program of bytecode, which a program of its own reads.
static absl::StatusOr<Program> importBytecode(const Input &input,
                                              const MlirOptions &options) {
  if (!hasStack(kStackOfReader))
    return onDeepStack([&] { return importBytecode(input, options); });
  const auto context = makeMlirContext();
  INDEXICAL_ASSIGN_OR_RETURN(
      auto read, readBytecode(*context, input.text, input.displayName()));
  Program program;
  if (!read.module->getBody()->empty()) {
    INDEXICAL_ASSIGN_OR_RETURN(program, importMlir(*read.module, options));
  }
  program.path = input.displayName();
  program.text = input.text.shared();
  return program;
}

static absl::StatusOr<Program> parsed(const Input &input, const ReadAs &readAs,
                                      LetPass letPass, size_t jobs) {
  const bool isMlir = formatOf(input, readAs.format) == InputFormat::StableHlo;
  const CustomCallRegistry *ops = (readAs.ops ? readAs.ops : input.ops).get();
  INDEXICAL_RETURN_IF_ERROR(checkIsReadable(input, isMlir));
  if (!isMlir) {
    HloOptions options;
    options.customCalls = ops;
    options.jobs = jobs;
    return parseHlo(input.text.shared(), input.displayName(), options);
  }
  MlirOptions options;
  options.customCalls = ops;
  options.strict = letPass == LetPass::Error;
  if (isMlirBytecode(input.text)) return importBytecode(input, options);
  return importMlir(input.text.shared(), input.displayName(), options);
}

absl::StatusOr<Program> readProgram(const Input &input, const ReadAs &readAs,
                                    LetPass letPass, size_t jobs) {
  INDEXICAL_ASSIGN_OR_RETURN(auto program,
                             parsed(input, readAs, letPass, jobs));
  INDEXICAL_RETURN_IF_ERROR(giveSizes(program, readAs.sizes));
  return program;
}

void report(const Note &note, Reporter &reporter) {
  if (note.kind == Note::Kind::Warning)
    reporter.warning(note.place, note.text);
  else
    reporter.note(note.place, note.text);
}

absl::StatusOr<Program> readProgram(Call &call, const ReadAs &readAs,
                                    size_t input, LetPass letPass) {
  absl::StatusOr<Program> program =
      readProgram(call.input(input), readAs, letPass, call.jobs());
  if (program.ok())
    for (const Note &note : program->notes) report(note, call.reporter(input));
  return program;
}

}  // namespace indexical
