#include "indexical/import/stablehlo/dialect/sdy_bytecode.h"

#include <memory>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Diagnostics.h"

#include "indexical/import/stablehlo/dialect/sdy.h"

namespace indexical::sdy {

namespace {

using llvm::SmallVector;
using llvm::StringRef;
using mlir::Attribute;
using mlir::DialectBytecodeReader;
using mlir::DialectBytecodeWriter;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

//===-- Attributes --------------------------------------------------------===//

enum Code : uint64_t {
  kManualAxes = 0,           // attributes
  kMeshAxis = 1,             // string; svarint
  kMesh = 2,                 // attributes; svarints
  kSubAxisInfo = 3,          // svarint, twice
  kAxisRef = 4,              // string; optional attribute
  kDimensionSharding = 5,    // attributes; byte; priority * 2 + 1, or 0
  kSharding = 6,             // attribute; attributes, twice
  kShardingPerValue = 7,     // attributes
  kDimMapping = 8,           // svarints
  kTensorMapping = 9,        // attributes
  kOpShardingRule = 10,      // svarints; attributes, twice; svarints, four
                             // times; byte
  kAxisRefList = 11,         // attributes
  kListOfAxisRefLists = 12,  // attributes
  kAllToAllParam = 13,       // attributes; svarint, twice
  kAllToAllParamList = 14,   // attributes
  kUnreducedSharding = 15,   // kSharding; attributes
  kUnreducedPerValue = 16,   // as kShardingPerValue, one of them kUnreduced…
  kReducedSharding = 17,     // kUnreducedSharding; svarint
};

// Reads fields one after another; null attributes and empty lists after the
// first one that could not be read.
class Fields {
 public:
  explicit Fields(DialectBytecodeReader &reader) : reader(reader) {}

  bool good() const { return isGood; }
  mlir::MLIRContext *context() { return reader.getContext(); }

  int64_t number() {
    int64_t value = 0;
    return take(reader.readSignedVarInt(value)), value;
  }
  SmallVector<int64_t> numbers() {
    SmallVector<int64_t> values;
    return take(isGood ? reader.readSignedVarInts(values) : failure()), values;
  }
  bool flag() {
    bool value = false;
    return take(isGood ? reader.readBool(value) : failure()), value;
  }
  StringRef string() {
    StringRef text;
    return take(isGood ? reader.readString(text) : failure()), text;
  }
  template <typename Attr>
  Attr attribute() {
    Attr value;
    return take(isGood ? reader.readAttribute(value) : failure()), value;
  }
  template <typename Attr>
  Attr optional() {
    Attr value;
    return take(isGood ? reader.readOptionalAttribute(value) : failure()),
           value;
  }
  template <typename Attr>
  SmallVector<Attr> attributes() {
    SmallVector<Attr> values;
    return take(isGood ? reader.readAttributes(values) : failure()), values;
  }

  // 0 for none.
  std::optional<int64_t> priority() {
    uint64_t value = 0;
    take(isGood ? reader.readVarInt(value) : failure());
    if (value & 1) return static_cast<int64_t>(value >> 1);
    if (value != 0) refuse() << value << " is not a priority of a dimension";
    return std::nullopt;
  }

  Reduction reduction() {
    const int64_t value = number();
    std::optional<Reduction> known =
        value >= 0 && value <= UINT32_MAX
            ? symbolizeReduction(static_cast<uint32_t>(value))
            : std::nullopt;
    if (good() && !known) refuse() << "reduction " << value << " is not known";
    return known.value_or(Reduction::Sum);
  }

  mlir::InFlightDiagnostic refuse() {
    isGood = false;
    return reader.emitError();
  }

 private:
  void take(LogicalResult result) { isGood = isGood && succeeded(result); }

  DialectBytecodeReader &reader;
  bool isGood = true;
};

TensorShardingAttr readSharding(Fields &fields, bool isUnreduced,
                                bool hasReduction) {
  auto mesh = fields.attribute<Attribute>();
  if (mesh && !llvm::isa<MeshAttr, mlir::FlatSymbolRefAttr>(mesh))
    fields.refuse() << "a sharding is of a mesh or names one, not " << mesh;
  auto dimensions = fields.attributes<DimensionShardingAttr>();
  auto replicated = fields.attributes<AxisRefAttr>();
  SmallVector<AxisRefAttr> unreduced;
  Reduction reduction = Reduction::Sum;
  if (isUnreduced) unreduced = fields.attributes<AxisRefAttr>();
  if (hasReduction) reduction = fields.reduction();
  if (!fields.good()) return nullptr;
  return TensorShardingAttr::get(fields.context(), mesh, dimensions, replicated,
                                 unreduced, reduction);
}

OpShardingRuleAttr readRule(Fields &fields) {
  auto sizes = fields.numbers();
  auto operands = fields.attributes<TensorMappingAttr>();
  auto results = fields.attributes<TensorMappingAttr>();
  auto reduction = fields.numbers(), replication = fields.numbers(),
       permutation = fields.numbers(), blocked = fields.numbers();
  const bool isCustom = fields.flag();
  if (!fields.good()) return nullptr;
  return OpShardingRuleAttr::get(fields.context(), sizes, operands, results,
                                 reduction, replication, permutation, blocked,
                                 isCustom);
}

// Returns the attribute of that number. It is invalid if a field was not read.
Attribute readByCode(Fields &fields, uint64_t code) {
  mlir::MLIRContext *context = fields.context();
  switch (code) {
    case kManualAxes:
      return ManualAxesAttr::get(context,
                                 fields.attributes<mlir::StringAttr>());
    case kMeshAxis: {
      const StringRef name = fields.string();
      return MeshAxisAttr::get(context, name, fields.number());
    }
    case kMesh: {
      auto axes = fields.attributes<MeshAxisAttr>();
      return MeshAttr::get(context, axes, fields.numbers());
    }
    case kSubAxisInfo: {
      const int64_t before = fields.number();
      return SubAxisInfoAttr::get(context, before, fields.number());
    }
    case kAxisRef: {
      const StringRef name = fields.string();
      return AxisRefAttr::get(context, name,
                              fields.optional<SubAxisInfoAttr>());
    }
    case kDimensionSharding: {
      auto axes = fields.attributes<AxisRefAttr>();
      const bool isClosed = fields.flag();
      return DimensionShardingAttr::get(context, axes, isClosed,
                                        fields.priority());
    }
    case kSharding:
      return readSharding(fields, false, false);
    case kUnreducedSharding:
      return readSharding(fields, true, false);
    case kReducedSharding:
      return readSharding(fields, true, true);
    case kShardingPerValue:
    case kUnreducedPerValue:
      return TensorShardingPerValueAttr::get(
          context, fields.attributes<TensorShardingAttr>());
    case kDimMapping:
      return DimMappingAttr::get(context, fields.numbers());
    case kTensorMapping:
      return TensorMappingAttr::get(context,
                                    fields.attributes<DimMappingAttr>());
    case kOpShardingRule:
      return readRule(fields);
    case kAxisRefList:
      return AxisRefListAttr::get(context, fields.attributes<AxisRefAttr>());
    case kListOfAxisRefLists:
      return ListOfAxisRefListsAttr::get(context,
                                         fields.attributes<AxisRefListAttr>());
    case kAllToAllParam: {
      auto axes = fields.attributes<AxisRefAttr>();
      const int64_t source = fields.number();
      return AllToAllParamAttr::get(context, axes, source, fields.number());
    }
    case kAllToAllParamList:
      return AllToAllParamListAttr::get(context,
                                        fields.attributes<AllToAllParamAttr>());
    default:
      fields.refuse() << "sdy has no attribute with the number " << code
                      << " that is known here; the last one is "
                      << uint64_t{kReducedSharding};
      return nullptr;
  }
}

struct Version : mlir::DialectVersion {};

struct Bytecode : mlir::BytecodeDialectInterface {
  explicit Bytecode(mlir::Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    uint64_t code;
    if (failed(reader.readVarInt(code))) return nullptr;
    Fields fields(reader);
    Attribute attribute = readByCode(fields, code);
    return fields.good() ? attribute : nullptr;
  }
  // Whatever version it is, its bytes read alike.
  std::unique_ptr<mlir::DialectVersion> readVersion(
      DialectBytecodeReader &reader) const override {
    for (int part = 0; part < 3; ++part)
      if (uint64_t number; failed(reader.readVarInt(number))) return nullptr;
    return std::make_unique<Version>();
  }
};

//===-- Ops ---------------------------------------------------------------===//

struct Field {
  llvm::StringLiteral name;
  bool isOptional = false;
};

constexpr bool kOptional = true;

constexpr Field kMeshFields[] = {{"mesh"}, {"sym_name"}};
constexpr Field kShardingField[] = {{"sharding"}};
constexpr Field kEdge[] = {{"sharding", kOptional}};
constexpr Field kManual[] = {
    {"in_shardings"}, {"manual_axes"}, {"out_shardings"}};
constexpr Field kNamed[] = {
    {"in_shardings", kOptional}, {"name"}, {"out_shardings", kOptional}};
constexpr Field kGroup[] = {{"group_id"}};
constexpr Field kValue[] = {{"value"}};
constexpr Field kBarrier[] = {{"allowed_direction"}};
constexpr Field kAllGather[] = {{"gathering_axes"}, {"out_sharding"}};
constexpr Field kAllSlice[] = {{"out_sharding"}, {"slicing_axes"}};
constexpr Field kAllToAll[] = {{"out_sharding"}, {"params"}};
constexpr Field kPermute[] = {{"out_sharding"}};
constexpr Field kAllReduce[] = {
    {"out_sharding"}, {"reduction_axes"}, {"reduction_op", kOptional}};
constexpr Field kReduceScatter[] = {
    {"out_sharding"}, {"reduce_scatter_axes"}, {"reduction_op", kOptional}};
constexpr Field kToUnreduced[] = {{"axes"}, {"out_sharding"}};

struct OpFields {
  llvm::StringLiteral op;
  llvm::ArrayRef<Field> fields;
};

// In the order of the names, since bytecode writes them so.
const OpFields kOps[] = {
    {"sdy.all_gather", kAllGather},
    {"sdy.all_reduce", kAllReduce},
    {"sdy.all_slice", kAllSlice},
    {"sdy.all_to_all", kAllToAll},
    {"sdy.collective_permute", kPermute},
    {"sdy.constant", kValue},
    {"sdy.data_flow_edge", kEdge},
    {"sdy.manual_computation", kManual},
    {"sdy.mesh", kMeshFields},
    {"sdy.named_computation", kNamed},
    {"sdy.propagation_barrier", kBarrier},
    {"sdy.reduce_scatter", kReduceScatter},
    {"sdy.replicated_to_unreduced", kToUnreduced},
    {"sdy.reshard", kShardingField},
    {"sdy.sharded_to_unreduced", kToUnreduced},
    {"sdy.sharding_constraint", kShardingField},
    {"sdy.sharding_group", kGroup},
};

llvm::ArrayRef<Field> fieldsOf(StringRef op) {
  const auto *found =
      llvm::find_if(kOps, [&](const OpFields &each) { return each.op == op; });
  return found == std::end(kOps) ? llvm::ArrayRef<Field>() : found->fields;
}

}  // namespace

// Texts may leave a mandatory attribute out. If MLIR writes such a module as
// bytecode, a unit attribute stands for it.
LogicalResult readFields(DialectBytecodeReader &reader,
                         mlir::OperationState &state) {
  mlir::NamedAttrList read;
  for (const Field &field : fieldsOf(state.name.getStringRef())) {
    Attribute value;
    if (failed(field.isOptional ? reader.readOptionalAttribute(value)
                                : reader.readAttribute(value)))
      return failure();
    if (value && !llvm::isa<mlir::UnitAttr>(value))
      read.append(field.name, value);
  }
  auto refuse = [&] {
    return reader.emitError() << "`" << state.name.getStringRef() << "`: ";
  };
  if (failed(state.name.verifyInherentAttrs(read, refuse))) return failure();
  for (mlir::NamedAttribute each : read)
    state.addAttribute(each.getName(), each.getValue());
  return success();
}

void writeFields(DialectBytecodeWriter &writer, mlir::Operation *op) {
  for (const Field &field : fieldsOf(op->getName().getStringRef())) {
    Attribute value = op->getAttr(field.name);
    if (field.isOptional)
      writer.writeOptionalAttribute(value);
    else
      writer.writeAttribute(value ? value
                                  : mlir::UnitAttr::get(op->getContext()));
  }
}

void SdyDialect::addBytecode() { addInterfaces<Bytecode>(); }

}  // namespace indexical::sdy
