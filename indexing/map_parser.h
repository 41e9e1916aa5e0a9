// Reads one map of a text (map_text.h): a recursive descent over the grammar of
// formats.md, section 1.
#ifndef INDEXICAL_INDEXING_MAP_PARSER_H
#define INDEXICAL_INDEXING_MAP_PARSER_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"
#include "indexical/indexing/kept.h"
#include "indexical/indexing/map_parser_scanner.h"
#include "indexical/indexing/name_table.h"

namespace indexical {

class MapParser : public MapScanner {
 public:
  explicit MapParser(llvm::StringRef text, size_t start = 0)
      : MapScanner(text, start) {}

  absl::StatusOr<IndexingMap> map();
  /// Takes `UNDEFINED`, a map that is not known, if it comes next.
  bool takeUndefined() { return take("UNDEFINED"); }

 private:
  /// A part of an expression. Most are numbers and multiples of variables, of
  /// which no form is made before they are put together.
  struct ParsedTerm {
    enum class Kind : uint8_t { Number, Variable, Form };
    Kind kind = Kind::Form;
    FormId form = 0;     ///< a variable's, too
    int64_t factor = 1;  ///< of the variable, not 0; or the number
  };
  /// A sum in parentheses that was read, and where it stands.
  struct ReadSum {
    size_t begin, end;
    FormId form;
  };
  struct Divisor {
    FormId form;
    size_t offset;
    bool isMod;
  };

  // The grammar. A false says that `status_` is set.
  bool body(bool quoted);
  bool variablesAndResults();
  bool names(char close, VariableKind kind);
  bool domain();
  bool entry();
  bool isAtSource();
  bool source();
  bool sum(FormId &form);
  bool product(ParsedTerm &part);
  void multiply(ParsedTerm &left, const ParsedTerm &right);
  FormId formOf(const ParsedTerm &part);
  bool divide(Operator op, size_t at, FormId divisor, FormId &form);
  bool unary(ParsedTerm &part);
  bool primary(ParsedTerm &part);
  const ReadSum *sumReadBefore() const;
  bool variable(ParsedTerm &part);
  bool choice(bool isMin, ParsedTerm &part);
  bool nextIsMap();
  size_t placeOf(VariableId id) const;
  void numberAgain();
  bool finish();
  bool checkBounds();
  bool failOverflow(size_t offset);
  bool checked(size_t offset);
  bool tooDeep(size_t offset);

  int depth_ = 0;
  Kept<ExpressionPool> kept_;
  ExpressionPool &pool_ = *kept_;
  struct Name {
    VariableId id;
    llvm::StringRef text;
    size_t offset;
    Interval bounds;
    bool hasBounds = false;
    bool hasSource = false;
  };
  static bool isStandard(const Name &name);
  llvm::SmallVector<Name, 8> declared_;
  NameTable names_;                ///< the numbers in declared_
  std::optional<size_t> bounded_;  // whose bounds came last, in declared_
  uint32_t counts_[3] = {0, 0, 0};
  llvm::SmallVector<int, 16> heights_;  // of the pool's atoms
  llvm::SmallVector<FormId, 8> results_;
  llvm::SmallVector<std::pair<FormId, Interval>, 4> constraints_;
  llvm::SmallVector<Divisor, 2> divisors_;
  static constexpr size_t kMostReadSums = 16;
  llvm::SmallVector<ReadSum, kMostReadSums> readSums_;
  llvm::SmallVector<std::pair<FormId, size_t>, 8> places_;
  std::optional<IndexingMap> built_;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_MAP_PARSER_H
