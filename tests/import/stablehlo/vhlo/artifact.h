// Portable artifacts of modules of StableHLO, byte by byte from the public
// format.
//
//   Artifact how;
//   how.newest = false;
//   auto bytes = writeArtifact(*module, how);
//
// An op that has two versions is written in the one that is asked for, if that
// version can express it: an `all_gather` of two operands has only the second.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_VHLO_ARTIFACT_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_VHLO_ARTIFACT_H

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinOps.h"

#include "tests/import/stablehlo/vhlo/bytes.h"

namespace indexical::testing {

struct Artifact {
  unsigned bytecode = 6;  ///< version of the format: 0 to 6
  bool newest = true;     ///< of two versions of an op, the second
  bool hasDialectVersion = true;
  std::string producer = "StableHLO_v1.10.0";
  /// Attributes in the op's dictionary although the format has a place of its
  /// own for them.
  bool inDictionary = false;
  /// Ops, types and attributes of other dialects beside VHLO's.
  bool isMixed = true;
  bool hasPlaces = true;                 ///< where ops stand in their source
  std::set<std::string> *ops = nullptr;  ///< gets the names of the ops written
};

/// Returns the bytes. An error names what VHLO cannot express.
absl::StatusOr<std::string> writeArtifact(mlir::ModuleOp module,
                                          const Artifact &how = {});

/// Types and attributes of VHLO in a container, and builtin ones beside them.
class ValueWriter {
 public:
  ValueWriter(Container &container, bool hasPlaces, bool isMixed)
      : out_(container), hasPlaces_(hasPlaces), isMixed_(isMixed) {}

  size_t type(mlir::Type type);
  size_t attribute(mlir::Attribute value);
  size_t boolean(bool value);
  size_t integer(int64_t value);  ///< of 64 bits
  size_t numbers(llvm::ArrayRef<int64_t> values);
  size_t text(llvm::StringRef value);
  size_t apiVersion(int64_t value);
  size_t noType();  ///< where a type is missing
  size_t list(llvm::ArrayRef<size_t> elements);
  size_t location(mlir::Location location);
  /// A name of a dictionary that is MLIR's own.
  size_t builtinText(llvm::StringRef value);
  size_t printed(mlir::Attribute value);

  /// Returns the first thing that VHLO does not have, or "".
  const std::string &problem() const { return problem_; }
  void refuse(const std::string &what) {
    if (problem_.empty()) problem_ = what;
  }

 private:
  size_t numbered(llvm::StringRef attribute, uint64_t value);
  size_t enumeration(llvm::StringRef attribute, llvm::StringRef value);
  size_t blob(size_t type, const std::string &data);
  size_t storage(mlir::quant::QuantizedType given);
  size_t tensor(mlir::DenseIntOrFPElementsAttr value);
  size_t dictionary(mlir::DictionaryAttr value);
  std::string bits(const llvm::APInt &value);
  std::string number(double value);

  Container &out_;
  bool hasPlaces_, isMixed_;
  std::string problem_;
};

/// Returns all attributes of an op in VHLO: the name and the place of the
/// value. `version` is that of the op, and is raised if the op needs a later
/// one.
std::vector<std::pair<std::string, size_t>> vhloAttributes(
    mlir::Operation *op, bool newest, ValueWriter &values, unsigned *version,
    std::set<std::string> *taken);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_VHLO_ARTIFACT_H
