// Collectives, and shardings, as ops on the dimension of devices.
//
// Devices are put into the order of their groups first: [groups, members, …].
// What a group has in common is taken back to its devices.
#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/same/partitioned/same_values.h"
#include "indexical/same/partitioned/stacker.h"
#include "indexical/same/values/element_terms.h"

namespace indexical {
namespace {

using llvm::StringRef;

// Questions whether all groups have the same.
constexpr int kMostTableElements = 64;
// Members of larger groups are not compared with one another.
constexpr int64_t kMostMembers = 16;

/// Whether a collective says who takes part and nothing more.
bool saysMembersOnly(StringRef configuration) {
  while (!configuration.empty()) {
    const auto [item, rest] = configuration.split(';');
    configuration = rest;
    const StringRef key = item.split('=').first.trim();
    if (!key.starts_with("channel") && key != "replica_groups" &&
        key != "use_global_device_ids")
      return false;
  }
  return true;
}

}  // namespace

/// Returns the members' arrays, [groups, members, …], reduced to [groups, …].
std::optional<Stacked> Stacker::combined(const Site &site, Stacked of,
                                         int64_t groups) {
  auto refuse = [&](std::string why) -> std::optional<Stacked> {
    fail(std::move(why));
    return std::nullopt;
  };
  if (site.of.called.size() != 1 || site.of.called[0].computation < 0)
    return refuse("how it reduces is not known");
  const auto reducer =
      opOfReducer(module_.computations[site.of.called[0].computation]);
  if (!reducer) return refuse("how it reduces is not followed as terms");
  // A function of a wider float keeps its elements in order.
  const ElementType by = shapesOf(*reducer).results[0].type;
  if (by != of.shape.type && !(isRealFloat(by) && isRealFloat(of.shape.type) &&
                               bitsOf(by) > bitsOf(of.shape.type)))
    return refuse("how it reduces is not followed as terms");
  const Stacked init = writer_.neutral(reducer->kind().name, of.shape.type);
  if (!init.isKnown()) return refuse("how it reduces is not followed as terms");
  if (countsEqualOnce_) of = withoutEqual(of);
  ReduceOp op;
  op.dimensions = {1};
  const llvm::ArrayRef<int64_t> sizes = of.shape.dimensions;
  op.operands = {of.shape, init.shape};
  op.results = {ArrayShape(of.shape.type, behind(groups, sizes.drop_front(2)))};
  CalledComputation called = site.of.called[0];
  return writer_.add(Op(op), {of, init}, true, {called}, &site.of)[0];
}

Stacked Stacker::withNeutralRow(const Site &site, Stacked of) {
  const bool isKnown =
      site.of.called.size() == 1 && site.of.called[0].computation >= 0;
  const auto reducer =
      isKnown ? opOfReducer(module_.computations[site.of.called[0].computation])
              : std::nullopt;
  Int64s sizes(of.shape.dimensions);
  sizes[0] = 1;
  const Stacked neutral =
      reducer ? writer_.neutral(reducer->kind().name, of.shape.type)
              : Stacked();
  Stacked row = neutral.isKnown()
                    ? writer_.broadcast(neutral, sizes, {})
                    : writer_.unknown(ArrayShape(of.shape.type, sizes), false);
  row.isOfDevice = true;
  return writer_.concatenate({of, row}, 0);
}

Stacked Stacker::withoutEqual(Stacked of) {
  const int64_t members = of.shape.dimensions[1];
  if (members > kMostMembers || loops_ > 0 || !writer_.isOutermost()) return of;
  std::vector<Stacked> all;
  std::vector<int64_t> counts;
  for (int64_t m = 0; m < members; ++m) {
    Int64s starts(of.shape.rank(), 0), limits(of.shape.dimensions);
    starts[1] = m;
    limits[1] = m + 1;
    const Stacked member = writer_.slice(of, starts, limits);
    size_t k = 0;
    while (k < all.size() && !areSame(all[k], member)) ++k;
    if (k == all.size()) {
      all.push_back(member);
      counts.push_back(0);
    }
    mostEqual_ = std::max(mostEqual_, ++counts[k]);
  }
  return all.size() == 1 ? all[0] : writer_.concatenate(all, 1);
}

Stacked Stacker::firstRow(Stacked of) {
  const Int64s sizes(of.shape.dimensions);
  Int64s starts(sizes.size(), 0), limits(sizes);
  limits[0] = 1;
  return writer_.reshape(writer_.slice(of, starts, limits),
                         llvm::ArrayRef(sizes).drop_front());
}

bool Stacker::isOneRow(Stacked of) {
  if (loops_ > 0 || !writer_.isOutermost() || ++asked_ > kMostTableElements)
    return false;
  Int64s places;
  for (int64_t k = 1; k < of.shape.rank(); ++k) places.push_back(k);
  const Stacked all =
      writer_.broadcast(firstRow(of), of.shape.dimensions, places);
  return areSame(all, of);
}

bool Stacker::areSame(Stacked first, Stacked second) {
  EqualityOptions budget;
  budget.operations = operations_;
  budget.stop = stop_;
  return areSameValues(module_, writer_, {first}, {second}, budget, laws_);
}

std::optional<StackedLeaves> Stacker::collective(const Site &site,
                                                 const Op &op) {
  const OpDescriptor &inner = *collectiveOf(op);
  const StringRef name = inner.opKind->name;
  if (!saysMembersOnly(inner.configuration))
    return fail("it says more than who takes part");
  const int64_t all = devices_.all();
  StackedLeaves results;
  if (const auto *start = op.as<StartOp>())
    for (int64_t k = 0; k < start->forwards; ++k)
      results.push_back(site.operands[k]);
  const ShapeList &shapes = site.of.shape.leaves();
  auto finish = [&] {
    while (results.size() < shapes.size())
      results.push_back(writer_.unknown(shapes[results.size()], true));
    return results;
  };
  std::vector<Stacked> operands;
  for (const Stacked &each : site.operands)
    operands.push_back(writer_.onDevices(each));
  if (name == "collective-permute") {
    auto pairs = pairsOf(op, devices_);
    if (!pairs.ok()) return fail(std::string(pairs.status().message()));
    if (operands.size() != inner.results.size())
      return fail("a permute of slices is not followed");
    std::vector<int64_t> sources(all, all);
    for (auto [source, target] : *pairs) sources[target] = source;
    const bool hasZeros = llvm::is_contained(sources, all);
    for (auto [own, onAll] : llvm::zip(site.operands, operands)) {
      if (!own.isOfDevice && !hasZeros) {
        results.push_back(own);
        continue;
      }
      Stacked each = onAll;
      // Who is no target has zeros, which stand behind all devices.
      if (hasZeros) {
        Int64s low(each.shape.rank(), 0), high = low;
        high[0] = 1;
        each = writer_.pad(each, low, high);
      }
      results.push_back(writer_.rows(each, sources));
    }
    return finish();
  }
  auto groups = groupsOf(op, devices_);
  if (!groups.ok()) return fail(std::string(groups.status().message()));
  if (groups->empty()) return fail("it has no groups");
  // combined() takes only reducers that take their elements in any order. Sorted
  // members are a range of devices more often, and a range is one piece.
  if (name == "all-reduce")
    for (auto &group : *groups) llvm::sort(group);
  int64_t members = 0;
  for (const auto &group : *groups)
    members = std::max<int64_t>(members, group.size());
  const int64_t count = groups->size();
  std::vector<int64_t> order, placeOf(all, -1), groupOf(all, -1);
  bool isUneven = false;
  for (auto [g, group] : llvm::enumerate(*groups)) {
    for (int64_t device : group) {
      if (device < 0 || device >= all) return fail("there is no such device");
      placeOf[device] = order.size();
      groupOf[device] = g;
      order.push_back(device);
    }
    // Behind all devices stands what changes no sum.
    for (int64_t k = group.size(); k < members; ++k) {
      order.push_back(all);
      isUneven = true;
    }
  }
  if (llvm::is_contained(placeOf, -1)) return fail("a device is in no group");
  if (isUneven && name != "all-reduce")
    return fail("its groups are of different sizes");
  auto grouped = [&](Stacked of) {
    if (isUneven) of = withNeutralRow(site, writer_.onDevices(of));
    const Int64s sizes(of.shape.dimensions);
    // A value that all devices share is shared by every group.
    if (!of.isOfDevice) {
      Int64s dimensions;
      for (size_t k = 0; k < sizes.size(); ++k) dimensions.push_back(k + 2);
      return writer_.broadcast(of, behind(count, behind(members, sizes)),
                               dimensions);
    }
    return writer_.reshape(
        writer_.rows(of, order),
        behind(count, behind(members, llvm::ArrayRef(sizes).drop_front())));
  };
  /// Returns what each group has, for its devices. One group is all, and so is
  /// each if all have the same.
  auto ofGroups = [&](Stacked of, bool areSame) {
    if (count > 1 && !areSame && !isOneRow(of))
      return writer_.rows(of, groupOf);
    Stacked first = firstRow(of);
    first.isOfDevice = false;
    return first;
  };
  /// [groups, members, …] as an array of devices.
  auto ofMembers = [&](Stacked of) {
    const Int64s sizes(of.shape.dimensions);
    Stacked made = writer_.rows(
        writer_.reshape(of, behind(all, llvm::ArrayRef(sizes).drop_front(2))),
        placeOf);
    made.isOfDevice = true;
    return made;
  };
  auto identity = [](int64_t rank) {
    Int64s order;
    for (int64_t k = 0; k < rank; ++k) order.push_back(k);
    return order;
  };
  const auto *scatter = name == "reduce-scatter"
                            ? static_cast<const ReduceScatterOp *>(&inner)
                            : nullptr;
  const auto *gather =
      name == "all-gather" ? static_cast<const AllGatherOp *>(&inner) : nullptr;
  const auto *exchange =
      name == "all-to-all" ? static_cast<const AllToAllOp *>(&inner) : nullptr;
  if (exchange && !exchange->dimension) {
    // Operand p of member m becomes result m of member p.
    if (static_cast<int64_t>(operands.size()) != members ||
        static_cast<int64_t>(inner.results.size()) != members)
      return fail("there is not one operand for each member");
    std::vector<Stacked> each;
    for (const Stacked &operand : operands) {
      const Stacked of = grouped(operand);
      Int64s sizes(of.shape.dimensions);
      sizes.insert(sizes.begin() + 1, 1);
      each.push_back(writer_.reshape(of, sizes));
    }
    const Stacked joined = writer_.concatenate(each, 1);
    for (int64_t r = 0; r < members; ++r) {
      Int64s starts(joined.shape.rank(), 0), limits(joined.shape.dimensions);
      starts[2] = r;
      limits[2] = r + 1;
      Int64s sizes(joined.shape.dimensions);
      sizes.erase(sizes.begin() + 2);
      results.push_back(ofMembers(
          writer_.reshape(writer_.slice(joined, starts, limits), sizes)));
    }
    return finish();
  }
  if (operands.size() != inner.results.size())
    return fail("it has other results than operands");
  for (const Stacked &operand : site.operands) {
    Stacked of = grouped(operand);
    const bool areSame = !operand.isOfDevice && !isUneven;
    if (name == "all-reduce" || scatter) {
      auto sum = combined(site, of, count);
      if (!sum) return std::nullopt;
      of = *sum;
      if (!scatter) {
        results.push_back(ofGroups(of, areSame));
        continue;
      }
      // The part of each member: [groups, …, members, part, …].
      const int64_t along = scatter->dimension + 1;
      Int64s sizes(of.shape.dimensions);
      if (sizes[along] % members != 0)
        return fail("the members of a group do not fit the shape");
      sizes[along] /= members;
      sizes.insert(sizes.begin() + along, members);
      Int64s permutation = identity(sizes.size());
      permutation.erase(permutation.begin() + along);
      permutation.insert(permutation.begin() + 1, along);
      results.push_back(ofMembers(
          writer_.transpose(writer_.reshape(of, sizes), permutation)));
      continue;
    }
    if (gather) {
      const int64_t along = gather->dimension + 2;
      Int64s permutation = identity(of.shape.rank());
      permutation.erase(permutation.begin() + 1);
      permutation.insert(permutation.begin() + along - 1, 1);
      of = writer_.transpose(of, permutation);
      Int64s sizes(of.shape.dimensions);
      sizes[along] *= members;
      sizes.erase(sizes.begin() + along - 1);
      results.push_back(ofGroups(writer_.reshape(of, sizes), areSame));
      continue;
    }
    if (exchange) {
      // Part m of dimension `cut` goes to member m, and stands there by who
      // sent it: [groups, senders, …, members, part, …] becomes
      // [groups, members, …, senders, joined, …].
      const int64_t cut = *exchange->dimension + 2,
                    joined = exchange->joined.value_or(cut - 2) + 2;
      Int64s sizes(of.shape.dimensions);
      if (sizes[cut] % members != 0)
        return fail("the members of a group do not fit the shape");
      sizes[cut] /= members;
      Int64s split = sizes;
      split.insert(split.begin() + cut, members);
      Int64s permutation = {0, cut};
      for (int64_t k = 2; k < static_cast<int64_t>(sizes.size()); ++k) {
        if (k == joined) permutation.push_back(1);
        permutation.push_back(k < cut ? k : k + 1);
      }
      sizes[joined] *= members;
      of = writer_.transpose(writer_.reshape(of, split), permutation);
      results.push_back(ofMembers(writer_.reshape(of, sizes)));
      continue;
    }
    if (name != "collective-broadcast")
      return fail("the collective is not followed as terms");
    Int64s starts(of.shape.rank(), 0), limits(of.shape.dimensions);
    limits[1] = 1;
    Int64s sizes(of.shape.dimensions);
    sizes.erase(sizes.begin() + 1);
    results.push_back(ofGroups(
        writer_.reshape(writer_.slice(of, starts, limits), sizes), areSame));
  }
  return finish();
}

//===-- Shardings ---------------------------------------------------------===//

std::optional<Stacked> Stacker::cut(Stacked whole,
                                    const ShardedRelation &relation,
                                    llvm::function_ref<Stacked()> newPart) {
  const Sharding &sharding = relation.sharding();
  const int64_t parts = sharding.parts();
  if (parts > 1 && (!newPart || whole.isOfDevice)) return std::nullopt;
  if (sharding.isReplicated()) return whole;
  const llvm::ArrayRef<int64_t> tiles = sharding.tiles(),
                                local = relation.local(),
                                global = relation.global();
  const int64_t rank = sharding.rank(), devices = devices_.all();
  Int64s low(rank, 0), high, split, order, sizes;
  int64_t count = 1;
  for (int64_t k = 0; k < rank; ++k) {
    high.push_back(tiles[k] * local[k] - global[k]);
    split.push_back(tiles[k]);
    split.push_back(local[k]);
    order.push_back(2 * k);
    count *= tiles[k];
  }
  for (int64_t k = 0; k < rank; ++k) order.push_back(2 * k + 1);
  std::vector<int64_t> table;
  std::vector<std::vector<int64_t>> tileOf(rank);
  for (int64_t device = 0; device < devices; ++device) {
    const auto held = holdingOf(sharding, device);
    if (!held) return std::nullopt;
    int64_t place = held->part;
    for (int64_t k = 0; k < rank; ++k) {
      place = place * tiles[k] + held->tile[k];
      tileOf[k].push_back(held->tile[k] * local[k]);
    }
    table.push_back(place);
  }
  // The last part is what the others leave.
  std::vector<Stacked> all;
  Stacked rest = whole;
  for (int64_t k = 0; k < parts; ++k) {
    Stacked each = rest;
    if (k + 1 < parts) {
      each = newPart();
      rest = writer_.elementwise(kindOf<ElementwiseOp>("subtract"),
                                 {rest, each}, rest.shape.type);
    }
    if (k + 1 == parts) each = rest;
    each = writer_.reshape(writer_.pad(each, low, high), split);
    all.push_back(
        writer_.reshape(writer_.transpose(each, order), behind(count, local)));
  }
  Stacked of = writer_.rows(writer_.concatenate(all, 0), table);
  of.isOfDevice = true;
  const Int64s shape(of.shape.dimensions);
  // What stands behind the end is not known.
  std::optional<Stacked> beyond;
  for (int64_t k = 0; k < rank; ++k) {
    if (high[k] == 0) continue;
    if (!beyond) beyond = ofPadding(ArrayShape(of.shape.type, local));
    const ElementType type = ElementType::S64;
    const Stacked begin = writer_.broadcast(
        writer_.integers(type, {devices}, tileOf[k]), shape, {0});
    const Stacked index = writer_.elementwise(
        kindOf<ElementwiseOp>("add"),
        {begin, writer_.iota(type, shape, k + 1, true)}, type);
    const Stacked end =
        writer_.broadcast(writer_.integers(type, {}, {global[k]}), shape, {});
    of = writer_.elementwise(kindOf<ElementwiseOp>("select"),
                             {writer_.compare("LT", index, end), of, *beyond},
                             of.shape.type);
  }
  of.isOfDevice = true;
  return of;
}

std::optional<Stacked> Stacker::copies(
    Stacked value, const ShardedRelation &relation,
    std::vector<std::vector<int64_t>> &devicesOf) {
  const Sharding &sharding = relation.sharding();
  const llvm::ArrayRef<int64_t> tiles = sharding.tiles();
  const int64_t rank = sharding.rank(), all = devices_.all();
  const int64_t parts = sharding.parts();
  const StringRef reduction = sharding.reduction();
  const OpKind *sum =
      reduction.empty() || reduction == "add" || reduction == "sum"
          ? kindOf<ElementwiseOp>("add")
      : reduction == "max" ? kindOf<ElementwiseOp>("maximum")
      : reduction == "min" ? kindOf<ElementwiseOp>("minimum")
                           : nullptr;
  if (sharding.groups() > 1 || (parts > 1 && !sum)) return std::nullopt;
  devicesOf.clear();
  if (sharding.isReplicated()) {
    if (!value.isOfDevice) {
      devicesOf.push_back({0});
      return writer_.reshape(value, behind(1, relation.global()));
    }
    for (int64_t device = 0; device < all; ++device)
      devicesOf.push_back({device});
    return value;
  }
  value = writer_.onDevices(value);
  int64_t count = 1;
  for (int64_t each : tiles) count *= each;
  std::vector<std::vector<int64_t>> holders(count * parts);
  size_t most = 0;
  for (int64_t device = 0; device < all; ++device) {
    const auto held = holdingOf(sharding, device);
    if (!held) continue;
    int64_t place = held->part;
    for (int64_t k = 0; k < rank; ++k) place = place * tiles[k] + held->tile[k];
    holders[place].push_back(device);
    most = std::max(most, holders[place].size());
  }
  if (llvm::any_of(holders, [](const auto &each) { return each.empty(); }))
    return std::nullopt;
  auto holderOf = [&](size_t copy, int64_t place) {
    return holders[place][std::min(copy, holders[place].size() - 1)];
  };
  // Each copy of each part, with one of every other part.
  Stacked of;
  const int64_t copies = most * parts;
  for (int64_t part = 0; part < parts; ++part) {
    std::vector<int64_t> table;
    for (int64_t c = 0; c < copies; ++c) {
      if (part == 0) devicesOf.emplace_back();
      const size_t holder = part == c / static_cast<int64_t>(most)
                                ? c % static_cast<int64_t>(most)
                                : 0;
      for (int64_t tile = 0; tile < count; ++tile) {
        table.push_back(holderOf(holder, part * count + tile));
        if (part == 0) devicesOf.back().push_back(table.back());
      }
    }
    const Stacked each = whole(writer_.rows(value, table), relation, copies);
    of = part == 0 ? each
                   : writer_.elementwise(sum, {of, each}, each.shape.type);
  }
  return of;
}

Stacked Stacker::whole(Stacked tiles, const ShardedRelation &relation,
                       int64_t copies) {
  const int64_t rank = relation.sharding().rank();
  Int64s split = {copies}, order = {0}, joined = {copies};
  for (int64_t each : relation.sharding().tiles()) split.push_back(each);
  for (int64_t each : relation.local()) split.push_back(each);
  for (int64_t k = 0; k < rank; ++k) {
    order.push_back(1 + k);
    order.push_back(1 + rank + k);
    joined.push_back(relation.sharding().tiles()[k] * relation.local()[k]);
  }
  const Stacked all = writer_.reshape(
      writer_.transpose(writer_.reshape(tiles, split), order), joined);
  return writer_.slice(all, Int64s(rank + 1, 0),
                       behind(copies, relation.global()));
}

}  // namespace indexical
