// Chains of dumps: the modules that a compiler wrote between its passes, in its
// order.
//
//   module_0094.jit_f.35.0006.simplification.after_algsimp.before_cse.txt
//   module_0094.jit_f.35.0005.simplification.after_pipeline-start.before_x.txt
//   module_0007.jit_g.2.before_optimizations.txt
//   module_0007.jit_g.2.sm_8.0_gpu_after_optimizations.txt
//
//   chain module_0094.jit_f.35   0005, 0006; between them `algsimp` has run
//   chain module_0007.jit_g.2    before_…, after_…; between them all passes
//
//   module_0007.jit_g.2.ir-with-opt.ll    its kernels, as the last dump
//
// A chain is plain data: names of files, or parts of them, and the pass that
// made each dump. Three kinds of input have chains:
//
//   files      by their names, as XLA gives them with --xla_dump_hlo_pass_re
//   sections   of one text, as mlir-opt --mlir-print-ir-after-all writes them
//   pairs      a list, with two files a line
//
// Law (tests/same/passes/dump_chain_test.cc): the order of the files does not
// matter; each dump stands in one chain.
#ifndef INDEXICAL_SAME_PASSES_DUMP_CHAIN_H
#define INDEXICAL_SAME_PASSES_DUMP_CHAIN_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// A module as it stood between two passes: a file, or a part of one.
struct Dump {
  std::string file;  ///< as given
  /// The bytes of the file's text that the dump is; by default the whole text.
  size_t offset = 0, size = llvm::StringRef::npos;
  uint32_t linesBefore = 0;  ///< lines of the file before its own
  /// The pass after which it was written, and the pipeline of that. Empty: the
  /// file does not say.
  std::string pass, pipeline;
  bool isCompiled = false;  ///< LLVM's IR of the kernels of the dump before
};

struct DumpChain {
  std::string name;
  std::vector<Dump> dumps;
};

/// The module, pass and place in its pipeline that a dump's file name gives.
struct DumpName {
  enum class Kind : uint8_t { Before, Between, After, Compiled };
  Kind kind = Kind::Between;
  std::string module;          ///< `module_0094.jit_f.35`
  int64_t step = 0;            ///< of Between: its number in the chain
  std::string pipeline, pass;  ///< of Between
};

/// Reads the last part of the path. Returns nothing if it is not the name of a
/// dump. Names of buffer assignments, memory reports and the like are not.
std::optional<DumpName> readDumpName(llvm::StringRef path);

struct NamedChains {
  std::vector<DumpChain> chains;    ///< by name
  std::vector<std::string> others;  ///< the paths that name no dump
};

/// Returns the chains among files. Modules in two folders are two chains. A
/// chain has the name of its module, with the folder in front of it if two
/// chains have one name. A single dump of a module is a chain of one.
NamedChains chainsByName(llvm::ArrayRef<std::string> paths);

/// Returns whether the text has sections of mlir-opt.
bool hasSections(llvm::StringRef text);

/// Returns the chains of a text of sections `// -----// IR Dump After PASS
/// (flag)`. Each op that was printed has a chain: a module, or a function if
/// the pass runs on functions. A section `IR Dump Before` counts only if it is
/// the first of its op. A section of a pass that failed does not count, for no
/// other pass runs then, nor does text that follows the op in its section (the
/// result of the whole run).
std::vector<DumpChain> chainsOfSections(llvm::StringRef text,
                                        llvm::StringRef file);

/// Returns the chain of a line of a list of pairs: two paths with a tab between
/// them, or two words; a third part is the name of the pass. Returns nothing
/// for any other line.
std::optional<DumpChain> chainOfPair(llvm::StringRef line);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PASSES_DUMP_CHAIN_H
