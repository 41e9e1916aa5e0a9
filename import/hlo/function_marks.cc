// What the arguments of a function of StableHLO say of memory.
#include "indexical/import/hlo/function_marks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

MemoryMarks functionMarks(const Computation &function) {
  MemoryMarks marks;
  for (auto [k, i] : llvm::enumerate(function.parameters)) {
    const auto number = static_cast<int32_t>(k);
    llvm::StringRef rest = function.instructions[i].backendConfig;
    while (!rest.empty()) {
      const auto [mark, behind] = rest.split(", ");
      rest = behind;
      const auto [name, value] = mark.split(" = ");
      int64_t result = 0;
      if (name == "tf.aliasing_output" && !value.getAsInteger(10, result) &&
          result >= 0)
        marks.results.push_back(
            {LeafId(result), number, LeafId(0), MemoryMarks::Strength::May});
      if (name == "jax.buffer_donor" && value == "true")
        marks.donors.insert({number, 0});
    }
  }
  for (const MemoryMarks::Result &each : marks.results)
    marks.donors.insert({each.parameter, int64_t{each.leaf}});
  return marks;
}

}  // namespace indexical
