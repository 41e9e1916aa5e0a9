#include "indexical/cost/memory/measured.h"

namespace indexical {

std::string wordsOf(const Unmeasured &why) {
  switch (why.obstacle) {
    case Obstacle::InsideNotFollowed:
      return "not followed inside";
    case Obstacle::NotExact:
      return "what is read is not known exactly";
    case Obstacle::UnknownSize:
      return "a thread map needs sizes that are known, and " + why.shape.str() +
             " has one that is not";
    case Obstacle::UnknownLayout:
      return "where the elements of " + why.shape.str(/*withLayout=*/true) +
             " lie is not known";
    case Obstacle::UnknownElement:
      return "the size of an element of " + why.shape.str() + " is not known";
    case Obstacle::OtherDevice:
      return "a read of another device";
    case Obstacle::EndlessRange:
      return "a range without an end";
    case Obstacle::TooManySectors:
      return "more sectors than were asked about";
    case Obstacle::RanksDiffer:
      return "the thread map gives an index of " + std::to_string(why.given) +
             " dimensions, and the read takes one of " +
             std::to_string(why.taken);
    case Obstacle::Failed:
      return std::string(why.status.message());
  }
  return "";
}

absl::Status Measured::status() const {
  if (ok()) return absl::OkStatus();
  if (!why().status.ok()) return why().status;
  return absl::FailedPreconditionError(wordsOf(why()));
}

}  // namespace indexical
