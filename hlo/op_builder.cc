#include "hlo/op_builder.h"

#include <numeric>

#include "hlo/literal.h"

namespace indexical {
namespace {

class OpBuilder {
 public:
  OpBuilder(const ResolvedInstruction &instruction, const Shape &result, Op &op)
      : in_(instruction),
        attributes_(instruction.attributes),
        result_(result),
        op_(op) {}

  bool build();

 private:
  /// A descriptor of type T with its shapes.
  template <typename T>
  T &make();
  /// As make, for ops on arrays.
  template <typename T>
  T *makeOfArrays();
  /// For ops on arrays without attributes.
  template <typename T>
  bool plain() {
    return makeOfArrays<T>() != nullptr;
  }
  bool checkArrays() const;
  bool checkScalars() const;

  bool constant();
  bool iota();
  bool broadcast();
  bool concatenate();
  bool slice();
  bool pad();
  bool gather();
  bool dot();
  bool reduce();
  bool reduceWindow();
  bool forward();
  bool tupleElement();
  bool copyStart();
  bool copyDone();
  bool opaque();

  const ResolvedInstruction &in_;
  const Attributes &attributes_;
  const Shape &result_;
  Op &op_;
};

std::string countOf(size_t count, llvm::StringRef thing) {
  return (llvm::Twine(count) + " " + thing + (count == 1 ? "" : "s")).str();
}

template <typename T>
T &OpBuilder::make() {
  T &op = op_.emplace<T>();
  op.operands = in_.operandLeaves;
  op.results = result_.leaves();
  return op;
}

bool OpBuilder::checkArrays() const {
  for (size_t i = 0; i < in_.operands.size(); ++i)
    if (!in_.operands[i]->isArray())
      return in_.fail("operand " + llvm::Twine(i) + " of " + in_.opcodeText() +
                      " must be an array, not " + in_.operands[i]->str());
  // Variadic ops have a tuple of arrays.
  if (result_.isArray()) return true;
  bool variadic = in_.opcode->family == Family::Reduce ||
                  in_.opcode->family == Family::ReduceWindow;
  if (variadic && result_.isTuple()) return true;
  return in_.fail("the result of " + in_.opcodeText() +
                  " must be an array, not " + result_.str());
}

/// A scalar stands beside arrays where the opcode says so, and nowhere else:
/// HLO broadcasts by an instruction.
bool OpBuilder::checkScalars() const {
  llvm::StringRef name = in_.opcode->name;
  if (name == "select" || name == "clamp" || name == "rng" ||
      !result_.isArray() || result_.array.isScalar())
    return true;
  for (size_t i = 0; i < in_.operands.size(); ++i)
    if (in_.operands[i]->isArray() && in_.operands[i]->array.isScalar())
      return in_.fail("operand " + llvm::Twine(i) + " of " + in_.opcodeText() +
                      " is " + in_.operands[i]->str() + ", the result " +
                      result_.str() + "; a `broadcast` would make them alike");
  return true;
}

template <typename T>
T *OpBuilder::makeOfArrays() {
  return checkArrays() ? &make<T>() : nullptr;
}

bool OpBuilder::build() {
  if (!in_.opcode) return opaque();
  switch (in_.opcode->family) {
    case Family::Elementwise:
      return checkScalars() && plain<ElementwiseOp>();
    case Family::Nullary:
    case Family::Parameter:
      make<NullaryOp>();
      return true;
    case Family::Constant:
      return constant();
    case Family::Iota:
      return iota();
    case Family::Broadcast:
      return broadcast();
    case Family::Transpose: {
      auto *op = makeOfArrays<TransposeOp>();
      return op && attributes_.requiredIntegers("dimensions", op->permutation);
    }
    case Family::Reverse: {
      auto *op = makeOfArrays<ReverseOp>();
      return op && attributes_.requiredIntegers("dimensions", op->dimensions);
    }
    case Family::Reshape:
      return plain<ReshapeOp>();
    case Family::Bitcast:
      return result_.isTuple() ? forward() : plain<BitcastOp>();
    case Family::BitcastConvert:
      return plain<BitcastConvertOp>();
    case Family::Slice:
      return slice();
    case Family::DynamicSlice: {
      auto *op = makeOfArrays<DynamicSliceOp>();
      return op &&
             attributes_.requiredIntegers("dynamic_slice_sizes", op->sizes);
    }
    case Family::DynamicUpdateSlice:
      return plain<DynamicUpdateSliceOp>();
    case Family::Concatenate:
      return concatenate();
    case Family::Pad:
      return pad();
    case Family::Gather:
      return gather();
    case Family::Dot:
      return dot();
    case Family::Reduce:
      return reduce();
    case Family::ReduceWindow:
      return reduceWindow();
    case Family::Copy:
      return result_.isArray() ? plain<ElementwiseOp>() : forward();
    case Family::Forward:
      return forward();
    case Family::GetTupleElement:
      return tupleElement();
    case Family::CopyStart:
      return copyStart();
    case Family::CopyDone:
      return copyDone();
    case Family::Call:
      make<CallOp>();
      return true;
    case Family::Cover:
      make<CoverOp>().reason =
          "the maps of " + in_.opcodeText() + " are not known exactly";
      return true;
    case Family::Opaque:
      return opaque();
  }
  return opaque();
}

bool OpBuilder::constant() {
  if (!result_.isArray()) {  // a tuple of literals, or a token
    make<NullaryOp>();
    return true;
  }
  auto &op = make<ConstantOp>();
  return parseLiteral(in_.source, in_.syntax.argument, result_.array,
                      op.values);
}

bool OpBuilder::iota() {
  auto *op = makeOfArrays<IotaOp>();
  if (!op) return false;
  if (attributes_.has("iota_dimension") || result_.array.rank() > 1)
    return attributes_.requiredInteger("iota_dimension", op->dimension);
  return true;
}

bool OpBuilder::broadcast() {
  auto *op = makeOfArrays<BroadcastOp>();
  if (!op) return false;
  if (op->operands[0].isScalar())
    return attributes_.integers("dimensions", op->dimensions);
  return attributes_.requiredIntegers("dimensions", op->dimensions);
}

bool OpBuilder::concatenate() {
  auto *op = makeOfArrays<ConcatenateOp>();
  return op && attributes_.requiredInteger("dimensions", op->dimension);
}

bool OpBuilder::slice() {
  auto *op = makeOfArrays<SliceOp>();
  return op && attributes_.slices(op->starts, op->limits, op->strides);
}

bool OpBuilder::pad() {
  auto *op = makeOfArrays<PadOp>();
  if (!op) return false;
  if (op->operands[0].isScalar() && !attributes_.has("padding")) return true;
  return attributes_.padding(op->low, op->high, op->interior);
}

bool OpBuilder::gather() {
  auto *op = makeOfArrays<GatherOp>();
  return op && attributes_.requiredIntegers("offset_dims", op->offsetDims) &&
         attributes_.integers("collapsed_slice_dims", op->collapsedSliceDims) &&
         attributes_.requiredIntegers("start_index_map", op->startIndexMap) &&
         attributes_.integers("operand_batching_dims",
                              op->operandBatchingDims) &&
         attributes_.integers("start_indices_batching_dims",
                              op->startIndicesBatchingDims) &&
         attributes_.requiredInteger("index_vector_dim", op->indexVectorDim) &&
         attributes_.requiredIntegers("slice_sizes", op->sliceSizes);
}

bool OpBuilder::dot() {
  if (in_.operands.size() > 2) {  // a sparse operand's metadata
    make<CoverOp>().reason = "the maps of a sparse `dot` are not known exactly";
    return true;
  }
  auto *op = makeOfArrays<DotOp>();
  if (!op || !attributes_.integers("lhs_batch_dims", op->lhsBatch) ||
      !attributes_.integers("rhs_batch_dims", op->rhsBatch) ||
      !attributes_.integers("lhs_contracting_dims", op->lhsContracting) ||
      !attributes_.integers("rhs_contracting_dims", op->rhsContracting))
    return false;
  // The oldest texts leave out the numbers of a plain matrix product.
  int64_t lhs = op->operands[0].rank(), rhs = op->operands[1].rank();
  bool given = attributes_.has("lhs_contracting_dims") ||
               attributes_.has("rhs_contracting_dims") ||
               attributes_.has("lhs_batch_dims");
  if (!given && lhs > 0 && rhs > 0 && result_.array.rank() == lhs + rhs - 2) {
    op->lhsContracting = {lhs - 1};
    op->rhsContracting = {0};
  }
  return true;
}

bool OpBuilder::reduce() {
  auto *op = makeOfArrays<ReduceOp>();
  return op && attributes_.requiredIntegers("dimensions", op->dimensions);
}

bool OpBuilder::reduceWindow() {
  auto *op = makeOfArrays<ReduceWindowOp>();
  if (!op) return false;
  if (attributes_.has("window")) return attributes_.window(op->window);
  return op->operands[0].isScalar() ||
         attributes_.failMissing("window", "{size=2x2 stride=1x2 pad=0_0x1_1}");
}

// tuple: all leaves of all operands in order; the others: those of operand 0.
bool OpBuilder::forward() {
  auto &op = make<ForwardOp>();
  int64_t results = op.results.size();
  int64_t available = op.operands.size();
  if (in_.opcode->name == "add-dependency")
    available = in_.operands[0]->leafCount();
  bool tuple = in_.opcode->name == "tuple";
  if (tuple &&
      (!result_.isTuple() || result_.elements.size() != in_.operands.size()))
    return in_.fail("a tuple of " + countOf(in_.operands.size(), "operand") +
                    " cannot have the shape " + result_.str());
  if (results != available)
    return in_.fail("the result " + result_.str() + " of " + in_.opcodeText() +
                    " has " + countOf(results, "array") + ", its operands " +
                    std::to_string(available));
  op.reads.resize(results);
  std::iota(op.reads.begin(), op.reads.end(), 0);
  return true;
}

bool OpBuilder::tupleElement() {
  const Shape &tuple = *in_.operands[0];
  if (!tuple.isTuple())
    return in_.fail("the operand of " + in_.opcodeText() +
                    " must be a tuple, not " + tuple.str());
  int64_t index;
  if (!attributes_.requiredInteger("index", index)) return false;
  if (index < 0 || index >= static_cast<int64_t>(tuple.elements.size()))
    return in_.source.fail(attributes_.raw("index"),
                           "there is no element " + llvm::Twine(index) +
                               " in a tuple of " +
                               countOf(tuple.elements.size(), "element"));
  int64_t leaves = tuple.elements[index].leafCount();
  auto &op = make<ForwardOp>();
  if (static_cast<int64_t>(op.results.size()) != leaves)
    return in_.fail("element " + llvm::Twine(index) + " of the tuple is " +
                    tuple.elements[index].str() + ", not " + result_.str());
  op.reads.resize(leaves);
  std::iota(op.reads.begin(), op.reads.end(), in_.firstLeaves[index]);
  return true;
}

// The result is (destination, source, context): the first two are the operand.
bool OpBuilder::copyStart() {
  auto &op = make<ForwardOp>();
  int64_t leaves = op.operands.size();
  if (!result_.isTuple() || result_.elements.size() < 2 ||
      result_.elements[0].leafCount() != leaves ||
      result_.elements[1].leafCount() != leaves)
    return in_.fail(
        "the result of `copy-start` must be (destination, source, "
        "context), not " +
        result_.str());
  op.reads.assign(op.results.size(), -1);
  for (int64_t i = 0; i < 2 * leaves; ++i) op.reads[i] = i % leaves;
  return true;
}

bool OpBuilder::copyDone() {
  const Shape &start = *in_.operands[0];
  auto &op = make<ForwardOp>();
  int64_t leaves = op.results.size();
  if (!start.isTuple() || start.elements.empty() ||
      start.elements[0].leafCount() != leaves)
    return in_.fail("the operand of `copy-done` must be a `copy-start` of " +
                    result_.str());
  op.reads.resize(leaves);
  std::iota(op.reads.begin(), op.reads.end(), 0);
  return true;
}

bool OpBuilder::opaque() {
  auto &op = make<CoverOp>();
  op.precision = Precision::Opaque;
  llvm::StringRef target = attributes_.raw("custom_call_target").trim('"');
  op.reason =
      !in_.opcode ? "the opcode " + in_.opcodeText() + " is not known"
      : target.empty()
          ? "the meaning of a custom call is not known"
          : ("the meaning of the custom call to `" + target + "` is not known")
                .str();
  return true;
}

}  // namespace

bool checkOperandCount(const ResolvedInstruction &instruction) {
  if (!instruction.opcode) return true;
  int64_t count = instruction.operands.size();
  int64_t least = instruction.opcode->leastOperands;
  int64_t most = instruction.opcode->mostOperands;
  if (count >= least && (most == kAnyCount || count <= most)) return true;
  std::string wanted = countOf(least, "operand");
  if (most == kAnyCount) wanted += " or more";
  if (most > least)
    wanted = std::to_string(least) + " to " + countOf(most, "operand");
  return instruction.fail(instruction.opcodeText() + " takes " + wanted +
                          ", here it has " + llvm::Twine(count));
}

bool buildOp(const ResolvedInstruction &instruction, const Shape &result,
             Op &op) {
  return OpBuilder(instruction, result, op).build();
}

}  // namespace indexical
