// The HLO modules of the corpus, or of the project (corpus_files.h), read.
#ifndef INDEXICAL_TESTS_SUPPORT_CORPUS_H
#define INDEXICAL_TESTS_SUPPORT_CORPUS_H

#include <cstddef>
#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/program/module/program.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {

using ProgramVisitor =
    llvm::function_ref<void(const Program &, const std::string &name)>;

/// Visits every HLO file that parses (corpus_parse_test names the others), of
/// the corpus or, if there is none, the own ones.
/// Returns their number.
size_t forEachHloFile(ProgramVisitor visit);
/// Visits every HLO snippet of C++ tests that parses, if there is a corpus.
/// Returns their number.
size_t forEachHloSnippet(ProgramVisitor visit);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_CORPUS_H
