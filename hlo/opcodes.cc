#include "hlo/opcodes.h"

#include <iterator>
#include <vector>

#include "llvm/ADT/DenseMap.h"

namespace indexical {
namespace {

// Name, family, least and most operands.
constexpr OpcodeInfo kOpcodes[] = {
    {"abs", Family::Elementwise, 1, 1},
    {"acos", Family::Elementwise, 1, 1},
    {"acosh", Family::Elementwise, 1, 1},
    {"add", Family::Elementwise, 2, 2},
    {"add-dependency", Family::Forward, 2, 2},
    {"after-all", Family::Nullary, 0, kAnyCount},
    {"all-gather", Family::Cover, 1, kAnyCount},
    {"all-gather-done", Family::Cover, 1, 1},
    {"all-gather-start", Family::Cover, 1, kAnyCount},
    {"all-reduce", Family::Cover, 0, kAnyCount},
    {"all-reduce-done", Family::Cover, 1, 1},
    {"all-reduce-start", Family::Cover, 1, kAnyCount},
    {"all-to-all", Family::Cover, 1, kAnyCount},
    {"and", Family::Elementwise, 2, 2},
    {"asin", Family::Elementwise, 1, 1},
    {"asinh", Family::Elementwise, 1, 1},
    {"async-done", Family::Cover, 1, kAnyCount},
    {"async-start", Family::Cover, 0, kAnyCount},
    {"async-update", Family::Cover, 1, kAnyCount},
    {"atan", Family::Elementwise, 1, 1},
    {"atan2", Family::Elementwise, 2, 2},
    {"atanh", Family::Elementwise, 1, 1},
    {"batch-norm-grad", Family::Cover, 5, 5},
    {"batch-norm-inference", Family::Cover, 5, 5},
    {"batch-norm-training", Family::Cover, 3, 3},
    {"bitcast", Family::Bitcast, 1, 1},
    {"bitcast-convert", Family::BitcastConvert, 1, 1},
    {"broadcast", Family::Broadcast, 1, 1},
    {"call", Family::Call, 0, kAnyCount},
    {"cbrt", Family::Elementwise, 1, 1},
    {"ceil", Family::Elementwise, 1, 1},
    {"cholesky", Family::Cover, 1, 1},
    {"clamp", Family::Elementwise, 3, 3},
    {"collective-broadcast", Family::Cover, 1, kAnyCount},
    {"collective-permute", Family::Cover, 1, kAnyCount},
    {"collective-permute-done", Family::Cover, 1, 1},
    {"collective-permute-start", Family::Cover, 1, kAnyCount},
    {"collective-reduce", Family::Cover, 1, kAnyCount},
    {"compare", Family::Elementwise, 2, 2},
    {"complex", Family::Elementwise, 2, 2},
    {"concatenate", Family::Concatenate, 1, kAnyCount},
    {"conditional", Family::Cover, 1, kAnyCount},
    {"constant", Family::Constant, 0, 0},
    {"convert", Family::Elementwise, 1, 1},
    {"convolution", Family::Cover, 2, kAnyCount},
    {"copy", Family::Copy, 1, 1},
    {"copy-done", Family::CopyDone, 1, 1},
    {"copy-start", Family::CopyStart, 1, 1},
    {"cosh", Family::Elementwise, 1, 1},
    {"cosine", Family::Elementwise, 1, 1},
    {"count-leading-zeros", Family::Elementwise, 1, 1},
    {"custom-call", Family::Opaque, 0, kAnyCount},
    {"divide", Family::Elementwise, 2, 2},
    {"domain", Family::Forward, 1, 1},
    {"dot", Family::Dot, 2, kAnyCount},
    {"dynamic-reshape", Family::Cover, 1, kAnyCount},
    {"dynamic-slice", Family::DynamicSlice, 1, kAnyCount},
    {"dynamic-update-slice", Family::DynamicUpdateSlice, 2, kAnyCount},
    {"erf", Family::Elementwise, 1, 1},
    {"exponential", Family::Elementwise, 1, 1},
    {"exponential-minus-one", Family::Elementwise, 1, 1},
    {"fft", Family::Cover, 1, 1},
    {"floor", Family::Elementwise, 1, 1},
    {"fusion", Family::Call, 0, kAnyCount},
    {"gather", Family::Gather, 2, 2},
    {"get-dimension-size", Family::Cover, 1, 1},
    {"get-tuple-element", Family::GetTupleElement, 1, 1},
    {"imag", Family::Elementwise, 1, 1},
    {"infeed", Family::Cover, 0, 1},
    {"iota", Family::Iota, 0, 0},
    {"is-finite", Family::Elementwise, 1, 1},
    {"log", Family::Elementwise, 1, 1},
    {"log-plus-one", Family::Elementwise, 1, 1},
    {"logistic", Family::Elementwise, 1, 1},
    {"map", Family::Elementwise, 1, kAnyCount},
    {"maximum", Family::Elementwise, 2, 2},
    {"minimum", Family::Elementwise, 2, 2},
    {"mulhi", Family::Elementwise, 2, 2},
    {"multiply", Family::Elementwise, 2, 2},
    {"negate", Family::Elementwise, 1, 1},
    {"not", Family::Elementwise, 1, 1},
    {"opt-barrier", Family::Forward, 1, 1},
    {"or", Family::Elementwise, 2, 2},
    {"outfeed", Family::Cover, 1, 2},
    {"pad", Family::Pad, 2, 2},
    {"parameter", Family::Parameter, 0, 0},
    {"partition-id", Family::Nullary, 0, 0},
    {"popcnt", Family::Elementwise, 1, 1},
    {"power", Family::Elementwise, 2, 2},
    {"ragged-all-to-all", Family::Cover, 6, 6},
    {"ragged-dot", Family::Cover, 3, kAnyCount},
    {"real", Family::Elementwise, 1, 1},
    {"recv", Family::Cover, 1, 1},
    {"recv-done", Family::Cover, 1, 1},
    {"reduce", Family::Reduce, 2, kAnyCount},
    {"reduce-precision", Family::Elementwise, 1, 1},
    {"reduce-scatter", Family::Cover, 1, kAnyCount},
    {"reduce-window", Family::ReduceWindow, 2, kAnyCount},
    {"remainder", Family::Elementwise, 2, 2},
    {"replica-id", Family::Nullary, 0, 0},
    {"reshape", Family::Reshape, 1, 1},
    {"reverse", Family::Reverse, 1, 1},
    {"rng", Family::Elementwise, 0, kAnyCount},
    {"rng-bit-generator", Family::Cover, 1, 1},
    {"rng-get-and-update-state", Family::Nullary, 0, 0},
    {"round-nearest-afz", Family::Elementwise, 1, 1},
    {"round-nearest-even", Family::Elementwise, 1, 1},
    {"rsqrt", Family::Elementwise, 1, 1},
    {"scaled-dot", Family::Cover, 2, kAnyCount},
    {"scan", Family::Cover, 1, kAnyCount},
    {"scatter", Family::Cover, 3, kAnyCount},
    {"select", Family::Elementwise, 3, 3},
    {"select-and-scatter", Family::Cover, 3, 3},
    {"send", Family::Cover, 2, 2},
    {"send-done", Family::Cover, 1, 1},
    {"set-dimension-size", Family::Cover, 2, 2},
    {"shift-left", Family::Elementwise, 2, 2},
    {"shift-right-arithmetic", Family::Elementwise, 2, 2},
    {"shift-right-logical", Family::Elementwise, 2, 2},
    {"shuffle", Family::Cover, 1, kAnyCount},
    {"sign", Family::Elementwise, 1, 1},
    {"sine", Family::Elementwise, 1, 1},
    {"sinh", Family::Elementwise, 1, 1},
    {"slice", Family::Slice, 1, 1},
    {"sort", Family::Cover, 1, kAnyCount},
    {"sqrt", Family::Elementwise, 1, 1},
    {"stochastic-convert", Family::Elementwise, 2, 2},
    {"subtract", Family::Elementwise, 2, 2},
    {"tan", Family::Elementwise, 1, 1},
    {"tanh", Family::Elementwise, 1, 1},
    {"topk", Family::Cover, 1, 1},
    {"transpose", Family::Transpose, 1, 1},
    {"triangular-solve", Family::Cover, 2, 2},
    {"tuple", Family::Forward, 0, kAnyCount},
    {"while", Family::Cover, 1, kAnyCount},
    {"xor", Family::Elementwise, 2, 2},
};

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
