#include "indexical/answers/inputs/dump_chains.h"

#include <iterator>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "indexical/answers/inputs/input_list.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// The text of a file. Standard input can be read once, and a chain is read on
/// several threads: its text is kept.
absl::StatusOr<Input> readFile(const std::string &path) {
  if (path != "-") return readInput(path);
  static const absl::StatusOr<Input> kStandardInput = readInput("-");
  return kStandardInput;
}

/// The files of a call, in the order of its words.
class WordReader {
 public:
  absl::Status add(StringRef word) {
    if (word.consume_front("@")) return addList(word);
    return addPath(word, llvm::sys::fs::is_directory(word));
  }

  absl::StatusOr<DumpChains> chains() {
    std::vector<std::string> paths(files_.begin(), files_.end());
    NamedChains named = chainsByName(paths);
    found_.chains = std::move(named.chains);
    DumpChain inOrder;
    size_t passedOver = 0;
    for (const std::string &path : named.others) {
      absl::StatusOr<Input> input = readFile(path);
      if (!input.ok())
        return absl::NotFoundError("`" + path + "` " +
                                   std::string(input.status().message()));
      if (hasSections(input->text)) {
        llvm::append_range(found_.chains, chainsOfSections(input->text, path));
      } else if (!fromFolders_.count(path)) {
        inOrder.dumps.emplace_back().file = path;
      } else {
        ++passedOver;
      }
    }
    if (!inOrder.dumps.empty()) {
      inOrder.name = inOrder.dumps.front().file;
      found_.chains.push_back(std::move(inOrder));
    }
    llvm::append_range(found_.chains, std::move(pairs_));
    if (passedOver > 0)
      found_.notes.push_back(
          std::to_string(passedOver) +
          (passedOver == 1 ? " file is" : " files are") +
          " passed over, with no name of a dump and no sections");
    dropSingleDumps();
    if (found_.chains.empty())
      return absl::NotFoundError(
          "no two dumps belong together; a chain is made of files with the "
          "names that XLA gives "
          "(`module_0001.f.0007.PIPELINE.after_PASS.txt`), "
          "of sections of mlir-opt --mlir-print-ir-after-all, of files in the "
          "order of the call, or of the pairs of an @LIST; XLA writes dumps "
          "with XLA_FLAGS='--xla_dump_to=DIR --xla_dump_hlo_pass_re=.*'");
    makeNamesUnique();
    return std::move(found_);
  }

 private:
  absl::Status addPath(StringRef path, bool isFolder) {
    INDEXICAL_ASSIGN_OR_RETURN(InputList inputs, inputsOf({path.str()}));
    llvm::append_range(found_.notes, inputs.notes);
    for (const std::string &file : inputs.paths) {
      if (!known_.insert(file).second) continue;
      files_.push_back(file);
      if (isFolder) {
        fromFolders_.insert(file);
        addCompiled(file);
      }
    }
    return absl::OkStatus();
  }

  /// Adds the kernels that were compiled of a dump after all passes.
  void addCompiled(StringRef path) {
    const auto name = readDumpName(path);
    if (!name || name->kind != DumpName::Kind::After) return;
    llvm::SmallString<256> file(llvm::sys::path::parent_path(path));
    llvm::sys::path::append(file, name->module + ".ir-with-opt.ll");
    std::string found = file.str().str();
    if (llvm::sys::fs::is_regular_file(found) && known_.insert(found).second)
      files_.push_back(std::move(found));
  }

  absl::Status addList(StringRef path) {
    INDEXICAL_ASSIGN_OR_RETURN(auto lines, linesOfList(path));
    for (StringRef line : lines) {
      if (auto pair = chainOfPair(line)) {
        pairs_.push_back(*std::move(pair));
        continue;
      }
      INDEXICAL_RETURN_IF_ERROR(
          addPath(line, llvm::sys::fs::is_directory(line)));
    }
    return absl::OkStatus();
  }

  void dropSingleDumps() {
    size_t single = 0;
    llvm::erase_if(found_.chains, [&](const DumpChain &chain) {
      single += chain.dumps.size() == 1;
      return chain.dumps.size() < 2;
    });
    if (single > 0)
      found_.notes.push_back(std::to_string(single) +
                             (single == 1 ? " dump has" : " dumps have") +
                             " no other of the same module");
  }

  /// A chain is known by its name in every line.
  void makeNamesUnique() {
    std::set<std::string> names;
    for (DumpChain &chain : found_.chains) {
      const std::string name = chain.name;
      for (int number = 2; !names.insert(chain.name).second; ++number)
        chain.name = name + " (" + std::to_string(number) + ")";
    }
  }

  std::vector<std::string> files_;
  std::set<std::string> known_, fromFolders_;
  std::vector<DumpChain> pairs_;
  DumpChains found_;
};

}  // namespace

absl::StatusOr<DumpChains> chainsOf(llvm::ArrayRef<std::string> words) {
  WordReader reader;
  const std::string standardInput = "-";
  for (const std::string &word :
       words.empty() ? llvm::ArrayRef(standardInput) : words)
    INDEXICAL_RETURN_IF_ERROR(reader.add(word));
  return reader.chains();
}

absl::StatusOr<Input> readDump(const Dump &dump, Input &file) {
  if (file.path != dump.file) {
    INDEXICAL_ASSIGN_OR_RETURN(file, readFile(dump.file));
  }
  if (dump.offset == 0 && dump.size == StringRef::npos) return file;
  const StringRef text = file.text;
  Input part = file;
  part.text = std::string(dump.linesBefore, '\n') +
              text.substr(dump.offset, dump.size).str();
  return part;
}

namespace {

class DumpOfFile : public DumpText {
 public:
  DumpOfFile(Input input, const ReadAs &readAs)
      : input_(std::move(input)), readAs_(readAs) {}

  StringRef text() const override { return input_.text; }
  absl::StatusOr<Program> program() const override {
    return readProgram(input_, readAs_);
  }

 private:
  const Input input_;
  const ReadAs &readAs_;
};

}  // namespace

std::function<ReadDumpText()> dumpReader(ReadAs readAs) {
  auto shared = std::make_shared<const ReadAs>(std::move(readAs));
  return [shared]() -> ReadDumpText {
    auto file = std::make_shared<Input>();  // that was read last
    return [shared, file](const Dump &dump)
               -> absl::StatusOr<std::shared_ptr<const DumpText>> {
      INDEXICAL_ASSIGN_OR_RETURN(Input input, readDump(dump, *file));
      return std::make_shared<const DumpOfFile>(std::move(input), *shared);
    };
  };
}

}  // namespace indexical
