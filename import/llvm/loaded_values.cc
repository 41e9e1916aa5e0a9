// What loads of a compiled kernel give: elements of arguments, and what another
// thread of the block has stored to shared memory.
//
//   store float %v, ptr addrspace(3) %s[t0]      phase 0
//   barrier
//   %w = load float, ptr addrspace(3) %s[31 - t0]
//     %w of thread t0 is %v of thread 31 - t0
//
// A load of shared memory finds the last store before it that is behind a
// barrier. It is known which thread made it if each element is stored once in
// that phase, and no other thread stores to the element in the phase of the
// load.
#include <optional>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GlobalVariable.h"

#include "indexical/exact/exact.h"
#include "indexical/import/llvm/defined_ops.h"
#include "indexical/import/llvm/merged_pieces.h"
#include "indexical/import/llvm/stored_values.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::compiled {

using kernels::AccessKind;
using kernels::KernelValue;
using kernels::PointerMap;
using llvm::dyn_cast;

namespace {

/// Returns the bit of memory at which the bits of a register lie that a load
/// fills, or nothing if that is not known.
std::optional<int64_t> bitInMemory(const MemoryOp &op, int64_t bit,
                                   int64_t bits) {
  if (const auto *load = dyn_cast<llvm::LoadInst>(op.at))
    return load->isSimple() ? std::optional<int64_t>(bit) : std::nullopt;
  const int64_t own = op.elementBytes * 8;
  for (auto [k, output] : llvm::enumerate(op.outputs)) {
    // All outputs have as many bits.
    const int64_t first = static_cast<int64_t>(output) * own;
    if (bit >= first && bit + bits <= first + own)
      return static_cast<int64_t>(k) * own + bit - first;
  }
  return std::nullopt;
}

}  // namespace

KernelValue StoredValues::loaded(KernelValue made, const PlacedOp &load,
                                 int64_t bit) {
  const MemoryOp &op = *load.op;
  const int64_t bits = bitsOfName(made.type);
  const auto at = bitInMemory(op, bit, bits);
  if (!at) return failed(made, "what is loaded is not followed");
  if (load.shared) {
    const int64_t own = load.shared->width * 8;
    if (*at % own != 0 || bits != own)
      return failed(made, "shared memory is taken apart");
    return loadedFromShared(made, load, *at / own);
  }
  if (load.access < 0) return failed(made, "a load is of no argument");
  const kernels::KernelAccess &access = kernel_.accesses[load.access];
  if (!access.reason.empty() || access.maps.empty())
    return failed(made, "what is loaded is not known");
  if (access.mask == kernels::MaskKind::Cover)
    return failed(made, "a part of the mask of a load is not known");
  std::string type;
  for (const PointerMap &map : access.maps) {
    const auto own = types_.find(map.argument);
    if (own == types_.end() || (!type.empty() && own->second != type))
      return failed(made, "what the elements of an argument are is not known");
    if (!map.map.runtime().empty())
      return failed(made, "where a load goes depends on values");
    type = own->second;
  }
  // Memory holds a truth value as a byte. Integers have the sign that the
  // array's have.
  if (type == "pred") type = "s8";
  std::string alike = type;
  if (llvm::StringRef(alike).starts_with("u")) alike[0] = 's';
  if (access.elementBits != bits || bitsOfName(type) != bits || *at % bits != 0)
    return failed(made, "a load takes elements apart");
  KernelValue all = spaceAt(op.at, alike);
  all.kind = Kind::Load;
  all.loops = access.loops;
  all.tile = access.tile;
  all.maps = mergedPieces(access.maps);
  all.axis = load.access;
  all.excluding = excludingFlags(*op.at);
  if (op.isElseZero) {
    KernelValue zero = all;
    zero.maps.clear();
    zero.axis = 0;
    if (alike[0] == 's') {
      const auto found =
          index(zero, terms_.number(0, static_cast<int32_t>(bits)));
      if (!found) return failed(made, "a load is not followed");
      zero = *found;
    } else {
      zero.kind = Kind::Literal;
      zero.text.assign(static_cast<size_t>(bits / 8), 0);
    }
    all.operands = {add(std::move(zero))};
  }
  KernelValue own = made;
  own.type = alike;
  own.loops = all.loops;
  if (all.tile.size() > tile_.sides().size()) {
    const auto map = toElement(own, *at / bits);
    if (!map) return failed(made, "a load is not followed");
    own = moved(own, add(std::move(all)), *map);
  } else {
    own = std::move(all);
  }
  return taken(made, alike, std::move(own));
}

std::optional<IndexingMap> StoredValues::toStore(const SharedPlace &load,
                                                 const SharedPlace &store,
                                                 std::string &reason) const {
  reason = "which thread stored what shared memory holds is not known";
  if (load.maps.size() != 1 || store.maps.size() != 1) return std::nullopt;
  const IndexingMap &from = load.maps[0].map, &to = store.maps[0].map;
  if (!from.runtime().empty() || !to.runtime().empty() ||
      !from.ranges().empty() || !to.ranges().empty())
    return std::nullopt;
  IndexingMapBuilder b;
  std::vector<FormId> here, there;
  for (const Variable &v : from.dimensions())
    here.push_back(b.dimension(v.bounds, v.name).form());
  // Both are of one program.
  const size_t programs = programs_.grid.size();
  there.assign(here.begin(), here.begin() + programs);
  for (const Variable &v : to.dimensions().drop_front(programs))
    there.push_back(v.bounds.isPoint() ? b.constant(v.bounds.lower).form()
                                       : b.range(v.bounds).form());
  MapCopy first(from, b, here, {}), second(to, b, there, {});
  b.constraint(first.result(0) - second.result(0), Interval::point(0));
  first.addConstraints();
  second.addConstraints();
  for (FormId each : there) b.result(b.expression(each));
  auto map = b.build();
  SimplifyOptions options;
  if (map.ok()) map = simplify(*map, options);
  if (!map.ok()) return std::nullopt;
  if (map->isKnownEmpty()) return *map;
  // Two places that store one element leave a variable.
  if (!map->ranges().empty() ||
      map->dimensions().size() != from.dimensions().size())
    return std::nullopt;
  return *std::move(map);
}

namespace {

/// Adds a copy of the map's dimensions to the builder behind those of the
/// programs.
std::vector<FormId> ownDimensions(const IndexingMap &map, IndexingMapBuilder &b,
                                  llvm::ArrayRef<FormId> programs) {
  std::vector<FormId> all(programs.begin(), programs.end());
  for (const Variable &v : map.dimensions().drop_front(programs.size()))
    all.push_back(b.dimension(v.bounds).form());
  return all;
}

/// A side of the tile, along which the first coordinate comes before the second
/// one, or behind it.
struct TwoThreads {
  size_t side = 0;
  bool isBefore = true;
};

/// Whether two accesses of one block may touch a byte in common; with
/// `threads`, at coordinates that differ so. Bytes of one element are among
/// those of the other.
bool mayTouch(const IndexingMap &first, int64_t width,
              const IndexingMap &second, int64_t otherWidth,
              llvm::ArrayRef<int64_t> grid, std::optional<TwoThreads> threads) {
  if (!first.runtime().empty() || !second.runtime().empty() ||
      !first.ranges().empty() || !second.ranges().empty())
    return true;
  IndexingMapBuilder builder;
  std::vector<FormId> programs;
  for (int64_t size : grid)
    programs.push_back(builder.dimension({0, size - 1}).form());
  const auto here = ownDimensions(first, builder, programs);
  const auto there = ownDimensions(second, builder, programs);
  MapCopy x(first, builder, here, {});
  MapCopy y(second, builder, there, {});
  x.addConstraints();
  y.addConstraints();
  builder.constraint(x.result(0) * width - y.result(0) * otherWidth,
                     {1 - width, otherWidth - 1});
  if (threads) {
    const size_t at = programs.size() + threads->side;
    builder.constraint(
        builder.expression(here[at]) - builder.expression(there[at]),
        threads->isBefore ? Interval{INT64_MIN, -1} : Interval{1, INT64_MAX});
  }
  auto both = builder.build();
  if (!both.ok()) return true;
  const auto empty = isEmpty(IndexingRelation(*std::move(both)));
  return !empty.ok() || empty->answer != Answer::Yes;
}

}  // namespace

bool StoredValues::mayMeet(const SharedPlace &a, const SharedPlace &b) const {
  for (const PointerMap &first : a.maps)
    for (const PointerMap &second : b.maps)
      if (mayTouch(first.map, a.width, second.map, b.width, programs_.grid,
                   std::nullopt))
        return true;
  return false;
}

bool StoredValues::mayRace(const SharedPlace &load,
                           const SharedPlace &store) const {
  for (const PointerMap &first : load.maps)
    for (const PointerMap &second : store.maps)
      for (size_t side = 0; side < tile_.sides().size(); ++side)
        for (const bool isBefore : {true, false})
          if (mayTouch(first.map, load.width, second.map, store.width,
                       programs_.grid, TwoThreads{side, isBefore}))
            return true;
  return false;
}

KernelValue StoredValues::loadedFromShared(KernelValue made,
                                           const PlacedOp &load,
                                           int64_t element) {
  const SharedPlace &here = *load.shared;
  const bool isKnownHere =
      here.reason.empty() && here.phase >= 0 && here.array >= 0;
  if (kernel_.incomplete || !isKnownHere)
    return failed(made, "what shared memory holds is not followed");
  std::vector<const PlacedOp *> last;  // stores of the last phase before
  for (const PlacedOp &each : ops_) {
    const bool isOther = !each.shared && each.access >= 0;
    if (isOther || each.op->kind == AccessKind::Load) continue;
    if (!each.shared) continue;  // a thread's own memory
    const SharedPlace &store = *each.shared;
    if (!store.reason.empty() || store.array < 0)
      return failed(made, "where shared memory is stored to is not known");
    if (store.array != here.array) {
      // Variables that the launch gives their size may lie in one place.
      auto isOutside = [&](int64_t array) {
        const int64_t k = array - static_cast<int64_t>(function_.arg_size());
        const auto *variable =
            k < 0 ? nullptr
                  : dyn_cast<llvm::GlobalVariable>(terms_.otherMemory()[k]);
        return !variable || variable->isDeclaration();
      };
      if (isOutside(store.array) && isOutside(here.array))
        return failed(made, "two variables may be one place in shared memory");
      continue;
    }
    if (each.op->kind != AccessKind::Store || store.phase < 0)
      return failed(made, "what shared memory holds is not followed");
    if (store.phase > here.phase) continue;
    if (store.phase == here.phase) {
      // A thread's own stores behind the load come too late.
      if (store.number < here.number ? mayMeet(here, store)
                                     : mayRace(here, store))
        return failed(made,
                      "no barrier stands between a store and a load of shared "
                      "memory");
      continue;
    }
    if (!mayMeet(here, store)) continue;
    if (!last.empty() && last.front()->shared->phase > store.phase) continue;
    if (!last.empty() && last.front()->shared->phase < store.phase)
      last.clear();
    last.push_back(&each);
  }
  if (last.empty()) return failed(made, "no store fills shared memory");
  KernelValue all = spaceAt(load.op->at, made.type);
  all.kind = Kind::Move;
  all.tile = here.tile;
  // What no store of the phase holds is of an earlier one.
  all.text = absl::StrCat("line ", made.line,
                          ": what shared memory holds is not followed");
  for (size_t k = 0; k < last.size(); ++k) {
    const SharedPlace &store = *last[k]->shared;
    for (size_t other = 0; other < k; ++other)
      if (mayMeet(store, *last[other]->shared))
        return failed(made, "two stores to one place of shared memory");
    if (store.width != here.width)
      return failed(made, "shared memory is taken apart");
    std::string reason;
    const auto map = toStore(here, store, reason);
    if (!map) return failed(made, reason);
    if (map->isKnownEmpty()) continue;
    const auto *instruction = dyn_cast<llvm::StoreInst>(last[k]->op->at);
    if (instruction ? !instruction->isSimple() : last[k]->op->parts.empty())
      return failed(made, "what is stored to shared memory is not followed");
    const int64_t number =
        vectorOf(*last[k]->op, store.tile, store.width * 8, made.type);
    if (number < 0)
      return failed(made, "what is stored to shared memory is not followed");
    all.operands.push_back(number);
    all.maps.push_back({static_cast<int64_t>(all.operands.size()) - 1, *map});
  }
  if (load.op->isElseZero)
    return failed(made, "a load of shared memory has another value");
  if (all.tile.size() == tile_.sides().size()) return all;
  const auto map = toElement(made, element);
  if (!map) return failed(made, "a load is not followed");
  return moved(made, add(std::move(all)), *map);
}

}  // namespace indexical::compiled
