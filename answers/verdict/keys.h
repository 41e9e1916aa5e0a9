// The keys of a witness and of a check (answers/fields.h), as docs/keys.md
// has them: one table for each kind of witness.
//
//   giveWitness(verdict.witness, to)   WrittenTwice: "argument": 1, "element":
//                                      512, "race": "programs", …
//
// The text about a witness is in writers/witness.h, and the words of answers
// are in same/verdict/verdict.h.
#ifndef INDEXICAL_ANSWERS_VERDICT_KEYS_H
#define INDEXICAL_ANSWERS_VERDICT_KEYS_H

#include <optional>
#include <vector>

#include "indexical/answers/fields.h"
#include "indexical/program/check/check.h"
#include "indexical/program/check/witness.h"

namespace indexical {

/// The names of the two that are compared.
inline constexpr const char *kSides[] = {"first", "second"};
/// Returns the name of the side that alone accesses the element of a witness.
inline const char *sideOf(const Witness &witness) {
  return kSides[!witness.isOnlyInFirst()];
}

/// Returns the keys of witnesses of a kind.
KeyList<Witness> keysOfWitness(Witness::Kind kind);
/// Gives the object of a witness, if there is one.
void giveWitness(const std::optional<Witness> &witness, KeyValue &to);

/// Return the keys of a check that accesses are in bounds, that elements are
/// written once, or that no load finds what was overwritten.
KeyList<Check> keysOfBounds();
KeyList<Check> keysOfWrittenOnce();
KeyList<Check> keysOfOverwritten();
KeyList<Check> keysOfSharedOverwritten();

/// Gives the object of a check, if there is one.
void giveCheck(const std::optional<Check> &check, KeyList<Check> keys,
               KeyValue &to);

/// One of two that write an element, or the one that loads it.
struct WriterEntry {
  const Witness::Access &writer;
  bool hasAtomic;  ///< whether one of the two is an atomic operation
};
template <>
KeyList<WriterEntry> keysOf<WriterEntry>();

/// Returns the keys of the numbers of a witness of that kind.
KeyList<Witness::Input> keysOfInputs(Witness::Kind kind);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_VERDICT_KEYS_H
