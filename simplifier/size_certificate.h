// Certificates of the prover of sizes: why no point meets all constraints.
//
//   a - b * c in [-inf, -1], a floordiv b - c in [0, inf], b in [1, inf]
//
//     a - b * (a floordiv b) >= 0            a quotient
//     b * c - a - 1 >= 0                     given
//     (a floordiv b - c) * (b - 1) >= 0      a product
//     a floordiv b - c >= 0                  given
//     the sum is -1
//
// A certificate is a list of lines, each with a multiplier above 0. Each line
// is at least 0 wherever the constraints hold, and their sum is a negative
// number: so the constraints hold nowhere. Some are lists for two cases, of
// which one is true.
//
// Law (tests/simplifier/size_prover_test.cc, by enumeration): each line is at
// least 0 at every point of the constraints; check() adds the lines up by other
// code than the prover's.
#ifndef INDEXICAL_SIMPLIFIER_SIZE_CERTIFICATE_H
#define INDEXICAL_SIMPLIFIER_SIZE_CERTIFICATE_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/expression.h"

namespace indexical {

/// Why a line is at least 0.
enum class SizeReason : uint8_t {
  Given,     ///< a constraint says so
  Refuted,   ///< the claim that is to be shown is not true
  Assumed,   ///< the case says so
  Bound,     ///< a bound of a variable
  Quotient,  ///< N - D * (N floordiv D) is in [0, D - 1]
  Sign,      ///< N floordiv D has the sign of N
  Floors,    ///< N floordiv D and N floordiv (D * k)
  Factors,   ///< a * b is at least a times the least b
  Product,   ///< of two such lines
};
/// Returns the reason in words: `given`, `the claim is false`, `a quotient`…
llvm::StringRef reasonText(SizeReason reason);

struct SizeCertificate {
  struct Line {
    int64_t multiplier;
    FormId form;  ///< is at least 0
    SizeReason reason;
    /// The two lines that were multiplied, if it is a product.
    std::vector<FormId> factors;
  };
  struct Case {
    /// The form that is at least 0 in this case, or nothing if there is but one
    /// case.
    std::optional<FormId> assumed;
    std::vector<Line> lines;
  };
  /// A variable that an equation of the constraints gives, and its value: the
  /// lines have the value in its place.
  struct Solved {
    VariableId variable;
    FormId value;
  };

  ExpressionPool pool;  ///< of the forms
  std::vector<Solved> solved;
  std::vector<Case> cases;

  /// Returns nothing if the certificate is valid: the lines add up to a
  /// negative constant in each case, the cases are two of which one is true,
  /// and products are those of their factors. Else returns the fault. Law: it
  /// shares no arithmetic with the prover.
  std::optional<std::string> check();

  /// Returns a line of text for each line, `2 * (d0 - rt0 * 3 - 1) >= 0:
  /// given`, and for each case a line before them.
  std::vector<std::string> text(
      const std::function<std::string(VariableId)> &nameOf) const;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SIZE_CERTIFICATE_H
