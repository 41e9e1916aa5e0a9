#include "indexical/command/answer_words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace indexical {
namespace {

constexpr AnswerWord kWords[] = {
    // The bytes of accesses.
    {"moved", "the bytes of all sectors that the warps touch, ignoring caches"},
    {"wasted",
     "the unused bytes of these sectors: the cost of uncoalesced accesses"},
    {"used", "the moved bytes that lanes request"},
    {"coalesced",
     "said of an access whose lanes request neighbouring bytes, so that few "
     "sectors serve a warp"},
    {"not coalesced",
     "said of an access that touches more sectors than its bytes need"},
    {"uncoalesced",
     "said of an access that touches more sectors than its bytes need: some "
     "of the moved bytes are unused"},
    {"sector",
     "the smallest unit of memory that is moved: 32 bytes on most GPUs"},
    {"line",
     "the unit of memory that a cache keeps: 128 bytes on most GPUs, which "
     "are four sectors"},
    {"distinct",
     "sectors, each counted once: the traffic with an unlimited "
     "cache"},
    {"fewest", "the sectors that the used bytes need: the ideal number"},
    {"wavefront",
     "one pass of shared memory, which serves a word of each "
     "bank"},
    {"conflicts",
     "bank conflicts: the passes of shared memory for an access that "
     "ideally takes one"},
    {"bank conflicts",
     "the passes of shared memory for an access that ideally takes one"},
    {"active lanes",
     "the lanes that take part in an access: no mask switches them off"},
    {"vectors",
     "how many elements one request of a lane reads or writes"},
    {"global loads",
     "what the kernels of the report read from memory, in sectors"},
    {"global stores",
     "what the kernels of the report write to memory, in sectors"},
    {"allocates",
     "the bytes of shared memory that a program of the kernel has"},
    // Patterns of accesses.
    {"never",
     "a pattern: no lane reads. For wraps: no integer of the kernel "
     "overflows for any size"},
    {"gathered",
     "a pattern: each lane reads at an index that is known only at run time"},
    {"scalar", "a pattern: all lanes read the one element of the array"},
    {"few lanes", "a pattern: at most one lane of a warp takes part at a time"},
    {"broadcast", "a pattern: all lanes read the same element"},
    {"contiguous",
     "a pattern: each lane reads the bytes that follow those of the "
     "previous lane"},
    {"overlapping",
     "a pattern: the bytes of each lane overlap those of the previous lane"},
    {"rows",
     "a pattern: lanes read contiguous runs that lie apart; the figure is the "
     "length of a run"},
    {"transposed",
     "a pattern: neighbouring lanes lie along a dimension that is not the "
     "most minor one; the figure is the step from lane to lane"},
    {"strided",
     "a pattern: neighbouring lanes are as far apart as the figure says, "
     "not along a single dimension"},
    {"stride",
     "the step in memory from the element of a lane to that of the next lane"},
    {"halo", "a pattern: neighbouring windows read some elements in common"},
    {"reversed", "said of a pattern: the next lane reads at a lower address"},
    {"unaligned",
     "said of a pattern: accesses do not begin where a sector does"},
    {"by every thread",
     "said of a pattern: all threads of a block read one address"},
    {"unknown", "a pattern: unknown values decide which bytes are wasted"},
    // What would be better.
    {"recommendation",
     "the change that saves most of the wasted bytes or the lost time"},
    {"sorted indices, or longer slices",
     "a remedy: sort the indices of the gather, or let each of them read more"},
    {"more lanes along the most minor dimension",
     "a remedy: another thread map or, in a kernel of Triton, another tile"},
    {"a start at whole sectors",
     "a remedy: let the slice begin at a multiple of a sector"},
    {"rows padded to whole sectors",
     "a remedy: make the size of the most minor dimension a multiple of a "
     "sector"},
    {"a tile with its halo through shared memory",
     "a remedy: let a block load its elements and their neighbours once"},
    {"warps that begin where a sector does", "a remedy: another thread map"},
    {"a tile through shared memory",
     "a remedy: load rows, exchange elements through shared memory, store "
     "rows"},
    {"another layout", "a remedy: let the array have the layout that is named"},
    {"one element a lane",
     "a remedy: give each lane one element; vectors divide the rows, and a "
     "lane "
     "loads its elements one by one"},
    {"rows that vectors divide, or one element a lane",
     "a remedy: make rows a multiple of the vectors, or let a lane take one "
     "element"},
    {"elements packed together",
     "a remedy: let small elements of a row lie side by side"},
    {"view",
     "a change (avoid_by): the kernel is a contiguous copy; use a view of "
     "its source"},
    {"donate",
     "a change (avoid_by): the kernel copies a parameter because it is not "
     "donated; donate it (donate_argnums)"},
    {"layout",
     "a change (avoid_by): the kernel only changes the layout; let its source "
     "be written in that layout"},
    {"type",
     "a change (avoid_by): the kernel only converts elements; let its "
     "source be written in that type. As an assumption: the type of an "
     "argument"},
    {"join",
     "a change (avoid_by): the kernel only joins arrays; let them be written "
     "into one array"},
    {"loop",
     "a change (avoid_by): the kernel copies for a loop that overwrites; "
     "give the loop the only use. As an emitter: each thread computes "
     "elements of the result"},
    {"fill",
     "a change (avoid_by): the kernel only fills an array; let its consumer "
     "write all of it"},
    {"fuse",
     "a change (avoid_by): fuse this kernel with its producer or consumer, "
     "so that the array between them does not pass through memory"},
    {"readers",
     "a change (avoid_by): the kernel moves data for several kernels; let "
     "each read the source"},
    {"gather",
     "a change (avoid_by): the kernel only transposes what an all-gather "
     "writes; gather along dimension 0"},
    {"scan",
     "a change (avoid_by): windows read the same elements again; a scan reads "
     "each once"},
    {"split",
     "a change (avoid_by): one thread or few blocks do the work; split it"},
    {"sectors",
     "a change (avoid_by): some of the moved bytes are unused; see the "
     "pattern of the access"},
    {"again",
     "a change (avoid_by): bytes are moved more than once; a tile that stays "
     "in shared memory or registers moves them once"},
    {"library",
     "a change (avoid_by): a library is slower than its bytes and products "
     "need; another shape, type or algorithm. As an emitter: the code is a "
     "library's"},
    {"measured",
     "the time in a profile. As a change (avoid_by): it takes longer than "
     "the figures explain"},
    // Time.
    {"predicted", "the time that the model of the device gives"},
    {"ideal",
     "the least time that the device allows: each array moved once at the "
     "peak bandwidth of memory, or the products at the peak rate; ideal / "
     "predicted time is the percentage of peak"},
    {"lost", "the time of a kernel beyond its ideal time"},
    {"avoidable",
     "an upper bound on the time that a change can save (estimated "
     "speedup): the whole time of a kernel that only moves data and need "
     "not, else its time beyond a launch that moves each array once"},
    {"alike",
     "said of kernels with the same op, shapes, accesses and figures: they "
     "are one row"},
    {"ratio",
     "predicted / measured time: below 1, a kernel is slower than the model "
     "says"},
    {"trips", "how often loops run a kernel"},
    {"memory", "limits the time: the bandwidth of memory (bandwidth-bound)"},
    {"cache",
     "limits the time: the bandwidth of the cache that all cores share"},
    {"cores",
     "limits the time: the bytes that one core can request. As a change "
     "(avoid_by): the blocks do not fill all cores evenly; take smaller "
     "blocks"},
    {"operations", "limits the time: arithmetic (compute-bound)"},
    {"blocks",
     "limits the time: the scheduling of blocks. As a change (avoid_by): "
     "give each thread more elements"},
    {"waits",
     "limits the time: the waits of blocks for memory or for each other. As "
     "a change (avoid_by): there is too little work to fill the device"},
    {"bandwidth-bound", "the bandwidth of memory limits the kernel"},
    {"compute-bound", "arithmetic limits the kernel"},
    {"block-scheduling-bound",
     "the scheduling of the grid's blocks limits the kernel: each block has "
     "too little work"},
    {"latency-bound",
     "waiting for memory or for other blocks limits the kernel: the device "
     "has too little work"},
    {"estimated speedup",
     "the avoidable part of the predicted time: an upper bound"},
    {"predicted GPU time",
     "the predicted time of all launches; `at least` where a kernel has none"},
    {"arithmetic intensity",
     "operations per moved byte, in FLOP/byte: below the ridge of a roofline, "
     "memory limits a kernel"},
    {"unused sector bytes",
     "the bytes of moved sectors that no lane requests: the cost of "
     "uncoalesced accesses"},
    {"counted per warp",
     "the requests of all warps for an address that a block reads once"},
    {"single consumer", "the one kernel that reads what another one writes"},
    {"no figures", "the bytes of the access are not counted, for the reason "
                   "beside it"},
    {"roofline bound",
     "the time of the same kernels at the peak rates of the device"},
    {"roof",
     "the time at the peak rate of what limits a kernel: memory, the cache, "
     "or operations"},
    {"libraries", "a use of time: kernels of libraries, and unknown kernels"},
    {"blocks_and_waits",
     "a use of time: kernels that are block-scheduling-bound or "
     "latency-bound"},
    {"unused_sectors",
     "a use of time: the part of it for unused bytes of sectors (uncoalesced "
     "accesses)"},
    {"movement",
     "a use of time: kernels that only move data, and compute nothing"},
    {"rest", "a use of time: all other kernels"},
    {"without_time", "kernels without a predicted time"},
    {"products", "a kind of work: products of matrices and convolutions"},
    {"attention", "a kind of work: attention as one kernel"},
    {"copies", "a kind of work: moving data without computing"},
    {"collectives", "a kind of work: elements go between devices"},
    {"reductions", "a kind of work: sums, maxima and the like"},
    {"elementwise", "a kind of work: each element by itself"},
    {"others", "a kind of work: anything else"},
    // How kernels are made.
    {"emitter",
     "the code generator that wrote a kernel: a loop, a transpose through "
     "shared memory, a reduction"},
    {"concatenate", "an emitter: each thread copies elements of every operand"},
    {"dynamic_update_slice",
     "an emitter: the threads write only the slice that is updated, in place"},
    {"transpose",
     "an emitter: a tile goes through shared memory, so that rows are read "
     "and rows are written"},
    {"packed_transpose",
     "an emitter: a transpose of small elements, several of which share a "
     "word"},
    {"row_reduction", "an emitter: a warp, or a block, reduces a row"},
    {"multi_row_reduction", "an emitter: a warp reduces several short rows"},
    {"column_reduction",
     "an emitter: a tile of columns is reduced through shared memory"},
    {"small_column_reduction", "an emitter: a thread reduces a few columns"},
    {"scatter",
     "an emitter: each thread adds one update. As a place: the op "
     "overwrites elements of its operand"},
    {"scatter_by_indices", "an emitter: the threads go through sorted indices"},
    {"sort", "an emitter: the kernels of a sort"},
    {"memcpy", "an emitter: the driver copies the memory, and no kernel runs"},
    {"triton", "an emitter: the kernel is compiled by Triton"},
    {"linear",
     "a launch: a thread takes an element; reductions of rows take a warp for "
     "a row"},
    {"xla", "a launch: that of XLA's emitters for GPUs"},
    {"own", "a launch: by a given thread map, or as the kernel's text says"},
    {"compiled",
     "a launch: as in the kernel's compiled code, which was found beside "
     "the module"},
    {"change of layout", "the reason of a copy: the result has another layout"},
    {"defensive copy",
     "a copy of a parameter that is not donated: the parameter's memory must "
     "stay as it is"},
    {"contiguous copy",
     "a copy of elements that lie side by side in its source: a view of the "
     "source would do"},
    {"copy of a parameter that is not donated",
     "the reason of a copy: the parameter's memory must stay as it is"},
    {"copy of an operand of a loop",
     "the reason of a copy: the loop overwrites its operand"},
    {"no hlo_op", "the launch in the profile names no instruction"},
    {"no module",
     "the module of the launch is not there, or several have its name"},
    {"no such instruction", "the module runs no kernel of that name"},
    {"command buffer",
     "several kernels that one launch starts, in a profile that has one time "
     "for them"},
    {"read", "a phase of a kernel: it fills its tile in shared memory"},
    {"write",
     "a phase of a kernel: it writes its result, and reads the other "
     "elements that this needs"},
    // How sure an answer is.
    {"exact",
     "said of an answer that is neither more nor less than the "
     "truth"},
    {"cover", "an answer that contains the truth, and may contain more"},
    {"opaque", "nothing is known of the op: it may read all of its operand"},
    {"undecided",
     "neither answer is proved; the reason, or an option that would decide "
     "it, is given"},
    {"proved", "the check holds, for every element of the launch"},
    {"violated",
     "the check does not hold: the witness beside it is an element for which "
     "it fails"},
    {"witness", "the element, and the numbers, at which two modules differ"},
    {"closed form", "an engine: the answer follows from the form of the map"},
    {"sizes",
     "an engine: the answer follows from facts about symbolic sizes. As a "
     "line: sizes that a search found"},
    {"enumeration", "an engine: all points were tried"},
    {"isl", "an engine: the library isl decided"},
    {"z3", "an engine: the solver Z3 decided. As a law: a proof used it"},
    {"bag",
     "a law: what a commutative reducer takes may come in any order"},
    {"equal in reads",
     "the two depend on the same elements; the values may differ"},
    {"equal in values", "the two compute the same values"},
    {"terms", "an engine: both computations were compared as terms"},
    {"text", "an engine: both are the same text"},
    {"form", "an engine: both layouts have the same form"},
    // Whether two are the same.
    {"reads",
     "the elements that a result depends on; `equal` compares these, and "
     "with --values also the computed values"},
    {"values", "a level of sameness: the computed values"},
    {"equal", "the two are the same for all inputs"},
    {"different",
     "the two are not the same: the witness shows an input, or an element, "
     "for which they differ"},
    {"fewer reads",
     "the second reads a part of what the first reads, and nothing else"},
    {"more", "the kernel loads elements that nothing needs"},
    {"less", "the kernel does not load or store elements that it should"},
    {"same_where",
     "of kernels: the same under a condition that is proved, and no difference "
     "is known without it"},
    {"same", "the new kernel leaves the same in every array that counts"},
    {"differs",
     "the kernel was launched with another grid or block than was predicted"},
    {"same values",
     "the kernel stores every element of the results, with the values that "
     "the fusion computes"},
    {"same elements",
     "the kernel's stores depend on the same elements as the fusion's "
     "results; the values were not shown to be equal"},
    {"same tiles",
     "each program loads and stores the elements that it should; the values "
     "were not shown to be equal"},
    {"not_stored",
     "a witness: the new kernel does not store an element that the old one "
     "stores"},
    {"out_of_bounds", "a witness: an access is outside of its array"},
    {"written_twice", "a witness: two stores of an element have no order"},
    {"never_written",
     "a violation: the new kernel leaves an element of an output unwritten"},
    {"read_before_written",
     "a violation: a program of the new kernel loads an element of an output "
     "that it has not stored before"},
    {"undefined",
     "a violation: the new kernel stores an element that is computed from a "
     "masked lane of a load without `other`"},
    {"value", "a witness: the new kernel leaves another number"},
    {"new", "the kernel that is judged"},
    {"old", "the kernel that it is compared with"},
    {"these", "the verdict is for the sizes beside it, and not for all"},
    {"first",
     "the first of the two that are compared, which is the one before"},
    {"second",
     "the second of the two that are compared, which is the one after"},
    {"groups", "the number of devices is known from the groups of collectives"},
    {"boolean", "the option is given without a value"},
    {"integer", "the value of the option is an integer"},
    {"string", "the value of the option is a text of the form beside it"},
    // Kernels.
    {"more is decided with",
     "options that give what the kernel's text leaves open: with them, checks "
     "and figures that are undecided may be decided"},
    {"in bounds",
     "whether every access is inside of its array, in the whole launch"},
    {"written once",
     "whether no element is stored twice without an order: by two programs, "
     "or by one program and an atomic operation of another"},
    {"write-write race",
     "two stores of one element without an order: either value may remain"},
    {"overwritten",
     "whether a load may read memory that another access has overwritten "
     "before. As a witness: it does"},
    {"wraps", "whether an integer of the kernel overflows for some size"},
    {"from",
     "for wraps: from this size on, an integer of the kernel overflows"},
    {"taken", "the assumptions about what the kernel's text leaves open"},
    {"constant", "an assumption: the value of a constant of the kernel"},
    {"grid", "an assumption: how many programs run"},
    {"warps", "an assumption: the warps of a program"},
    {"alignment", "an assumption: the bytes to which arrays are aligned"},
    {"range", "an assumption: the bounds of an argument"},
    {"meaning", "an assumption: the meaning of an unknown function"},
    {"load", "the access reads memory"},
    {"store", "the access writes memory"},
    {"atomic",
     "the access changes memory by an atomic operation. In a race: one "
     "program stores the element, and another changes it so"},
    {"none", "there is none: no mask, no mark, or nothing to move"},
    {"program", "in a race: one program stores the element twice"},
    {"programs", "in a race: two programs store the element"},
    {"file", "the layout is that of the file"},
    {"coalescing",
     "the layout is the one that the compiler's pass for coalescing will "
     "choose"},
    {"ttir", "Triton's IR before it has layouts"},
    {"ttgir", "Triton's IR for GPUs, with layouts"},
    {"llvm", "LLVM's IR of a compiled kernel"},
    {"hlo", "a module of HLO"},
    {"stablehlo", "a module of StableHLO or other MLIR"},
    {"kernel",
     "the element is one of the kernel alone. As a line: a kernel of the "
     "report"},
    {"fusion",
     "the element is one of the fusion alone. As a place: the fusion may "
     "write into its operand's memory"},
    // Memory that is used again.
    {"safe in place", "the result may lie in its operand's memory"},
    {"safe if",
     "the result may lie in its operand's memory under the order of "
     "kernels, or the condition on values, beside it"},
    {"hazard",
     "the result lies in its operand's memory, and an element is "
     "overwritten while it is still read"},
    {"must copy",
     "a copy that must stay: without it an element is overwritten while it "
     "is still read"},
    {"needless copy",
     "a copy that can be removed: no element is overwritten while it is "
     "still read"},
    {"same element",
     "it is safe: each element is read by the one that overwrites it"},
    {"apart",
     "it is safe: the overwritten and the read elements are "
     "disjoint"},
    {"unchanged", "it is safe: the written values equal the old ones"},
    {"read before", "it is safe: all reads come first"},
    {"not read", "it is safe: nothing reads what is overwritten"},
    {"update", "the op overwrites a slice of its operand"},
    {"alias", "the module says that the two share memory"},
    {"plan",
     "of `reshard`: collectives that take an array from one sharding to the "
     "other"},
    {"all", "of `--top`: every row"},
    {"call", "the called computation overwrites its argument"},
    {"carry", "the loop overwrites what it carries"},
    {"copy",
     "a copy, which could be left out. As a move between layouts: from "
     "memory to memory"},
    {"async",
     "the op runs beside others, and its buffers are in use until it is done"},
    {"share", "both results may lie in one memory"},
    {"may", "the module allows both to share memory"},
    {"must", "the module demands that both share memory"},
    // Layouts.
    {"convert", "a move from registers to registers"},
    {"shared",
     "shared memory; as a move: the element is held in the same block"},
    {"global", "global memory"},
    {"registers",
     "the element is held by the same thread, in another register"},
    {"shuffles", "the element is held in the same warp: lanes exchange it"},
    {"cluster", "the element is held in the same cluster of blocks"},
    {"impossible", "some element is held nowhere"},
    // Shardings.
    {"sharding", "the text of HLO"},
    {"mhlo.sharding", "the attribute of StableHLO's modules"},
    {"sdy", "an attribute of Shardy"},
    {"frontend", "an attribute of HLO that the frontend left"},
    {"proto", "a sharding as protocol buffer"},
    {"option", "an option of the call"},
    {"yes", "each device reads only elements that it holds"},
    {"no", "some device reads an element that it does not hold"},
    {"input-to-output", "the direction from operands to results"},
    {"output-to-input", "the direction from results to operands"},
    {"op_name",
     "the name that the frontend gave the op. As a group: ops of one name "
     "are summed"},
    {"source",
     "the line of the program that made the op. As a group: ops of one line "
     "are summed"},
    {"opcode",
     "the name of the op in the file. As a group: ops of one opcode are "
     "summed"},
    // Lines of JSON.
    {"cancels",
     "a line: values that equal an earlier one, after ops that only move it"},
    {"chain", "a line: dumps of one module in order, and their sums"},
    {"collective", "a line: an op that moves elements between devices"},
    {"communication_group", "a line: reshards that are alike, and their sums"},
    {"computation", "a line: a computation and its own maps"},
    {"conditions",
     "a line: conditions on sizes and values for the module to be valid"},
    {"count", "a line: the points, elements and pairs of a map"},
    {"elements", "a line: the elements that one element needs"},
    {"gone", "a line: a kernel of the earlier report that is not in this one"},
    {"group",
     "a line: reads and writes that are alike in a key, and their sums"},
    {"inside", "a line: the reads of an instruction inside of a fusion"},
    {"instruction", "a line: an instruction and its maps"},
    {"left_out", "a line: sizes that a search left out, and why"},
    {"map", "a line: a map"},
    {"operand", "a line: the elements of an operand that are read"},
    {"pair", "a line: a dump and the one before"},
    {"peak", "a line: the point of the schedule with the most live bytes"},
    {"rank", "a line: a row of the ranking, kernels that are one change"},
    {"reshard", "a line: a change of sharding"},
    {"summary", "a line: sums of one input"},
    {"tile", "a line: a tile of a result, propagated to an instruction"},
    {"total", "a line: sums of all inputs"},
    // Errors.
    {"usage",
     "an error: the words of the call are wrong; the message says what would "
     "be right"},
    {"invalid_input",
     "an error: an input breaks its language's rules at the place beside it"},
    {"not_found", "an error: a file, or a name in it, is not there"},
    {"not_supported",
     "an error: the input is right, and this program cannot read it or "
     "answer about it"},
    {"deadline", "an error: the call ended at its deadline"},
    {"cancelled", "an error: the call was ended by a signal or by its client"},
    {"limit", "an error: a limit of memory, of bytes or of steps was reached"},
    {"failed",
     "an error: the system refused something, as to write the result"},
    {"outside",
     "an error: the path leads out of the folder that the server was started "
     "in"},
    {"too_large",
     "an error: the answer has more bytes than the server may give"},
};

}  // namespace

llvm::ArrayRef<AnswerWord> answerWords() { return kWords; }

llvm::StringRef meaningOfWord(llvm::StringRef word) {
  // `(memory)` is the word as texts have it, and `_` stands for a space.
  word = word.trim(" `()");
  const auto isIt = [&](llvm::StringRef known) {
    return known.size() == word.size() &&
           llvm::all_of(llvm::zip(known, word), [](const auto &pair) {
             const auto [a, b] = pair;
             return llvm::toLower(a) == llvm::toLower(b) ||
                    (a == ' ' && b == '_');
           });
  };
  for (const AnswerWord &each : kWords)
    if (isIt(each.word)) return each.meaning;
  return "";
}

}  // namespace indexical
