#include "docs/ops_page.h"

#include "indexical/import/hlo/opcodes.h"
#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/program/module/library_calls.h"

namespace indexical {
namespace {

constexpr char kHead[] = R"(# Opcodes

This page says how `indexical` answers for each opcode of HLO and for [each op of MLIR](#ops-of-mlir), in both directions. `bazel run //docs:write_ops_page` writes it from the tables that the front ends use: `import/hlo/opcodes.cc` and `stablehlo/import/*_ops.cc`.

- `exact`: the pieces are the dependence. `cover`: the pieces contain it. `opaque`: the meaning of the op is not known.
- A row gives the weakest answer of the op for static shapes, over all pairs of a result and an operand.
- The two directions are transposes of each other and have one precision.
- Where the formula needs a size that is not known (`?`, `<=n`), any answer can be a cover.
- The command warns of an opcode that is not in the table, and answers `opaque`.
- `X-start`, `X-update` and `X-done` of any opcode X are read as `async-start`, `async-update` and `async-done` of it.

[examples/every_opcode.hlo](../../examples/every_opcode.hlo) holds each opcode once.

| opcode | output to input | input to output | |
|---|---|---|---|
)";

constexpr char kMlirHead[] = R"(
## Ops of MLIR

The table has the ops of StableHLO and chlo, and the ops of MLIR's own dialects that have rows. Any other op may describe itself by its interface. An op with MLIR's elementwise traits answers `exact`. The command warns of what is left, and answers `opaque`.

| op | output to input | input to output | |
|---|---|---|---|
)";

constexpr char kCallsHead[] = R"(
## Custom calls

A custom call to one of these targets, in HLO or in StableHLO, reads what the table says, and is `exact` unless the table says cover. A call with other shapes or another configuration stays `opaque`, and so does any other target that is not registered ([custom calls](../cpp.md#ops-of-your-own)).

| target | what it reads |
|---|---|
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
  page += kCallsHead;
  for (const LibraryTarget &target : libraryTargets())
    page += "| `" + target.name.str() + "` | " + target.meaning.str() + " |\n";
  return page;
}

}  // namespace indexical
