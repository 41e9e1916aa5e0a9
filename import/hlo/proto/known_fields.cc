#include "indexical/import/hlo/proto/known_fields.h"

#include <initializer_list>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/ops/families.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Numbers of fields, each below 128.
class Numbers {
 public:
  struct Range {
    constexpr Range(uint32_t one) : first(one), last(one) {}
    constexpr Range(uint32_t first, uint32_t last) : first(first), last(last) {}
    uint32_t first, last;
  };
  constexpr Numbers(std::initializer_list<Range> ranges) {
    for (const Range &range : ranges)
      for (uint32_t i = range.first; i <= range.last; ++i)
        words_[i / 64] |= uint64_t{1} << (i % 64);
  }
  constexpr bool contains(uint32_t number) const {
    return number < 128 && (words_[number / 64] >> (number % 64) & 1);
  }

 private:
  uint64_t words_[2] = {};
};

struct MessageFields;
struct NestedField {
  uint32_t number;
  const MessageFields *message;
};
struct MessageFields {
  llvm::StringLiteral name;
  Numbers known;
  llvm::ArrayRef<NestedField> nested;  ///< those whose own fields are looked at
};

// A message stands behind those that it is made of. Names are XLA's.
constexpr MessageFields kTile = {"TileProto", {1}, {}};
constexpr MessageFields kSplit = {"SplitConfigProto", {1, 2}, {}};
constexpr NestedField kInLayout[] = {{6, &kTile}, {17, &kSplit}};
// 4 said that an array is dense, as all are; 9, 13 and 14 are not in the text.
constexpr MessageFields kLayout = {"LayoutProto", {1, 4, {6, 17}}, kInLayout};

extern const MessageFields kShape;
constexpr NestedField kInShape[] = {{4, &kShape}, {5, &kLayout}};
constexpr MessageFields kShape = {"ShapeProto", {{2, 6}}, kInShape};

extern const MessageFields kLiteral;
constexpr NestedField kInLiteral[] = {{1, &kShape}, {10, &kLiteral}};
constexpr MessageFields kLiteral = {
    "LiteralProto", {{1, 13}, {15, 34}}, kInLiteral};

constexpr MessageFields kWindowDimension = {"WindowDimension", {{1, 7}}, {}};
constexpr NestedField kInWindow[] = {{1, &kWindowDimension}};
constexpr MessageFields kWindow = {"Window", {1}, kInWindow};
constexpr MessageFields kConvolution = {
    "ConvolutionDimensionNumbers", {3, 4, {6, 12}}, {}};
constexpr MessageFields kSlice = {"SliceDimensions", {{1, 3}}, {}};
constexpr MessageFields kPaddingSide = {"PaddingConfigDimension", {{1, 3}}, {}};
constexpr NestedField kInPadding[] = {{1, &kPaddingSide}};
constexpr MessageFields kPadding = {"PaddingConfig", {1}, kInPadding};
constexpr MessageFields kDot = {"DotDimensionNumbers", {{1, 4}}, {}};
constexpr NestedField kInRaggedDot[] = {{1, &kDot}};
constexpr MessageFields kRaggedDot = {
    "RaggedDotDimensionNumbers", {{1, 3}}, kInRaggedDot};
constexpr MessageFields kGather = {"GatherDimensionNumbers", {{1, 6}}, {}};
constexpr MessageFields kScatter = {"ScatterDimensionNumbers", {{1, 6}}, {}};
constexpr MessageFields kPrecision = {"PrecisionConfig", {1, 2}, {}};
constexpr MessageFields kAliasing = {"OutputOperandAliasing", {{1, 3}}, {}};
constexpr MessageFields kTriangular = {"TriangularSolveOptions", {{1, 4}}, {}};
constexpr MessageFields kCholesky = {"CholeskyOptions", {1}, {}};
constexpr MessageFields kTolerance = {"Tolerance", {{1, 3}}, {}};
constexpr NestedField kInAccuracy[] = {{2, &kTolerance}};
constexpr MessageFields kAccuracy = {"ResultAccuracy", {1, 2}, kInAccuracy};
constexpr MessageFields kPayload = {"BackendConfigPayload", {1, 2}, {}};

constexpr MessageFields kPair = {"SourceTarget", {1, 2}, {}};
constexpr MessageFields kGroup = {"ReplicaGroup", {1}, {}};
constexpr MessageFields kIota = {"IotaReplicaGroupListProto", {{1, 4}}, {}};
constexpr NestedField kInDeviceList[] = {{1, &kGroup}, {2, &kIota}};
constexpr MessageFields kDeviceList = {
    "CollectiveDeviceListProto", {1, 2}, kInDeviceList};
constexpr MessageFields kAxis = {"MeshAxis", {1, 2}, {}};
constexpr MessageFields kTransform = {"IotaTransform", {1, 2}, {}};
constexpr NestedField kInMesh[] = {{1, &kAxis}, {3, &kTransform}};
constexpr MessageFields kMesh = {"MeshProto", {{1, 3}}, kInMesh};
constexpr MessageFields kSubAxis = {"SubAxis", {1, 2}, {}};
constexpr NestedField kInAxisRef[] = {{2, &kSubAxis}};
constexpr MessageFields kAxisRef = {"AxisRefProto", {1, 2}, kInAxisRef};
constexpr NestedField kInMeshAxes[] = {{1, &kMesh}, {2, &kAxisRef}};
constexpr MessageFields kMeshAxes = {
    "MeshAxesReplicaGroupListProto", {1, 2}, kInMeshAxes};

extern const MessageFields kSharding;
constexpr NestedField kInSharding[] = {{5, &kSharding}};
constexpr MessageFields kSharding = {"OpSharding", {{1, 13}}, kInSharding};

constexpr NestedField kInInstruction[] = {
    {3, &kShape},        {8, &kLiteral},   {15, &kWindow},
    {16, &kConvolution}, {17, &kSlice},    {21, &kPadding},
    {29, &kShape},       {30, &kDot},      {33, &kGather},
    {40, &kSharding},    {48, &kScatter},  {49, &kGroup},
    {51, &kPrecision},   {52, &kPair},     {54, &kSharding},
    {55, &kSharding},    {57, &kShape},    {59, &kTriangular},
    {62, &kCholesky},    {74, &kAliasing}, {87, &kDeviceList},
    {90, &kRaggedDot},   {91, &kAccuracy}, {92, &kIota},
    {93, &kMeshAxes},    {99, &kPayload},
};
// 82 is what a picture shows, 88 the value before it was changed. 98 says which
// elements of a sparse operand are there, and is not known.
constexpr MessageFields kInstruction = {"HloInstructionProto",
                                        {{1, 3},
                                         {7, 9},
                                         11,
                                         {13, 21},
                                         {22, 24},
                                         {25, 38},
                                         40,
                                         43,
                                         {47, 52},
                                         {54, 63},
                                         {65, 72},
                                         {74, 77},
                                         {79, 82},
                                         85,
                                         {87, 97},
                                         99,
                                         100,
                                         102},
                                        kInInstruction};

class UnknownFields {
 public:
  explicit UnknownFields(llvm::raw_ostream &os) : os_(os) {}
  ~UnknownFields() {
    if (found_) os_ << '}';
  }

  void lookAt(const WireMessage &message, const MessageFields &fields,
              unsigned depth) {
    if (depth > kDeepestMessage) return;
    for (const WireMessage::Field &field : message.fields()) {
      if (!fields.known.contains(field.number)) {
        write(fields.name, field);
        continue;
      }
      for (const NestedField &nested : fields.nested)
        if (nested.number == field.number)
          lookAt(WireMessage(field.bytes), *nested.message, depth + 1);
    }
  }

 private:
  void write(StringRef message, const WireMessage::Field &field) {
    os_ << (found_ ? "," : ", unread_fields={") << message << '.'
        << field.number << '=';
    found_ = true;
    if (field.kind == WireKind::Bytes)
      os_ << '"' << llvm::toHex(field.bytes, /*LowerCase=*/true) << '"';
    else
      os_ << field.value;
  }

  llvm::raw_ostream &os_;
  bool found_ = false;
};

}  // namespace

void writeUnknownFields(const WireMessage &instruction, llvm::raw_ostream &os) {
  UnknownFields(os).lookAt(instruction, kInstruction, 0);
}

}  // namespace indexical
