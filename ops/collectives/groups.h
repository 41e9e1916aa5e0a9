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

/// Returns the number of members if all groups have the same, else nothing.
std::optional<int64_t> membersOf(const CollectiveShapes &op);

/// Returns the number of members as text: `4`, or `[2, 4]` if groups have 2 to
/// 4.
std::string membersText(const CollectiveShapes &op);

/// Adds a runtime variable whose value is the number of members of the device's
/// group.
Expr memberCount(IndexingMapBuilder &builder);
/// Adds a range variable that stands for any member of the group. It is below
/// the group's largest size and, if `count` is given, below `count`.
Expr memberOf(IndexingMapBuilder &builder, const CollectiveShapes &op,
              std::optional<Expr> count);
/// Adds a range variable that stands for any member of the group, and a runtime
/// variable for the number of members if groups differ in it.
Expr anyMember(IndexingMapBuilder &builder, const CollectiveShapes &op);
/// Adds a runtime variable whose value is the device's own position in its
/// group.
Expr ownPosition(IndexingMapBuilder &builder, const CollectiveShapes &op);

/// Returns the finished map as the only piece. It reads the operand of
/// `member`.
Answer answerOf(IndexingMapBuilder &builder, Expr member,
                Precision precision = Precision::Exact);

/// Returns the relation by which every element depends on every element of
/// every member.
Answer everythingOfAll(const CollectiveShapes &op, const ArrayShape &from,
                       const ArrayShape &to,
                       Precision precision = Precision::Exact);

/// Returns an error if a group can have no member.
absl::Status checkGroups(const CollectiveShapes &op);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_COLLECTIVES_GROUPS_H
