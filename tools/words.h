// The options of a call as llvm::cl holds them: words, not yet understood.
//
// llvm::cl's options are global: they are made once, here, and read in
// options.cc alone.
#ifndef INDEXICAL_TOOLS_WORDS_H
#define INDEXICAL_TOOLS_WORDS_H

#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

namespace indexical {

namespace cl = llvm::cl;

cl::OptionCategory &category();

/// Of an option: the commands that have it.
struct Of {
  std::vector<cl::SubCommand *> commands;
  void apply(cl::Option &option) const {
    for (cl::SubCommand *command : commands) option.addSubCommand(*command);
  }
};

/// The options as llvm::cl holds them: words, not yet understood. Made once.
struct Words {
  cl::SubCommand dump{"dump",
                      "maps of every instruction and computation of HLO text"};
  cl::SubCommand simplify{"simplify", "each map of a maps file, simplified"};
  cl::SubCommand compose{"compose",
                         "the maps of a maps file composed left to right: the "
                         "first map's results feed the second's dimensions"};

  cl::SubCommand equal{
      "equal",
      "whether two maps of a maps file, or two modules (HLO or StableHLO, one "
      "a file), read the same elements. Of modules every result and parameter "
      "is compared; what is computed of the elements is not. Status 0: equal, "
      "3: different, 4: undecided"};
  cl::SubCommand inverse{"inverse", "each map of a maps file, turned around"};
  cl::SubCommand count{"count",
                       "the number of points, of elements read, and of (index, "
                       "element) pairs of each map of a maps file"};

  cl::SubCommand utilization{
      "utilization",
      "which part of its operands an instruction reads, and how often: the "
      "whole of it, a tile, or a block of a thread map"};
  cl::SubCommand tile{
      "tile",
      "what a tile of a computation's root is in every instruction behind it, "
      "and for which sizes"};

  cl::SubCommand coalescing{
      "coalescing",
      "what the reads and writes of one instruction or fusion move on a GPU: "
      "accesses, sectors, lines, bytes used and wasted, summed over the "
      "launch"};
  cl::SubCommand report{
      "report",
      "every kernel of a module, ranked by the bytes that its reads waste"};

  const Of all{{&dump, &simplify, &compose, &equal, &inverse, &count,
                &utilization, &tile, &coalescing, &report}};
  const Of onPrograms{{&dump, &utilization, &tile, &coalescing, &report}};
  const Of onInstructions{{&dump, &utilization, &tile, &coalescing}};

  cl::opt<std::string> input{cl::Positional, cl::desc("[FILE|-]"),
                             cl::init("-"), all, cl::cat(category())};
  cl::opt<std::string> second{cl::Positional, cl::desc("[AFTER]"),
                              cl::sub(equal), cl::cat(category())};
  cl::list<std::string> runtime{
      "runtime",
      cl::desc("The value of a runtime variable (repeatable; default: its "
               "lower bound); for `utilization`, of the instruction's element "
               "that it has; for `coalescing`, an expression in the read's "
               "dimensions (default: least and most over all values)"),
      cl::value_desc("NAME=VALUE"),
      cl::sub(count),
      cl::sub(utilization),
      cl::sub(coalescing),
      cl::cat(category())};
  cl::opt<std::string> output{"o",
                              cl::desc("Write the result to this file"),
                              cl::value_desc("FILE"),
                              cl::init("-"),
                              all,
                              cl::cat(category())};
  cl::opt<std::string> format{
      "format",
      cl::desc("text (default), json, jsonl, or attribute (text with the maps "
               "as #xla.indexing_map)"),
      cl::value_desc("FORMAT"),
      cl::init("text"),
      all,
      cl::cat(category())};

  cl::list<std::string> computations{
      "computation", cl::desc("Only this computation (for `dump`, repeatable)"),
      cl::value_desc("NAME"), onInstructions, cl::cat(category())};
  cl::list<std::string> instructions{
      "instruction", cl::desc("Only this instruction (for `dump`, repeatable)"),
      cl::value_desc("NAME"), onInstructions, cl::cat(category())};
  cl::opt<std::string> from{
      "from",
      cl::desc("Composed maps from this instruction, on the result's side "
               "(default, with --to: the root)"),
      cl::value_desc("NAME"), cl::sub(dump), cl::cat(category())};
  cl::opt<std::string> to{
      "to",
      cl::desc("Composed maps to this instruction, on the operand's side "
               "(default, with --from: every parameter)"),
      cl::value_desc("NAME"), cl::sub(dump), cl::cat(category())};
  cl::opt<std::string> direction{
      "direction",
      cl::desc("output-to-input (default), input-to-output, or both"),
      cl::value_desc("DIRECTION"),
      cl::init("output-to-input"),
      cl::sub(dump),
      cl::cat(category())};
  cl::opt<std::string> precision{
      "precision",
      cl::desc("exact (default), or cover: one map an operand, a superset of "
               "what is read"),
      cl::value_desc("PRECISION"),
      cl::init("exact"),
      cl::sub(dump),
      cl::cat(category())};
  cl::opt<std::string> layout{
      "layout",
      cl::desc("logical (default), or physical: indices and sizes in the order "
               "of minor_to_major, the slowest first; tiles are not applied"),
      cl::value_desc("LAYOUT"),
      cl::init("logical"),
      cl::sub(dump),
      cl::cat(category())};
  cl::opt<std::string> inputFormat{
      "input-format",
      cl::desc("auto (default), hlo, or stablehlo (any MLIR)"),
      cl::value_desc("FORMAT"),
      cl::init("auto"),
      onPrograms,
      cl::cat(category())};
  cl::opt<bool> strict{
      "strict",
      cl::desc("An answer about an op whose meaning is not known is an error"),
      cl::sub(dump), cl::cat(category())};

  cl::opt<std::string> tileSizes{
      "tile",
      cl::desc("Sizes of the tile, one a dimension; for `tile` also names, for "
               "any size (default: t0,t1,…)"),
      cl::value_desc("SIZES"),
      cl::sub(utilization),
      cl::sub(tile),
      cl::cat(category())};
  cl::opt<std::string> strides{
      "strides",
      cl::desc("Strides of the tile, numbers and names (default: 1)"),
      cl::value_desc("STRIDES"), cl::sub(tile), cl::cat(category())};
  cl::list<std::string> candidates{
      "try",
      cl::desc("Values of the names, in order: tell whether all tiles are "
               "exact for them (repeatable)"),
      cl::value_desc("VALUES"), cl::sub(tile), cl::cat(category())};
  cl::opt<std::string> at{
      "at", cl::desc("Where the tile begins, in elements (default: 0,0,…)"),
      cl::value_desc("INDEX"), cl::sub(utilization), cl::cat(category())};
  cl::opt<std::string> threadMap{
      "thread-map",
      cl::desc("A file with a map (th_x, th_y, th_z, bl_x, bl_y, bl_z)[loops] "
               "to the result (`utilization`: what its block of --block reads; "
               "else default: linear, a row a warp for reductions of rows)"),
      cl::value_desc("FILE"),
      cl::sub(utilization),
      cl::sub(coalescing),
      cl::sub(report),
      cl::cat(category())};
  cl::opt<std::string> block{
      "block", cl::desc("The block, with --thread-map (default: 0,0,0)"),
      cl::value_desc("INDEX"), cl::sub(utilization), cl::cat(category())};
  cl::opt<bool> explain{
      "explain",
      cl::desc("Write each rewrite, and the bounds that justify it, to "
               "standard error"),
      cl::sub(simplify), cl::cat(category())};
  cl::opt<bool> inside{
      "inside",
      cl::desc("Of a fusion or call, also what is read of every instruction "
               "in it"),
      cl::sub(utilization), cl::cat(category())};

  cl::opt<std::string> space{
      "space",
      cl::desc("The instruction of the fusion to whose index space the thread "
               "map goes (default: its root)"),
      cl::value_desc("NAME"), cl::sub(coalescing), cl::cat(category())};
  cl::opt<std::string> device{
      "device",
      cl::desc("a100, b200, h100 (default), h200, l4, mi250x, mi300x, p100, "
               "rtx4090, t4 or v100"),
      cl::value_desc("NAME"),
      cl::init("h100"),
      cl::sub(coalescing),
      cl::sub(report),
      cl::cat(category())};
  cl::opt<std::string> top{
      "top", cl::desc("The most kernels to show (default: 10; of json all)"),
      cl::value_desc("N"), cl::sub(report), cl::cat(category())};
};

Words &words();

/// The example at the end of the help of a command. llvm::cl prints such texts
/// whichever command is asked about, so only the one that fits is registered.
void registerExample(llvm::StringRef command);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_WORDS_H
