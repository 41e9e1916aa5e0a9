#include "indexical/answers/inputs/foreign.h"

#include "llvm/ADT/STLExtras.h"

namespace indexical {

using llvm::StringRef;

const char kHowToDump[] =
    "XLA_FLAGS=--xla_dump_to=DIR writes one, or in JAX "
    "jax.jit(f).lower(x).compile().as_text()";

namespace {

/// The bytes that are looked at.
constexpr size_t kBeginning = 4096;

constexpr StringRef kModules =
    "an HLO module (XLA_FLAGS=--xla_dump_to=DIR), or a `.ttir`, `.ttgir` or "
    "`.mlir` file";

/// Returns the text from its first line that is no comment of C++, of LLVM or
/// of Python.
StringRef behindComments(StringRef text, StringRef comment) {
  while (true) {
    text = text.ltrim();
    if (!text.starts_with(comment)) return text;
    text = text.drop_until([](char c) { return c == '\n'; });
  }
}

bool isTrace(StringRef text) {
  const StringRef first = text.ltrim();
  return first.starts_with("{") && (text.contains("\"traceEvents\"") ||
                                    text.contains("\"displayTimeUnit\""));
}

/// Returns whether kernels for several targets are in the bytes, as CUDA and
/// HIP bundle them.
bool isFatBinary(StringRef bytes) {
  return bytes.starts_with("\x50\xed\x55\xba") ||
         bytes.starts_with("__CLANG_OFFLOAD_BUNDLE__") ||
         bytes.starts_with("CCOB");
}

bool isPtx(StringRef text) {
  const StringRef first = behindComments(text, "//");
  return first.starts_with(".version") || first.starts_with(".target");
}

bool isLlvm(StringRef text) {
  if (text.starts_with("; ModuleID")) return true;
  const StringRef first = behindComments(text, ";");
  return first.starts_with("source_filename =") ||
         first.starts_with("target datalayout") ||
         first.starts_with("target triple");
}

bool isPython(StringRef text) {
  if (text.starts_with("#!") && text.split('\n').first.contains("python"))
    return true;
  const StringRef first = behindComments(text, "# ");
  if (first.starts_with("\"\"\"") || first.starts_with("@triton.jit") ||
      first.starts_with("@jax.jit"))
    return true;
  const StringRef line = first.split('\n').first.rtrim();
  if (line.starts_with("import ")) return !line.contains('{');
  if (line.starts_with("from ")) return line.contains(" import ");
  return (line.starts_with("def ") || line.starts_with("class ")) &&
         line.ends_with(":");
}

bool isHtml(StringRef text) {
  const StringRef first = text.ltrim();
  return first.starts_with_insensitive("<!doctype html") ||
         first.starts_with_insensitive("<html");
}

bool isMarkdown(StringRef text) {
  const StringRef line = text.ltrim().split('\n').first;
  const StringRef behind = line.ltrim('#');
  return line.starts_with("#") && behind.starts_with(" ") &&
         !line.contains('=') && !line.contains('<') && !line.contains('!') &&
         !text.contains("->") && !text.contains(" parameter(");
}

}  // namespace

std::optional<std::string> foreignFile(StringRef bytes) {
  const StringRef text = bytes.take_front(kBeginning);
  const std::string modules = kModules.str();
  if (text.starts_with("SQLite format 3"))
    return "this is an SQLite database, as Nsight Systems exports; Indexical "
           "reads the profile of XLA's own profiler, `*.xplane.pb` "
           "(jax.profiler.trace), or " +
           modules;
  const bool isFat = isFatBinary(text);
  if (isFat || text.starts_with("\x7f"
                                "ELF"))
    return std::string(isFat ? "this is a fat binary, compiled for several GPUs"
                             : "this is a compiled binary (ELF, a cubin or a "
                               "program)") +
           "; `indexical kernel` reads the LLVM IR that it was made of: "
           "`*.ir-with-opt.ll` of XLA_FLAGS=--xla_dump_to=DIR, `.llir` of "
           "Triton's cache, or what clang writes with --cuda-device-only -S "
           "-emit-llvm; other commands read " +
           modules;
  if (text.starts_with("PK\x03\x04"))
    return "this is a zip archive; unpack it, and give the folder";
  if (text.starts_with("%PDF-") || text.starts_with("\x89PNG"))
    return "this is a picture or a document, not a program; Indexical reads " +
           modules;
  if (isTrace(text))
    return "this is a trace for a viewer (Chrome's format), which has times "
           "and no program; the profile is the `*.xplane.pb` beside it: give "
           "that";
  if (isPtx(text))
    return "this is PTX; `indexical kernel` reads the LLVM IR that it was made "
           "of: `*.ir-with-opt.ll` of XLA_FLAGS=--xla_dump_to=DIR, `.llir` of "
           "Triton's cache, or what clang writes with --cuda-device-only -S "
           "-emit-llvm; other commands read " +
           modules;
  if (isLlvm(text))
    return "this is LLVM IR; `indexical kernel` reads the kernels in it, and "
           "other commands read what it was compiled from: " +
           modules;
  if (isPython(text))
    return "this is Python; Indexical reads what it compiles: "
           "jax.jit(f).lower(x).compile().as_text() of JAX, the dump of "
           "XLA_FLAGS=--xla_dump_to=DIR, or `.ttir` of Triton's cache "
           "(~/.triton/cache)";
  if (isHtml(text))
    return "this is a page (HTML), not a program; Indexical reads " + modules;
  if (isMarkdown(text))
    return "this is Markdown, not a program; Indexical reads " + modules;
  return std::nullopt;
}

}  // namespace indexical
