// Functions that make the terms of value_programs.h. They are private to the
// programs and their rewrites.
#ifndef INDEXICAL_TESTS_ANALYSIS_VALUE_TERMS_H
#define INDEXICAL_TESTS_ANALYSIS_VALUE_TERMS_H

#include <vector>

#include "tests/analysis/value_programs.h"

namespace indexical::testing {

int64_t extentOf(const Extents &sizes);
/// Returns the nodes of a tree, operands first, each once.
std::vector<TermPtr> nodesOf(const TermPtr &term);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_ANALYSIS_VALUE_TERMS_H
