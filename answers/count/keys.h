// The keys of counts (answers/fields.h), as docs/keys.md has them.
#ifndef INDEXICAL_ANSWERS_COUNT_KEYS_H
#define INDEXICAL_ANSWERS_COUNT_KEYS_H

#include <vector>

#include "indexical/answers/count/count.h"
#include "indexical/answers/fields.h"

namespace indexical {

template <>
KeyList<CountAnswer> keysOf<CountAnswer>();
template <>
KeyList<MapFigures> keysOf<MapFigures>();

/// Returns the tables of both, in the order of keys.md.
std::vector<Described> countTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_COUNT_KEYS_H
