#include "indexical/program/values/term_table.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/families.h"
#include "indexical/ops/identity.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// A union of more parts is kept as a union of unions, and a move of a union of
// more parts is not made of its parts.
constexpr size_t kMostParts = 64;
constexpr size_t kMostMoved = 16;

bool isShort(const IndexingRelation &relation) {
  return llvm::all_of(relation.pieces(),
                      [](const IndexingMap &map) { return isShort(map); });
}

bool isMove(const IndexingMap &map) {
  return map.ranges().empty() && map.runtime().empty() &&
         map.collectives().empty();
}

}  // namespace

bool ValueTerm::operator==(const ValueTerm &other) const {
  return kind == other.kind && op == other.op && number == other.number &&
         leaf == other.leaf && operands == other.operands &&
         steering == other.steering && text == other.text;
}

size_t ValueTerm::hash() const {
  return llvm::hash_combine(
      kind, op.hash(), number, leaf,
      llvm::hash_combine_range(operands.begin(), operands.end()),
      llvm::hash_combine_range(steering.begin(), steering.end()), text);
}

bool ValueTerm::isOpaque() const {
  if (!op) return false;
  const auto *cover = innermost(op).as<CoverOp>();
  return cover && cover->precision == Precision::Opaque;
}

bool ValueTerm::canBeCovered() const {
  if (!op) return false;
  const Op &inner = innermost(op);
  return inner.isOneOf<CoverOp, WhileOp, ScanOp, CapturingOp, CustomOp,
                       CallOp>() ||
         traitsOf(inner).precision != Precision::Exact;
}

TermTable::TermTable() {
  ValueTerm nothing;
  nothing.kind = ValueTerm::Kind::Nothing;
  intern(std::move(nothing));
}

llvm::SmallVector<TermId, 4> TermTable::shared(llvm::ArrayRef<TermId> operands,
                                               size_t results) {
  llvm::SmallVector<TermId, 4> all(operands.begin(), operands.end());
  if (results < 2 || operands.size() < 2) return all;
  ValueTerm tuple;
  tuple.kind = ValueTerm::Kind::Tuple;
  tuple.operands = std::move(all);
  return {intern(std::move(tuple))};
}

llvm::ArrayRef<TermId> TermTable::operandsOf(const ValueTerm &value) const {
  const llvm::ArrayRef<TermId> own = value.operands;
  const bool isShared =
      own.size() == 1 && terms_[own[0]].kind == ValueTerm::Kind::Tuple;
  return isShared ? llvm::ArrayRef<TermId>(terms_[own[0]].operands) : own;
}

TermId TermTable::moved(const IndexingMap &map, const ArrayShape &shape,
                        TermId id) {
  const ValueTerm &term = terms_[id];
  if (id == kNothing || map.isKnownEmpty()) return kNothing;
  if (isIdentity(map, shape)) return id;
  if (term.kind == ValueTerm::Kind::Union &&
      term.operands.size() <= kMostMoved) {
    llvm::SmallVector<TermId, 4> parts;
    for (TermId part : llvm::SmallVector<TermId, 4>(term.operands))
      parts.push_back(moved(map, shape, part));
    return unionOf(std::move(parts));
  }
  if (term.kind == ValueTerm::Kind::Move) {
    auto behind = compose(IndexingRelation(map), IndexingRelation(mapOf(id)));
    if (behind.ok() && behind->isEmpty()) return kNothing;
    if (behind.ok() && behind->pieces().size() == 1 &&
        behind->precision() == Precision::Exact &&
        isMove(behind->pieces()[0]) && isShort(*behind))
      return moved(behind->pieces()[0], shape, term.operands[0]);
  }
  ValueTerm move;
  move.kind = ValueTerm::Kind::Move;
  move.text = map.strOneLine();
  move.operands = {id};
  const TermId made = intern(std::move(move));
  maps_.emplace(made, map);
  return made;
}

TermId TermTable::through(const IndexingRelation &relation,
                          const ArrayShape &shape, TermId id) {
  const ValueTerm &term = terms_[id];
  if (id == kNothing || relation.isEmpty()) return kNothing;
  if (llvm::all_of(relation.pieces(), isMove)) {
    llvm::SmallVector<TermId, 4> parts;
    for (const IndexingMap &piece : relation.pieces())
      parts.push_back(moved(piece, shape, id));
    return unionOf(std::move(parts));
  }
  if (term.kind == ValueTerm::Kind::Move) {
    auto behind = compose(relation, IndexingRelation(mapOf(id)));
    if (behind.ok() && behind->precision() == Precision::Exact &&
        isShort(*behind))
      return through(*behind, shape, term.operands[0]);
  }
  ValueTerm through;
  through.kind = ValueTerm::Kind::Through;
  for (const IndexingMap &piece : relation.pieces())
    through.text += piece.strOneLine() + ";";
  through.operands = {id};
  return intern(std::move(through));
}

TermId TermTable::unionOf(llvm::SmallVector<TermId, 4> parts) {
  llvm::SmallVector<TermId, 4> flat;
  size_t count = 0;
  for (TermId part : parts)
    count += terms_[part].kind == ValueTerm::Kind::Union
                 ? terms_[part].operands.size()
                 : 1;
  for (TermId part : parts) {
    const ValueTerm &term = terms_[part];
    if (term.kind == ValueTerm::Kind::Union && count <= kMostParts)
      flat.append(term.operands.begin(), term.operands.end());
    else if (part != kNothing)
      flat.push_back(part);
  }
  llvm::sort(flat);
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  if (flat.empty()) return kNothing;
  if (flat.size() == 1) return flat[0];
  ValueTerm all;
  all.kind = ValueTerm::Kind::Union;
  all.operands = std::move(flat);
  return intern(std::move(all));
}

TermId TermTable::unknown() {
  ValueTerm term;
  term.number = unknowns_++;
  return intern(std::move(term));
}

}  // namespace indexical
