// A witness has names for its values: each says which value it is.
//
//   rt0 = 2                 of a map
//   size 0 of x = 2         the same: rt0 is the size of parameter x
//   indices(3, 0) = 7       rt1 is the element (d0, 0) of parameter indices,
//                           and the witness has the index (3)
#ifndef INDEXICAL_SAME_EQUALITY_WITNESSES_H
#define INDEXICAL_SAME_EQUALITY_WITNESSES_H

#include <string>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/exact/exact.h"
#include "indexical/program/values/term_table.h"
#include "indexical/same/equality/side.h"

namespace indexical {

/// The witnesses of two modules, in the names of the first one's parameters.
/// The relations are those that Side::traced() returns.
class Witnesses {
 public:
  /// Both must outlive the object.
  Witnesses(const TermTable &table, const Side &first)
      : table_(table), first_(first) {}

  /// Returns the relation with names for the runtime variables that are sizes
  /// or elements of parameters; others keep theirs.
  IndexingRelation named(const IndexingRelation &relation) const;
  /// Returns whether values of the parameters' types can be those of a witness.
  /// The relation has names.
  bool isPossible(const PairWitness &witness,
                  const IndexingRelation &relation) const;
  /// Puts the witness' index into the names, and gives each element one value:
  /// two variables that are clamped in different ways are one element.
  void tell(PairWitness &witness,
            llvm::ArrayRef<const IndexingRelation *> relations) const;

 private:
  const EntryLeaf *parameterOf(const RuntimeVariable &variable) const;
  std::string nameOf(const IndexingMap &piece, uint32_t runtime) const;

  const TermTable &table_;
  const Side &first_;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_WITNESSES_H
