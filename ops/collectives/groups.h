// The devices of a collective, as variables of its maps.
//
// A device reads operands of the members of its group:
//
//   any member         a range variable s, 0 <= s < number of members
//   its own position   a runtime variable, GroupPosition
//
// Groups may be of several sizes. Then the number of members is a runtime
// variable n too, and s - n in [-inf, -1].
//
// The op itself is collective number 0 of its maps.
#ifndef INDEXICAL_OPS_COLLECTIVES_GROUPS_H
#define INDEXICAL_OPS_COLLECTIVES_GROUPS_H

#include "indexical/ops/core/family.h"

namespace indexical {
namespace families {

/// The number of members if all groups have the same, else nothing.
std::optional<int64_t> membersOf(const CollectiveShapes &op);

/// `4`, or `[2, 4]` if groups are of several sizes.
std::string membersText(const CollectiveShapes &op);

/// The number of members, as a variable.
Expr memberCount(IndexingMapBuilder &builder);
/// Any member of the group, as a range variable. It is below `count` if the
/// number of members is a variable.
Expr memberOf(IndexingMapBuilder &builder, const CollectiveShapes &op,
              std::optional<Expr> count);
/// Like memberOf, but makes the variable for the number of members, if one is
/// needed.
Expr anyMember(IndexingMapBuilder &builder, const CollectiveShapes &op);
/// The device's own position in its group.
Expr ownPosition(IndexingMapBuilder &builder, const CollectiveShapes &op);

/// The finished map, of `member`'s operand, as the only piece.
Answer answerOf(IndexingMapBuilder &builder, Expr member,
                Precision precision = Precision::Exact);

/// The answer that every element depends on every element of every member.
Answer everythingOfAll(const CollectiveShapes &op, const ArrayShape &from,
                       const ArrayShape &to,
                       Precision precision = Precision::Exact);

/// Errors if a group can have no member.
absl::Status checkGroups(const CollectiveShapes &op);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_COLLECTIVES_GROUPS_H
