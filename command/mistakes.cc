#include "indexical/command/mistakes.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include "indexical/answers/inputs/meant.h"
#include "indexical/answers/inputs/target_device.h"

namespace indexical {

using llvm::StringRef;

namespace {

struct Synonym {
  StringRef word;
  StringRef meant;
};

constexpr Synonym kCommands[] = {
    {"version", "indexical --version"},
    {"-v", "indexical --version"},
    {"--v", "indexical --version"},
    {"analyze", "indexical report"},
    {"analyse", "indexical report"},
    {"profile", "indexical report"},
    {"perf", "indexical report"},
    {"rank", "indexical report"},
    {"stats", "indexical report"},
    {"roofline", "indexical report"},
    {"cost", "indexical report"},
    {"show", "indexical dump"},
    {"print", "indexical dump"},
    {"maps", "indexical dump"},
    {"map", "indexical dump"},
    {"indexing", "indexical dump"},
    {"parse", "indexical dump"},
    {"compare", "indexical equal"},
    {"diff", "indexical equal"},
    {"equals", "indexical equal"},
    {"verify", "indexical equal --values"},
    {"check", "indexical equal --values"},
    {"invert", "indexical inverse"},
    {"size", "indexical count"},
    {"use", "indexical utilization"},
    {"tiling", "indexical tile"},
    {"traffic", "indexical coalescing"},
    {"bank-conflicts", "indexical coalescing"},
    {"triton", "indexical kernel"},
    {"plot", "indexical draw"},
    {"picture", "indexical draw"},
    {"visualize", "indexical draw"},
    {"svg", "indexical draw"},
    {"pass", "indexical passes"},
    {"bisect", "indexical passes"},
    {"partition", "indexical sharding"},
    {"spmd", "indexical sharding"},
    {"man", "indexical help --format=man"},
    {"examples", "indexical help"},
};

/// An option of ours for one that other tools have. A name that ends in `=` is
/// followed by the value of the other.
constexpr Synonym kOptions[] = {
    {"json", "--format=json"},
    {"jsonl", "--format=jsonl"},
    {"csv", "--format=csv"},
    {"html", "--format=html"},
    {"svg", "--format=svg"},
    {"text", "--format=text"},
    {"output", "-o "},
    {"out", "-o "},
    {"output-file", "-o "},
    {"output-format", "--format="},
    {"type", "--format="},
    {"gpu", "--device="},
    {"arch", "--device="},
    {"target", "--device="},
    {"gpu-arch", "--device="},
    {"chip", "--device="},
    {"limit", "--top="},
    {"head", "--top="},
    {"n", "--top="},
    {"max", "--top="},
    {"count", "--top="},
    {"sort-by", "--sort="},
    {"order-by", "--sort="},
    {"order", "--sort="},
    {"group-by", "--group="},
    {"groupby", "--group="},
    {"aggregate", "--group="},
    {"function", "--computation="},
    {"func", "--computation="},
    {"fn", "--computation="},
    {"entry", "--computation="},
    {"op", "--instruction="},
    {"inst", "--instruction="},
    {"name", "--instruction="},
    {"fusion", "--instruction="},
    {"threads", "--jobs="},
    {"j", "--jobs="},
    {"num-threads", "--jobs="},
    {"parallel", "--jobs="},
    {"timeout", "--deadline="},
    {"time-limit", "--deadline="},
    {"compare", "--baseline="},
    {"diff", "--baseline="},
    {"before", "--baseline="},
    {"tile-size", "--tile="},
    {"tile-sizes", "--tile="},
    {"tiles", "--tile="},
    {"kernel", "--instruction="},
    {"op", "--instruction="},
    {"gpu", "--device="},
};

/// Returns the command for a file, by its ending.
StringRef commandFor(StringRef path) {
  if (!path.consume_back(".gz")) path.consume_back(".zst");
  if (path.ends_with(".mlir") || path.ends_with(".mlirbc")) return "dump";
  return "report";
}

StringRef behindDashes(StringRef spelled) { return spelled.ltrim('-'); }

/// Returns the word without what vendors add to the names of devices:
/// `NVIDIA A100-SXM4-80GB` has `a100`.
std::string deviceIn(StringRef word, llvm::ArrayRef<std::string> known) {
  std::string lower = word.lower();
  lower.erase(std::remove_if(lower.begin(), lower.end(),
                             [](char c) { return c == ' ' || c == '_'; }),
              lower.end());
  StringRef best;
  for (const StringRef name : known)
    if (name.size() > best.size() && StringRef(lower).contains(name))
      best = name;
  return best.str();
}

}  // namespace

std::string meantByFirst(StringRef word) {
  for (const Synonym &of : kCommands)
    if (word == of.word) return of.meant.str();
  if (word.starts_with("-"))
    return "indexical COMMAND " + word.str() +
           ", as options stand behind a command";
  if (looksLikeText(word)) return "echo TEXT | indexical dump";
  if (llvm::sys::fs::exists(word) || word.contains('/') ||
      (word.contains('.') && !word.starts_with(".")))
    return "indexical " + commandFor(word).str() + " " + word.str();
  return "";
}

std::string meantByOption(const Command &command, StringRef name,
                          std::optional<StringRef> value) {
  const std::string lower = name.lower();
  std::string plain = lower;
  std::replace(plain.begin(), plain.end(), '_', '-');
  std::string meant;
  if (command.find(plain)) {
    // `--group_by=x`, `--Device=x`
    const Option &option = *command.find(plain);
    meant = option.spelling() + (option.isFlag() ? "" : "=");
  } else {
    for (const Synonym &of : kOptions)
      if (plain == of.word) meant = of.meant.str();
  }
  const auto [spelled, choice] = StringRef(meant).split('=');
  const Option *option = command.find(behindDashes(spelled).rtrim());
  if (!option) return "";
  // A format that this command does not have.
  if (!choice.empty() && !llvm::is_contained(option->choices, choice))
    return "";
  if (option->isFlag() || !choice.empty()) return meant;
  return meant + (value ? value->str() : option->value.str());
}

std::string meantByChoice(const Option &option, StringRef value) {
  if (option.name == "device") {
    const TargetDevice target = targetDeviceOf(value, "");
    if (target.device) return target.device->name.str();
    return deviceIn(value, option.choices);
  }
  if (value.size() < 2) return "";
  // `html-page`, `out`: one is the beginning of the other.
  StringRef found;
  for (const StringRef choice : option.choices) {
    if (!choice.starts_with_insensitive(value) &&
        !value.starts_with_insensitive(choice))
      continue;
    if (!found.empty()) return "";
    found = choice;
  }
  return found.str();
}

}  // namespace indexical
