// The keys of a Jacobian's sparsity (answers/fields.h), as docs/keys.md has
// them.
#ifndef INDEXICAL_ANSWERS_SPARSITY_KEYS_H
#define INDEXICAL_ANSWERS_SPARSITY_KEYS_H

#include <vector>

#include "indexical/answers/fields.h"
#include "indexical/answers/sparsity/sparsity.h"

namespace indexical {

/// A sparsity, and which of its lists are asked for.
struct SparsityEntry {
  const Sparsity &of;
  bool seeds = false, places = false;
};

template <>
KeyList<SparsityEntry> keysOf<SparsityEntry>();

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> sparsityTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_SPARSITY_KEYS_H
