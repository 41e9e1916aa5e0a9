#include "indexical/same/partitioned/stack_writer.h"

#include <algorithm>
#include <limits>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/values/integers.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_numbers.h"
#include "indexical/same/values/element_table.h"

namespace indexical {

Int64s behind(int64_t first, llvm::ArrayRef<int64_t> sizes) {
  Int64s all = {first};
  all.append(sizes.begin(), sizes.end());
  return all;
}

ComputationId StackWriter::begin() {
  open_.push_back(ComputationId(module_.computations.size()));
  module_.computations.emplace_back().name = "devices";
  return open_.back();
}

void StackWriter::end(llvm::ArrayRef<Stacked> root) {
  setRoot(root);
  open_.pop_back();
}

void StackWriter::replace(Stacked of, Stacked by) {
  Instruction &at =
      module_.computations[open_.back()].instructions[of.instruction];
  isBroken_ |= of.element >= 0 || of.shape.dimensions != by.shape.dimensions;
  ForwardOp op;
  op.operands = {by.shape};
  op.results = {of.shape};
  op.reads = {0};
  at.op = op;
  at.operands = {by.instruction};
  at.elements = {by.element};
  at.called.clear();
}

void StackWriter::setRoot(llvm::ArrayRef<Stacked> root) {
  ForwardOp tuple;
  tuple.opKind = kindOf<ForwardOp>("tuple");
  std::vector<Shape> shapes;
  Instruction made;
  for (auto [k, leaf] : llvm::enumerate(root)) {
    tuple.operands.push_back(leaf.shape);
    tuple.results.push_back(leaf.shape);
    tuple.reads.push_back(k);
    shapes.push_back(Shape::ofArray(leaf.shape));
    made.operands.push_back(leaf.instruction);
    made.elements.push_back(leaf.element);
    isBroken_ |= !leaf.isKnown();
  }
  made.op = tuple;
  made.shape = Shape::ofTuple(std::move(shapes));
  Computation &computation = module_.computations[open_.back()];
  computation.root = InstructionId(computation.instructions.size());
  computation.instructions.push_back(std::move(made));
}

StackedLeaves StackWriter::parameter(int32_t number, ShapeList shapes,
                                     bool isOfDevice) {
  NullaryOp op;
  op.opKind = kindOf<NullaryOp>("parameter");
  op.parameter = number;
  op.results = std::move(shapes);
  StackedLeaves made = add(Op(op), {}, isOfDevice);
  Computation &computation = module_.computations[open_.back()];
  const InstructionId at(computation.instructions.size() - 1);
  computation.instructions[at].parameterNumber = number;
  computation.parameters.push_back(at);
  return made;
}

StackedLeaves StackWriter::add(Op op, llvm::ArrayRef<Stacked> operands,
                               bool isOfDevice,
                               llvm::ArrayRef<CalledComputation> called,
                               const Instruction *of) {
  Computation &computation = module_.computations[open_.back()];
  Instruction made;
  if (of) {
    made.name = of->name;
    made.opcode = of->opcode;
    made.place = of->place;
    made.customCallTarget = of->customCallTarget;
    made.tripCount = of->tripCount;
  }
  for (const Stacked &operand : operands) {
    made.operands.push_back(operand.instruction);
    made.elements.push_back(operand.element);
    isBroken_ |= !operand.isKnown();
  }
  made.called.assign(called.begin(), called.end());
  isBroken_ |= !verify(op).ok();
  StackedLeaves leaves;
  std::vector<Shape> shapes;
  const ShapeList results = shapesOf(op).results;
  for (auto [k, shape] : llvm::enumerate(results)) {
    Stacked leaf;
    leaf.instruction = InstructionId(computation.instructions.size());
    leaf.element = results.size() == 1 ? -1 : static_cast<int32_t>(k);
    leaf.shape = ArrayShape(shape.type, shape.dimensions);
    leaf.isOfDevice = isOfDevice;
    leaves.push_back(std::move(leaf));
    shapes.push_back(Shape::ofArray(shape));
  }
  made.shape = results.size() == 1 ? std::move(shapes[0])
                                   : Shape::ofTuple(std::move(shapes));
  made.op = std::move(op);
  computation.instructions.push_back(std::move(made));
  return leaves;
}

Stacked StackWriter::elementwise(const OpKind *kind,
                                 llvm::ArrayRef<Stacked> operands,
                                 ElementType type) {
  ElementwiseOp op;
  op.opKind = kind;
  bool isOfDevice = false;
  for (const Stacked &operand : operands) isOfDevice |= operand.isOfDevice;
  return make(op, operands, type, operands.back().shape.dimensions, isOfDevice);
}

Stacked StackWriter::compare(llvm::StringRef direction, Stacked a, Stacked b) {
  const Op scalar = comparisonOp(direction, a.shape.type);
  const ArrayShape result(ElementType::Pred, a.shape.dimensions);
  const Op op = scalar.changed([&](OpDraft &draft) {
    draft->operands = {a.shape, b.shape};
    draft->results = {result};
  });
  return add(op, {a, b}, a.isOfDevice || b.isOfDevice)[0];
}

Stacked StackWriter::integers(ElementType type, llvm::ArrayRef<int64_t> sizes,
                              llvm::ArrayRef<int64_t> values) {
  ConstantOp op;
  op.isKnown = true;
  const size_t width = (bitsOf(type) + 7) / 8;
  std::string bytes;
  for (int64_t value : values) {
    isBroken_ |= !valuesOf(type).contains(value);
    for (size_t k = 0; k < width; ++k)
      bytes += static_cast<char>(static_cast<uint64_t>(value) >> (8 * k));
  }
  op.bits = ConstantOp::canonicalBits(bytes, width);
  op.values = values.vec();
  return make(op, {}, type, sizes, false);
}

Stacked StackWriter::zero(ElementType type) {
  ConstantOp op;
  op.isKnown = true;
  op.bits = std::string((bitsOf(type) + 7) / 8, '\0');
  if (isInteger(type)) op.values = {0};
  return make(op, {}, type, {}, false);
}

Stacked StackWriter::neutral(llvm::StringRef op, ElementType type) {
  const int64_t bits = bitsOf(type);
  const bool isRinged = isInteger(type) && type != ElementType::Pred;
  if (op == "add" && keepsZeroSigns_ && isRealFloat(type) && bits >= 8) {
    ConstantOp negative;
    negative.isKnown = true;
    negative.bits = std::string(bits / 8 - 1, '\0') + '\x80';
    return make(negative, {}, type, {}, false);
  }
  if (op == "add" && type != ElementType::Pred) return zero(type);
  if (op == "xor" && isInteger(type)) return zero(type);
  if (op == "or" && isInteger(type)) return zero(type);
  if (isRinged && op == "multiply") return integers(type, {}, {1});
  if (op == "multiply" && classOf(type) == kFloats) {
    // The exponent's bias: all of its bits but the first.
    const uint64_t one = type == ElementType::F32    ? 0x3f800000
                         : type == ElementType::BF16 ? 0x3f80
                         : type == ElementType::F16  ? 0x3c00
                                                     : uint64_t{0x3ff} << 52;
    ConstantOp made;
    made.isKnown = true;
    for (int64_t k = 0; k < bits; k += 8)
      made.bits += static_cast<char>(one >> k);
    return make(made, {}, type, {}, false);
  }
  if (type == ElementType::S64 && op == "maximum")
    return integers(type, {}, {std::numeric_limits<int64_t>::min()});
  if (type == ElementType::S64 && op == "minimum")
    return integers(type, {}, {std::numeric_limits<int64_t>::max()});
  if (type == ElementType::S64 && op == "and") return integers(type, {}, {-1});
  if (type == ElementType::U64 && op == "maximum") return zero(type);
  if (isInteger(type) && type != ElementType::Pred && bits >= 8 && bits <= 32) {
    const bool isSigned = elementTypeName(type).starts_with("s");
    const Interval all = valuesOf(type);
    if (op == "maximum") return integers(type, {}, {all.lower});
    if (op == "minimum") return integers(type, {}, {all.upper});
    if (op == "and") return integers(type, {}, {isSigned ? -1 : all.upper});
  }
  if (type == ElementType::Pred && (op == "or" || op == "maximum"))
    return zero(type);
  if (type == ElementType::Pred && (op == "and" || op == "minimum"))
    return integers(type, {}, {1});
  if (op == "maximum" || op == "minimum") {
    // An infinity: all bits of the exponent.
    uint64_t word = 0;
    if (type == ElementType::F32) word = 0x7f800000;
    if (type == ElementType::BF16) word = 0x7f80;
    if (type == ElementType::F16) word = 0x7c00;
    if (type == ElementType::F64) word = uint64_t{0x7ff} << 52;
    if (word == 0) return Stacked();
    if (op == "maximum") word |= uint64_t{1} << (bits - 1);
    ConstantOp infinity;
    infinity.isKnown = true;
    for (int64_t k = 0; k < bits; k += 8)
      infinity.bits += static_cast<char>(word >> k);
    return make(infinity, {}, type, {}, false);
  }
  return Stacked();
}

Stacked StackWriter::iota(ElementType type, llvm::ArrayRef<int64_t> sizes,
                          int64_t dimension, bool isOfDevice) {
  IotaOp op;
  op.dimension = dimension;
  return make(op, {}, type, sizes, isOfDevice);
}

Stacked StackWriter::reshape(Stacked of, llvm::ArrayRef<int64_t> sizes) {
  if (llvm::ArrayRef<int64_t>(of.shape.dimensions) == sizes) return of;
  return make(ReshapeOp(), {of}, of.shape.type, sizes, of.isOfDevice);
}

Stacked StackWriter::transpose(Stacked of,
                               llvm::ArrayRef<int64_t> permutation) {
  bool isSame = true;
  TransposeOp op;
  Int64s sizes;
  for (auto [k, from] : llvm::enumerate(permutation)) {
    isSame &= from == static_cast<int64_t>(k);
    sizes.push_back(of.shape.dimensions[from]);
  }
  if (isSame) return of;
  op.permutation.assign(permutation.begin(), permutation.end());
  return make(op, {of}, of.shape.type, sizes, of.isOfDevice);
}

Stacked StackWriter::broadcast(Stacked of, llvm::ArrayRef<int64_t> sizes,
                               llvm::ArrayRef<int64_t> dimensions) {
  BroadcastOp op;
  op.dimensions.assign(dimensions.begin(), dimensions.end());
  return make(op, {of}, of.shape.type, sizes, of.isOfDevice);
}

Stacked StackWriter::slice(Stacked of, llvm::ArrayRef<int64_t> starts,
                           llvm::ArrayRef<int64_t> limits) {
  if (limits == llvm::ArrayRef<int64_t>(of.shape.dimensions) &&
      llvm::all_of(starts, [](int64_t start) { return start == 0; }))
    return of;
  SliceOp op;
  op.starts.assign(starts.begin(), starts.end());
  op.limits.assign(limits.begin(), limits.end());
  op.strides.assign(starts.size(), 1);
  Int64s sizes;
  for (auto [start, limit] : llvm::zip(starts, limits))
    sizes.push_back(limit - start);
  return make(op, {of}, of.shape.type, sizes, of.isOfDevice);
}

Stacked StackWriter::pad(Stacked of, llvm::ArrayRef<int64_t> low,
                         llvm::ArrayRef<int64_t> high) {
  auto isZero = [](int64_t each) { return each == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero)) return of;
  PadOp op;
  op.low.assign(low.begin(), low.end());
  op.high.assign(high.begin(), high.end());
  op.interior.assign(low.size(), 0);
  Int64s sizes;
  for (size_t k = 0; k < low.size(); ++k)
    sizes.push_back(low[k] + of.shape.dimensions[k] + high[k]);
  return make(op, {of, zero(of.shape.type)}, of.shape.type, sizes,
              of.isOfDevice);
}

Stacked StackWriter::concatenate(llvm::ArrayRef<Stacked> all,
                                 int64_t dimension) {
  if (all.size() == 1) return all[0];
  ConcatenateOp op;
  op.dimension = dimension;
  Int64s sizes(all[0].shape.dimensions);
  bool isOfDevice = false;
  sizes[dimension] = 0;
  for (const Stacked &each : all) {
    sizes[dimension] += each.shape.dimensions[dimension];
    isOfDevice |= each.isOfDevice;
  }
  return make(op, all, all[0].shape.type, sizes, isOfDevice);
}

Stacked StackWriter::rows(Stacked of, llvm::ArrayRef<int64_t> table) {
  const Int64s sizes(of.shape.dimensions);
  const int64_t count = static_cast<int64_t>(table.size());
  bool isSame = count == sizes[0];
  for (auto [k, row] : llvm::enumerate(table)) {
    isSame &= row == static_cast<int64_t>(k);
    isBroken_ |= row < 0 || row >= sizes[0];
  }
  if (isSame) return of;
  const llvm::ArrayRef<int64_t> rest = llvm::ArrayRef(sizes).drop_front();
  if (llvm::all_equal(table)) {
    Int64s starts(sizes.size(), 0), limits = sizes, places;
    starts[0] = table[0];
    limits[0] = table[0] + 1;
    for (size_t k = 0; k < rest.size(); ++k) places.push_back(k + 1);
    return broadcast(reshape(slice(of, starts, limits), rest),
                     behind(count, rest), places);
  }
  GatherOp op;
  for (size_t k = 0; k < rest.size(); ++k) op.offsetDims.push_back(k + 1);
  op.collapsedSliceDims = {0};
  op.startIndexMap = {0};
  op.indexVectorDim = 1;
  op.sliceSizes = behind(1, rest);
  return make(op, {of, integers(ElementType::S32, {count}, table)},
              of.shape.type, behind(count, rest), of.isOfDevice);
}

Stacked StackWriter::onDevices(Stacked of) {
  if (of.isOfDevice) return of;
  Int64s places;
  for (int64_t k = 0; k < of.shape.rank(); ++k) places.push_back(k + 1);
  Stacked made = broadcast(of, behind(devices_, of.shape.dimensions), places);
  made.isOfDevice = true;
  return made;
}

Stacked StackWriter::slicesAt(Stacked of, llvm::ArrayRef<Stacked> starts,
                              llvm::ArrayRef<int64_t> sizes) {
  GatherOp op;
  std::vector<Stacked> moving;
  for (auto [k, start] : llvm::enumerate(starts)) {
    op.offsetDims.push_back(k + 1);
    if (sizes[k] == of.shape.dimensions[k + 1]) continue;
    op.startIndexMap.push_back(k + 1);
    moving.push_back(reshape(start, {devices_, 1}));
  }
  if (moving.empty()) return of;
  op.operandBatchingDims = {0};
  op.startIndicesBatchingDims = {0};
  op.indexVectorDim = 1;
  op.sliceSizes = behind(1, sizes);
  return make(op, {of, concatenate(moving, 1)}, of.shape.type,
              behind(devices_, sizes), true);
}

Stacked StackWriter::named(const std::string &name, ArrayShape shape,
                           llvm::ArrayRef<Stacked> operands) {
  ShapeList shapes;
  for (const Stacked &operand : operands) shapes.push_back(operand.shape);
  return add(opOfName(name, std::move(shapes), {std::move(shape)}), operands,
             false)[0];
}

Stacked StackWriter::fresh(const std::string &name, const ArrayShape &shape,
                           bool isOfDevice) {
  const Int64s sizes = isOfDevice ? behind(devices_, shape.dimensions)
                                  : Int64s(shape.dimensions);
  return add(opOfName(name + "=" + std::to_string(unknowns_++), {},
                      {ArrayShape(shape.type, sizes)}),
             {}, isOfDevice)[0];
}

Stacked StackWriter::unknown(const ArrayShape &shape, bool isOfDevice) {
  return fresh(name_, shape, isOfDevice);
}

Stacked StackWriter::anyNumbers(const ArrayShape &shape, bool isOfDevice) {
  return fresh(kAnyNumbers.str() + name_, shape, isOfDevice);
}

}  // namespace indexical
