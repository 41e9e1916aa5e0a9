// Scatters, whose threads go where indices say, and programs that take a tile
// at once: run as their launches say, as in launched_kernels_test.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "tests/cost/launch/launched_kernel.h"
#include "tests/cost/memory/simulator.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

//===-- Scatters ----------------------------------------------------------===//

struct Scattered {
  Numbers input, slice;  ///< sizes of the operand, of one update
  int64_t rows = 1, places = 1;
  bool sorted = false;
  Numbers inputLayout, indexLayout, updateLayout;  ///< minor to major
  std::vector<Numbers> starts;                     ///< what the indices hold
};

/// Returns dimensions from the most minor one: row major, or in any order.
Numbers randomLayout(Random &random, int64_t rank) {
  Numbers layout;
  for (int64_t k = rank; k-- > 0;) layout.push_back(k);
  if (random.oneIn(3)) return layout;
  for (int64_t k = rank; k-- > 1;)
    std::swap(layout[k], layout[random.in(0, k)]);
  return layout;
}

Scattered randomScatter(Random &random) {
  Scattered of;
  const int64_t rank = random.in(1, 3);
  int64_t slice = 1;
  for (int64_t k = 0; k < rank; ++k) {
    of.input.push_back(random.in(1, k + 1 == rank ? 40 : 6));
    of.slice.push_back(random.in(1, of.input.back()));
    slice *= of.slice.back();
  }
  of.places = random.in(1, rank);
  // Many rows of sorted indices go by indices.
  of.sorted = random.oneIn(2);
  of.rows = of.sorted ? random.in(300, 4000) : random.in(1, 700);
  while (of.rows * slice > 60000) of.rows = of.rows / 2 + 1;
  for (int64_t row = 0; row < of.rows; ++row) {
    Numbers start;
    for (int64_t k = 0; k < of.places; ++k)
      start.push_back(random.in(0, of.input[k] - of.slice[k]));
    of.starts.push_back(start);
  }
  if (of.sorted) std::sort(of.starts.begin(), of.starts.end());
  of.inputLayout = randomLayout(random, rank);
  of.indexLayout = randomLayout(random, 2);
  of.updateLayout = randomLayout(random, rank + 1);
  return of;
}

std::string textOf(const Scattered &of, const std::string &type,
                   const std::string &index) {
  Numbers updates = {of.rows}, window;
  std::string dimensions;
  for (size_t k = 0; k < of.slice.size(); ++k) {
    updates.push_back(of.slice[k]);
    window.push_back(k + 1);
  }
  Numbers places;
  for (int64_t k = 0; k < of.places; ++k) places.push_back(k);
  auto shape = [](const std::string &element, const Numbers &sizes,
                  const Numbers &layout) {
    return element + "[" + listOf(sizes) + "]{" + listOf(layout) + "}";
  };
  const std::string input = shape(type, of.input, of.inputLayout);
  return "add { x = " + type + "[] parameter(0)\n y = " + type +
         "[] parameter(1)\n ROOT z = " + type +
         "[] add(x, y) }\nENTRY e {\n p = " + input + " parameter(0)\n i = " +
         shape(index, {of.rows, of.places}, of.indexLayout) +
         " parameter(1)\n u = " + shape(type, updates, of.updateLayout) +
         " parameter(2)\n ROOT r = " + input +
         " scatter(p, i, u), update_window_dims={" + listOf(window) +
         "}, inserted_window_dims={}, scatter_dims_to_operand_dims={" +
         listOf(places) + "}, index_vector_dim=1, indices_are_sorted=" +
         (of.sorted ? "true" : "false") + ", to_apply=add\n}\n";
}

/// Returns the sums that the updates add to the operand: update number n adds
/// n + 1.
std::map<int64_t, int64_t> resultOf(const Scattered &of) {
  std::map<int64_t, int64_t> sums;
  int64_t update = 0;
  for (const Numbers &start : of.starts) {
    int64_t slice = 1;
    for (int64_t size : of.slice) slice *= size;
    for (int64_t n = 0; n < slice; ++n) {
      int64_t rest = n, number = 0, step = 1;
      for (size_t k = of.slice.size(); k-- > 0;) {
        const int64_t at =
            rest % of.slice[k] + (k < start.size() ? start[k] : 0);
        rest /= of.slice[k];
        number += at * step;
        step *= of.input[k];
      }
      sums[number] += ++update;
    }
  }
  return sums;
}

/// Returns the sums if every thread adds its updates at the places that the
/// indices give. A thread reads these indices itself, or its warp has them.
std::map<int64_t, int64_t> runScatter(const Launched &run,
                                      const Scattered &of) {
  const Kernel &kernel = run.kernel;
  const MemoryAccess *indices = nullptr, *updates = nullptr;
  for (const MemoryAccess &read : kernel.reads)
    (read.buffer == 1 ? indices : updates) = &read;
  std::map<int64_t, int64_t> sums;
  if (!indices || !updates) {
    ADD_FAILURE() << "a scatter reads indices and updates";
    return sums;
  }
  const IndexingMap reading = threadsOfAccess(kernel, *updates);
  const IndexingMap looking = threadsOfAccess(kernel, *indices);
  run.visitBlocks([&](const Numbers &block) {
    std::set<std::pair<int64_t, Numbers>> known;  ///< of a thread: index
    visitBlock(
        looking, block,
        [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t> index) {
          known.insert(
              {point.dimensions[0], Numbers(index.begin(), index.end())});
        });
    visitBlock(
        reading, block,
        [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t> index) {
          int64_t number = 0;
          for (size_t k = 0; k < of.input.size(); ++k) {
            int64_t at = index[k + 1];
            if (static_cast<int64_t>(k) < of.places) {
              const Numbers place = {index[0], static_cast<int64_t>(k)};
              EXPECT_TRUE(known.count({point.dimensions[0], place}));
              at += of.starts[index[0]][k];
            }
            number = number * of.input[k] + at;
          }
          sums[number] += 1 + numberOf(run.bufferOf(*updates), index);
        });
  });
  return sums;
}

/// Checks that the rows of a warp that takes rows by their indices lie side by
/// side.
void checkRowsOfWarps(const Launched &run, const MemoryAccess &updates) {
  const IndexingMap reading = threadsOfAccess(run.kernel, updates);
  std::map<int64_t, std::set<int64_t>> rows;
  run.visitBlocks([&](const Numbers &block) {
    visitBlock(
        reading, block,
        [&](const IndexingMap::Point &point, llvm::ArrayRef<int64_t> index) {
          rows[block[0] * 4 + point.dimensions[0] / run.device.warp].insert(
              index[0]);
        });
  });
  int64_t next = 0;
  for (const auto &[warp, some] : rows)
    for (int64_t row : some) EXPECT_EQ(row, next++);
}

TEST(LaunchedPrograms, ScattersAddEveryUpdateOnce) {
  std::map<Emitter, uint64_t> counts;
  const uint64_t wanted = kernelsOfEach();
  for (uint64_t seed = firstSeed(); counts[Emitter::Scatter] < wanted ||
                                    counts[Emitter::ScatterByIndices] < wanted;
       ++seed) {
    Random random(seed);
    const Scattered of = randomScatter(random);
    const char *types[] = {"f32", "s8", "f64"}, *indices[] = {"s32", "s64"};
    const std::string text =
        textOf(of, types[random.in(0, 2)], indices[random.in(0, 1)]);
    SCOPED_TRACE("seed " + std::to_string(seed) + '\n' + text);
    Launched run(text, *findDevice(kDevices[random.in(0, 2)]));
    ASSERT_TRUE(run.ok) << run.kernel.reason;
    if (counts[*run.kernel.emitter]++ >= wanted) continue;
    EXPECT_EQ(runScatter(run, of), resultOf(of));
    if (run.kernel.emitter == Emitter::ScatterByIndices)
      checkRowsOfWarps(run, run.kernel.reads.back());
    run.checkFigures(Launched::Of::Reads);
    if (HasFailure()) return;
  }
}

//===-- Programs that take a tile -----------------------------------------===//

using Elements = std::set<Numbers>;

/// Returns the elements that the map of a tile has for one block.
Elements tileOf(const IndexingMap &map, int64_t block) {
  Elements elements;
  IndexingMap::Point point;
  point.dimensions = {block};
  for (const Variable &range : map.ranges())
    point.ranges.push_back(range.bounds.lower);
  for (;;) {
    if (map.contains(point)) {
      const auto index = map.evaluate(point);
      elements.insert(Numbers(index->begin(), index->end()));
    }
    size_t k = point.ranges.size();
    while (k > 0 && point.ranges[k - 1] == map.ranges()[k - 1].bounds.upper) {
      --k;
      point.ranges[k] = map.ranges()[k].bounds.lower;
    }
    if (k == 0) return elements;
    ++point.ranges[k - 1];
  }
}

struct Tiled {
  std::string text;
  Numbers sizes;  ///< of p; operand 1 has the first
  /// Returns the elements of an operand that a result element needs.
  std::function<Elements(int64_t operand, const Numbers &element)> needs;
};

Tiled randomTiled(Random &random) {
  Tiled of;
  const int64_t rows = random.in(1, 40), columns = random.in(1, 40);
  of.sizes = {rows, columns};
  const char *types[] = {"f32", "bf16", "s8"};
  const std::string type = types[random.in(0, 2)];
  auto shape = [&](const Numbers &sizes) {
    return type + "[" + listOf(sizes) + "]";
  };
  const std::string p = shape(of.sizes);
  std::string body = " p = " + p + " parameter(0)\n", result = p;
  std::string operands = "p", more;
  Numbers tile = {random.in(1, 16), random.in(1, 16)};
  const auto itself = [](int64_t, const Numbers &element) {
    return Elements{element};
  };
  switch (random.in(0, 3)) {
    case 0:
      body += " ROOT r = " + p + " negate(p)\n";
      of.needs = itself;
      break;
    case 1:
      result = shape({columns, rows});
      body += " n = " + p + " negate(p)\n ROOT r = " + result +
              " transpose(n), dimensions={1,0}\n";
      of.needs = [](int64_t, const Numbers &element) {
        return Elements{{element[1], element[0]}};
      };
      break;
    case 2:
      result = shape({rows});
      tile.pop_back();
      body += " z = " + type + "[] constant(0)\n ROOT r = " + result +
              " reduce(p, z), dimensions={1}, to_apply=add\n";
      of.needs = [columns](int64_t, const Numbers &element) {
        Elements row;
        for (int64_t c = 0; c < columns; ++c) row.insert({element[0], c});
        return row;
      };
      break;
    default:
      more = " q = " + shape({rows}) + " parameter(1)\n";
      operands = "p, q";
      body += more + " b = " + p +
              " broadcast(q), dimensions={0}\n ROOT r = " + p + " add(p, b)\n";
      of.needs = [](int64_t operand, const Numbers &element) {
        return operand == 0 ? Elements{element} : Elements{{element[0]}};
      };
  }
  std::string tiles;
  for (int64_t size : tile)
    tiles += (tiles.empty() ? "\"" : ",\"") + std::to_string(size) + "\"";
  of.text = "add { x = " + type + "[] parameter(0)\n y = " + type +
            "[] parameter(1)\n ROOT z = " + type + "[] add(x, y) }\nf {\n" +
            body + "}\nENTRY e {\n p = " + p + " parameter(0)\n" + more +
            " ROOT r = " + result + " fusion(" + operands +
            "), kind=kCustom, calls=f, backend_config={"
            "\"fusion_backend_config\":{\"kind\":\"__triton\","
            "\"block_level_fusion_config\":{\"output_tiles\":[{\"sizes\":[" +
            tiles + "]}],\"num_warps\":\"" +
            std::to_string(int64_t{1} << random.in(0, 3)) + "\"}}}\n}\n";
  return of;
}

/// The threads of a block have between them what its tile has.
void checkThreads(const Launched &run, const MemoryAccess &access) {
  const IndexingMap threads = threadsOfAccess(run.kernel, access);
  const IndexingMap &tile = *run.kernel.userOf(access).tile;
  run.visitBlocks([&](const Numbers &block) {
    Elements touched;
    visitBlock(threads, block,
               [&](const IndexingMap::Point &, llvm::ArrayRef<int64_t> index) {
                 touched.insert(Numbers(index.begin(), index.end()));
               });
    EXPECT_EQ(touched, tileOf(tile, block[0]));
  });
}

TEST(LaunchedPrograms, TilesReadWhatTheyWrite) {
  for (uint64_t seed = firstSeed(); seed < firstSeed() + 4 * kernelsOfEach();
       ++seed) {
    Random random(seed);
    const Tiled of = randomTiled(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + '\n' + of.text);
    Launched run(of.text, *findDevice(kDevices[random.in(0, 2)]));
    ASSERT_TRUE(run.ok) << run.kernel.reason;
    ASSERT_EQ(run.kernel.emitter, Emitter::Triton);
    const Kernel &kernel = run.kernel;
    ASSERT_EQ(kernel.writes.size(), 1u);
    const IndexingMap &writing = *kernel.userOf(kernel.writes[0]).tile;
    run.visitBlocks([&](const Numbers &block) {
      const Elements written = tileOf(writing, block[0]);
      for (const Numbers &element : written)
        run.write(kernel.writes[0], element, 0);
      std::map<int64_t, Elements> read, needed;
      for (const MemoryAccess &access : kernel.reads)
        for (const Numbers &element :
             tileOf(*kernel.userOf(access).tile, block[0]))
          read[kernel.leafOf(access)].insert(element);
      for (const auto &[operand, elements] : read)
        for (const Numbers &element : written)
          for (const Numbers &need : of.needs(operand, element))
            needed[operand].insert(need);
      EXPECT_EQ(read, needed);
    });
    const auto whole = run.bufferOf(kernel.writes[0]).elementCount();
    EXPECT_EQ(static_cast<int64_t>(run.written.size()), *whole);
    for (const auto *accesses : {&kernel.reads, &kernel.writes})
      for (const MemoryAccess &access : *accesses) checkThreads(run, access);
    run.checkFigures();
    if (HasFailure()) return;
  }
}

/// The vector of the read of p, f32[32,columns], by tiles of 8 rows.
int64_t vectorOf(int64_t columns, const std::string &body,
                 const std::string &result) {
  const std::string p = "f32[32," + std::to_string(columns) + "]";
  const Launched run(
      "f {\n p = " + p + " parameter(0)\n ROOT r = " + result + " " + body +
          "\n}\nENTRY e {\n p = " + p + " parameter(0)\n ROOT r = " + result +
          " fusion(p), kind=kCustom, calls=f, backend_config={"
          "\"fusion_backend_config\":{\"kind\":\"__triton\","
          "\"block_level_fusion_config\":{\"output_tiles\":[{\"sizes\":"
          "[\"8\",\"64\"]}],\"num_warps\":\"2\"}}}\n}\n",
      *findDevice("h100"));
  EXPECT_TRUE(run.ok) << run.kernel.reason;
  const KernelTraffic traffic =
      TrafficMeter(*findDevice("h100")).measure(run.kernel);
  EXPECT_TRUE(traffic.reads[0].figures.has_value());
  return traffic.reads[0].figures->vector;
}

// Triton's lanes take so many elements at once as are aligned in every row.
TEST(LaunchedPrograms, VectorsAreAlignedInEveryRow) {
  auto negated = [](int64_t columns) {
    const std::string shape = "f32[32," + std::to_string(columns) + "]";
    return vectorOf(columns, "negate(p)", shape);
  };
  EXPECT_EQ(negated(296), 4);
  EXPECT_EQ(negated(298), 2);
  EXPECT_EQ(negated(299), 1);
  auto sliced = [](const std::string &from) {
    return vectorOf(300, "slice(p), slice={[0:32], [" + from + ":256]}",
                    "f32[32," + std::to_string(256 - std::stoi(from)) + "]");
  };
  EXPECT_EQ(sliced("4"), 4);
  EXPECT_EQ(sliced("6"), 2);
  EXPECT_EQ(sliced("5"), 1);
}

}  // namespace
}  // namespace indexical::testing
