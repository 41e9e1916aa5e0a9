// Kernels run as their launches say, thread by thread, shared memory included:
// what comes out is right, every element is written once, and sectors and bank
// conflicts are those that are counted on the way.
//
// Shares no code with analysis/: maps are evaluated at points. INDEXICAL_SEED:
// the first instance; INDEXICAL_KERNELS: how many of each emitter. Scatters and
// programs that take tiles are in launched_programs_test.
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/cost/launch/launched_kernel.h"
#include "tests/cost/memory/simulator.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// Through shared memory: nothing is read there that was not put there.
class Shared {
 public:
  explicit Shared(const SharedTile &tile) : tile_(tile) {}
  void put(const IndexingMap::Point &point, int64_t value) {
    ASSERT_TRUE(tile_.written.contains(point));
    const int64_t slot = (*tile_.written.evaluate(point))[0];
    const int64_t size = *tile_.shape.elementCount();
    ASSERT_GE(slot, 0);
    ASSERT_LT(slot, size);
    EXPECT_TRUE(slots_.insert({slot, value}).second) << "put twice: " << slot;
  }
  int64_t get(const IndexingMap::Point &point) const {
    const auto found = slots_.find((*tile_.read.evaluate(point))[0]);
    EXPECT_TRUE(found != slots_.end());
    return found == slots_.end() ? -1 : found->second;
  }

 private:
  const SharedTile &tile_;
  std::map<int64_t, int64_t> slots_;
};

//===-- Transposes --------------------------------------------------------===//

void runTranspose(Launched &run, llvm::ArrayRef<int64_t> permutation) {
  const Kernel &kernel = run.kernel;
  ASSERT_EQ(kernel.shared.size(), 1u);
  const MemoryAccess &read = kernel.reads[0], &write = kernel.writes[0];
  const IndexingMap reading = threadsOfAccess(kernel, read);
  const IndexingMap writing = threadsOfAccess(kernel, write);
  run.visitBlocks([&](const Numbers &block) {
    Shared shared(kernel.shared[0]);
    visitBlock(
        reading, block,
        [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t> index) {
          shared.put(point, numberOf(run.bufferOf(read), index));
        });
    visitBlock(
        writing, block,
        [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t> index) {
          run.write(write, index, shared.get(point));
        });
  });
  const ArrayShape &input = run.bufferOf(read), &output = run.bufferOf(write);
  ASSERT_EQ(static_cast<int64_t>(run.written.size()), *output.elementCount());
  for (auto [number, value] : run.written) {
    Numbers index(output.rank()), from(output.rank());
    int64_t rest = number;
    for (size_t k = index.size(); k-- > 0;) {
      index[k] = rest % output.dimensions[k];
      rest /= output.dimensions[k];
    }
    for (size_t k = 0; k < index.size(); ++k) from[permutation[k]] = index[k];
    ASSERT_EQ(value, numberOf(input, from));
  }
}

std::string transposeText(const std::string &type, const Numbers &sizes,
                          const Numbers &permutation) {
  Numbers turned;
  for (int64_t k : permutation) turned.push_back(sizes[k]);
  return "ENTRY e {\n p = " + type + "[" + listOf(sizes) +
         "] parameter(0)\n ROOT r = " + type + "[" + listOf(turned) +
         "] transpose(p), dimensions={" + listOf(permutation) + "}\n}\n";
}

TEST(LaunchedKernels, TransposesTurnWhatTheyRead) {
  const std::vector<Numbers> permutations = {{1, 0},    {0, 2, 1}, {2, 1, 0},
                                             {1, 0, 2}, {1, 2, 0}, {2, 0, 1}};
  std::map<Emitter, uint64_t> counts;
  const uint64_t wanted = kernelsOfEach();
  for (uint64_t seed = firstSeed(); counts[Emitter::Transpose] < wanted ||
                                    counts[Emitter::PackedTranspose] < wanted;
       ++seed) {
    Random random(seed);
    const Numbers &permutation = permutations[random.in(0, 5)];
    const char *types[] = {"f32", "bf16", "s8", "f64"};
    const std::string type = types[random.in(0, 3)];
    Numbers sizes;
    for (size_t k = 0; k < permutation.size(); ++k)
      sizes.push_back(1 + random.in(0, permutation.size() == 2 ? 149 : 69));
    if (permutation == Numbers{1, 0, 2}) sizes[2] = 1 + random.in(0, 3);
    const std::string text = transposeText(type, sizes, permutation);
    SCOPED_TRACE("seed " + std::to_string(seed) + '\n' + text);
    Launched run(text, *findDevice(kDevices[random.in(0, 2)]));
    if (!run.ok || run.kernel.emitter == Emitter::Loop) continue;
    if (counts[*run.kernel.emitter]++ >= wanted) continue;
    runTranspose(run, permutation);
    run.checkFigures();
    if (HasFailure()) return;
  }
}

//===-- Reductions --------------------------------------------------------===//

/// The sum of what lanes hold, from a thread on.
int64_t shuffled(const std::map<int64_t, int64_t> &held, int64_t from,
                 int64_t count) {
  int64_t sum = 0;
  for (auto at = held.lower_bound(from);
       at != held.end() && at->first < from + count; ++at)
    sum += at->second;
  return sum;
}

/// How many threads share one result: until the next one that writes.
int64_t lanesOf(const IndexingMap &writing, int64_t threads) {
  std::set<int64_t> writers;
  for (int64_t block = 0; block <= writing.dimensions()[3].bounds.upper;
       ++block)
    visitBlock(writing, {block, 0, 0},
               [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t>) {
                 writers.insert(point.dimensions[0]);
               });
  return writers.size() < 2 ? threads
                            : *std::next(writers.begin()) - *writers.begin();
}

void runReduction(Launched &run) {
  const Kernel &kernel = run.kernel;
  const MemoryAccess &read = kernel.reads[0], &write = kernel.writes[0];
  const IndexingMap reading = threadsOfAccess(kernel, read);
  const IndexingMap writing = threadsOfAccess(kernel, write);
  const int64_t threads = kernel.grid->threads[0], warp = run.device.warp;
  const int64_t lanes = lanesOf(writing, threads);
  const bool isColumn = kernel.emitter == Emitter::ColumnReduction ||
                        kernel.emitter == Emitter::SmallColumnReduction;
  run.visitBlocks([&](const Numbers &block) {
    // The sums of each thread, by the place in its vector.
    std::map<int64_t, std::map<int64_t, int64_t>> sums;
    visitBlock(
        reading, block,
        [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t> index) {
          const int64_t place = isColumn ? point.ranges.back() : 0;
          sums[place][point.dimensions[0]] +=
              1 + numberOf(run.bufferOf(read), index);
        });
    std::map<int64_t, std::map<int64_t, int64_t>> held = sums;
    if (isColumn) {
      Shared shared(kernel.shared[0]);
      visitBlock(kernel.shared[0].written, block,
                 [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t>) {
                   shared.put(point,
                              sums[point.ranges[0]][point.dimensions[0]]);
                 });
      visitBlock(kernel.shared[0].read, block,
                 [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t>) {
                   held[point.ranges[0]][point.dimensions[0]] =
                       shared.get(point);
                 });
    } else if (!kernel.shared.empty()) {
      Shared shared(kernel.shared[0]);
      visitBlock(kernel.shared[0].written, block,
                 [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t>) {
                   shared.put(point,
                              shuffled(sums[0], point.dimensions[0], warp));
                 });
      held.clear();
      visitBlock(kernel.shared[0].read, block,
                 [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t>) {
                   held[0][point.dimensions[0]] = shared.get(point);
                 });
    }
    visitBlock(
        writing, block,
        [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t> index) {
          const int64_t place = isColumn ? point.ranges[0] : 0;
          run.write(write, index,
                    shuffled(held[place], point.dimensions[0], lanes));
        });
  });
}

/// The sums of a reduction of `sizes` along some dimensions.
std::map<int64_t, int64_t> sumsOf(const Numbers &sizes,
                                  const std::set<int64_t> &reduced) {
  std::map<int64_t, int64_t> sums;
  Numbers index(sizes.size(), 0);
  for (int64_t number = 0;; ++number) {
    int64_t kept = 0;
    for (size_t k = 0; k < sizes.size(); ++k)
      if (!reduced.count(k)) kept = kept * sizes[k] + index[k];
    sums[kept] += 1 + number;
    size_t k = sizes.size();
    while (k > 0 && index[k - 1] + 1 == sizes[k - 1]) index[--k] = 0;
    if (k == 0) return sums;
    ++index[k - 1];
  }
}

struct Reduced {
  Numbers sizes, dimensions;
};

Reduced randomReduction(Random &random) {
  switch (random.in(0, 4)) {
    case 0:
      return {{1 + random.in(0, 8), 1 + random.in(0, 2999)}, {1}};
    case 1:  // powers of two along the rows
      return {{1 + random.in(0, 299), int64_t{1} << random.in(0, 6)}, {1}};
    case 2:
      return {
          {1 + random.in(0, 2), 30 + random.in(0, 199), 1 + random.in(0, 89)},
          {1}};
    case 3:
      return {{1 + random.in(0, 2), 200 + random.in(0, 299),
               int64_t{1} << random.in(0, 5)},
              {1}};
    default:
      return {{1 + random.in(0, 3), 1 + random.in(0, 4), 1 + random.in(0, 199)},
              {0, 2}};
  }
}

TEST(LaunchedKernels, ReductionsSumWhatTheyRead) {
  std::map<Emitter, uint64_t> counts;
  const uint64_t wanted = kernelsOfEach();
  const Emitter all[] = {Emitter::RowReduction, Emitter::MultiRowReduction,
                         Emitter::ColumnReduction,
                         Emitter::SmallColumnReduction};
  auto isDone = [&] {
    for (Emitter emitter : all)
      if (counts[emitter] < wanted) return false;
    return true;
  };
  for (uint64_t seed = firstSeed(); !isDone(); ++seed) {
    Random random(seed);
    const Reduced of = randomReduction(random);
    const char *types[] = {"f32", "bf16", "s8", "f64"};
    const std::string type = types[random.in(0, 3)];
    Numbers kept;
    const std::set<int64_t> reduced(of.dimensions.begin(), of.dimensions.end());
    for (size_t k = 0; k < of.sizes.size(); ++k)
      if (!reduced.count(k)) kept.push_back(of.sizes[k]);
    const std::string text =
        "add { x = " + type + "[] parameter(0)\n y = " + type +
        "[] parameter(1)\n ROOT z = " + type +
        "[] add(x, y) }\nENTRY e {\n p = " + type + "[" + listOf(of.sizes) +
        "] parameter(0)\n z = " + type + "[] constant(0)\n ROOT r = " + type +
        "[" + listOf(kept) + "] reduce(p, z), dimensions={" +
        listOf(of.dimensions) + "}, to_apply=add\n}\n";
    SCOPED_TRACE("seed " + std::to_string(seed) + '\n' + text);
    Launched run(text, *findDevice(kDevices[random.in(0, 2)]));
    if (!run.ok || run.kernel.emitter == Emitter::Loop) continue;
    if (counts[*run.kernel.emitter]++ >= wanted) continue;
    runReduction(run);
    EXPECT_EQ(run.written, sumsOf(of.sizes, reduced));
    run.checkFigures();
    if (HasFailure()) return;
  }
}

//===-- Without shared memory ---------------------------------------------===//

/// Checks that every element that is read is written at its place: the threads
/// and loops of a read and of its write are the same.
void runDirect(Launched &run, size_t reads) {
  const Kernel &kernel = run.kernel;
  ASSERT_EQ(kernel.writes.size(), reads);
  for (size_t k = 0; k < reads; ++k) {
    const MemoryAccess &read = kernel.reads[k], &write = kernel.writes[k];
    const IndexingMap reading = threadsOfAccess(kernel, read);
    const IndexingMap writing = threadsOfAccess(kernel, write);
    run.visitBlocks([&](const Numbers &block) {
      visitBlock(
          writing, block,
          [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t> index) {
            ASSERT_TRUE(reading.contains(point));
            run.write(
                write, index,
                1000000 * static_cast<int64_t>(k) +
                    numberOf(run.bufferOf(read), *reading.evaluate(point)));
          });
    });
  }
}

TEST(LaunchedKernels, ConcatenatesPutOneBehindTheOther) {
  for (uint64_t seed = firstSeed(); seed < firstSeed() + kernelsOfEach();
       ++seed) {
    Random random(seed);
    const int64_t rows = 1 + random.in(0, 39), more = 1 + random.in(0, 89);
    Numbers widths;
    std::string parameters, names;
    int64_t width = 0;
    const int64_t count = random.in(2, 4);
    for (int64_t k = 0; k < count; ++k) {
      widths.push_back(1 + random.in(0, 59));
      width += widths.back();
      parameters += " p" + std::to_string(k) + " = f32[" +
                    listOf({rows, widths.back(), more}) + "] parameter(" +
                    std::to_string(k) + ")\n";
      names += (names.empty() ? "p" : ", p") + std::to_string(k);
    }
    const std::string text = "ENTRY e {\n" + parameters + " ROOT r = f32[" +
                             listOf({rows, width, more}) + "] concatenate(" +
                             names + "), dimensions={1}\n}\n";
    SCOPED_TRACE("seed " + std::to_string(seed) + '\n' + text);
    Launched run(text, *findDevice(kDevices[random.in(0, 2)]));
    ASSERT_TRUE(run.ok);
    ASSERT_EQ(run.kernel.emitter, Emitter::Concatenate);
    runDirect(run, widths.size());
    ASSERT_EQ(static_cast<int64_t>(run.written.size()), rows * width * more);
    for (auto [number, value] : run.written) {
      int64_t column = number / more % width, k = 0;
      while (column >= widths[k]) column -= widths[k++];
      const int64_t from =
          (number / more / width * widths[k] + column) * more + number % more;
      ASSERT_EQ(value, 1000000 * k + from);
    }
    run.checkFigures();
    if (HasFailure()) return;
  }
}

TEST(LaunchedKernels, LoopsAndUpdatesGoThroughEveryElementOnce) {
  for (uint64_t seed = firstSeed(); seed < firstSeed() + kernelsOfEach();
       ++seed) {
    Random random(seed);
    const Numbers sizes = {1 + random.in(0, 29), 1 + random.in(0, 29),
                           1 + random.in(0, 299)};
    const char *types[] = {"f32", "bf16", "s8", "f64"};
    const std::string type = types[random.in(0, 3)];
    const std::string shape = type + "[" + listOf(sizes) + "]";
    const std::string text = "ENTRY e {\n p = " + shape +
                             " parameter(0)\n ROOT r = " + shape +
                             " negate(p)\n}\n";
    SCOPED_TRACE("seed " + std::to_string(seed) + '\n' + text);
    Launched run(text, *findDevice(kDevices[random.in(0, 2)]));
    ASSERT_TRUE(run.ok);
    ASSERT_EQ(run.kernel.emitter, Emitter::Loop);
    runDirect(run, 1);
    ASSERT_EQ(static_cast<int64_t>(run.written.size()),
              sizes[0] * sizes[1] * sizes[2]);
    for (auto [number, value] : run.written) ASSERT_EQ(value, number);
    run.checkFigures();

    // An update of some rows, at a start that is known.
    const int64_t rows = 1 + random.in(0, sizes[0] - 1);
    const int64_t start = random.in(0, sizes[0] - rows);
    const std::string update =
        type + "[" + listOf({rows, sizes[1], sizes[2]}) + "]";
    Launched updated(
        "ENTRY e {\n p = " + shape + " parameter(0)\n u = " + update +
            " parameter(1)\n i = s32[] constant(" + std::to_string(start) +
            ")\n z = s32[] constant(0)\n ROOT r = " + shape +
            " dynamic-update-slice(p, u, i, z, z)\n}\n",
        *findDevice(kDevices[random.in(0, 2)]));
    ASSERT_TRUE(updated.ok);
    ASSERT_EQ(updated.kernel.emitter, Emitter::DynamicUpdateSlice);
    const MemoryAccess &write = updated.kernel.writes[0];
    const IndexingMap threads = threadsOfAccess(updated.kernel, write);
    updated.visitBlocks([&](const Numbers &block) {
      visitBlock(
          threads, block,
          [&](const IndexingMap::Point &, llvm::ArrayRef<int64_t> index) {
            IndexingMap::Point at;
            at.dimensions.assign(index.begin(), index.end());
            const IndexingMap &to = write.map.pieces()[0];
            for (const Variable &range : to.ranges())
              at.ranges.push_back(range.bounds.lower);
            ASSERT_TRUE(to.contains(at));
            updated.write(write, *to.evaluate(at), 0);
          });
    });
    ASSERT_EQ(static_cast<int64_t>(updated.written.size()),
              rows * sizes[1] * sizes[2]);
    EXPECT_EQ(updated.written.begin()->first, start * sizes[1] * sizes[2]);
    EXPECT_EQ(updated.written.rbegin()->first,
              (start + rows) * sizes[1] * sizes[2] - 1);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace indexical::testing
