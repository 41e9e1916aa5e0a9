// The keys of what an element needs (answers/fields.h), as docs/keys.md has
// them.
#ifndef INDEXICAL_ANSWERS_ELEMENT_KEYS_H
#define INDEXICAL_ANSWERS_ELEMENT_KEYS_H

#include <vector>

#include "indexical/answers/element/element.h"
#include "indexical/answers/fields.h"

namespace indexical {

/// The question.
struct AskedElementEntry {
  const ElementAnswer &of;
  /// A line has one `instruction`, which is that of the operand.
  bool inLine = false;
};

struct ArrayElementsEntry {
  const ElementAnswer &of;
  const ArrayElements &array;

  const OperandEntry &operand() const {
    return of.item.operands[array.operand];
  }
};

template <>
KeyList<ElementAnswer> keysOf<ElementAnswer>();
template <>
KeyList<AskedElementEntry> keysOf<AskedElementEntry>();
template <>
KeyList<ArrayElementsEntry> keysOf<ArrayElementsEntry>();

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> elementTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_ELEMENT_KEYS_H
