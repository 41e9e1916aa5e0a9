// Options of a question about maps: its budget, and its engines.
//
//   ExactOptions options;
//   options.operations = 10'000;  // where they end, the answer is undecided
//   options.isl = false;
//   auto same = areEqual(a, b, options);
//
// exact/engines.h has the engines, and the order in which they are asked.
#ifndef INDEXICAL_EXACT_OPTIONS_H
#define INDEXICAL_EXACT_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/budget.h"

namespace indexical {

enum class Engine : uint8_t { ClosedForm, Sizes, Enumeration, Isl };
/// Returns the engine's name: `closed form`, `sizes`, `enumeration`, `isl`.
llvm::StringRef engineName(Engine engine);

/// The operations are a million by default.
struct ExactOptions : Budget {
  static constexpr int64_t kUsualOperations = 1'000'000;
  ExactOptions() = default;
  explicit ExactOptions(const Budget &budget) : Budget(budget) {}
  bool closedForm = true, sizes = true, enumeration = true;
  /// Whether isl is asked, if the library was built with it.
  bool isl = true;
  /// The largest number of pieces of a union that is made.
  int64_t mostPieces = 64;
  /// Receives the certificates of the engine `sizes`, line by line
  /// (simplifier/size_certificate.h). Null if they are not asked for.
  std::vector<std::string> *certificates = nullptr;
};

/// Returns whether isl is there (the build setting `--//exact:isl`).
bool hasIsl();

}  // namespace indexical

#endif  // INDEXICAL_EXACT_OPTIONS_H
