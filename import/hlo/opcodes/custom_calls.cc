// custom-call: what a registered target means (program/module/custom_calls.h),
// or a known one (program/module/library_calls.h).
#include "indexical/program/module/custom_calls.h"

#include "indexical/import/hlo/opcodes/builders.h"
#include "indexical/program/module/library_calls.h"

namespace indexical {
namespace opcodes {
namespace {

/// Returns the text between the quotes without its escapes, or the whole text
/// if it is not quoted.
std::string unquoted(llvm::StringRef text) {
  text = text.trim();
  if (!text.consume_front("\"")) return text.str();
  text.consume_back("\"");
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      const char next = text[++i];
      plain += next == 'n' ? '\n' : next == 't' ? '\t' : next;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

}  // namespace

bool buildCustomCall(const ResolvedInstruction &in, const Shape &result,
                     OpDraft &out) {
  const std::string target = unquoted(in.attributes.raw("custom_call_target"));
  const CustomCallBuilder *builder =
      in.customCalls ? in.customCalls->find(target) : nullptr;
  auto attribute = [&](llvm::StringRef key) { return in.attributes.raw(key); };
  const CustomCall call = {target, in.operands, result,
                           unquoted(in.attributes.raw("backend_config")),
                           attribute};
  absl::StatusOr<Op> op = Op::none();
  if (builder)
    op = (*builder)(call);
  else if (auto known = libraryCall(call))
    op = *std::move(known);
  else
    return buildOpaque(in, result, out);
  if (!op.ok())
    return in.fail("custom call to `" + target + "`: " +
                   llvm::StringRef(op.status().message().data(),
                                   op.status().message().size()));
  out = OpDraft(*op);
  OpShapes &shapes = *out;
  shapes.operands = in.operandLeaves;
  shapes.results = in.leavesOf(result);
  return true;
}

}  // namespace opcodes
}  // namespace indexical
