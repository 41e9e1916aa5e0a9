// The keys of what passes change (answers/fields.h), as docs/keys.md has
// them.
#ifndef INDEXICAL_ANSWERS_PASSES_KEYS_H
#define INDEXICAL_ANSWERS_PASSES_KEYS_H

#include <vector>

#include "indexical/answers/equality/keys.h"
#include "indexical/answers/fields.h"
#include "indexical/answers/passes/passes.h"

namespace indexical {

/// A dump, the next one of its chain, and what was found.
struct PassEntry {
  const Dump &from, &to;
  const DumpComparison &found;

  PassEntry(const PassesAnswer &in, size_t number)
      : from(in.chain->dumps[number]),
        to(in.chain->dumps[number + 1]),
        found(in.compared[number]) {}
};
struct WaysEntry {
  const DumpComparison &of;
};

template <>
KeyList<CompiledKernel> keysOf<CompiledKernel>();
template <>
KeyList<PassesAnswer> keysOf<PassesAnswer>();
template <>
KeyList<PassEntry> keysOf<PassEntry>();
template <>
KeyList<WaysEntry> keysOf<WaysEntry>();
template <>
KeyList<ChainFigures> keysOf<ChainFigures>();

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> passesTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_PASSES_KEYS_H
