// Items of a list, written on several threads. Every thread has a share of the
// items, and makes their texts while the others make theirs; one puts them out.
//
//   4 tiles, 2 threads   one makes the texts of tiles 0 and 2, the other those
//                        of 1 and 3; tiles 0, 1, 2, 3 are put out, in order
//
// So the bytes are the same for every number of threads.
#ifndef INDEXICAL_WRITERS_ITEMS_H
#define INDEXICAL_WRITERS_ITEMS_H

#include <cstddef>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/writers/result.h"

namespace indexical {

/// Writes `count` items that are like this one but for their members, which
/// `give` gives. `give` is called by up to `jobs` threads at once.
void writeItems(size_t count, const ListItem &like, size_t jobs,
                llvm::function_ref<void(size_t item, ValueSink &)> give,
                Structure &to);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_ITEMS_H
