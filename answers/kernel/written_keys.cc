// The keys and words of kernels in Python, and of wraps.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "indexical/answers/kernel/keys.h"

namespace indexical {

using kernels::Taken;
using kernels::WrapsCheck;

void namedValuesOf(llvm::ArrayRef<std::pair<std::string, std::string>> values,
                   KeyValue &to) {
  if (values.empty()) return;
  to.list(values, [](const auto &pair, KeyValue &each) {
    each.object(NamedValue{pair.first, pair.second});
  });
}

llvm::StringRef nameOf(WrapsCheck::Answer answer) {
  switch (answer) {
    case WrapsCheck::Never:
      return "never";
    case WrapsCheck::From:
      return "from";
    case WrapsCheck::Undecided:
      break;
  }
  return "undecided";
}

std::string wordsOf(const WrapsCheck &wraps) {
  if (wraps.answer == WrapsCheck::Never) return "never";
  if (wraps.answer == WrapsCheck::Undecided)
    return absl::StrCat("undecided: ", wraps.reason);
  std::string text = absl::StrCat("where ", wraps.where);
  if (!wraps.first.empty())
    absl::StrAppend(&text, ", first at ",
                    absl::StrJoin(wraps.first, ", ",
                                  [](std::string *out, const auto &size) {
                                    absl::StrAppend(out, size.first, " = ",
                                                    size.second);
                                  }));
  if (wraps.place.known())
    absl::StrAppend(&text, ", at line ", wraps.place.line);
  return text;
}

std::string wordsOf(const Taken &taken) {
  std::string text = absl::StrCat(taken.what, " ", taken.value);
  if (!taken.name.empty()) absl::StrAppend(&text, " of ", taken.name);
  return absl::StrCat(text, " (", taken.from, ")");
}

std::string wordsOfConfig(const KernelFindings &found) {
  std::string text =
      absl::StrJoin(found.config, ", ", [](std::string *out, const auto &pair) {
        absl::StrAppend(out, pair.first, "=", pair.second);
      });
  if (found.kernel.warps)
    absl::StrAppend(&text, text.empty() ? "" : ", ",
                    "num_warps=", *found.kernel.warps);
  return text;
}

template <>
KeyList<NamedValue> keysOf<NamedValue>() {
  static constexpr Key<NamedValue> kKeys[] = {
      {"name", "string", "never", "of the parameter",
       [](const NamedValue &of, KeyValue &to) { to.text(of.name); }},
      {"value", "string", "never", "as Python has it",
       [](const NamedValue &of, KeyValue &to) { to.text(of.value); }},
  };
  return {"A constant of a kernel", kKeys};
}

template <>
KeyList<Taken> keysOf<Taken>() {
  static constexpr Key<Taken> kKeys[] = {
      {"what",
       "`\"type\"`, `\"constant\"`, `\"grid\"`, `\"warps\"`, `\"alignment\"`, "
       "`\"range\"`, `\"condition\"` or `\"meaning\"`",
       "never",
       "the kind of assumption: about an argument, or about the grid, the "
       "warps, conditions, or the alignment of all arrays",
       [](const Taken &of, KeyValue &to) { to.text(of.what); }},
      {"name", "string", "it is of no argument", "of the argument",
       [](const Taken &of, KeyValue &to) { to.textIfAny(of.name); }},
      {"value", "string", "never", "the assumed value",
       [](const Taken &of, KeyValue &to) { to.text(of.value); }},
      {"from", "string", "never",
       "where it comes from: `use`, `default`, `launch`, `triton_meta`, "
       "`size_hints`, `annotation`, `heuristics`, `specialization`, `assume` "
       "or `Triton "
       "2`",
       [](const Taken &of, KeyValue &to) { to.text(of.from); }},
  };
  return {"What is taken", kKeys};
}

template <>
KeyList<WrapsCheck> keysOf<WrapsCheck>() {
  static constexpr Key<WrapsCheck> kKeys[] = {
      {"answer", "`\"never\"`, `\"from\"` or `\"undecided\"`", "never", "",
       [](const WrapsCheck &of, KeyValue &to) {
         to.text(indexical::nameOf(of.answer));
       }},
      {"where", "string", "`answer` is not `from`",
       "the sizes at which an integer of an address, of a mask or of a number "
       "of trips leaves 32 bits, at a lane that the mask lets through",
       [](const WrapsCheck &of, KeyValue &to) { to.textIfAny(of.where); }},
      {"first", "list of [sizes](#a-size-that-wraps)",
       "`answer` is not `from`, or no size is open",
       "the smallest such sizes: those with the least maximum",
       [](const WrapsCheck &of, KeyValue &to) {
         if (of.first.empty()) return;
         to.list(of.first, [](const auto &size, KeyValue &each) {
           each.object(WrapSize{size.first, size.second});
         });
       }},
      {"line", "integer >= 1", "it is not known", "of the access",
       [](const WrapsCheck &of, KeyValue &to) {
         if (of.place.known()) to.integer(of.place.line);
       }},
      {"reason", "string", "all is decided", "what is not decided, and why",
       [](const WrapsCheck &of, KeyValue &to) { to.textIfAny(of.reason); }},
  };
  return {"Wraps", kKeys};
}

template <>
KeyList<WrapSize> keysOf<WrapSize>() {
  static constexpr Key<WrapSize> kKeys[] = {
      {"name", "string", "never", "of the argument, or of a size of the grid",
       [](const WrapSize &of, KeyValue &to) { to.text(of.name); }},
      {"value", "integer >= 1", "never", "",
       [](const WrapSize &of, KeyValue &to) { to.integer(of.value); }},
  };
  return {"A size that wraps", kKeys};
}

}  // namespace indexical
