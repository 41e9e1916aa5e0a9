// Elements in words, for people.
//
//   multiply(x[i, j], 2)
#ifndef INDEXICAL_ANALYSIS_VALUES_ELEMENT_TEXT_H
#define INDEXICAL_ANALYSIS_VALUES_ELEMENT_TEXT_H

#include <string>
#include <utility>

#include "indexical/analysis/values/element_table.h"
#include "indexical/program/program.h"

namespace indexical {

/// The element as a term over the names of the module's parameters, `…` in the
/// place of what lies deeper than a few ops.
std::string textOf(const ElementTable &table, ElementId element,
                   const Module &names);

/// The first two elements that differ, on the way down through ops that are the
/// same.
std::pair<ElementId, ElementId> firstDifference(const ElementTable &table,
                                                ElementId first,
                                                ElementId second);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_VALUES_ELEMENT_TEXT_H
