#include "indexical/same/passes/dump_chain.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Returns the name without the ending of a text file; nothing if it has
/// another ending.
std::optional<StringRef> withoutEnding(StringRef name) {
  if (!name.consume_back(".gz")) name.consume_back(".zst");
  for (StringRef ending : {".txt", ".hlotxt", ".hlo", ".mlir", ".mlirbc"})
    if (name.consume_back(ending)) return name;
  return std::nullopt;
}

bool isStep(StringRef part) {
  return part.size() >= 4 && part.size() <= 9 &&
         llvm::all_of(part, [](char c) { return llvm::isDigit(c); });
}

/// `MODULE.0006.PIPELINE` before `.after_`, and `PASS.before_NEXT` behind it.
std::optional<DumpName> betweenPasses(StringRef head, StringRef tail) {
  llvm::SmallVector<StringRef, 8> parts;
  head.split(parts, '.');
  for (size_t i = parts.size() - 1; i-- > 1;) {
    if (!isStep(parts[i])) continue;
    DumpName name;
    name.module = head.take_front(parts[i].data() - head.data() - 1).str();
    parts[i].getAsInteger(10, name.step);
    name.pipeline = head.drop_front(parts[i].end() - head.data() + 1).str();
    name.pass = tail.split(".before_").first.str();
    if (name.pipeline.empty() || name.pass.empty()) return std::nullopt;
    return name;
  }
  return std::nullopt;
}

/// Drops what XLA puts before `after_optimizations`: the device, as in
/// `MODULE.sm_8.0_gpu_` or `MODULE.cpu_`.
StringRef withoutDevice(StringRef head) {
  if (!head.consume_back("_")) {
    head.consume_back(".");
    return head;
  }
  for (StringRef unit : {"gpu", "cpu", "tpu"}) {
    if (!head.consume_back(unit)) continue;
    if (head.consume_back(".")) return head;
    if (!head.consume_back("_")) return head;
    // The name of an architecture may hold a dot.
    if (const size_t at = head.rfind(".sm_"); at != StringRef::npos)
      return head.take_front(at);
    return head.rsplit('.').first;
  }
  return head;
}

std::optional<DumpName> atEnds(StringRef name) {
  for (StringRef word : {"optimizations", "optimization"}) {
    StringRef head = name;
    if (!head.consume_back(word)) continue;
    DumpName found;
    if (head.consume_back("before_")) {
      found.kind = DumpName::Kind::Before;
      if (!head.consume_back(".")) head.consume_back("_");
    } else if (head.consume_back("after_")) {
      found.kind = DumpName::Kind::After;
      head = withoutDevice(head);
    } else {
      return std::nullopt;
    }
    if (head.empty()) return std::nullopt;
    found.module = head.str();
    return found;
  }
  return std::nullopt;
}

/// A dump of a chain before these are put into their order.
struct NamedDump {
  DumpName name;
  std::string path;

  auto key() const { return std::tuple(name.kind, name.step, path); }
};

}  // namespace

std::optional<DumpName> readDumpName(StringRef path) {
  if (StringRef compiled = llvm::sys::path::filename(path);
      compiled.consume_back(".ir-with-opt.ll") && !compiled.empty()) {
    DumpName found;
    found.kind = DumpName::Kind::Compiled;
    found.module = compiled.str();
    return found;
  }
  const auto name = withoutEnding(llvm::sys::path::filename(path));
  if (!name) return std::nullopt;
  constexpr StringRef kAfter = ".after_";
  for (size_t at = name->find(kAfter); at != StringRef::npos;
       at = name->find(kAfter, at + 1))
    if (auto found = betweenPasses(name->take_front(at),
                                   name->drop_front(at + kAfter.size())))
      return found;
  return atEnds(*name);
}

NamedChains chainsByName(llvm::ArrayRef<std::string> paths) {
  using Key = std::pair<std::string, std::string>;  // module, folder
  std::map<Key, std::vector<NamedDump>> modules;
  NamedChains found;
  for (const std::string &path : paths) {
    auto name = readDumpName(path);
    if (!name) {
      found.others.push_back(path);
      continue;
    }
    const std::string folder = llvm::sys::path::parent_path(path).str();
    modules[{name->module, folder}].push_back({*std::move(name), path});
  }
  std::map<std::string, size_t> times;
  for (const auto &[key, dumps] : modules) ++times[key.first];
  for (auto &[key, dumps] : modules) {
    const auto &[module, folder] = key;
    llvm::sort(dumps, [](const NamedDump &a, const NamedDump &b) {
      return a.key() < b.key();
    });
    // Kernels are compared with the dump before them.
    if (dumps.size() == 1 && dumps[0].name.kind == DumpName::Kind::Compiled) {
      found.others.push_back(dumps[0].path);
      continue;
    }
    DumpChain chain;
    chain.name =
        times[module] == 1 || folder.empty() ? module : folder + "/" + module;
    for (NamedDump &dump : dumps) {
      Dump made;
      made.file = std::move(dump.path);
      made.isCompiled = dump.name.kind == DumpName::Kind::Compiled;
      made.pass = dump.name.kind == DumpName::Kind::After ? "optimizations"
                  : made.isCompiled                       ? "compilation"
                                                          : dump.name.pass;
      made.pipeline = dump.name.pipeline;
      chain.dumps.push_back(std::move(made));
    }
    found.chains.push_back(std::move(chain));
  }
  return found;
}

std::optional<DumpChain> chainOfPair(StringRef line) {
  llvm::SmallVector<StringRef, 3> parts;
  if (line.contains('\t'))
    line.split(parts, '\t', -1, /*KeepEmpty=*/false);
  else
    llvm::SplitString(line, parts);
  if (parts.size() != 2 && parts.size() != 3) return std::nullopt;
  DumpChain chain;
  chain.name = (parts[0].trim() + " to " + parts[1].trim()).str();
  chain.dumps.resize(2);
  chain.dumps[0].file = parts[0].trim().str();
  chain.dumps[1].file = parts[1].trim().str();
  if (parts.size() == 3) chain.dumps[1].pass = parts[2].trim().str();
  return chain;
}

}  // namespace indexical
