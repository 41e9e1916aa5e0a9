#include "indexical/answers/inputs/read_program.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "indexical/answers/inputs/bytecode.h"
#include "indexical/answers/inputs/cut_dump.h"
#include "indexical/answers/inputs/meant.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/control/cover.h"
#include "indexical/program/module/custom_calls.h"
#include "indexical/program/module/op_definitions.h"

namespace indexical {

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

namespace {

/// The program of bytecode, which a program of its own reads.
absl::StatusOr<Program> importBytecode(const Input &input,
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

absl::StatusOr<Program> parsed(const Input &input, const ReadAs &readAs,
                               LetPass letPass, size_t jobs) {
  const bool isMlir = formatOf(input, readAs.format) == InputFormat::StableHlo;
  const CustomCallRegistry *ops = (readAs.ops ? readAs.ops : input.ops).get();
  INDEXICAL_RETURN_IF_ERROR(checkIsReadable(input, isMlir));
  if (!isMlir) {
    HloOptions options;
    options.customCalls = ops;
    options.jobs = jobs;
    auto program = parseHlo(input.text.shared(), input.displayName(), options);
    if (program.ok()) return program;
    const auto whole = beforeCut(input.text, program.status());
    if (!whole) return program;
    auto part = parseHlo(whole->text, input.displayName(), options);
    if (!part.ok()) return program;
    part->notes.push_back({Note::Kind::Warning, whole->end, whole->warning});
    return part;
  }
  MlirOptions options;
  options.customCalls = ops;
  options.strict = letPass == LetPass::Error;
  if (isMlirBytecode(input.text)) return importBytecode(input, options);
  return importMlir(input.text.shared(), input.displayName(), options);
}

/// Returns the names of the ops of which nothing is known, sorted.
std::set<llvm::StringRef> unknownOps(const Program &program) {
  std::set<llvm::StringRef> names;
  for (const Module &module : program.modules)
    for (const Computation &computation : module.computations)
      for (const Instruction &instruction : computation.instructions) {
        const auto *cover = instruction.op.as<CoverOp>();
        if (!cover || cover->precision != Precision::Opaque) continue;
        const llvm::StringRef target = instruction.customCallTarget;
        names.insert(target.empty() ? instruction.opcode : target);
      }
  return names;
}

/// Notes the names of `ops` that no op has, if there are ops that are not
/// known: a misspelt name says nothing of the op that was meant.
void noteUnused(const CustomCallRegistry &ops, llvm::StringRef text,
                Program &program) {
  std::set<llvm::StringRef> unused;
  for (llvm::StringRef name : ops.targets())
    if (!text.contains(name)) unused.insert(name);
  if (unused.empty()) return;
  const std::set<llvm::StringRef> unknown = unknownOps(program);
  if (unknown.empty()) return;
  constexpr size_t kMostNamed = 5;
  for (llvm::StringRef name : unused) {
    std::string said = "no op here is called `" + name.str() + "`";
    const llvm::StringRef meant =
        nearest(name, std::vector(unknown.begin(), unknown.end()));
    if (!meant.empty()) {
      said += "; did you mean `" + meant.str() + "`?";
    } else {
      said += "; these are not known:";
      size_t named = 0;
      for (llvm::StringRef each : unknown)
        if (++named <= kMostNamed)
          said += (named == 1 ? " `" : ", `") + each.str() + "`";
      if (named > kMostNamed)
        said += " and " + std::to_string(named - kMostNamed) + " more";
    }
    program.notes.push_back({Note::Kind::Note, {}, std::move(said)});
  }
}

}  // namespace

absl::StatusOr<Program> readProgram(const Input &input, const ReadAs &readAs,
                                    LetPass letPass, size_t jobs) {
  auto program = parsed(input, readAs, letPass, jobs);
  if (!program.ok()) return aboutNoModule(input, program.status());
  // Bytecode keeps the parts of a name apart.
  if (readAs.ops && !isMlirBytecode(input.text))
    noteUnused(*readAs.ops, input.text, *program);
  INDEXICAL_RETURN_IF_ERROR(giveSizes(*program, readAs.sizes));
  return program;
}

absl::StatusOr<Program> readProgram(const Input &input, const ReadAs &readAs,
                                    const Ask &ask, LetPass letPass) {
  absl::StatusOr<Program> program =
      readProgram(input, readAs, letPass, ask.jobs);
  if (program.ok())
    for (const Note &note : program->notes) report(note, ask.messages);
  return program;
}

std::vector<absl::StatusOr<Program>> readPrograms(
    llvm::ArrayRef<const Input *> inputs, const ReadAs &readAs, size_t jobs) {
  std::vector<absl::StatusOr<Program>> programs(inputs.size());
  auto read = [&](size_t, size_t i) {
    const size_t own = std::max<size_t>(1, jobs / inputs.size());
    programs[i] = readProgram(*inputs[i], readAs, LetPass::Warning, own);
  };
  if (jobs > 1)
    inParallel(jobs, inputs.size(), read);
  else
    for (size_t i = 0; i < inputs.size(); ++i) read(0, i);
  return programs;
}

void report(const Note &note, Messages &messages) {
  if (note.kind == Note::Kind::Warning)
    messages.warning(note.place, note.text);
  else
    messages.note(note.place, note.text);
}

}  // namespace indexical
