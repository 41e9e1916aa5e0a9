#include "docs/ops_page.h"

#include "indexical/hlo/opcodes.h"
#include "indexical/stablehlo/import/describe.h"

namespace indexical {
namespace {

constexpr char kHead[] = R"(# Opcodes

What `indexical` answers for each opcode of HLO and [each op of MLIR](#ops-of-mlir), in both directions. This page is written by `bazel run //docs:write_ops_page` from the tables that the front ends use, `hlo/opcodes.cc` and `stablehlo/import/*_ops.cc`.

`exact`: the pieces are the dependence. `cover`: they contain it. `opaque`: what the op means is not known. A row says the weakest answer for static shapes: of some pair of a result and an operand. The two directions are transposes of each other and have one precision. Where a size is not known (`?`, `<=n`) and the formula needs it, any answer can be a cover. An opcode that is not in the table is read with a warning and answers `opaque`. `X-start`, `X-update` and `X-done` of any opcode X are read as `async-start`, `async-update` and `async-done` of it.

[examples/every_opcode.hlo](../examples/every_opcode.hlo) holds each of them once.

| opcode | output to input | input to output | |
|---|---|---|---|
)";

constexpr char kMlirHead[] = R"(
## Ops of MLIR

StableHLO and chlo, and those of MLIR's own dialects that have rows. Any other op describes itself by its interface, or has MLIR's elementwise traits and answers `exact`; of what is left nothing is known: a warning, and `opaque`.

| op | output to input | input to output | |
|---|---|---|---|
)";

std::string row(llvm::StringRef name, const Traits &traits) {
  const std::string word = precisionName(traits.precision).str();
  return "| `" + name.str() + "` | " + word + " | " + word + " | " +
         traits.note.str() + " |\n";
}

}  // namespace

std::string opsPage() {
  std::string page = kHead;
  for (const OpcodeInfo &info : opcodeTable())
    page += row(info.name, info.kind->traits);
  page += kMlirHead;
  for (const MlirOpInfo *info : mlirOps())
    page += row(info->name, info->kind().traits);
  return page;
}

}  // namespace indexical
