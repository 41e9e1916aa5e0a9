// The page docs/internals/ops.md, made from the table of opcodes.
//
//   bazel run //docs:write_ops_page > docs/internals/ops.md
//
// tests/import/hlo/opcodes_test.cc fails if the page and the table differ.
#ifndef INDEXICAL_DOCS_OPS_PAGE_H
#define INDEXICAL_DOCS_OPS_PAGE_H

#include <string>

namespace indexical {

std::string opsPage();

}  // namespace indexical

#endif  // INDEXICAL_DOCS_OPS_PAGE_H
