#include "indexical/tools/input.h"

#include <memory>
#include <utility>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/tools/decompress.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr llvm::StringLiteral kBytecodeMagic = "ML\xefR";

/// The text from its first word on: white space and comments passed over.
StringRef skipToFirstWord(StringRef text) {
  while (true) {
    text = text.ltrim();
    if (text.starts_with("//")) {
      text = text.drop_until([](char c) { return c == '\n'; });
    } else if (text.starts_with("/*")) {
      size_t end = text.find("*/", 2);
      text = end == StringRef::npos ? StringRef() : text.drop_front(end + 2);
    } else {
      return text;
    }
  }
}

}  // namespace

absl::StatusOr<Input> readInput(StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true,
                                         /*RequiresNullTerminator=*/false);
  if (!buffer)
    return absl::NotFoundError("cannot be read: " +
                               buffer.getError().message());
  Input input;
  input.path = path.str();
  const StringRef bytes = (*buffer)->getBuffer();
  if (!isCompressed(bytes)) {
    input.text = bytes.str();
    return input;
  }
  absl::StatusOr<std::string> text = decompress(bytes);
  if (!text.ok()) return text.status();
  input.text = *std::move(text);
  return input;
}

absl::Status checkIsReadable(const Input &input, bool isMlir) {
  StringRef text = input.text;
  if (text.trim().empty()) return errorAt({1, 1}, "the input is empty");
  if (text.starts_with(kBytecodeMagic)) {
    if (isMlir) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "this is MLIR bytecode; what is read here is text");
  }
  if (text.take_front(4096).contains('\0'))
    return absl::InvalidArgumentError(
        "this is a binary file (a serialized module?); what is read is text");
  return absl::OkStatus();
}

bool looksLikeMlir(StringRef text) {
  if (text.starts_with(kBytecodeMagic)) return true;
  StringRef rest = skipToFirstWord(text);
  if (rest.empty()) return false;
  // `#map = …`, `!type = …`, `"builtin.module"() …`.
  if (StringRef("#!\"").contains(rest.front())) return true;
  auto takeWord = [&rest] {
    StringRef word = rest.take_while([](char c) {
      return llvm::isAlnum(c) || c == '_' || c == '.' || c == '-';
    });
    rest = rest.drop_front(word.size()).ltrim(" \t");
    return word;
  };
  // `%x:2 = dialect.op %y`, `"dialect.op"(%y)`: HLO has a shape there.
  if (rest.front() == '%') {
    rest = rest.take_until([](char c) { return c == '\n'; });
    StringRef op = rest.split('=').second.ltrim(" \t");
    rest = op;
    return op.starts_with("\"") ||
           (takeWord().contains('.') && !rest.starts_with("["));
  }
  const StringRef word = takeWord();
  // `dialect.op @name`, `dialect.op %x`, `dialect.op private mutable @x`.
  if (word.contains('.') && !rest.empty() &&
      (llvm::isAlpha(rest.front()) || StringRef("@%\"").contains(rest.front())))
    return true;
  // `module @m`, `func.func @f`: no HLO name has an `@`.
  if (rest.starts_with("@") || rest.starts_with("private @") ||
      rest.starts_with("public @"))
    return true;
  // A computation of HLO may be called `module` too.
  return word == "module" &&
         (rest.starts_with("attributes") || !text.contains("ROOT "));
}

}  // namespace indexical
