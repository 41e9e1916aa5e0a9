#include "docs/ops_page.h"

#include "hlo/opcodes.h"

namespace indexical {
namespace {

constexpr char kHead[] = R"(# Opcodes

What `indexical` answers for each opcode of HLO, in both directions. This page is written by `bazel run //docs:write_ops_page` from the table that the parser uses, `hlo/opcodes.cc`.

`exact`: the pieces are the dependence. `cover`: they contain it. `opaque`: what the op means is not known. A row says the weakest answer for static shapes: of some pair of a result and an operand. The two directions are transposes of each other and have one precision. Where a size is not known (`?`, `<=n`) and the formula needs it, any answer can be a cover. An opcode that is not in the table is read with a warning and answers `opaque`. `X-start`, `X-update` and `X-done` of any opcode X are read as `async-start`, `async-update` and `async-done` of it.

[examples/every_opcode.hlo](../examples/every_opcode.hlo) holds each of them once.

| opcode | output to input | input to output | |
|---|---|---|---|
)";

}  // namespace

std::string opsPage() {
  std::string page = kHead;
  for (const OpcodeInfo &info : opcodeTable()) {
    const std::string precision = precisionName(info.precision).str();
    page += "| `" + info.name.str() + "` | " + precision + " | " + precision +
            " | " + info.note.str() + " |\n";
  }
  return page;
}

}  // namespace indexical
