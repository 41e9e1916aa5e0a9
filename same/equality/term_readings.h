// Compares the elements of one term that two modules read: private to
// same/equality/.
//
//   first    (d0) -> (d0 + rt0)         second   (d0) -> (rt0 + d0)
//     rt0 = element (0) of p in [0, 3]      rt0 = element (0) of p in [0, 3]
//
//   both read the same elements of the term
//
// The relations are compared with the sources of their runtime variables. If
// computed values leave that undecided, the cases of these values are compared,
// and then each of the elements that name them.
#ifndef INDEXICAL_SAME_EQUALITY_TERM_READINGS_H
#define INDEXICAL_SAME_EQUALITY_TERM_READINGS_H

#include "absl/status/statusor.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/relation.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/same/equality/side.h"
#include "indexical/same/equality/witnesses.h"

namespace indexical {

class TermReadings {
 public:
  /// The answer for one term that both modules read.
  struct Reading {
    Decision decision;
    Doubt doubt = Doubt::None;
    bool isFewer = false;  ///< the second's, of a difference
    bool isRead = true;    ///< by either module
  };

  /// The arguments must outlive the object.
  TermReadings(Side (&sides)[2], const Witnesses &witnesses,
               const EqualityOptions &options)
      : sides_(sides), witnesses_(witnesses), options_(options) {}

  /// Compares what the first side reads of the term, and what the second does.
  absl::StatusOr<Reading> compare(const IndexingRelation &a,
                                  const IndexingRelation &b) const;

 private:
  absl::StatusOr<Reading> compareTraced(const IndexingRelation &a,
                                        const IndexingRelation &b) const;
  /// Like compareTraced(), with each piece split so that each runtime variable
  /// names one element.
  absl::StatusOr<Reading> compareElements(const IndexingRelation &a,
                                          const IndexingRelation &b) const;
  Reading compareNamed(const IndexingRelation &first,
                       const IndexingRelation &second) const;

  Side (&sides_)[2];
  const Witnesses &witnesses_;
  const EqualityOptions &options_;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_TERM_READINGS_H
