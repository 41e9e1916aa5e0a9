// Views, against the elements themselves: an array whose elements are their
// places in memory goes through random slices, reshapes, transposes and copies.
//
// INDEXICAL_SEED: the first instance; INDEXICAL_KERNELS: how many.
#include "indexical/answers/report/avoidable.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/view.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Numbers = std::vector<int64_t>;

int64_t product(const Numbers &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1},
                         std::multiplies<>());
}

/// Calls `visit` with every index, the last dimension fastest.
template <typename Visit>
void eachIndex(const Numbers &sizes, Visit visit) {
  Numbers index(sizes.size());
  for (int64_t left = product(sizes); left > 0; --left) {
    visit(index);
    for (size_t k = sizes.size(); k-- > 0;) {
      if (++index[k] < sizes[k]) break;
      index[k] = 0;
    }
  }
}

int64_t linear(const Numbers &sizes, const Numbers &index) {
  int64_t at = 0;
  for (size_t k = 0; k < sizes.size(); ++k) at = at * sizes[k] + index[k];
  return at;
}

/// The place in memory, by a layout from minor to major.
int64_t placeOf(const Numbers &sizes, const Numbers &layout,
                const Numbers &index) {
  int64_t at = 0, stride = 1;
  for (const int64_t dimension : layout) {
    at += index[dimension] * stride;
    stride *= sizes[dimension];
  }
  return at;
}

/// An array: its sizes, and its elements in the order of their indices.
struct Values {
  Numbers sizes;
  Numbers elements;
};

std::string list(const Numbers &numbers) {
  std::string text;
  for (const int64_t number : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::string shape(const Numbers &sizes, const Numbers &layout) {
  return "f32[" + list(sizes) + "]{" + list(layout) + "}";
}
std::string shape(const Numbers &sizes) {
  Numbers layout(sizes.size());
  std::iota(layout.rbegin(), layout.rend(), 0);
  return shape(sizes, layout);
}

/// Writes one op on `of`, which it changes.
std::string op(Random &random, Values &of, const std::string &name) {
  const Values from = of;
  const size_t rank = from.sizes.size();
  Values to;
  auto fill = [&](auto sourceOf) {
    eachIndex(to.sizes, [&](const Numbers &index) {
      to.elements.push_back(from.elements[linear(from.sizes, sourceOf(index))]);
    });
  };
  std::string words;
  switch (random.in(0, 3)) {
    case 0: {
      Numbers starts, strides;
      for (const int64_t size : from.sizes) {
        const bool isWhole = random.in(0, 1) == 0;
        const int64_t start = isWhole ? 0 : random.in(0, size - 1);
        const int64_t end = isWhole ? size : random.in(start + 1, size);
        const int64_t stride = random.oneIn(5) ? 2 : 1;
        words += (words.empty() ? "" : ", ") + ("[" + std::to_string(start)) +
                 ":" + std::to_string(end) + ":" + std::to_string(stride) + "]";
        starts.push_back(start);
        strides.push_back(stride);
        to.sizes.push_back((end - start + stride - 1) / stride);
      }
      fill([&](Numbers index) {
        for (size_t k = 0; k < rank; ++k)
          index[k] = starts[k] + index[k] * strides[k];
        return index;
      });
      words = "slice(" + name + "), slice={" + words + "}";
      break;
    }
    case 1: {
      const auto order = random.permutation(int64_t(rank));
      for (const int64_t dimension : order)
        to.sizes.push_back(from.sizes[dimension]);
      fill([&](const Numbers &index) {
        Numbers source(rank);
        for (size_t k = 0; k < rank; ++k) source[order[k]] = index[k];
        return source;
      });
      words = "transpose(" + name + "), dimensions={" +
              list({order.begin(), order.end()}) + "}";
      break;
    }
    case 2: {
      const int64_t count = product(from.sizes);
      int64_t first = random.in(1, 4);
      while (count % first != 0) --first;
      to = {{first, count / first}, from.elements};
      words = "reshape(" + name + ")";
      break;
    }
    default: {
      const int64_t dimension = random.in(0, int64_t(rank) - 1);
      to.sizes = from.sizes;
      fill([&](Numbers index) {
        index[dimension] = from.sizes[dimension] - 1 - index[dimension];
        return index;
      });
      words = "reverse(" + name + "), dimensions={" + list({dimension}) + "}";
    }
  }
  of = std::move(to);
  return words;
}

/// A kernel, and whether its result is a part of its operand in the same order.
struct Instance {
  std::string text;
  bool isView = true;
};

Instance instance(Random &random) {
  Values of;
  for (int64_t rank = random.in(1, 3); rank > 0; --rank)
    of.sizes.push_back(random.in(1, 4));
  const Numbers sizes = of.sizes;
  auto layoutOf = [&](size_t rank) {
    const auto order = random.permutation(int64_t(rank));
    return random.in(0, 1) ? Numbers(order.begin(), order.end()) : Numbers();
  };
  auto rowMajor = [](size_t rank) {
    Numbers layout(rank);
    std::iota(layout.rbegin(), layout.rend(), 0);
    return layout;
  };
  Numbers layout = layoutOf(sizes.size());
  if (layout.empty()) layout = rowMajor(sizes.size());
  eachIndex(sizes, [&](const Numbers &index) {
    of.elements.push_back(placeOf(sizes, layout, index));
  });
  std::string body = "f {\n  v0 = " + shape(sizes, layout) + " parameter(0)\n";
  const int64_t ops = random.in(1, 3);
  for (int64_t k = 0; k < ops; ++k) {
    const std::string words = op(random, of, "v" + std::to_string(k));
    body += "  v" + std::to_string(k + 1) + " = " + shape(of.sizes) + " " +
            words + "\n";
  }
  Numbers written = layoutOf(of.sizes.size());
  if (written.empty()) written = rowMajor(of.sizes.size());
  Instance made;
  made.text = "HloModule m, is_scheduled=true\n" + body +
              "  ROOT c = " + shape(of.sizes, written) + " copy(v" +
              std::to_string(ops) +
              ")\n}\nENTRY e {\n  x = " + shape(sizes, layout) +
              " parameter(0)\n  ROOT r = " + shape(of.sizes, written) +
              " fusion(x), kind=kLoop, calls=f\n}\n";
  Numbers inOrder(of.elements.size());
  size_t at = 0;
  eachIndex(of.sizes, [&](const Numbers &index) {
    inOrder[placeOf(of.sizes, written, index)] = of.elements[at++];
  });
  for (size_t k = 0; k < inOrder.size(); ++k)
    made.isView &= inOrder[k] == inOrder[0] + int64_t(k);
  return made;
}

bool isViewIn(const std::string &text) {
  const auto program = parseHlo(text, "test.hlo");
  EXPECT_TRUE(program.ok()) << program.status().message() << text;
  if (!program.ok()) return false;
  const Module &module = program->modules[0];
  ProgramIndexing maps(module);
  LaunchChoice choice;
  choice.xla = findDevice("h100");
  const auto kernel = kernelAt(maps, kernelSites(module).back(), choice);
  EXPECT_TRUE(kernel.ok()) << kernel.status().message();
  return kernel.ok() &&
         isView(*kernel,
                movedElements(module, module.computations[kernel->computation]
                                          .instructions[kernel->instruction]));
}

TEST(Avoidable, AViewIsAPartInTheSameOrder) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_KERNELS", 600);
  size_t views = 0, missed = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const Instance of = instance(random);
    const bool found = isViewIn(of.text);
    EXPECT_TRUE(of.isView || !found) << "INDEXICAL_SEED=" << seed << '\n'
                                     << of.text;
    views += of.isView;
    missed += of.isView && !found;
  }
  // What is not known to be a view is only not said.
  EXPECT_GT(views, count / 10);
  EXPECT_LE(missed, views / 10) << views;
}

TEST(Avoidable, ASliceOfWholeRowsIsAView) {
  EXPECT_TRUE(
      isViewIn("HloModule m, is_scheduled=true\n"
               "ENTRY e { p = f32[2,64,128]{2,1,0} parameter(0)\n"
               "  ROOT r = f32[1,64,128]{2,1,0} slice(p), "
               "slice={[1:2], [0:64], [0:128]} }\n"));
  EXPECT_FALSE(
      isViewIn("HloModule m, is_scheduled=true\n"
               "ENTRY e { p = f32[2,64,128]{2,1,0} parameter(0)\n"
               "  ROOT r = f32[2,64,64]{2,1,0} slice(p), "
               "slice={[0:2], [0:64], [0:64]} }\n"));
}

TEST(Avoidable, NoMoreThanTheTimeAndNoLessThanNothing) {
  Random random(fromEnvironment("INDEXICAL_SEED", 1));
  for (int k = 0; k < 5000; ++k) {
    Avoidable of;
    of.whole = AvoidBy(random.in(0, int64_t(AvoidBy::Readers)));
    of.attainable = double(random.in(0, 200)) / 10;
    of.throughMemory = double(random.in(0, 200)) / 10;
    of.predicted = double(random.in(0, 200)) / 10;
    of.own = AvoidBy::Sectors;
    const double total = double(random.in(0, 400)) / 10;
    const AvoidedTime time = avoidedOf(of, total, double(random.in(1, 5)));
    EXPECT_GE(time.microseconds, 0);
    EXPECT_LE(time.microseconds, total);
    EXPECT_EQ(time.by == AvoidBy::Nothing, time.microseconds == 0);
    EXPECT_EQ(time.by == AvoidBy::Nothing, adviceOf(of, time).empty());
  }
}

}  // namespace
}  // namespace indexical::testing
