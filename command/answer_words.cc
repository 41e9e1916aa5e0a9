#include "indexical/command/answer_words.h"

namespace indexical {
namespace {

constexpr AnswerWord kWords[] = {
    {"moved",
     "the bytes of all sectors that the warps touch, caches left aside"},
    {"wasted",
     "the bytes of these sectors that no lane asks for: what uncoalesced "
     "accesses cost"},
    {"coalesced",
     "said of an access whose lanes ask for neighbouring bytes, so that few "
     "sectors serve a warp"},
    {"sector",
     "the smallest piece of memory that is moved: 32 bytes on most "
     "GPUs"},
    {"ideal",
     "the least time that the device allows: each array moved once at the peak "
     "bandwidth of memory, or the products at the peak rate; ideal by "
     "predicted "
     "time is the per cent of peak"},
    {"lost", "what a kernel takes beyond its ideal time"},
    {"avoidable",
     "what a change could win at most, an estimated speed-up: the whole time "
     "of "
     "a kernel that only moves data and need not, else what it takes beyond a "
     "launch that moves each array once"},
    {"would mend it", "the change that wins most of what is wasted or lost"},
    {"(memory)", "bandwidth-bound: memory decides the time"},
    {"(cache)", "the bandwidth of the cache decides the time"},
    {"(cores)", "the bytes that one core can ask for decide the time"},
    {"(operations)", "compute-bound: arithmetic decides the time"},
    {"(blocks)", "launch-bound: the start of blocks decides the time"},
    {"(waits)", "that blocks wait, for memory or each other, decides the time"},
    {"trips", "how often loops run a kernel"},
    {"emitter",
     "the way in which a compiler writes a kernel: a loop, a "
     "transpose through shared memory, a reduction"},
    {"reads",
     "the elements that a result depends on; `equal` compares these "
     "unless --values asks for what is computed of them"},
    {"exact", "said of an answer that is all of the truth and nothing else"},
    {"cover", "an answer that contains the truth, and may contain more"},
    {"undecided",
     "neither the one nor the other is known; what would decide "
     "it stands beside it"},
    {"witness", "the element, and the numbers, at which two modules differ"},
    {"wavefront", "what shared memory serves at once, a word of each bank"},
};

}  // namespace

llvm::ArrayRef<AnswerWord> answerWords() { return kWords; }

llvm::StringRef meaningOfWord(llvm::StringRef word) {
  for (const AnswerWord &each : kWords)
    if (each.word == word) return each.meaning;
  return "";
}

}  // namespace indexical
