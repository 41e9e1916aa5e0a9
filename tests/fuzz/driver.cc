// A fuzz target without libFuzzer: its seeds, and changes of them.
//
//   NAME_fuzz_test SEED…     INDEXICAL_FUZZ_RUNS=N, INDEXICAL_SEED=S

#include <random>
#include <string>
#include <vector>

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "tests/fuzz/check.h"

namespace {

int64_t numberOf(const char *variable, int64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::atoll(text) : otherwise;
}

class Changes {
 public:
  Changes(std::vector<std::string> seeds, uint64_t seed)
      : seeds_(std::move(seeds)), engine_(seed) {}

  /// A seed with some parts changed, left out, doubled, or from another one.
  std::string next() {
    std::string text = any();
    for (size_t i = 0, n = 1 + below(6); i < n && !text.empty(); ++i)
      change(text);
    return text;
  }

 private:
  size_t below(size_t bound) { return engine_() % bound; }
  const std::string &any() { return seeds_[below(seeds_.size())]; }

  void change(std::string &text) {
    static const char *const kWords[] = {
        "0",       "-1",       "9223372036854775807",
        "?",       "{",        "}",
        "(",       ")",        "[",
        "]",       ",",        "inf",
        "mod",     "floordiv", "\n",
        "%",       "\"",       "s32[]",
        "f32[4,0]"};
    const size_t at = below(text.size()), length = 1 + below(12);
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(engine_());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      case 3:
        text.insert(at, kWords[below(std::size(kWords))]);
        break;
      case 4:
        const std::string &other = any();
        if (!other.empty())
          text.replace(at, length, other.substr(below(other.size()), length));
    }
  }

  const std::vector<std::string> seeds_;
  std::mt19937_64 engine_;
};

void run(const std::string &text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(text.data()),
                         text.size());
}

}  // namespace

int main(int argc, char **argv) {
  std::vector<std::string> seeds;
  for (int i = 1; i < argc; ++i) {
    auto file = llvm::MemoryBuffer::getFile(argv[i]);
    if (!file) {
      llvm::errs() << argv[i] << ": " << file.getError().message() << '\n';
      return 1;
    }
    seeds.push_back((*file)->getBuffer().str());
    run(seeds.back());
  }
  if (seeds.empty()) return 1;
  const int64_t runs = numberOf("INDEXICAL_FUZZ_RUNS", 3000);
  const int64_t seed = numberOf("INDEXICAL_SEED", 20261122);
  llvm::outs() << "seed " << seed << ", " << runs << " runs\n";
  llvm::outs().flush();
  Changes changes(std::move(seeds), seed);
  for (int64_t i = 0; i < runs; ++i) run(changes.next());
  return 0;
}
