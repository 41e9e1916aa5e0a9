// Ops of one device, with the devices as a dimension in front.
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/values/op_identity.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/partitioned/stacker.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Adds 1 to each: a dimension with another one in front.
void shift(Int64s &dimensions) {
  for (int64_t &each : dimensions) ++each;
}

Int64s shifted(llvm::ArrayRef<int64_t> dimensions) {
  Int64s all(dimensions.begin(), dimensions.end());
  shift(all);
  return all;
}

ArrayShape plain(const ArrayShape &shape) {
  return ArrayShape(shape.type, shape.dimensions);
}

/// Returns the dimensions of the shape from the slowest in memory to the
/// fastest.
Int64s majorToMinor(const ArrayShape &shape) {
  Int64s order(shape.minorToMajor());
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

StackedLeaves Stacker::widened(const Site &site, OpDraft draft,
                               llvm::ArrayRef<Stacked> operands) {
  ShapeList results;
  for (const ArrayShape &shape : draft->results)
    results.push_back(
        ArrayShape(shape.type, behind(devices_.all(), shape.dimensions)));
  draft->operands.clear();
  for (const Stacked &operand : operands)
    draft->operands.push_back(operand.shape);
  draft->results = std::move(results);
  draft->facts.reset();
  return writer_.add(Op(std::move(draft)), operands, true, site.of.called,
                     &site.of);
}

Stacked Stacker::deviceNumber(bool isReplica, ElementType type) {
  const int64_t count = devices_.all(), partitions = devices_.partitions;
  Stacked number = writer_.iota(type, {count}, 0, true);
  if (devices_.replicas == 1 && !isReplica) return number;
  const Stacked by =
      writer_.onDevices(writer_.integers(type, {}, {partitions}));
  const OpKind *kind = isReplica ? kindOf<ElementwiseOp>("divide")
                                 : kindOf<ElementwiseOp>("remainder");
  return writer_.elementwise(kind, {number, by}, type);
}

std::optional<StackedLeaves> Stacker::leafOp(const Site &site, const Op &op) {
  const OpDescriptor &descriptor = op.descriptor();
  const StringRef name = op.kind().name;
  if (const auto *forward = op.as<ForwardOp>()) {
    StackedLeaves leaves;
    for (auto [r, from] : llvm::enumerate(forward->reads)) {
      if (from < 0 || from >= static_cast<int64_t>(site.operands.size()) ||
          !isForwarded(op, r, from))
        return fail("what it hands on is not known");
      leaves.push_back(site.operands[from]);
    }
    return leaves;
  }
  if (hasEffects(op)) return fail("it gives something new in every execution");
  if (descriptor.results.empty()) return StackedLeaves();
  for (const CalledComputation &called : site.of.called)
    if (called.computation < 0 || meets_.has(called.computation))
      return fail("what it calls is not known");
  if (name == "partition-id" || name == "replica-id") {
    if (!isPlain(op) || !isInteger(descriptor.results[0].type))
      return fail("what it gives is not followed");
    return StackedLeaves{
        deviceNumber(name == "replica-id", descriptor.results[0].type)};
  }
  if (const auto *size = op.as<NullaryOp>(); size && size->sizeOf) {
    const ArrayShape &of = descriptor.operands[0];
    if (*size->sizeOf < 0 || of.dynamic.any() || of.hasUnknownSize() ||
        !isPlain(op))
      return fail("a list of sizes, or a size that is not known");
    return StackedLeaves{writer_.integers(descriptor.results[0].type, {},
                                          {of.dimensions[*size->sizeOf]})};
  }
  if (isUnknownLiteral(op)) return fail("the literal is not in the text");
  if (llvm::none_of(site.operands,
                    [](const Stacked &each) { return each.isOfDevice; })) {
    // The same on every device: it stays as it is.
    if (op.is<BitcastOp>()) return bitcast(site, op);
    return writer_.add(op, site.operands, false, site.of.called, &site.of);
  }
  if (op.is<ElementwiseOp>()) {
    if (!site.of.called.empty()) return fail("its function is not followed");
    llvm::SmallVector<Stacked, 4> operands;
    const bool isArray = !descriptor.results[0].isScalar();
    for (const Stacked &operand : site.operands) {
      // A scalar beside arrays stands for each of their elements.
      const bool isAlone =
          operand.shape.rank() - (operand.isOfDevice ? 1 : 0) == 0 && isArray;
      if (isAlone && operand.isOfDevice)
        operands.push_back(writer_.broadcast(
            operand, behind(devices_.all(), descriptor.results[0].dimensions),
            {0}));
      else
        operands.push_back(isAlone ? operand : writer_.onDevices(operand));
    }
    return widened(site, OpDraft(op), operands);
  }
  if (op.is<BitcastOp>()) return bitcast(site, op);
  if (auto leaves = moved(site, op)) return leaves;
  if (reason_.empty())
    if (auto leaves = indexed(site, op)) return leaves;
  if (reason_.empty())
    if (auto leaves = product(site, op)) return leaves;
  return fail(name.str() + " of parts is not followed as terms");
}

std::optional<StackedLeaves> Stacker::moved(const Site &site, const Op &op) {
  llvm::SmallVector<Stacked, 4> operands;
  for (const Stacked &operand : site.operands)
    operands.push_back(writer_.onDevices(operand));
  OpDraft draft(op);
  if (auto *broadcast = draft.as<BroadcastOp>()) {
    broadcast->dimensions = behind(0, shifted(broadcast->dimensions));
    if (!broadcast->expanding.empty() || !broadcast->maybeExpanding.empty())
      return std::nullopt;
    return widened(site, std::move(draft), operands);
  }
  if (auto *transpose = draft.as<TransposeOp>()) {
    transpose->permutation = behind(0, shifted(transpose->permutation));
    return widened(site, std::move(draft), operands);
  }
  if (auto *reverse = draft.as<ReverseOp>()) {
    shift(reverse->dimensions);
    return widened(site, std::move(draft), operands);
  }
  if (auto *slice = draft.as<SliceOp>()) {
    slice->starts = behind(0, slice->starts);
    slice->limits = behind(devices_.all(), slice->limits);
    slice->strides = behind(1, slice->strides);
    return widened(site, std::move(draft), operands);
  }
  if (auto *concatenate = draft.as<ConcatenateOp>()) {
    ++concatenate->dimension;
    return widened(site, std::move(draft), operands);
  }
  const OpShapes &shapes = shapesOf(op);
  const bool isBits =
      draft.is<BitcastConvertOp>() &&
      bitsOf(shapes.operands[0].type) == bitsOf(shapes.results[0].type);
  if (draft.is<ReshapeOp>() || isBits)
    return widened(site, std::move(draft), operands);
  if (auto *pad = draft.as<PadOp>()) {
    if (operands.size() != 2 || site.operands[1].isOfDevice)
      return fail("a padding that is another one on each device");
    operands[1] = site.operands[1];
    for (Int64s *each : {&pad->low, &pad->high, &pad->interior})
      *each = behind(0, *each);
    return widened(site, std::move(draft), operands);
  }
  if (auto *sort = draft.as<SortOp>()) {
    ++sort->dimension;
    return widened(site, std::move(draft), operands);
  }
  return std::nullopt;
}

std::optional<StackedLeaves> Stacker::bitcast(const Site &site, const Op &op) {
  const ArrayShape from = shapesOf(op).operands[0],
                   to = shapesOf(op).results[0];
  if (from.type != to.type || bitsOf(to.type) < 8 || !isPlain(op) ||
      site.operands.size() != 1)
    return fail("a bitcast to another type");
  for (const ArrayShape *shape : {&from, &to})
    if (shape->layout &&
        (shape->layout->elementBits != 0 || !shape->layout->tiles.empty()))
      return fail("a bitcast of a tiled layout");
  const Stacked of = site.operands[0];
  const bool isOfDevice = of.isOfDevice;
  const Int64s order = majorToMinor(from), target = majorToMinor(to);
  Int64s sizes, back(to.rank(), 0);
  for (auto [k, dimension] : llvm::enumerate(target)) {
    sizes.push_back(to.dimensions[dimension]);
    back[dimension] = k;
  }
  auto withDevices = [&](llvm::ArrayRef<int64_t> permutation) {
    return isOfDevice ? behind(0, shifted(permutation))
                      : Int64s(permutation.begin(), permutation.end());
  };
  Stacked made = writer_.transpose(of, withDevices(order));
  made =
      writer_.reshape(made, isOfDevice ? behind(devices_.all(), sizes) : sizes);
  return StackedLeaves{writer_.transpose(made, withDevices(back))};
}

std::optional<StackedLeaves> Stacker::indexed(const Site &site, const Op &op) {
  const int64_t count = devices_.all();
  OpDraft draft(op);
  llvm::SmallVector<Stacked, 4> operands;
  for (const Stacked &operand : site.operands)
    operands.push_back(writer_.onDevices(operand));
  if (auto *gather = draft.as<GatherOp>()) {
    if (operands.size() != 2) return fail("slice sizes are operands");
    for (Int64s *each : {&gather->offsetDims, &gather->collapsedSliceDims,
                         &gather->startIndexMap, &gather->operandBatchingDims,
                         &gather->startIndicesBatchingDims})
      shift(*each);
    gather->operandBatchingDims.insert(gather->operandBatchingDims.begin(), 0);
    gather->startIndicesBatchingDims.insert(
        gather->startIndicesBatchingDims.begin(), 0);
    ++gather->indexVectorDim;
    gather->sliceSizes = behind(1, gather->sliceSizes);
    return widened(site, std::move(draft), operands);
  }
  if (auto *scatter = draft.as<ScatterOp>()) {
    for (Int64s *each :
         {&scatter->updateWindowDims, &scatter->insertedWindowDims,
          &scatter->scatterDimsToOperandDims, &scatter->inputBatchingDims,
          &scatter->scatterIndicesBatchingDims})
      shift(*each);
    scatter->inputBatchingDims.insert(scatter->inputBatchingDims.begin(), 0);
    scatter->scatterIndicesBatchingDims.insert(
        scatter->scatterIndicesBatchingDims.begin(), 0);
    ++scatter->indexVectorDim;
    return widened(site, std::move(draft), operands);
  }
  const bool isUpdate = op.is<DynamicUpdateSliceOp>();
  if (!isUpdate && !op.is<DynamicSliceOp>()) return std::nullopt;
  const size_t first = isUpdate ? 2 : 1;
  const Int64s sizes(shapesOf(op).operands[0].dimensions);
  const Int64s part(isUpdate ? shapesOf(op).operands[1].dimensions
                             : shapesOf(op).results[0].dimensions);
  llvm::SmallVector<Stacked, 4> starts;
  bool isOneStart = true;
  for (size_t k = first; k < site.operands.size(); ++k) {
    if (!site.operands[k].shape.isScalar() && !site.operands[k].isOfDevice)
      return fail("starts in one array");
    starts.push_back(site.operands[k]);
    isOneStart &= !starts.back().isOfDevice;
  }
  if (starts.size() != sizes.size()) return fail("starts in one array");
  if (isOneStart && !starts.empty()) {
    operands.truncate(first);
    operands.push_back(writer_.zero(starts[0].shape.type));
    operands.append(starts.begin(), starts.end());
    if (auto *slice = draft.as<DynamicSliceOp>())
      slice->sizes = behind(count, slice->sizes);
    return widened(site, std::move(draft), operands);
  }
  for (Stacked &start : starts) {
    start = writer_.onDevices(start);
    if (start.shape.rank() != 1) return fail("starts in one array");
  }
  if (!isUpdate)
    return StackedLeaves{writer_.slicesAt(operands[0], starts, part)};
  // Where the index is in the slice, it is the update's.
  Stacked update = operands[1], isInside;
  Int64s low = {0}, window;
  for (auto [k, start] : llvm::enumerate(starts)) {
    const int64_t room = sizes[k] - part[k];
    low.push_back(room);
    window.push_back(sizes[k]);
    if (room == 0) continue;
    const ElementType type = start.shape.type;
    if (sizes[k] > (bitsOf(type) > 8 ? 32'000 : 120) && bitsOf(type) < 32)
      return fail("starts of a narrow type");
    auto number = [&](int64_t value) {
      return writer_.onDevices(writer_.integers(type, {}, {value}));
    };
    const Stacked from = writer_.elementwise(
        kindOf<ElementwiseOp>("clamp"), {number(0), start, number(room)}, type);
    const Stacked end = writer_.elementwise(kindOf<ElementwiseOp>("add"),
                                            {from, number(part[k])}, type);
    const Int64s all = behind(count, sizes);
    const Stacked index = writer_.iota(type, all, k + 1, true);
    for (const bool isEnd : {false, true}) {
      const Stacked bound = writer_.broadcast(isEnd ? end : from, all, {0});
      const Stacked holds = writer_.compare(isEnd ? "LT" : "GE", index, bound);
      isInside = isInside.isKnown()
                     ? writer_.elementwise(kindOf<ElementwiseOp>("and"),
                                           {isInside, holds}, ElementType::Pred)
                     : holds;
    }
    start = writer_.elementwise(kindOf<ElementwiseOp>("subtract"),
                                {number(room), from}, type);
  }
  if (!isInside.isKnown()) return StackedLeaves{update};
  update = writer_.slicesAt(writer_.pad(update, low, low), starts, window);
  return StackedLeaves{writer_.elementwise(kindOf<ElementwiseOp>("select"),
                                           {isInside, update, operands[0]},
                                           operands[0].shape.type)};
}

std::optional<StackedLeaves> Stacker::product(const Site &site, const Op &op) {
  const int64_t count = devices_.all();
  OpDraft draft(op);
  llvm::SmallVector<Stacked, 4> operands;
  for (const Stacked &operand : site.operands)
    operands.push_back(writer_.onDevices(operand));
  const size_t results = shapesOf(op).results.size();
  auto takeInits = [&] {
    for (size_t k = results; k < operands.size(); ++k) {
      if (site.operands[k].isOfDevice) return false;
      operands[k] = site.operands[k];
    }
    return operands.size() == 2 * results;
  };
  if (auto *reduce = draft.as<ReduceOp>()) {
    if (!takeInits())
      return fail("a reduction begins with a number of a device");
    shift(reduce->dimensions);
    return widened(site, std::move(draft), operands);
  }
  if (auto *window = draft.as<ReduceWindowOp>()) {
    if (!takeInits())
      return fail("a reduction begins with a number of a device");
    window->window.insert(window->window.begin(), WindowDimension());
    return widened(site, std::move(draft), operands);
  }
  if (auto *dot = draft.as<DotOp>()) {
    if (op.kind().name != "dot" || operands.size() != 2) return std::nullopt;
    for (Int64s *each : {&dot->lhsBatch, &dot->rhsBatch, &dot->lhsContracting,
                         &dot->rhsContracting})
      shift(*each);
    dot->lhsBatch.insert(dot->lhsBatch.begin(), 0);
    dot->rhsBatch.insert(dot->rhsBatch.begin(), 0);
    return widened(site, std::move(draft), operands);
  }
  if (draft.is<SelectAndScatterOp>()) return selected(site, op, operands);
  auto *convolution = draft.as<ConvolutionOp>();
  if (!convolution || operands.size() != 2) return std::nullopt;
  // Devices are groups of features, or of the batch if that has groups.
  const bool isBatch = convolution->batchGroups > 1;
  ArrayShape result = plain(shapesOf(op).results[0]);
  const int64_t feature = convolution->outputFeature;
  operands[0] = devicesIn(operands[0], isBatch ? convolution->inputBatch
                                               : convolution->inputFeature);
  operands[1] = devicesIn(operands[1], convolution->kernelOutputFeature);
  (isBatch ? convolution->batchGroups : convolution->featureGroups) *= count;
  result.dimensions[feature] *= count;
  draft->operands = {operands[0].shape, operands[1].shape};
  draft->results = {result};
  draft->facts.reset();
  Stacked made = writer_.add(Op(std::move(draft)), operands, true,
                             site.of.called, &site.of)[0];
  return StackedLeaves{devicesOutOf(made, feature)};
}

/// Devices are more of the batch: of a dimension that the window does not
/// reach across.
std::optional<StackedLeaves> Stacker::selected(
    const Site &site, const Op &op, llvm::ArrayRef<Stacked> operands) {
  OpDraft draft(op);
  const auto &window = draft.as<SelectAndScatterOp>()->window;
  const auto *batch = llvm::find(window, WindowDimension());
  if (operands.size() != 3 || site.operands[2].isOfDevice ||
      batch == window.end())
    return std::nullopt;
  const int64_t along = batch - window.begin();
  const Stacked all[] = {devicesIn(operands[0], along),
                         devicesIn(operands[1], along), site.operands[2]};
  draft->operands = {all[0].shape, all[1].shape, all[2].shape};
  draft->results = {ArrayShape(all[0].shape.type, all[0].shape.dimensions)};
  draft->facts.reset();
  const Stacked made =
      writer_.add(Op(std::move(draft)), all, true, site.of.called, &site.of)[0];
  return StackedLeaves{devicesOutOf(made, along)};
}

Stacked Stacker::devicesIn(Stacked of, int64_t dimension) {
  Int64s order, sizes;
  const Int64s own(of.shape.dimensions);
  for (int64_t k = 1; k < of.shape.rank(); ++k) {
    if (k == dimension + 1) order.push_back(0);
    order.push_back(k);
    sizes.push_back(k == dimension + 1 ? own[k] * own[0] : own[k]);
  }
  return writer_.reshape(writer_.transpose(of, order), sizes);
}

Stacked Stacker::devicesOutOf(Stacked of, int64_t dimension) {
  const int64_t count = devices_.all();
  const Int64s own(of.shape.dimensions);
  Int64s split, order = {dimension};
  for (int64_t k = 0; k < static_cast<int64_t>(own.size()); ++k) {
    if (k == dimension) split.push_back(count);
    split.push_back(k == dimension ? own[k] / count : own[k]);
  }
  for (int64_t k = 0; k < static_cast<int64_t>(split.size()); ++k)
    if (k != dimension) order.push_back(k);
  return writer_.transpose(writer_.reshape(of, split), order);
}

}  // namespace indexical
