// The meaning of custom calls, for callers who know it.
//
// HLO's `custom-call` and StableHLO's `custom_call` name a target and say
// nothing of what it reads. A registry says it, target by target: a function
// that makes the descriptor of an op (ops/op.h), one of this library's or a
// CustomOp with maps of its own.
//
//   CustomCallRegistry calls;
//   calls.add("flatten", [](const CustomCall &) { return Op(ReshapeOp()); });
//   HloOptions options;                       // or MlirOptions, importMlir
//   options.customCalls = &calls;
//   auto program = parseHlo(text, "model.hlo", options);
//   //   r = f32[24] custom-call(x), custom_call_target="flatten"
//   //   is read as a reshape of x
//
// The descriptor's shapes are those of the instruction, filled in after the
// function; then it is verified as any other. An error of the function is an
// error of the text, at the instruction. A target that is not registered stays
// opaque.
#ifndef INDEXICAL_PROGRAM_MODULE_CUSTOM_CALLS_H
#define INDEXICAL_PROGRAM_MODULE_CUSTOM_CALLS_H

#include <functional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// A custom call as its text has it. Views live as long as the call of the
/// function.
struct CustomCall {
  llvm::StringRef target;
  llvm::ArrayRef<const Shape *> operands;
  const Shape &result;
  /// `backend_config`: the contents of a string, escapes resolved, or the text
  /// of braces, braces included. Empty if there is none.
  std::string backendConfig;
  /// Returns the raw text of any other attribute; empty if there is none.
  llvm::function_ref<llvm::StringRef(llvm::StringRef key)> attribute;
};

using CustomCallBuilder = std::function<absl::StatusOr<Op>(const CustomCall &)>;

class CustomCallRegistry {
 public:
  /// Adds a target, or replaces the builder of one that is there already.
  void add(llvm::StringRef target, CustomCallBuilder builder) {
    builders_[target] = std::move(builder);
  }
  /// Returns the target's builder, or null.
  const CustomCallBuilder *find(llvm::StringRef target) const {
    auto found = builders_.find(target);
    return found == builders_.end() ? nullptr : &found->second;
  }
  /// The targets, in no order.
  auto targets() const { return builders_.keys(); }

 private:
  llvm::StringMap<CustomCallBuilder> builders_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_CUSTOM_CALLS_H
