// The reader of expressions: a cursor on the text, and what each notation's
// file adds to it.
#ifndef INDEXICAL_LAYOUT_READER_H
#define INDEXICAL_LAYOUT_READER_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/layout/parse.h"

namespace indexical::layouts {

/// Returns whether the word is the name of an operation.
bool isOperation(llvm::StringRef word);

class Reader {
 public:
  Reader(llvm::StringRef text, const EncodingNames &names)
      : text_(text), names_(names) {}

  absl::StatusOr<Layout> expression();
  absl::StatusOr<Encoding> encoding();
  /// Returns an error if text is left.
  absl::Status end();

 private:
  // The cursor.
  void skip();
  char next();
  bool peek(llvm::StringRef word);
  bool take(llvm::StringRef token);
  absl::Status want(llvm::StringRef token);
  llvm::StringRef word();
  absl::StatusOr<int64_t> number();
  absl::Status fail(llvm::StringRef message) const {
    return failAt(at_, message);
  }
  absl::Status failAt(size_t at, llvm::StringRef message) const;
  absl::Status failAt(size_t at, const absl::Status &status) const;
  bool isMap() const;

  // Expressions (reader.cc).
  absl::StatusOr<Layout> primary();
  absl::StatusOr<Layout> operation(llvm::StringRef name);
  absl::StatusOr<Layout> division(llvm::StringRef name);
  absl::StatusOr<Layout> named(Layout layout);
  absl::StatusOr<std::vector<std::string>> nameList();
  absl::StatusOr<Layout> cute();
  absl::StatusOr<Cute> shape();
  absl::Status strides(Cute &modes);
  absl::StatusOr<Layout> swizzle();
  absl::StatusOr<Layout> array(llvm::StringRef type);

  // Types of Triton and bases (reader_types.cc).
  absl::StatusOr<Layout> type();
  absl::StatusOr<Layout> bases();
  absl::StatusOr<EncodingValue> value();
  absl::Status parameters(Encoding &to);

  // Maps (reader_maps.cc).
  absl::StatusOr<Layout> map();

  llvm::StringRef text_;
  const EncodingNames &names_;
  size_t at_ = 0;
  int depth_ = 0;
  friend class MapReader;
};

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_READER_H
