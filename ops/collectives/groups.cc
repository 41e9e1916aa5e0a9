#include "indexical/ops/collectives/groups.h"

#include <string>

#include "indexical/ops/core/family.h"
#include "indexical/ops/violation.h"

namespace indexical {
namespace families {

std::optional<int64_t> membersOf(const CollectiveShapes &op) {
  if (!op.groupSize.isPoint()) return std::nullopt;
  return op.groupSize.lower;
}

Expr memberCount(IndexingMapBuilder &builder) {
  return builder.runtimeOfDevice({RuntimeSource::Kind::GroupSize, 0});
}

Expr memberOf(IndexingMapBuilder &builder, const CollectiveShapes &op,
              std::optional<Expr> count) {
  const Interval sizes = op.groupSize;
  Expr member = builder.range(
      {0, sizes.hasUpper() ? sizes.upper - 1 : Interval::kInfinity});
  if (count)
    builder.constraint(member - *count, {Interval::kMinusInfinity, -1});
  return member;
}

Expr anyMember(IndexingMapBuilder &builder, const CollectiveShapes &op) {
  std::optional<Expr> count;
  if (!op.groupSize.isPoint()) count = memberCount(builder);
  return memberOf(builder, op, count);
}

Expr ownPosition(IndexingMapBuilder &builder, const CollectiveShapes &op) {
  RuntimeSource source{RuntimeSource::Kind::GroupPosition, 0};
  if (op.groupSize.hasUpper()) source.count = op.groupSize.upper;
  return builder.runtimeOfDevice(source);
}

Answer answerOf(IndexingMapBuilder &builder, Expr member, Precision precision) {
  builder.member(0, member);
  return answerOf(builder, precision);
}

Answer everythingOfAll(const CollectiveShapes &op, const ArrayShape &from,
                       const ArrayShape &to, Precision precision) {
  IndexingMapBuilder builder;
  dimensionsOf(builder, from);
  for (Expr range : rangesOf(builder, to)) builder.result(range);
  return answerOf(builder, anyMember(builder, op), precision);
}

std::string membersText(const CollectiveShapes &op) {
  if (auto members = membersOf(op)) return std::to_string(*members);
  return op.groupSize.str();
}

absl::Status checkGroups(const CollectiveShapes &op) {
  if (!op.groupSize.isEmpty() && op.groupSize.lower >= 1)
    return absl::OkStatus();
  return Broken("") << "a group must have at least one member, but has "
                    << membersText(op);
}

}  // namespace families
}  // namespace indexical
