#include "indexical/hlo/opcodes.h"

#include <iterator>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "indexical/hlo/opcodes/builders.h"

namespace indexical {
namespace {

using namespace opcodes;

constexpr int8_t kAny = OpcodeInfo::kAny;
constexpr Precision Exact = Precision::Exact, Cover = Precision::Cover,
                    Opaque = Precision::Opaque;

constexpr llvm::StringLiteral kMember =
    "with the member of the group whose operand it is";

// clang-format off
constexpr OpcodeInfo kOpcodes[] = {
    {"abs", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"acos", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"acosh", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"add", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"add-dependency", {2, 2}, buildForward, inferAsFirst, Exact, ""},
    {"after-all", {0, kAny}, buildNullary, inferToken, Exact, ""},
    {"all-gather", {1, kAny}, buildAllGather, inferAllGather, Exact, kMember},
    {"all-gather-done", {1, 1}, buildAsyncDone, inferSecondElementOfFirst, Exact, ""},
    {"all-gather-start", {1, kAny}, buildAllGatherStart, inferNothing, Exact, kMember},
    {"all-reduce", {0, kAny}, buildAllReduce, inferAsAll, Exact, kMember},
    {"all-reduce-done", {1, 1}, buildAsyncDone, inferAsFirst, Exact, ""},
    {"all-reduce-start", {1, kAny}, buildAllReduceStart, inferAsAll, Exact, kMember},
    {"all-to-all", {1, kAny}, buildAllToAll, inferAsAll, Exact, kMember},
    {"and", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"asin", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"asinh", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"async-done", {1, kAny}, buildAsyncDone, inferSecondElementOfFirst, Exact, ""},
    {"async-start", {0, kAny}, buildAsyncStart, inferNothing, Exact, "as the op or computation that is started"},
    {"async-update", {1, kAny}, buildAsyncUpdate, inferAsFirst, Exact, ""},
    {"atan", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"atan2", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"atanh", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"batch-norm-grad", {5, 5}, buildBatchNormGrad, inferBatchNorm, Exact, ""},
    {"batch-norm-inference", {5, 5}, buildBatchNormInference, inferAsFirst, Exact, ""},
    {"batch-norm-training", {3, 3}, buildBatchNormTraining, inferBatchNorm, Exact, ""},
    {"bitcast", {1, 1}, buildBitcast, inferNothing, Exact, ""},
    {"bitcast-convert", {1, 1}, buildBitcastConvert, inferNothing, Exact, ""},
    {"broadcast", {1, 1}, buildBroadcast, inferNothing, Exact, ""},
    {"call", {0, kAny}, buildCall, inferCalledRoot, Exact, ""},
    {"cbrt", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"ceil", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"cholesky", {1, 1}, buildCholesky, inferAsFirst, Exact, ""},
    {"clamp", {3, 3}, buildWithScalars, inferElementwise, Exact, ""},
    {"collective-broadcast", {1, kAny}, buildCollectiveBroadcast, inferAsAll, Exact, kMember},
    {"collective-permute", {1, kAny}, buildCollectivePermute, inferAsAll, Exact, "one piece a pair of devices; `cover` where slices are sent into a buffer"},
    {"collective-permute-done", {1, 1}, buildAsyncDone, inferSecondElementOfFirst, Exact, ""},
    {"collective-permute-start", {1, kAny}, buildCollectivePermuteStart, inferNothing, Exact, "as collective-permute"},
    {"collective-reduce", {1, kAny}, buildCover, inferNothing, Cover, "which device has the result is not published"},
    {"compare", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"complex", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"concatenate", {1, kAny}, buildConcatenate, inferConcatenate, Exact, ""},
    {"conditional", {1, kAny}, buildConditional, inferCalledRoot, Exact, "as the branches"},
    {"constant", {0, 0}, buildConstant, inferNothing, Exact, ""},
    {"convert", {1, 1}, buildElementwise, inferNothing, Exact, ""},
    {"convolution", {2, kAny}, buildConvolution, inferConvolution, Exact, "a cover with sparse operands"},
    {"copy", {1, 1}, buildCopy, inferAsFirst, Exact, ""},
    {"copy-done", {1, 1}, buildCopyDone, inferElementOfFirst, Exact, ""},
    {"copy-start", {1, 1}, buildCopyStart, inferNothing, Exact, ""},
    {"cosh", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"cosine", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"count-leading-zeros", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"custom-call", {0, kAny}, buildCustomCall, inferNothing, Opaque, "what a custom call means is not known; one whose target is registered has the maps of its registered op"},
    {"divide", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"domain", {1, 1}, buildForward, inferAsFirst, Exact, ""},
    {"dot", {2, kAny}, buildDot, inferDot, Exact, ""},
    {"dynamic-reshape", {1, kAny}, buildDynamicReshape, inferNothing, Exact, ""},
    {"dynamic-slice", {1, kAny}, buildDynamicSlice, inferDynamicSlice, Exact, ""},
    {"dynamic-update-slice", {2, kAny}, buildDynamicUpdateSlice, inferAsFirst, Exact, ""},
    {"erf", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"exponential", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"exponential-minus-one", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"fft", {1, 1}, buildFft, inferFft, Exact, ""},
    {"floor", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"fusion", {0, kAny}, buildCall, inferCalledRoot, Exact, ""},
    {"gather", {2, 2}, buildGather, inferGather, Exact, ""},
    {"get-dimension-size", {1, 1}, buildGetDimensionSize, inferSigned, Exact, ""},
    {"get-tuple-element", {1, 1}, buildTupleElement, inferTupleElement, Exact, ""},
    {"imag", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"infeed", {0, 1}, buildNullary, inferNothing, Exact, ""},
    {"iota", {0, 0}, buildIota, inferNothing, Exact, ""},
    {"is-finite", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"log", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"log-plus-one", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"logistic", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"map", {1, kAny}, buildElementwise, inferElementwise, Exact, ""},
    {"maximum", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"minimum", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"mulhi", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"multiply", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"negate", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"not", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"opt-barrier", {1, 1}, buildForward, inferAsFirst, Exact, ""},
    {"or", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"outfeed", {1, 2}, buildNullary, inferToken, Exact, ""},
    {"pad", {2, 2}, buildPad, inferPad, Exact, ""},
    {"parameter", {0, 0}, buildNullary, inferNothing, Exact, ""},
    {"partition-id", {0, 0}, buildNullary, inferUnsigned, Exact, ""},
    {"popcnt", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"power", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"ragged-all-to-all", {6, 6}, buildRaggedAllToAll, inferAsSecond, Cover, "`output`: which rows are written over is known in the run; the others are exact"},
    {"ragged-dot", {3, 3}, buildRaggedDot, inferRaggedDot, Cover, "exact with up to 64 groups, each of which is a piece"},
    {"real", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"recv", {1, 1}, buildNullary, inferNothing, Exact, ""},
    {"recv-done", {1, 1}, buildReceiveDone, inferReceiveDone, Exact, ""},
    {"reduce", {2, kAny}, buildReduce, inferReduce, Exact, ""},
    {"reduce-precision", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"reduce-scatter", {1, kAny}, buildReduceScatter, inferReduceScatter, Exact, kMember},
    {"reduce-window", {2, kAny}, buildReduceWindow, inferReduceWindow, Exact, ""},
    {"remainder", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"replica-id", {0, 0}, buildNullary, inferUnsigned, Exact, ""},
    {"reshape", {1, 1}, buildReshape, inferNothing, Exact, ""},
    {"reverse", {1, 1}, buildReverse, inferAsFirst, Exact, ""},
    {"rng", {0, kAny}, buildWithScalars, inferNothing, Exact, ""},
    {"rng-bit-generator", {1, 1}, buildCover, inferNothing, Cover, "how the algorithm uses its state is not followed"},
    {"rng-get-and-update-state", {0, 0}, buildNullary, inferNothing, Exact, ""},
    {"round-nearest-afz", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"round-nearest-even", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"rsqrt", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"scaled-dot", {4, 4}, buildScaledDot, inferScaledDot, Exact, ""},
    {"scan", {1, kAny}, buildScan, inferNothing, Exact, "as the body; a cover where its carries do not settle, or it has runtime variables"},
    {"scatter", {3, kAny}, buildScatter, inferScatter, Cover, "an input that the update computation may leave unread, for which elements are overwritten is known at run time"},
    {"select", {3, 3}, buildWithScalars, inferElementwise, Exact, ""},
    {"select-and-scatter", {3, 3}, buildSelectAndScatter, inferAsFirst, Exact, ""},
    {"send", {2, 2}, buildSend, inferSend, Exact, ""},
    {"send-done", {1, 1}, buildNullary, inferToken, Exact, ""},
    {"set-dimension-size", {2, 2}, buildSetDimensionSize, inferSetDimensionSize, Exact, ""},
    {"shift-left", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"shift-right-arithmetic", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"shift-right-logical", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"shuffle", {1, kAny}, buildCover, inferAsFirst, Cover, "how it orders elements is not published"},
    {"sign", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"sine", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"sinh", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"slice", {1, 1}, buildSlice, inferSlice, Exact, ""},
    {"sort", {1, kAny}, buildSort, inferAsAll, Exact, ""},
    {"sqrt", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"stochastic-convert", {2, 2}, buildElementwise, inferNothing, Exact, ""},
    {"subtract", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
    {"tan", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"tanh", {1, 1}, buildElementwise, inferElementwise, Exact, ""},
    {"topk", {1, 1}, buildTopK, inferTopK, Exact, ""},
    {"transpose", {1, 1}, buildTranspose, inferTranspose, Exact, ""},
    {"triangular-solve", {2, 2}, buildTriangularSolve, inferAsSecond, Exact, ""},
    {"tuple", {0, kAny}, buildTuple, inferTuple, Exact, ""},
    {"while", {1, kAny}, buildWhile, inferAsAll, Cover, "what the body leaves unchanged is exact, the rest is closed over any number of trips"},
    {"xor", {2, 2}, buildElementwise, inferElementwise, Exact, ""},
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
