#include "indexical/import/hlo/opcodes.h"

#include <iterator>
#include <string_view>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace {

using namespace opcodes;

constexpr int8_t kAny = OpcodeInfo::kAny;
constexpr const OpKind *elementwise(std::string_view name) {
  return kindOf<ElementwiseOp>(name);
}

// clang-format off
constexpr OpcodeInfo kOpcodes[] = {
    {"abs", {1, 1}, buildElementwise, inferElementwise, elementwise("abs")},
    {"acos", {1, 1}, buildElementwise, inferElementwise, elementwise("acos")},
    {"acosh", {1, 1}, buildElementwise, inferElementwise, elementwise("acosh")},
    {"add", {2, 2}, buildElementwise, inferElementwise, elementwise("add")},
    {"add-dependency", {2, 2}, buildForward, inferAsFirst, kindOf<ForwardOp>("add-dependency")},
    {"after-all", {0, kAny}, buildNullary, inferToken, kindOf<NullaryOp>("after-all")},
    {"all-gather", {1, kAny}, buildAllGather, inferAllGather, kindOf<AllGatherOp>()},
    {"all-gather-done", {1, 1}, buildAsyncDone, inferSecondElementOfFirst, kindOf<ForwardOp>("async-done")},
    {"all-gather-start", {1, kAny}, buildCollectiveStart, inferNothing, kindOf<StartOp>()},
    {"all-reduce", {0, kAny}, buildAllReduce, inferAsAll, kindOf<AllReduceOp>()},
    {"all-reduce-done", {1, 1}, buildAsyncDone, inferAsFirst, kindOf<ForwardOp>("async-done")},
    {"all-reduce-start", {1, kAny}, buildCollectiveStart, inferAsAll, kindOf<StartOp>()},
    {"all-to-all", {1, kAny}, buildAllToAll, inferAsAll, kindOf<AllToAllOp>()},
    {"and", {2, 2}, buildElementwise, inferElementwise, elementwise("and")},
    {"asin", {1, 1}, buildElementwise, inferElementwise, elementwise("asin")},
    {"asinh", {1, 1}, buildElementwise, inferElementwise, elementwise("asinh")},
    {"async-done", {1, kAny}, buildAsyncDone, inferSecondElementOfFirst, kindOf<ForwardOp>("async-done")},
    {"async-start", {0, kAny}, buildAsyncStart, inferNothing, kindOf<StartOp>()},
    {"async-update", {1, kAny}, buildAsyncUpdate, inferAsFirst, kindOf<ForwardOp>("async-update")},
    {"atan", {1, 1}, buildElementwise, inferElementwise, elementwise("atan")},
    {"atan2", {2, 2}, buildElementwise, inferElementwise, elementwise("atan2")},
    {"atanh", {1, 1}, buildElementwise, inferElementwise, elementwise("atanh")},
    {"batch-norm-grad", {5, 5}, buildBatchNormGrad, inferBatchNorm, kindOf<BatchNormOp>("batch-norm-grad")},
    {"batch-norm-inference", {5, 5}, buildBatchNormInference, inferAsFirst, kindOf<BatchNormOp>("batch-norm-inference")},
    {"batch-norm-training", {3, 3}, buildBatchNormTraining, inferBatchNorm, kindOf<BatchNormOp>()},
    {"bitcast", {1, 1}, buildBitcast, inferNothing, kindOf<BitcastOp>()},
    {"bitcast-convert", {1, 1}, buildBitcastConvert, inferNothing, kindOf<BitcastConvertOp>()},
    {"broadcast", {1, 1}, buildBroadcast, inferNothing, kindOf<BroadcastOp>()},
    {"call", {0, kAny}, buildCall, inferCalledRoot, kindOf<CallOp>()},
    {"cbrt", {1, 1}, buildElementwise, inferElementwise, elementwise("cbrt")},
    {"ceil", {1, 1}, buildElementwise, inferElementwise, elementwise("ceil")},
    {"cholesky", {1, 1}, buildCholesky, inferAsFirst, kindOf<CholeskyOp>()},
    {"clamp", {3, 3}, buildWithScalars, inferElementwise, elementwise("clamp")},
    {"collective-broadcast", {1, kAny}, buildCollectiveBroadcast, inferAsAll, kindOf<CollectiveBroadcastOp>()},
    {"collective-permute", {1, kAny}, buildCollectivePermute, inferAsAll, kindOf<CollectivePermuteOp>()},
    {"collective-permute-done", {1, 1}, buildAsyncDone, inferSecondElementOfFirst, kindOf<ForwardOp>("async-done")},
    {"collective-permute-start", {1, kAny}, buildCollectiveStart, inferNothing, kindOf<StartOp>()},
    {"collective-reduce", {1, kAny}, buildCover, inferNothing, kindOf<CoverOp>("collective-reduce")},
    {"compare", {2, 2}, buildElementwise, inferElementwise, elementwise("compare")},
    {"complex", {2, 2}, buildElementwise, inferElementwise, elementwise("complex")},
    {"concatenate", {1, kAny}, buildConcatenate, inferConcatenate, kindOf<ConcatenateOp>()},
    {"conditional", {1, kAny}, buildConditional, inferCalledRoot, kindOf<ConditionalOp>()},
    {"constant", {0, 0}, buildConstant, inferNothing, kindOf<ConstantOp>()},
    {"convert", {1, 1}, buildElementwise, inferNothing, elementwise("convert")},
    {"convolution", {2, kAny}, buildConvolution, inferConvolution, kindOf<ConvolutionOp>()},
    {"copy", {1, 1}, buildCopy, inferAsFirst, elementwise("copy")},
    {"copy-done", {1, 1}, buildCopyDone, inferElementOfFirst, kindOf<ForwardOp>("copy-done")},
    {"copy-start", {1, 1}, buildCopyStart, inferNothing, kindOf<ForwardOp>("copy-start")},
    {"cosh", {1, 1}, buildElementwise, inferElementwise, elementwise("cosh")},
    {"cosine", {1, 1}, buildElementwise, inferElementwise, elementwise("cosine")},
    {"count-leading-zeros", {1, 1}, buildElementwise, inferElementwise, elementwise("count-leading-zeros")},
    {"custom-call", {0, kAny}, buildCustomCall, inferNothing, kindOf<CoverOp>("custom-call")},
    {"divide", {2, 2}, buildElementwise, inferElementwise, elementwise("divide")},
    {"domain", {1, 1}, buildForward, inferAsFirst, kindOf<ForwardOp>("domain")},
    {"dot", {2, kAny}, buildDot, inferDot, kindOf<DotOp>()},
    {"dynamic-reshape", {1, kAny}, buildDynamicReshape, inferNothing, kindOf<DynamicReshapeOp>()},
    {"dynamic-slice", {1, kAny}, buildDynamicSlice, inferDynamicSlice, kindOf<DynamicSliceOp>()},
    {"dynamic-update-slice", {2, kAny}, buildDynamicUpdateSlice, inferAsFirst, kindOf<DynamicUpdateSliceOp>()},
    {"erf", {1, 1}, buildElementwise, inferElementwise, elementwise("erf")},
    {"exponential", {1, 1}, buildElementwise, inferElementwise, elementwise("exponential")},
    {"exponential-minus-one", {1, 1}, buildElementwise, inferElementwise, elementwise("exponential-minus-one")},
    {"fft", {1, 1}, buildFft, inferFft, kindOf<FftOp>()},
    {"floor", {1, 1}, buildElementwise, inferElementwise, elementwise("floor")},
    {"fusion", {0, kAny}, buildCall, inferCalledRoot, kindOf<CallOp>("fusion")},
    {"gather", {2, 2}, buildGather, inferGather, kindOf<GatherOp>()},
    {"get-dimension-size", {1, 1}, buildGetDimensionSize, inferSigned, kindOf<NullaryOp>("get-dimension-size")},
    {"get-tuple-element", {1, 1}, buildTupleElement, inferTupleElement, kindOf<ForwardOp>("get-tuple-element")},
    {"imag", {1, 1}, buildElementwise, inferElementwise, elementwise("imag")},
    {"infeed", {0, 1}, buildNullary, inferNothing, kindOf<NullaryOp>("infeed")},
    {"iota", {0, 0}, buildIota, inferNothing, kindOf<IotaOp>()},
    {"is-finite", {1, 1}, buildElementwise, inferElementwise, elementwise("is-finite")},
    {"log", {1, 1}, buildElementwise, inferElementwise, elementwise("log")},
    {"log-plus-one", {1, 1}, buildElementwise, inferElementwise, elementwise("log-plus-one")},
    {"logistic", {1, 1}, buildElementwise, inferElementwise, elementwise("logistic")},
    {"map", {1, kAny}, buildElementwise, inferElementwise, elementwise("map")},
    {"maximum", {2, 2}, buildElementwise, inferElementwise, elementwise("maximum")},
    {"minimum", {2, 2}, buildElementwise, inferElementwise, elementwise("minimum")},
    {"mulhi", {2, 2}, buildElementwise, inferElementwise, elementwise("mulhi")},
    {"multiply", {2, 2}, buildElementwise, inferElementwise, elementwise("multiply")},
    {"negate", {1, 1}, buildElementwise, inferElementwise, elementwise("negate")},
    {"not", {1, 1}, buildElementwise, inferElementwise, elementwise("not")},
    {"opt-barrier", {1, 1}, buildForward, inferAsFirst, kindOf<ForwardOp>("opt-barrier")},
    {"or", {2, 2}, buildElementwise, inferElementwise, elementwise("or")},
    {"outfeed", {1, 2}, buildNullary, inferToken, kindOf<NullaryOp>("outfeed")},
    {"pad", {2, 2}, buildPad, inferPad, kindOf<PadOp>()},
    {"parameter", {0, 0}, buildNullary, inferNothing, kindOf<NullaryOp>("parameter")},
    {"partition-id", {0, 0}, buildNullary, inferUnsigned, kindOf<NullaryOp>("partition-id")},
    {"popcnt", {1, 1}, buildElementwise, inferElementwise, elementwise("popcnt")},
    {"power", {2, 2}, buildElementwise, inferElementwise, elementwise("power")},
    {"ragged-all-to-all", {6, 6}, buildRaggedAllToAll, inferAsSecond, kindOf<RaggedAllToAllOp>()},
    {"ragged-dot", {3, 3}, buildRaggedDot, inferRaggedDot, kindOf<RaggedDotOp>()},
    {"real", {1, 1}, buildElementwise, inferElementwise, elementwise("real")},
    {"recv", {1, 1}, buildNullary, inferNothing, kindOf<NullaryOp>("recv")},
    {"recv-done", {1, 1}, buildReceiveDone, inferReceiveDone, kindOf<ForwardOp>("recv-done")},
    {"reduce", {2, kAny}, buildReduce, inferReduce, kindOf<ReduceOp>()},
    {"reduce-precision", {1, 1}, buildElementwise, inferElementwise, elementwise("reduce-precision")},
    {"reduce-scatter", {1, kAny}, buildReduceScatter, inferReduceScatter, kindOf<ReduceScatterOp>()},
    {"reduce-window", {2, kAny}, buildReduceWindow, inferReduceWindow, kindOf<ReduceWindowOp>()},
    {"remainder", {2, 2}, buildElementwise, inferElementwise, elementwise("remainder")},
    {"replica-id", {0, 0}, buildNullary, inferUnsigned, kindOf<NullaryOp>("replica-id")},
    {"reshape", {1, 1}, buildReshape, inferNothing, kindOf<ReshapeOp>()},
    {"reverse", {1, 1}, buildReverse, inferAsFirst, kindOf<ReverseOp>()},
    {"rng", {0, kAny}, buildWithScalars, inferNothing, elementwise("rng")},
    {"rng-bit-generator", {1, 1}, buildCover, inferNothing, kindOf<CoverOp>("rng-bit-generator")},
    {"rng-get-and-update-state", {0, 0}, buildNullary, inferNothing, kindOf<NullaryOp>("rng-get-and-update-state")},
    {"round-nearest-afz", {1, 1}, buildElementwise, inferElementwise, elementwise("round-nearest-afz")},
    {"round-nearest-even", {1, 1}, buildElementwise, inferElementwise, elementwise("round-nearest-even")},
    {"rsqrt", {1, 1}, buildElementwise, inferElementwise, elementwise("rsqrt")},
    {"scaled-dot", {4, 4}, buildScaledDot, inferScaledDot, kindOf<ScaledDotOp>()},
    {"scan", {1, kAny}, buildScan, inferNothing, kindOf<ScanOp>()},
    {"scatter", {3, kAny}, buildScatter, inferScatter, kindOf<ScatterOp>()},
    {"select", {3, 3}, buildWithScalars, inferElementwise, elementwise("select")},
    {"select-and-scatter", {3, 3}, buildSelectAndScatter, inferAsFirst, kindOf<SelectAndScatterOp>()},
    {"send", {2, 2}, buildSend, inferSend, kindOf<ForwardOp>("send")},
    {"send-done", {1, 1}, buildNullary, inferToken, kindOf<NullaryOp>("send-done")},
    {"set-dimension-size", {2, 2}, buildSetDimensionSize, inferSetDimensionSize, kindOf<SetDimensionSizeOp>()},
    {"shift-left", {2, 2}, buildElementwise, inferElementwise, elementwise("shift-left")},
    {"shift-right-arithmetic", {2, 2}, buildElementwise, inferElementwise, elementwise("shift-right-arithmetic")},
    {"shift-right-logical", {2, 2}, buildElementwise, inferElementwise, elementwise("shift-right-logical")},
    {"shuffle", {1, kAny}, buildCover, inferAsFirst, kindOf<CoverOp>("shuffle")},
    {"sign", {1, 1}, buildElementwise, inferElementwise, elementwise("sign")},
    {"sine", {1, 1}, buildElementwise, inferElementwise, elementwise("sine")},
    {"sinh", {1, 1}, buildElementwise, inferElementwise, elementwise("sinh")},
    {"slice", {1, 1}, buildSlice, inferSlice, kindOf<SliceOp>()},
    {"sort", {1, kAny}, buildSort, inferAsAll, kindOf<SortOp>()},
    {"sqrt", {1, 1}, buildElementwise, inferElementwise, elementwise("sqrt")},
    {"stochastic-convert", {2, 2}, buildElementwise, inferNothing, elementwise("stochastic-convert")},
    {"subtract", {2, 2}, buildElementwise, inferElementwise, elementwise("subtract")},
    {"tan", {1, 1}, buildElementwise, inferElementwise, elementwise("tan")},
    {"tanh", {1, 1}, buildElementwise, inferElementwise, elementwise("tanh")},
    {"topk", {1, 1}, buildTopK, inferTopK, kindOf<TopKOp>()},
    {"transpose", {1, 1}, buildTranspose, inferTranspose, kindOf<TransposeOp>()},
    {"triangular-solve", {2, 2}, buildTriangularSolve, inferAsSecond, kindOf<TriangularSolveOp>()},
    {"tuple", {0, kAny}, buildTuple, inferTuple, kindOf<ForwardOp>("tuple")},
    {"while", {1, kAny}, buildWhile, inferAsAll, kindOf<WhileOp>()},
    {"xor", {2, 2}, buildElementwise, inferElementwise, elementwise("xor")},
};
// clang-format on

using OpcodeMap = llvm::DenseMap<llvm::StringRef, const OpcodeInfo *>;

const OpcodeMap &opcodeMap() {
  static const OpcodeMap *map = [] {
    auto *made = new OpcodeMap(2 * std::size(kOpcodes));
    for (const OpcodeInfo &info : kOpcodes) made->try_emplace(info.name, &info);
    return made;
  }();
  return *map;
}

}  // namespace

llvm::ArrayRef<OpcodeInfo> opcodeTable() { return kOpcodes; }

const OpcodeInfo *findOpcode(llvm::StringRef name) {
  const OpcodeMap &map = opcodeMap();
  if (const OpcodeInfo *info = map.lookup(name)) return info;
  for (llvm::StringRef suffix : {"-start", "-update", "-done"}) {
    llvm::StringRef wrapped = name;
    if (!wrapped.consume_back(suffix) || !map.contains(wrapped)) continue;
    return map.lookup(suffix == "-start"    ? "async-start"
                      : suffix == "-update" ? "async-update"
                                            : "async-done");
  }
  return nullptr;
}

llvm::ArrayRef<llvm::StringRef> opcodeNames() {
  static const auto *names = [] {
    auto *made = new std::vector<llvm::StringRef>();
    for (const OpcodeInfo &info : kOpcodes) made->push_back(info.name);
    return made;
  }();
  return *names;
}

}  // namespace indexical
