#include "indexical/same/partitioned/moved_arrays.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/same/partitioned/device_integers.h"
#include "indexical/same/partitioned/flow.h"

namespace indexical {
namespace {

/// More pieces are not compared: it takes the square of their number.
constexpr size_t kMostPiecesCompared = 2048;

/// Follows the arrays of an entry computation. The holder of a piece is the
/// parameter's number x devices + the device.
class ArrayFlows {
 public:
  /// `combination` is the op of the sums that are followed: `add`, or none.
  ArrayFlows(const Program &program, const DeviceCounts &devices,
             llvm::StringRef combination, int64_t most)
      : module_(program.modules[0]),
        entry_(entryOf(program)),
        devices_(devices),
        combination_(combination),
        most_(most),
        integers_(module_, devices) {}

  /// Returns the pieces of the root on each device.
  std::optional<Flow> root() {
    if (!llvm::all_of(entry_.instructions,
                      [&](const Instruction &of) { return isFollowed(of); }))
      return std::nullopt;
    for (InstructionId at : entry_.postOrder()) {
      auto flow = flowOf(at);
      if (!flow) return std::nullopt;
      const FlowPieces *last = nullptr;
      for (const FlowPtr &pieces : *flow) {
        if (pieces->size() > kMostPiecesOfFlow) return std::nullopt;
        // Devices that share a list do so one after another, as a rule.
        if (pieces.get() != last) followed_ += pieces->size();
        last = pieces.get();
      }
      if (followed_ > most_) return std::nullopt;
      flows_[at] = *std::move(flow);
    }
    return flows_[entry_.root];
  }
  llvm::ArrayRef<Part> partsOf(const FlowPiece &piece) const {
    return table_.of(piece.parts);
  }

 private:
  /// Returns whether the computation is `add` of its two parameters: or
  /// `maximum`…, as the parts of parameters are combined.
  bool combinesParts(const Instruction &of) const {
    if (of.called.size() != 1 || of.called[0].computation < 0) return false;
    const Computation &called = module_.computations[of.called[0].computation];
    if (called.root < 0 || called.parameters.size() != 2 || called.captured > 0)
      return false;
    InstructionId root = called.root;
    if (called.instructions[root].terminator &&
        called.instructions[root].operands.size() == 1)
      root = called.instructions[root].operands[0];
    const Instruction &by = called.instructions[root];
    if (!by.op.is<ElementwiseOp>() || by.operands.size() != 2 ||
        by.op.kind().name != combination_)
      return false;
    return (by.operands[0] == called.parameters[0] &&
            by.operands[1] == called.parameters[1]) ||
           (by.operands[0] == called.parameters[1] &&
            by.operands[1] == called.parameters[0]);
  }

  bool isFollowed(const Instruction &of) const {
    if (of.captured > 0 || !of.shape->isArray() ||
        llvm::any_of(of.elements, [](int32_t element) { return element > 0; }))
      return false;
    if (!of.customCallTarget.empty()) return false;
    if (of.op.isOneOf<ConstantOp, IotaOp, NullaryOp, ElementwiseOp>())
      return true;
    // `return` of MLIR.
    if (const auto *forward = of.op.as<ForwardOp>())
      return of.operands.size() == 1 && forward->reads.size() == 1 &&
             forward->reads[0] == 0;
    return of.op.isOneOf<ReshapeOp, TransposeOp, SliceOp, ReverseOp,
                         ConcatenateOp, BroadcastOp, PadOp, DynamicSliceOp,
                         DynamicUpdateSliceOp>() ||
           isExchange(of.op) || (isSum(of.op) && combinesParts(of));
  }
  static bool isSum(const Op &op) {
    if (!collectiveOf(op) || op.is<StartOp>()) return false;
    const auto name = op.kind().name;
    return name == "all-reduce" || name == "reduce-scatter";
  }
  static bool isExchange(const Op &op) {
    if (!collectiveOf(op) || op.is<StartOp>()) return false;
    const auto name = op.kind().name;
    return name == "collective-permute" || name == "all-gather" ||
           name == "all-to-all";
  }

  const Instruction &operandOf(InstructionId at, size_t k) const {
    return entry_.instructions[entry_.instructions[at].operands[k]];
  }
  const Flow &flowOfOperand(InstructionId at, size_t k) {
    return flows_[entry_.instructions[at].operands[k]];
  }
  static Flow onEach(int64_t devices, FlowPtr pieces) {
    return Flow(devices, std::move(pieces));
  }
  Flow nothing() const {
    static const FlowPtr kNothing = std::make_shared<FlowPieces>();
    return onEach(devices_.all(), kNothing);
  }

  std::optional<Flow> flowOf(InstructionId at) {
    const Instruction &of = entry_.instructions[at];
    if (of.parameterNumber >= 0) return parameter(of);
    if (of.op.isOneOf<ConstantOp, IotaOp, NullaryOp>()) return nothing();
    if (of.op.is<ElementwiseOp>()) {
      const auto name = of.op.kind().name;
      if (name == "copy") return flowOfOperand(at, 0);
      if (name == "select" && of.operands.size() == 3) return selected(at);
      // A computed number is no element of a parameter.
      return nothing();
    }
    if (of.op.is<ForwardOp>()) return flowOfOperand(at, 0);
    if (of.op.is<DynamicSliceOp>()) return sliced(at);
    if (of.op.is<DynamicUpdateSliceOp>()) return updated(at);
    if (isExchange(of.op) || isSum(of.op)) return exchanged(at);
    return moved(at);
  }

  Flow parameter(const Instruction &of) {
    Flow flow;
    for (int64_t device = 0; device < devices_.all(); ++device)
      flow.push_back(std::make_shared<FlowPieces>(wholeValue(
          of.shape->array.dimensions,
          table_.intern(
              {{of.parameterNumber * devices_.all() + device, 0}}))));
    return flow;
  }

  std::optional<Flow> moved(InstructionId at) {
    const Instruction &of = entry_.instructions[at];
    const bool isReshape = of.op.is<ReshapeOp>();
    const size_t sources = of.op.is<ConcatenateOp>() ? of.operands.size() : 1;
    std::vector<IndexingRelation> reads;
    for (size_t k = 0; k < sources && !isReshape; ++k) {
      auto relation =
          indexing(of.op, Direction::OutputToInput, LeafId(0), LeafId(k));
      if (!relation.ok()) return std::nullopt;
      for (const IndexingMap &map : relation->pieces())
        if (!map.runtime().empty()) return std::nullopt;
      reads.push_back(*std::move(relation));
    }
    const auto noValue = [](const IndexingMap &, size_t) {
      return std::optional<int64_t>();
    };
    // Devices with equal operands have equal results.
    std::map<std::vector<const FlowPieces *>, FlowPtr> known;
    Flow result;
    for (int64_t device = 0; device < devices_.all(); ++device) {
      std::vector<const FlowPieces *> from;
      for (size_t k = 0; k < sources; ++k)
        from.push_back(flowOfOperand(at, k)[device].get());
      FlowPtr &same = known[from];
      if (!same) {
        auto pieces = std::make_shared<FlowPieces>();
        for (size_t k = 0; k < sources; ++k)
          if (!(isReshape
                    ? addReshaped(operandOf(at, 0).shape->array.dimensions,
                                  of.shape->array.dimensions, *from[0], *pieces)
                    : addMoved(reads[k], *from[k], noValue, *pieces)))
            return std::nullopt;
        same = pieces;
      }
      result.push_back(same);
    }
    return result;
  }

  /// Returns where a slice begins on a device: offsets are clamped.
  std::optional<Int64s> beginOf(InstructionId at, size_t first, int64_t device,
                                llvm::ArrayRef<int64_t> all,
                                llvm::ArrayRef<int64_t> part) {
    const Instruction &of = entry_.instructions[at];
    if (of.operands.size() != first + all.size()) return std::nullopt;
    Int64s begin;
    for (size_t k = 0; k < all.size(); ++k) {
      const auto &numbers =
          integers_.scalar(module_.entry, of.operands[first + k]);
      if (!numbers) return std::nullopt;
      begin.push_back(std::clamp<int64_t>((*numbers)[device], 0,
                                          std::max<int64_t>(0, all[k] - part[k])));
    }
    return begin;
  }

  std::optional<Flow> sliced(InstructionId at) {
    const auto &all = operandOf(at, 0).shape->array.dimensions;
    const auto &part = entry_.instructions[at].shape->array.dimensions;
    Flow result;
    for (int64_t device = 0; device < devices_.all(); ++device) {
      const auto begin = beginOf(at, 1, device, all, part);
      if (!begin) return std::nullopt;
      FlowPieces pieces = *flowOfOperand(at, 0)[device];
      for (size_t k = 0; k < begin->size(); ++k) {
        FlowPieces taken;
        addSlice(pieces, k, (*begin)[k], part[k], /*at=*/0, taken);
        pieces = std::move(taken);
      }
      result.push_back(std::make_shared<FlowPieces>(std::move(pieces)));
    }
    return result;
  }

  /// Adds what of the piece is not in the box.
  static void addOutside(FlowPiece piece, const ElementBox &box,
                         FlowPieces &into) {
    if (!cutTo(piece, box)) {
      into.push_back(std::move(piece));
      return;
    }
    for (size_t k = 0; k < box.size(); ++k) {
      auto &[first, end] = piece.box[k];
      if (first < box[k].first) {
        FlowPiece before = piece;
        before.box[k].second = box[k].first;
        into.push_back(std::move(before));
        first = box[k].first;
      }
      if (end > box[k].second) {
        FlowPiece behind = piece;
        behind.box[k].first = box[k].second;
        into.push_back(std::move(behind));
        end = box[k].second;
      }
    }
  }

  std::optional<Flow> updated(InstructionId at) {
    const auto &all = operandOf(at, 0).shape->array.dimensions;
    const auto &part = operandOf(at, 1).shape->array.dimensions;
    Flow result;
    for (int64_t device = 0; device < devices_.all(); ++device) {
      const auto begin = beginOf(at, 2, device, all, part);
      if (!begin) return std::nullopt;
      ElementBox box;
      for (size_t k = 0; k < begin->size(); ++k)
        box.push_back({(*begin)[k], (*begin)[k] + part[k]});
      auto pieces = std::make_shared<FlowPieces>();
      for (const FlowPiece &piece : *flowOfOperand(at, 0)[device])
        addOutside(piece, box, *pieces);
      FlowPieces update = *flowOfOperand(at, 1)[device];
      for (size_t k = 0; k < begin->size(); ++k) {
        FlowPieces shifted;
        addSlice(update, k, 0, part[k], (*begin)[k], shifted);
        update = std::move(shifted);
      }
      llvm::append_range(*pieces, update);
      result.push_back(pieces);
    }
    return result;
  }

  /// A select whose predicate is one number on each device.
  std::optional<Flow> selected(InstructionId at) {
    InstructionId predicate = entry_.instructions[at].operands[0];
    const Instruction *of = &entry_.instructions[predicate];
    if (of->op.is<BroadcastOp>() && of->shape->array.elementCount() != 1) {
      predicate = of->operands[0];
      of = &entry_.instructions[predicate];
    }
    const auto &numbers = integers_.scalar(module_.entry, predicate);
    if (!numbers) return std::nullopt;
    Flow result;
    for (int64_t device = 0; device < devices_.all(); ++device)
      result.push_back(flowOfOperand(at, (*numbers)[device] ? 1 : 2)[device]);
    return result;
  }

  /// Gives the members of a group the sum of what they have, or their slices.
  bool addSums(const Op &sum, const std::vector<int64_t> &group,
               const Flow &from, Flow &result) {
    std::vector<FlowPtr> all;
    for (int64_t member : group) all.push_back(from[member]);
    auto pieces = sumOf(all, table_);
    if (!pieces) return false;
    const auto shared = std::make_shared<FlowPieces>(*std::move(pieces));
    for (auto [k, member] : llvm::enumerate(group)) {
      if (sum.kind().name == "all-reduce") {
        result[member] = shared;
        continue;
      }
      const auto &op = static_cast<const ReduceScatterOp &>(*collectiveOf(sum));
      const int64_t part = op.results[0].dimensions[op.dimension];
      auto mine = std::make_shared<FlowPieces>();
      addSlice(*shared, op.dimension, part * k, part, 0, *mine);
      result[member] = mine;
    }
    return true;
  }

  std::optional<Flow> exchanged(InstructionId at) {
    const Instruction &of = entry_.instructions[at];
    if (of.operands.size() != 1) return std::nullopt;
    const OpDescriptor &op = *collectiveOf(of.op);
    Flow result = nothing();
    const Flow &from = flowOfOperand(at, 0);
    if (!hasGroups(of.op)) {
      const auto pairs = pairsOf(of.op, devices_);
      if (!pairs.ok()) return std::nullopt;
      std::vector<bool> isTarget(devices_.all(), false);
      for (auto [source, target] : *pairs) {
        if (isTarget[target]) return std::nullopt;
        isTarget[target] = true;
        result[target] = from[source];
      }
      return result;
    }
    const auto groups = groupsOf(of.op, devices_);
    if (!groups.ok()) return std::nullopt;
    for (const auto &group : *groups) {
      if (of.op.kind().name == "all-gather") {
        const auto &gather = static_cast<const AllGatherOp &>(op);
        const int64_t part = op.operands[0].dimensions[gather.dimension];
        auto gathered = std::make_shared<FlowPieces>();
        for (auto [k, member] : llvm::enumerate(group))
          addSlice(*from[member], gather.dimension, 0, part, part * k,
                   *gathered);
        for (int64_t member : group) result[member] = gathered;
        continue;
      }
      if (isSum(of.op)) {
        if (!addSums(of.op, group, from, result)) return std::nullopt;
        continue;
      }
      const auto &exchange = static_cast<const AllToAllOp &>(op);
      if (!exchange.dimension) return std::nullopt;
      const int64_t cut = *exchange.dimension;
      const int64_t joined = exchange.joined.value_or(cut);
      const int64_t members = group.size();
      // Each member has a piece of each, at the least.
      followed_ += members * members;
      if (followed_ > most_) return std::nullopt;
      if (op.operands[0].dimensions[cut] % members != 0) return std::nullopt;
      const int64_t part = op.operands[0].dimensions[cut] / members;
      const int64_t length =
          joined == cut ? part : op.operands[0].dimensions[joined];
      for (auto [k, member] : llvm::enumerate(group)) {
        auto mine = std::make_shared<FlowPieces>();
        for (auto [j, other] : llvm::enumerate(group)) {
          FlowPieces taken;
          addSlice(*from[other], cut, part * k, part, 0, taken);
          addSlice(taken, joined, 0, length, length * j, *mine);
        }
        result[member] = mine;
      }
    }
    return result;
  }

  const Module &module_;
  const Computation &entry_;
  const DeviceCounts devices_;
  const llvm::StringRef combination_;
  const int64_t most_;
  DeviceIntegers integers_;
  std::map<InstructionId, Flow> flows_;
  PartsTable table_;
  int64_t followed_ = 0;
};

/// A box of a result whose elements are those of a whole parameter: its
/// row-major number is `base` + a stride for each index behind the box's first.
struct WholePiece {
  ElementBox box;
  size_t array = 0;
  int64_t base = 0;
  llvm::SmallVector<int64_t, 4> strides;

  /// Returns the number of the element at the first index of the box, which is
  /// in this one's.
  int64_t numberAt(const ElementBox &of) const {
    int64_t number = base;
    for (size_t k = 0; k < of.size(); ++k)
      number += strides[k] * (of[k].first - box[k].first);
    return number;
  }
};

/// Returns one of the parts of a local piece in numbers of whole parameters.
/// Returns nothing if an element is padding, or the numbers are not linear.
std::optional<WholePiece> wholePieceOf(const FlowPiece &piece, const Part &part,
                                       const EntryArrays &entry,
                                       llvm::ArrayRef<size_t> arrays) {
  const int64_t devices = entry.devices.all();
  const size_t parameter = part.first / devices;
  if (parameter >= arrays.size()) return std::nullopt;
  const ShardedArray &array = entry.parameters[arrays[parameter]];
  const ShardedRelation &relation = *array.relation;
  const auto box = relation.box(part.first % devices);
  if (!box) return std::nullopt;
  WholePiece whole;
  whole.box = piece.box;
  whole.array = arrays[parameter];
  int64_t number = piece.base + part.second;
  for (size_t k = 0; k < piece.box.size(); ++k)
    number += piece.strides[k] * piece.box[k].first;
  // The first element, and the step along each dimension, as local indices.
  const auto local = relation.local();
  if (number < 0 || number >= elementCountOf(local)) return std::nullopt;
  Int64s first = indexAtPlace(number, local), last = first;
  std::vector<Int64s> steps;
  for (size_t k = 0; k < piece.box.size(); ++k) {
    const int64_t count = piece.box[k].second - piece.box[k].first;
    const int64_t stride = count > 1 ? piece.strides[k] : 0;
    if (stride < 0 || stride >= elementCountOf(local)) return std::nullopt;
    steps.push_back(indexAtPlace(stride, local));
    for (size_t j = 0; j < local.size(); ++j)
      last[j] += (count - 1) * steps.back()[j];
  }
  const auto global = relation.global();
  for (size_t j = 0; j < local.size(); ++j) {
    const auto [begin, end] = (*box)[j];
    if (last[j] >= local[j] || begin + last[j] >= end) return std::nullopt;
    first[j] += begin;
  }
  whole.base = placeOfIndex(first, global);
  for (const Int64s &step : steps)
    whole.strides.push_back(placeOfIndex(step, global));
  return whole;
}

/// Returns the local piece in numbers of whole parameters. Each part of an
/// element has to be in it once. Returns nothing if that is not known.
std::optional<WholePiece> wholePieceOf(const FlowPiece &piece,
                                       llvm::ArrayRef<Part> parts,
                                       const EntryArrays &entry,
                                       llvm::ArrayRef<size_t> arrays) {
  std::optional<WholePiece> whole;
  std::set<int64_t> seen;
  for (const Part &part : parts) {
    auto each = wholePieceOf(piece, part, entry, arrays);
    if (!each || (whole && (each->array != whole->array ||
                            each->base != whole->base ||
                            each->strides != whole->strides)))
      return std::nullopt;
    whole = std::move(each);
    const auto holding =
        entry.parameters[whole->array].relation->sharding().holding(
            part.first % entry.devices.all());
    if (!holding || !seen.insert(holding->part).second) return std::nullopt;
  }
  if (!whole) return std::nullopt;
  const Sharding &sharding =
      entry.parameters[whole->array].relation->sharding();
  if (static_cast<int64_t>(seen.size()) != sharding.parts())
    return std::nullopt;
  return whole;
}

/// Returns the op that combines parts, or "" if it is not known.
llvm::StringRef combinationOf(const Sharding &sharding) {
  const llvm::StringRef reduction = sharding.reduction();
  if (reduction.empty() || reduction == "add" || reduction == "sum")
    return "add";
  if (reduction == "max") return "maximum";
  return reduction == "min" ? "minimum" : "";
}

/// Returns a piece of GLOBAL's result as a part of a device's.
WholePiece partOf(const FlowPiece &piece, llvm::ArrayRef<Part> parts,
                  llvm::ArrayRef<size_t> arrays, const ElementBox &box) {
  WholePiece part;
  part.array = arrays[parts[0].first];
  part.base = piece.base + parts[0].second;
  for (size_t k = 0; k < box.size(); ++k) {
    const auto [begin, end] = piece.box[k];
    part.base += piece.strides[k] * begin;
    part.strides.push_back(piece.strides[k]);
    part.box.push_back({begin - box[k].first, end - box[k].first});
  }
  return part;
}

std::optional<ElementBox> meet(const ElementBox &a, const ElementBox &b) {
  ElementBox both;
  for (size_t k = 0; k < a.size(); ++k) {
    both.push_back({std::max(a[k].first, b[k].first),
                    std::min(a[k].second, b[k].second)});
    if (both.back().first >= both.back().second) return std::nullopt;
  }
  return both;
}

/// Returns whether no two of the pieces have an index in common.
bool areApart(std::vector<WholePiece> &pieces) {
  if (pieces.size() < 2) return true;
  // By the dimension with most beginnings, few pieces are compared.
  size_t along = 0, most = 0;
  for (size_t k = 0; k < pieces[0].box.size(); ++k) {
    std::set<int64_t> begins;
    for (const WholePiece &piece : pieces) begins.insert(piece.box[k].first);
    if (begins.size() > most) along = k;
    most = std::max(most, begins.size());
  }
  llvm::sort(pieces, [&](const WholePiece &a, const WholePiece &b) {
    return a.box[along].first < b.box[along].first;
  });
  for (size_t i = 0; i < pieces.size(); ++i)
    for (size_t j = i + 1; j < pieces.size() && pieces[j].box[along].first <
                                                    pieces[i].box[along].second;
         ++j)
      if (meet(pieces[i].box, pieces[j].box)) return false;
  return true;
}

bool areSame(const WholePiece &a, const WholePiece &b, const ElementBox &in) {
  if (a.array != b.array || a.numberAt(in) != b.numberAt(in)) return false;
  for (size_t k = 0; k < in.size(); ++k)
    if (in[k].second - in[k].first > 1 && a.strides[k] != b.strides[k])
      return false;
  return true;
}

}  // namespace

bool moveAlike(const Program &global, const Program &local,
               const PartitionedOptions &options, const EntryArrays &entry,
               int64_t most) {
  if (entry.results.size() != 1 || entry.devices.replicas != 1) return false;
  llvm::StringRef combination;
  for (const auto *arrays : {&entry.parameters, &entry.results})
    for (const ShardedArray &array : *arrays) {
      if (!array.relation) return false;
      const Sharding &sharding = array.relation->sharding();
      if (sharding.groups() > 1 || sharding.none() != NoElements::None)
        return false;
      if (sharding.parts() == 1) continue;
      // A pred has no sum, and one op combines all parts.
      const llvm::StringRef op = combinationOf(sharding);
      if (arrays == &entry.results || op.empty() ||
          array.shape.type == ElementType::Pred ||
          (!combination.empty() && op != combination))
        return false;
      combination = op;
    }
  // The arrays of GLOBAL's parameters, and of those of LOCAL, by their numbers.
  std::vector<size_t> globals, locals(entry.arraysOf.size(), 0);
  for (auto [k, arrays] : llvm::enumerate(entry.arraysOf)) {
    if (arrays.size() != 1) return false;
    globals.push_back(arrays[0]);
    const int32_t number = localParameter(options, k);
    if (number < 0 || number >= static_cast<int32_t>(locals.size()))
      return false;
    locals[number] = arrays[0];
  }
  ArrayFlows wholeFlows(global, {1, 1}, "", most),
      localFlows(local, entry.devices, combination, most);
  const auto whole = wholeFlows.root();
  if (!whole) return false;
  const auto flow = localFlows.root();
  if (!flow) return false;
  const ShardedRelation &relation = *entry.results[0].relation;
  for (int64_t device = 0; device < entry.devices.all(); ++device) {
    const auto box = relation.box(device);
    if (!box || elementsOf(*box) == 0) continue;
    std::vector<WholePiece> expected, found;
    for (const FlowPiece &piece : *(*whole)[0])
      if (const auto cut = cutTo(piece, *box)) {
        const auto parts = wholeFlows.partsOf(*cut);
        if (parts.size() != 1) return false;
        expected.push_back(partOf(*cut, parts, globals, *box));
      }
    ElementBox mine;
    for (auto [begin, end] : *box) mine.push_back({0, end - begin});
    int64_t elements = 0;
    for (const FlowPiece &piece : *(*flow)[device]) {
      const auto cut = cutTo(piece, mine);
      if (!cut) continue;
      auto part =
          wholePieceOf(*cut, localFlows.partsOf(*cut), entry, locals);
      if (!part) return false;
      for (const WholePiece &wanted : expected)
        if (const auto both = meet(wanted.box, part->box)) {
          if (!areSame(wanted, *part, *both)) return false;
          elements += elementsOf(*both);
        }
      found.push_back(*std::move(part));
      if (found.size() > kMostPiecesCompared) return false;
    }
    if (elements != elementsOf(*box) || !areApart(found)) return false;
  }
  return true;
}

}  // namespace indexical
