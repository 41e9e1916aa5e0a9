#include "indexical/answers/inputs/input.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

#include "indexical/answers/confined.h"
#include "indexical/answers/inputs/meant.h"
#include "indexical/import/hlo/proto/proto_text.h"
#include "indexical/import/profile/profile.h"
#include "indexical/import/wire/decompress.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

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

// A pipe or a device may have no end. A text of a million instructions has
// about 300 MB.
constexpr size_t kMostBytes = size_t{1} << 30;

absl::StatusOr<std::string> readAll(StringRef path) {
  namespace fs = llvm::sys::fs;
  auto failed = [path](llvm::Error error) {
    return aboutNoFile(path,
                       llvm::errorToErrorCode(std::move(error)).message());
  };
  const bool isStdin = path == "-";
  // Before it is opened, for a pipe would wait; and after, for a link may have
  // come between.
  INDEXICAL_RETURN_IF_ERROR(checkConfined(path));
  llvm::SmallString<256> real;
  llvm::Expected<fs::file_t> file =
      isStdin ? fs::getStdinHandle()
              : fs::openNativeFileForRead(
                    path, fs::OF_None, areInputsConfined() ? &real : nullptr);
  if (!file) return failed(file.takeError());
  const llvm::scope_exit close([&] {
    if (!isStdin) fs::closeFile(*file);
  });
  INDEXICAL_RETURN_IF_ERROR(checkConfinedFile(path, real));
  std::string bytes;
  constexpr size_t kPiece = size_t{1} << 20;
  // A large file has room at once: to grow is to copy.
  fs::file_status status;
  if (!isStdin && !fs::status(*file, status) &&
      status.type() == fs::file_type::regular_file)
    bytes.reserve(std::min<uint64_t>(status.getSize(), kMostBytes) + kPiece);
  while (true) {
    const size_t had = bytes.size();
    if (had > kMostBytes)
      return absl::InvalidArgumentError(
          "this is more than 1 GiB, and no end is seen");
    bytes.resize(had + kPiece);
    llvm::Expected<size_t> got =
        fs::readNativeFile(*file, {bytes.data() + had, kPiece});
    if (!got) return failed(got.takeError());
    bytes.resize(had + *got);
    if (*got == 0) return bytes;
  }
}

}  // namespace

absl::StatusOr<Input> inputOfBytes(std::string bytes, StringRef path) {
  if (isCompressed(bytes)) {
    INDEXICAL_ASSIGN_OR_RETURN(bytes, decompress(bytes));
  }
  // The reader of its command looks at the bytes as they are.
  if (looksLikeProfile(bytes) || path.ends_with(".xplane.pb"))
    return Input{path.str(), std::move(bytes)};
  if (looksLikeHloProto(bytes)) {
    INDEXICAL_ASSIGN_OR_RETURN(std::string text, hloTextOfProto(bytes));
    return Input{path.str(), std::move(text)};
  }
  // Some editors write the mark of UTF-8 before a text.
  constexpr StringRef kByteOrderMark = "\xef\xbb\xbf";
  if (StringRef(bytes).starts_with(kByteOrderMark))
    bytes.erase(0, kByteOrderMark.size());
  return Input{path.str(), std::move(bytes)};
}

absl::StatusOr<Input> readInput(StringRef path) {
  INDEXICAL_ASSIGN_OR_RETURN(std::string read, readAll(path));
  return inputOfBytes(std::move(read), path);
}

absl::Status checkIsReadable(const Input &input, bool isMlir) {
  StringRef text = input.text;
  if (looksLikeProfile(text))
    return absl::InvalidArgumentError(
        "this is a profile of a run, which `report` reads; this command reads "
        "a module");
  if (text.trim().empty()) return errorAt({1, 1}, "the input is empty");
  if (text.starts_with(kBytecodeMagic)) {
    if (isMlir) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "this is MLIR bytecode; this command reads text");
  }
  if (const size_t zero = text.find('\0'); zero != StringRef::npos)
    return errorAt(placeOfOffset(text, zero),
                   "a byte is zero here: this is a binary file (a serialized "
                   "module?), and what is read is text");
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
