// Random ops of upstream MLIR, as text.
//
//   Random random(17);
//   UpstreamInstance in = upstreamFamilies()[0].make(random, true);
//
//   in.text     func.func @f(%a0: tensor<?3x4xf32>, %a1: index, …) { … }
//   in.values   of each argument of the function: numbers, where it is one
//
// The op is the last one before the return. In the text of an op that may be
// open, `?3` is a size that is not known and is 3 this time.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_RANDOM_UPSTREAM_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_RANDOM_UPSTREAM_H

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "tests/oracle/oracle.h"
#include "tests/oracle/tensor.h"
#include "tests/support/random.h"

namespace indexical::testing {

struct UpstreamInstance {
  std::string text;
  OperandValues values;
};

/// Writes a function around an op.
class FunctionText {
 public:
  FunctionText(Random &random, bool open) : random(random), open(open) {}

  /// `tensor<3x?4xf32>`; the sizes of vectors are known.
  std::string tensor(const Index &sizes, llvm::StringRef element = "f32");
  static std::string vector(const Index &sizes,
                            llvm::StringRef element = "f32");
  /// Adds an argument. Returns its name.
  std::string argument(const std::string &type,
                       std::vector<int64_t> values = {});
  /// index returns a new index operand that holds the value. mixedIndex returns
  /// one too, or the number itself.
  std::string index(int64_t value) { return argument("index", {value}); }
  std::string mixedIndex(int64_t value);
  /// `[3, %a1]`
  std::string mixedList(const Index &values);
  std::string list(llvm::ArrayRef<int64_t> values) const;

  /// The function, whose op is `body` (`%r = …`).
  UpstreamInstance finish(const std::string &body);
  /// The text of a size: itself, or `?3`.
  std::string size(int64_t size);

  Index sizes(int64_t rank, int64_t least = 1, int64_t most = 4);

  Random &random;
  bool open;

 private:
  std::vector<std::string> types_;
  OperandValues values_;
};

struct UpstreamFamily {
  llvm::StringRef name;
  UpstreamInstance (*make)(Random &random, bool open);
  /// Whether the op may be written with sizes that are not known.
  bool canBeOpen = true;
  /// Whether the pieces of an answer are disjoint.
  bool isDisjoint = true;
};

/// Prints the family for GoogleTest.
void PrintTo(const UpstreamFamily &family, std::ostream *os);

std::vector<UpstreamFamily> upstreamFamilies();

// One file each.
llvm::ArrayRef<UpstreamFamily> tensorFamilies();
llvm::ArrayRef<UpstreamFamily> linalgFamilies();
llvm::ArrayRef<UpstreamFamily> vectorFamilies();

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_RANDOM_UPSTREAM_H
