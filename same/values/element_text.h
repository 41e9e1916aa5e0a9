// Elements in words, for people.
//
//   multiply(x[i, j], 2)
#ifndef INDEXICAL_SAME_VALUES_ELEMENT_TEXT_H
#define INDEXICAL_SAME_VALUES_ELEMENT_TEXT_H

#include <string>
#include <utility>

#include "indexical/program/module/program.h"
#include "indexical/same/values/element_table.h"

namespace indexical {

/// Returns the element as a term over the names of the module's parameters. `…`
/// stands for terms that lie deeper than a few ops.
std::string textOf(const ElementTable &table, ElementId element,
                   const Module &names);

/// Returns the two elements at which `first` and `second` part. Goes down into
/// operands as long as both are equal ops of which only one operand differs.
std::pair<ElementId, ElementId> firstDifference(const ElementTable &table,
                                                ElementId first,
                                                ElementId second);

/// Returns in what two elements of one text differ: `what it calls`.
std::string whatDiffers(const ElementTable &table, ElementId first,
                        ElementId second);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_ELEMENT_TEXT_H
