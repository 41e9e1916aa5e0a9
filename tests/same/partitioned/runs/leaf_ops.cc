// Ops on cells that read what their maps say, one element after the other.
#include <memory>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/values/op_identity.h"
#include "tests/same/partitioned/runs/all_devices.h"
#include "tests/same/partitioned/runs/cell_values.h"

namespace indexical {

using llvm::StringRef;

StringRef AllDevices::reducerOf(const Instruction &of, ElementType type) const {
  if (of.called.size() != 1 || of.called[0].computation < 0) return "";
  const Computation &body = module_.computations[of.called[0].computation];
  if (body.parameters.size() != 2 || body.root < 0) return "";
  const Instruction *root = &body.instructions[body.root];
  // MLIR's root returns.
  if (root->terminator && root->operands.size() == 1)
    root = &body.instructions[root->operands[0]];
  const bool isOfDialect =
      root->opcode.contains('.') && !root->opcode.starts_with("stablehlo.");
  if (isOfDialect || root->operands.size() != 2 ||
      root->operands[0] == root->operands[1] || !root->op.is<ElementwiseOp>() ||
      !root->op.descriptor().configuration.empty())
    return "";
  for (int32_t operand : root->operands)
    if (body.instructions[operand].parameterNumber < 0) return "";
  for (const ArrayShape &operand : root->op.descriptor().operands)
    if (operand.type != type) return "";
  return Terms::foldOf(root->op.kind().name, type);
}

const std::vector<TermNumber> *AllDevices::functionOf(ComputationId function) {
  constexpr uint64_t kArgument = 100;
  if (function < 0) {
    fail("a function that it calls is not in the file");
    return nullptr;
  }
  auto known = functions_.find(function);
  if (known != functions_.end()) return &known->second;
  const Computation &body = module_.computations[function];
  if (body.captured > 0) {
    fail("a function that it calls uses values from around it");
    return nullptr;
  }
  std::vector<DeviceLeaves> arguments;
  std::vector<TermNumber> terms;
  for (auto [p, parameter] : llvm::enumerate(body.parameters)) {
    arguments.emplace_back();
    for (const ArrayShape &shape :
         body.instructions[parameter].shape.leaves()) {
      const int64_t count = cellCountOf(shape);
      if (count < 0 || !spend(count)) return nullptr;
      auto array = std::make_shared<CellArray>();
      array->shape = shape;
      array->cells.resize(count);
      for (auto [e, cell] : llvm::enumerate(array->cells))
        cell.number = TermHash(kArgument)
                          .add(p)
                          .add(arguments.back().size())
                          .add(e)
                          .add(elementTypeName(shape.type))
                          .number();
      terms.push_back(TermHash(kArgument)
                          .add(elementTypeName(shape.type))
                          .add(count)
                          .number());
      arguments.back().emplace_back(options_.devices.all(), array);
    }
  }
  ++functionDepth_;
  auto leaves = computation(function, arguments);
  --functionDepth_;
  if (!leaves) return nullptr;
  for (const DeviceArrays &arrays : *leaves) {
    if (!llvm::all_equal(arrays)) {
      fail("a function that it calls is another one on each device");
      return nullptr;
    }
    for (const DeviceCell &cell : arrays.front()->cells)
      terms.push_back(cell.number);
  }
  return &(functions_[function] = std::move(terms));
}

std::optional<std::vector<TermNumber>> AllDevices::functionsOf(
    const Instruction &of) {
  std::vector<TermNumber> all;
  for (const CalledComputation &called : of.called) {
    const std::vector<TermNumber> *terms = functionOf(called.computation);
    if (!terms) return std::nullopt;
    all.push_back(TermHash(terms->size()).number());
    all.insert(all.end(), terms->begin(), terms->end());
  }
  return all;
}

namespace {

/// Returns the cells of a literal; nothing if it has too many.
std::optional<CellArrayPtr> literalOf(const ConstantOp &op) {
  const ArrayShape &shape = op.results[0];
  const int64_t count = cellCountOf(shape);
  if (count < 0) return std::nullopt;
  auto array = std::make_shared<CellArray>();
  array->shape = shape;
  if (static_cast<int64_t>(op.values.size()) == count && count > 0 &&
      isInteger(shape.type)) {
    for (int64_t value : op.values)
      array->cells.push_back(constantCell(value, shape.type));
    return array;
  }
  const int64_t width = (bitsOf(shape.type) + 7) / 8;
  const auto *bytes = reinterpret_cast<const uint8_t *>(op.bits.data());
  const int64_t size = op.bits.size();
  const bool splat = width > 0 && size == width;
  const bool listed = width > 0 && size == width * count;
  // A longer literal is known by its hash alone.
  const TermNumber all = TermHash(width).add(StringRef(op.bits)).number();
  for (int64_t e = 0; e < count; ++e) {
    DeviceCell cell;
    if (op.isKnown && (splat || listed)) {
      cell = literalCell(shape.type, {bytes + (splat ? 0 : e * width),
                                      static_cast<size_t>(width)});
    } else {
      cell.isFinite = isInteger(shape.type);
      cell.number = TermHash(e).add(all).number();
    }
    array->cells.push_back(cell);
  }
  return array;
}

/// Whether a product is a sum of products of its operands' elements, which it
/// may round before.
bool isSumOfProducts(const Op &op) {
  if (op.kind().name != "dot" ||
      op.descriptor().results[0].type == ElementType::Pred)
    return false;
  StringRef rest = op.descriptor().configuration;
  while (!rest.empty()) {
    const auto [item, more] = rest.split(';');
    rest = more;
    const StringRef key = item.split('=').first;
    if (key != "operand_precision" && key != "precision_config" &&
        key != "algorithm")
      return false;
  }
  return true;
}

}  // namespace

std::optional<DeviceLeaves> AllDevices::sources(const Op &op) {
  const OpDescriptor &descriptor = op.descriptor();
  const int64_t devices = options_.devices.all();
  const StringRef name = op.kind().name;
  if (!isPlain(op)) return fail("what it gives is not followed here");
  if (const auto *constant = op.as<ConstantOp>()) {
    // Two literals that are left out may be different.
    if (!constant->isKnown && constant->values.empty() &&
        cellCountOf(constant->results[0]) != 0)
      return fail("the literal is not in the text");
    auto literal = literalOf(*constant);
    if (!literal || !spend((*literal)->cells.size()))
      return fail("the literal is too large");
    return DeviceLeaves{DeviceArrays(devices, *literal)};
  }
  if (const auto *iota = op.as<IotaOp>()) {
    const ArrayShape &shape = descriptor.results[0];
    const int64_t count = cellCountOf(shape);
    if (count < 0) return fail("its sizes are not known, or too large");
    if (!spend(count)) return std::nullopt;
    return DeviceLeaves{DeviceArrays(devices, cellArrayOf(shape, [&](auto at) {
                                       return constantCell(at[iota->dimension],
                                                           shape.type);
                                     }))};
  }
  DeviceArrays values;
  for (int64_t device = 0; device < devices; ++device) {
    auto array = std::make_shared<CellArray>();
    array->shape = descriptor.results[0];
    const auto *size = op.as<NullaryOp>();
    if (options_.isWhole && name.ends_with("-id"))
      return fail("which device computes a whole value is not stated");
    const bool isSize = size && size->sizeOf && *size->sizeOf >= 0;
    if (name == "partition-id")
      array->cells.push_back(integerCell(device % options_.devices.partitions));
    else if (name == "replica-id")
      array->cells.push_back(integerCell(device / options_.devices.partitions));
    else if (isSize && *size->sizeOf < descriptor.operands[0].rank())
      array->cells.push_back(
          integerCell(wrapped(descriptor.operands[0].dimensions[*size->sizeOf],
                              array->shape.type)));
    else
      return fail("what it gives is not followed here");
    values.push_back(std::move(array));
  }
  if (!name.ends_with("-id")) values.assign(devices, values.front());
  return DeviceLeaves{std::move(values)};
}

std::optional<DeviceLeaves> AllDevices::leafOps(const Instruction &of,
                                                const Op &op,
                                                const Operands &operands) {
  const OpDescriptor &descriptor = op.descriptor();
  const int64_t devices = options_.devices.all();
  DeviceLeaves results;
  for (const ShapeList *shapes : {&descriptor.operands, &descriptor.results})
    for (const ArrayShape &shape : *shapes) {
      if (shape.type == ElementType::Unknown)
        return fail("its element type is not known");
      if (shape.dynamic.any()) return fail("a size has only a bound");
    }
  if (const auto *forward = op.as<ForwardOp>()) {
    for (auto [r, from] : llvm::enumerate(forward->reads)) {
      if (from < 0 || from >= static_cast<int64_t>(operands.size()) ||
          !isForwarded(op, r, from))
        return fail("what it hands on is not known");
      results.push_back(*operands[from]);
    }
    return results;
  }
  if (op.kind().name == "rng") {
    drawn_.push_back(of.name.str());
    std::optional<DeviceArrays> numbers;
    if (options_.random && functionDepth_ == 0)
      numbers = options_.random(draws_++, of, operands);
    if (!numbers)
      return fail(
          "which random numbers a device draws is not stated, or several "
          "devices draw copies of one");
    return DeviceLeaves{*std::move(numbers)};
  }
  if (op.kind().traits.hasSideEffects)
    return fail("it gives something new in every execution");
  if (descriptor.results.empty()) return results;
  if (of.called.empty() && (op.isOneOf<ReduceOp, ReduceWindowOp, ScatterOp,
                                       SelectAndScatterOp, SortOp, ScanOp>() ||
                            op.kind().name == "map"))
    return fail("what it calls is not known");
  if (op.isOneOf<ConstantOp, IotaOp, NullaryOp>()) return sources(op);
  if (const auto *product = op.as<DotOp>();
      product && operands.size() == 2 && isSumOfProducts(op))
    return dot(*product, op, operands);
  for (auto [r, shape] : llvm::enumerate(descriptor.results)) {
    const int64_t count = cellCountOf(shape);
    if (count < 0) return fail("its sizes are not known, or too large");
    llvm::SmallVector<const ElementReads *, 4> reads;
    bool dependsOnValues = false;
    for (size_t k = 0; k < operands.size(); ++k) {
      reads.push_back(readsOf(op, r, k));
      if (!reads.back()) return std::nullopt;
      dependsOnValues |= reads.back()->dependsOnValues();
    }
    const StringRef fold = reducerOf(of, shape.type);
    std::vector<TermNumber> functions;
    if (Terms::takesFunctions(of, op, fold)) {
      auto all = functionsOf(of);
      if (!all) return std::nullopt;
      functions = *std::move(all);
    }
    const OpTerm term = terms_.prepare(of, op, r, fold, functions);
    // Constants, and values that are computed of them, are the same on every
    // device.
    const bool alike = llvm::all_of(operands, [](const DeviceArrays *operand) {
      return llvm::all_equal(*operand);
    });
    const int64_t different = alike ? 1 : devices;
    std::vector<std::shared_ptr<CellArray>> arrays(different);
    for (auto &array : arrays) {
      array = std::make_shared<CellArray>();
      array->shape = shape;
      array->cells.reserve(count);
    }
    Int64s index(shape.dimensions.size(), 0);
    std::vector<std::vector<int64_t>> places(operands.size());
    std::vector<std::vector<const DeviceCell *>> cells(operands.size());
    for (int64_t e = 0; e < count; ++e, nextIndex(index, shape.dimensions)) {
      for (int64_t device = 0; device < different; ++device) {
        SetId unknown = 0;
        bool isUnknown = false;
        auto valueAt = [&](int64_t operand,
                           int64_t place) -> std::optional<int64_t> {
          const CellArray &from = *(*operands[operand])[device];
          if (place < 0 || place >= static_cast<int64_t>(from.cells.size()))
            return std::nullopt;
          const DeviceCell &cell = from.cells[place];
          if (cell.isKnown) return cell.value;
          unknown = cell.reads;
          isUnknown = true;
          return std::nullopt;
        };
        int64_t cost = 1;
        for (size_t k = 0; k < operands.size(); ++k) {
          if (device == 0 || dependsOnValues) {
            places[k].clear();
            if (!reads[k]->at(index, valueAt, places[k]))
              return fail(isUnknown
                              ? "which elements are read depends on a value "
                                "that is not known"
                              : "arithmetic leaves 64 bits",
                          unknown, device);
            // Ranges of a map may be in any order.
            if (places[k].size() > 1) llvm::sort(places[k]);
          }
          const CellArray &from = *(*operands[k])[device];
          cells[k].clear();
          for (int64_t place : places[k]) {
            if (place < 0 || place >= static_cast<int64_t>(from.cells.size()))
              return fail("an index is outside of its array", 0, device);
            cells[k].push_back(&from.cells[place]);
          }
          cost += places[k].size();
        }
        if (!spend(cost)) return std::nullopt;
        arrays[device]->cells.push_back(terms_.of(term, index, cells));
      }
    }
    if (alike)
      results.emplace_back(devices, arrays[0]);
    else
      results.emplace_back(arrays.begin(), arrays.end());
  }
  return results;
}

namespace {

/// Returns the places of an operand that the dimensions lead to, in row-major
/// order of their indices.
std::vector<int64_t> placesAlong(llvm::ArrayRef<int64_t> sizes,
                                 llvm::ArrayRef<int64_t> dimensions) {
  const auto strides = stridesOf(sizes);
  std::vector<int64_t> places = {0};
  for (int64_t dimension : dimensions) {
    std::vector<int64_t> next;
    for (int64_t place : places)
      for (int64_t i = 0; i < sizes[dimension]; ++i)
        next.push_back(place + i * strides[dimension]);
    places = std::move(next);
  }
  return places;
}

Int64s dimensionsBut(int64_t rank, llvm::ArrayRef<int64_t> some,
                     llvm::ArrayRef<int64_t> others) {
  Int64s rest;
  for (int64_t k = 0; k < rank; ++k)
    if (!llvm::is_contained(some, k) && !llvm::is_contained(others, k))
      rest.push_back(k);
  return rest;
}

}  // namespace

std::optional<DeviceLeaves> AllDevices::dot(const DotOp &dot, const Op &op,
                                            const Operands &operands) {
  constexpr uint64_t kFactor = 101;
  const ArrayShape &shape = op.descriptor().results[0];
  if (cellCountOf(shape) < 0)
    return fail("its sizes are not known, or too large");
  // The n-th contracted dimension of one operand meets the n-th of the other
  // one, wherever it stands. A result's dimensions are those of the batch, of
  // the left operand and of the right one.
  std::vector<int64_t> batch[2], free[2], contracted[2];
  for (int64_t k : {0, 1}) {
    if (!readsOf(op, 0, k)) return std::nullopt;
    const auto &sizes = op.descriptor().operands[k].dimensions;
    const Int64s &along = k ? dot.rhsContracting : dot.lhsContracting;
    const Int64s &over = k ? dot.rhsBatch : dot.lhsBatch;
    batch[k] = placesAlong(sizes, over);
    contracted[k] = placesAlong(sizes, along);
    free[k] = placesAlong(sizes, dimensionsBut(sizes.size(), over, along));
  }
  DeviceArrays results;
  for (int64_t device = 0; device < options_.devices.all(); ++device) {
    auto isAlike = [&](const DeviceArrays *of) {
      return (*of)[device] == (*of)[0];
    };
    if (device > 0 && llvm::all_of(operands, isAlike)) {
      results.push_back(results[0]);
      continue;
    }
    // A product that rounds its factors is one of functions of them.
    std::vector<DeviceCell> factors[2];
    for (int64_t k : {0, 1}) {
      factors[k] = (*operands[k])[device]->cells;
      for (DeviceCell &cell : factors[k]) {
        const ElementType from = op.descriptor().operands[k].type;
        cell = Terms::converted(cell, from, shape.type);
        if (dot.configuration.empty()) continue;
        cell.number = TermHash(kFactor)
                          .add(dot.configuration)
                          .add(k)
                          .add(elementTypeName(from))
                          .add(cell.number)
                          .number();
        cell.isKnown = false;
        if (StringRef(dot.configuration).contains("algorithm"))
          cell.hasValue = false;
      }
    }
    auto array = std::make_shared<CellArray>();
    array->shape = shape;
    std::vector<std::pair<const DeviceCell *, const DeviceCell *>> pairs;
    for (size_t b = 0; b < batch[0].size(); ++b)
      for (int64_t left : free[0])
        for (int64_t right : free[1]) {
          if (!spend(2 * contracted[0].size() + 1)) return std::nullopt;
          pairs.clear();
          for (auto [x, y] : llvm::zip(contracted[0], contracted[1]))
            pairs.emplace_back(&factors[0][batch[0][b] + left + x],
                               &factors[1][batch[1][b] + right + y]);
          array->cells.push_back(terms_.sumOfProducts(shape.type, pairs));
        }
    results.push_back(std::move(array));
  }
  return DeviceLeaves{std::move(results)};
}

}  // namespace indexical
