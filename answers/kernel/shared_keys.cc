// The keys of accesses of shared memory, and of those of one thread.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/kernel/keys.h"
#include "indexical/program/maps/map_copy.h"

namespace indexical {

void sourceOf(llvm::ArrayRef<kernels::SourceFrame> stack, KeyValue &to) {
  if (!stack.empty())
    to.text(absl::StrCat(stack.front().file, ":", stack.front().line));
}

void stackOf(llvm::ArrayRef<kernels::SourceFrame> stack, KeyValue &to) {
  if (stack.empty()) return;
  to.list(stack, [](const kernels::SourceFrame &frame, KeyValue &each) {
    std::string text = absl::StrCat(frame.file, ":", frame.line);
    if (!frame.function.empty()) text += " in " + frame.function;
    each.text(text);
  });
}

std::string mapText(llvm::ArrayRef<kernels::PointerMap> maps) {
  std::string text;
  for (const kernels::PointerMap &map : maps)
    text += (text.empty() ? "" : "; ") + withRanges(map.map, 3).strOneLine();
  return text;
}

std::string reasonOf(const kernels::SharedAccess &access) {
  if (!access.reason.empty()) return access.reason;
  std::vector<std::string> names;
  for (const kernels::PointerMap &map : access.maps)
    for (const RuntimeVariable &value : map.map.runtime())
      if (const std::string name = absl::StrCat("`", value.name, "`");
          !llvm::is_contained(names, name))
        names.push_back(name);
  if (!names.empty())
    return absl::StrCat("its elements depend on ", absl::StrJoin(names, ", "),
                        ", which ", names.size() == 1 ? "has" : "have",
                        " no value");
  if (access.mask == kernels::MaskKind::Cover)
    return "a part of the mask is not known";
  return "its threads and registers are too many";
}

std::string arrayOf(const kernels::ListedAccess &access) {
  if (access.isShared && !access.symbol.empty())
    return absl::StrCat("shared:", access.symbol);
  return access.argument >= 0 ? absl::StrCat("arg", access.argument)
                              : "unknown";
}

template <>
KeyList<SharedAccessEntry> keysOf<SharedAccessEntry>() {
  static constexpr Key<SharedAccessEntry> kKeys[] = {
      {"access", "`\"load\"` or `\"store\"`", "never", "",
       [](const SharedAccessEntry &of, KeyValue &to) {
         to.text(indexical::nameOf(of.access.kind));
       }},
      {"op", "string", "never", "`ttg.local_load`",
       [](const SharedAccessEntry &of, KeyValue &to) {
         to.text(of.access.op);
       }},
      {"line", "integer >= 0", "never",
       "the place of the op in the file; 0: not known",
       [](const SharedAccessEntry &of, KeyValue &to) {
         to.integer(of.access.place.line);
       }},
      {"column", "integer >= 0", "never",
       "the column of the op in its line; 0: not known",
       [](const SharedAccessEntry &of, KeyValue &to) {
         to.integer(of.access.place.column);
       }},
      {"source", "string", "the op has no `loc`",
       "the line of the program that it comes from, the innermost",
       [](const SharedAccessEntry &of, KeyValue &to) {
         sourceOf(of.access.stack, to);
       }},
      {"stack", "list of strings", "with no `source`",
       "all lines, the innermost first",
       [](const SharedAccessEntry &of, KeyValue &to) {
         stackOf(of.access.stack, to);
       }},
      {"layout", "string", "the kernel was compiled",
       "the layout of what the threads hold",
       [](const SharedAccessEntry &of, KeyValue &to) {
         if (of.access.maps.empty()) to.text(of.access.layoutText);
       }},
      {"memory", "string", "the kernel was compiled",
       "the layout of the memory",
       [](const SharedAccessEntry &of, KeyValue &to) {
         if (of.access.maps.empty()) to.text(of.access.memoryText);
       }},
      {"symbol", "string", "the kernel was not compiled, or it is not known",
       "the variable that is accessed",
       [](const SharedAccessEntry &of, KeyValue &to) {
         to.textIfAny(of.access.symbol);
       }},
      {"map", "string", "the kernel was not compiled, or it is not affine",
       "as of an [access of a kernel](#an-access-of-a-kernel), to the number "
       "of "
       "the element in the variable",
       [](const SharedAccessEntry &of, KeyValue &to) {
         if (!of.access.maps.empty()) to.text(mapText(of.access.maps));
       }},
      {"element_bits", "integer >= 8", "with no `map`", "of an element",
       [](const SharedAccessEntry &of, KeyValue &to) {
         if (!of.access.maps.empty()) to.integer(of.access.elementBits);
       }},
      {"vector", "integer >= 1", "with `reason`",
       "elements that a lane takes at once, in any registers",
       [](const SharedAccessEntry &of, KeyValue &to) {
         if (of.figures) to.integer(of.figures->vector);
       }},
      {"accesses", "integer >= 1", "with `reason`", "of all warps of a program",
       [](const SharedAccessEntry &of, KeyValue &to) {
         if (of.figures) to.integer(of.figures->accesses);
       }},
      {"conflicts", "integer >= 1", "with `reason`",
       "the most addresses of a warp's access on one bank; 1 is best",
       [](const SharedAccessEntry &of, KeyValue &to) {
         if (of.figures) to.integer(of.figures->conflicts);
       }},
      {"wavefronts", "integer >= 1", "with `reason`",
       "what all accesses take; each is served from all banks at once",
       [](const SharedAccessEntry &of, KeyValue &to) {
         if (of.figures) to.integer(of.figures->wavefronts);
       }},
      {"wavefronts_fewest", "integer >= 1", "with `reason`",
       "the wavefronts of the words that they touch, if no bank is asked twice",
       [](const SharedAccessEntry &of, KeyValue &to) {
         if (of.figures) to.integer(of.figures->wavefrontsFewest);
       }},
      {"reason", "string", "with `conflicts`", "why there are no figures",
       [](const SharedAccessEntry &of, KeyValue &to) {
         if (!of.figures) to.text(reasonOf(of.access));
       }},
  };
  return {"An access of shared memory", kKeys};
}

template <>
KeyList<ThreadAccessEntry> keysOf<ThreadAccessEntry>() {
  static constexpr Key<ThreadAccessEntry> kKeys[] = {
      {"kind", "`\"load\"`, `\"store\"` or `\"atomic\"`", "never", "",
       [](const ThreadAccessEntry &of, KeyValue &to) {
         to.text(nameOf(of.access.kind));
       }},
      {"array", "string", "never",
       "`arg0`, by the argument's number; `shared:` and the variable; "
       "`unknown`, with `reason`",
       [](const ThreadAccessEntry &of, KeyValue &to) {
         to.text(arrayOf(of.access));
       }},
      {"offset_bytes", "integer", "with `reason`, unless the mask is not known",
       "from the beginning of the array",
       [](const ThreadAccessEntry &of, KeyValue &to) {
         if (of.access.hasOffset) to.integer(of.access.offset);
       }},
      {"bytes", "integer >= 1", "never", "of one instruction",
       [](const ThreadAccessEntry &of, KeyValue &to) {
         to.integer(of.access.bytes);
       }},
      {"reason", "string", "all is known",
       "why it is not known where the access goes, or whether it is made",
       [](const ThreadAccessEntry &of, KeyValue &to) {
         to.textIfAny(of.access.reason);
       }},
  };
  return {"An access of a thread", kKeys};
}

}  // namespace indexical
