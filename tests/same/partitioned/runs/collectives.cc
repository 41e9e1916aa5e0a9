// Collectives on cells: the cells that each device gets of the other devices.
//
//   all-reduce, {0,1}, of x = {x0, x1}    x0 + x1 on both devices
//   all-gather, {1,0}                     [x1, x0] on both devices
//   collective-permute, 0 -> 1            x0 on device 1, 0 on device 0
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/values/op_identity.h"
#include "tests/same/partitioned/runs/all_devices.h"
#include "tests/same/partitioned/runs/cell_values.h"

namespace indexical {

using llvm::StringRef;

namespace {

/// Whether a collective says who takes part and nothing more.
bool saysMembersOnly(StringRef configuration) {
  while (!configuration.empty()) {
    const auto [item, rest] = configuration.split(';');
    configuration = rest;
    const StringRef key = item.split('=').first.trim();
    if (!key.starts_with("channel") && key != "replica_groups" &&
        key != "use_global_device_ids" && key != "element_types")
      return false;
  }
  return true;
}

const DeviceCell &cellAt(const CellArray &array, llvm::ArrayRef<int64_t> at) {
  const auto strides = stridesOf(array.shape.dimensions);
  int64_t place = 0;
  for (auto [k, each] : llvm::enumerate(at)) place += each * strides[k];
  return array.cells[place];
}

}  // namespace

std::optional<DeviceArrays> AllDevices::combined(const Instruction &of,
                                                 const OpDescriptor &,
                                                 const DeviceArrays &operand,
                                                 const DeviceLists &groups) {
  const ElementType type = operand[groups.front().front()]->shape.type;
  // The sum of numbers that have a scale is none of integers.
  const StringRef fold =
      elementTypesOf(of.op).empty() ? reducerOf(of, type) : "";
  std::vector<TermNumber> functions;
  if (fold.empty()) {
    auto all = functionsOf(of);
    if (!all || all->empty()) return fail("how it reduces is not known");
    functions = *std::move(all);
  }
  DeviceArrays result(operand.size());
  for (const auto &group : groups) {
    auto sum = std::make_shared<CellArray>();
    sum->shape = operand[group[0]]->shape;
    const size_t count = operand[group[0]]->cells.size();
    if (!spend(count * group.size())) return std::nullopt;
    sum->cells.reserve(count);
    llvm::SmallVector<const DeviceCell *, 16> cells;
    for (size_t e = 0; e < count; ++e) {
      cells.clear();
      for (int64_t member : group) cells.push_back(&operand[member]->cells[e]);
      sum->cells.push_back(reduced(fold, type, functions, cells));
    }
    for (int64_t member : group) result[member] = sum;
  }
  for (const CellArrayPtr &array : result)
    if (!array) return fail("a device is in no group");
  return result;
}

DeviceCell AllDevices::reduced(StringRef fold, ElementType type,
                               llvm::ArrayRef<TermNumber> functions,
                               llvm::ArrayRef<const DeviceCell *> cells) {
  constexpr uint64_t kReduced = 102;
  if (fold.empty()) {
    DeviceCell cell;
    llvm::SmallVector<SetId, 16> sets;
    TermHash hash(kReduced);
    for (const TermNumber &each : functions) hash.add(each);
    for (const DeviceCell *each : cells) {
      sets.push_back(each->reads);
      hash.add(each->number);
    }
    cell.reads = sets_.unite(sets);
    cell.isFinite = isInteger(type);
    cell.number = hash.number();
    return cell;
  }
  llvm::SmallVector<const DeviceCell *, 16> counted;
  llvm::SmallVector<TermNumber, 16> seen;
  for (const DeviceCell *each : cells) {
    const bool repeats = fold == "add" && each->number != TermNumber() &&
                         llvm::is_contained(seen, each->number);
    seen.push_back(each->number);
    if (repeats)
      mostEqual_ =
          std::max<int64_t>(mostEqual_, llvm::count(seen, each->number));
    if (!repeats || !options_.countsEqualOnce) counted.push_back(each);
  }
  return terms_.folded(fold, type, counted);
}

std::optional<DeviceLeaves> AllDevices::collective(const Instruction &of,
                                                   const Op &op,
                                                   const Operands &operands) {
  const OpDescriptor &inner = *collectiveOf(op);
  const StringRef name = inner.opKind->name;
  if (!saysMembersOnly(inner.configuration))
    return fail("it says more than who takes part");
  DeviceLeaves results;
  if (const auto *start = op.as<StartOp>())
    for (int64_t k = 0; k < start->forwards; ++k)
      results.push_back(*operands[k]);
  if (name == "collective-permute") {
    auto pairs = pairsOf(op, options_.devices);
    if (!pairs.ok()) return fail(std::string(pairs.status().message()));
    if (operands.size() != inner.results.size())
      return fail("a permute of slices is not followed here");
    for (const DeviceArrays *operand : operands) {
      DeviceArrays result(operand->size());
      for (auto [source, target] : *pairs) result[target] = (*operand)[source];
      for (auto [device, array] : llvm::enumerate(result)) {
        if (array) continue;
        auto zeros = std::make_shared<CellArray>(*(*operand)[device]);
        for (DeviceCell &cell : zeros->cells)
          cell = constantCell(0, zeros->shape.type);
        array = std::move(zeros);
      }
      results.push_back(std::move(result));
    }
  } else {
    auto groups = groupsOf(op, options_.devices);
    if (!groups.ok()) return fail(std::string(groups.status().message()));
    auto more = moved(of, op, operands, *groups);
    if (!more) return std::nullopt;
    results.insert(results.end(), more->begin(), more->end());
  }
  // No op reads the contexts of a start.
  for (DeviceArrays &context : unread(op.descriptor(), results.size()))
    results.push_back(std::move(context));
  return results;
}

std::optional<DeviceLeaves> AllDevices::moved(const Instruction &of,
                                              const Op &op,
                                              const Operands &operands,
                                              const DeviceLists &groups) {
  const OpDescriptor &inner = *collectiveOf(op);
  const StringRef name = inner.opKind->name;
  DeviceLeaves results;
  if (name == "all-reduce") {
    for (const DeviceArrays *operand : operands) {
      auto result = combined(of, inner, *operand, groups);
      if (!result) return std::nullopt;
      results.push_back(*std::move(result));
    }
    return results;
  }
  const auto *scatter = name == "reduce-scatter"
                            ? static_cast<const ReduceScatterOp *>(&inner)
                            : nullptr;
  const auto *gather =
      name == "all-gather" ? static_cast<const AllGatherOp *>(&inner) : nullptr;
  const auto *exchange =
      name == "all-to-all" ? static_cast<const AllToAllOp *>(&inner) : nullptr;
  if (!scatter && !gather && !exchange && name != "collective-broadcast")
    return fail("the collective is not followed here");
  if (exchange && exchange->joined && exchange->joined != exchange->dimension)
    return fail("an exchange along two dimensions is not followed here");
  for (auto [r, shape] : llvm::enumerate(inner.results)) {
    if (!exchange && r >= operands.size())
      return fail("it has other results than operands");
    DeviceArrays sums;
    if (scatter) {
      auto sum = combined(of, inner, *operands[r], groups);
      if (!sum) return std::nullopt;
      sums = *std::move(sum);
    }
    DeviceArrays result(options_.devices.all());
    for (const auto &group : groups)
      for (auto [place, device] : llvm::enumerate(group)) {
        if (!spend(cellCountOf(shape))) return std::nullopt;
        const int64_t position = place;
        const int64_t members = group.size();
        if (name == "collective-broadcast") {
          result[device] = (*operands[r])[group[0]];
        } else if (exchange && !exchange->dimension) {
          if (static_cast<int64_t>(operands.size()) != members)
            return fail("there is not one operand for each member");
          result[device] = (*operands[position])[group[r]];
        } else {
          const int64_t along = scatter  ? scatter->dimension
                                : gather ? gather->dimension
                                         : *exchange->dimension;
          const int64_t part = gather || exchange
                                   ? shape.dimensions[along] / members
                                   : shape.dimensions[along];
          if ((gather || exchange) && part * members != shape.dimensions[along])
            return fail("the members of a group do not fit the shape");
          result[device] = cellArrayOf(
              shape,
              [&, r = r, device = device](llvm::ArrayRef<int64_t> index) {
                Int64s at(index.begin(), index.end());
                if (scatter) {
                  at[along] += position * part;
                  return cellAt(*sums[device], at);
                }
                const int64_t member = at[along] / part;
                at[along] %= part;
                if (exchange) at[along] += position * part;
                return cellAt(*(*operands[r])[group[member]], at);
              });
        }
      }
    for (const CellArrayPtr &array : result)
      if (!array) return fail("a device is in no group");
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace indexical
