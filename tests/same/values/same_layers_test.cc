// Deep modules, compared from one array to the next: pairs, and random chains
// of layers that are rewritten, against an interpreter that shares no code with
// the library.
//
//   y = dot(x, w) + x    y = x + transpose(dot(transpose(w), transpose(x)))
//     20 such layers, of which any are written so: equal
//     with one product, sign or transpose changed: never equal
#include "indexical/same/values/same_layers.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/values/sameness.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

constexpr int64_t kSize = 3;
using Numbers = std::vector<uint32_t>;

/// y = x' w + x'', and what is done with it. Other `forms` compute the same.
struct Layer {
  bool isTurned = false;     ///< x' is the transpose of x
  bool keepsTurned = false;  ///< x'' is
  bool isSecond = false;     ///< w is the second of two weights
  int64_t factor = 1;        ///< of the product: 1, 2 or 3
  bool isRectified = false;  ///< the product is at least 0
  bool subtracts = false;    ///< y = x'' - the product
  unsigned forms = 0;        ///< bits: how each of it is written
};

Numbers turned(const Numbers &of) {
  Numbers made;
  for (int64_t i = 0; i < kSize; ++i)
    for (int64_t j = 0; j < kSize; ++j) made.push_back(of[j * kSize + i]);
  return made;
}

Numbers run(const std::vector<Layer> &layers, Numbers x, const Numbers &w,
            const Numbers &v) {
  for (const Layer &layer : layers) {
    const Numbers in = layer.isTurned ? turned(x) : x;
    const Numbers kept = layer.keepsTurned ? turned(x) : x;
    const Numbers &by = layer.isSecond ? v : w;
    Numbers out;
    for (int64_t i = 0; i < kSize; ++i)
      for (int64_t j = 0; j < kSize; ++j) {
        uint32_t sum = 0;
        for (int64_t k = 0; k < kSize; ++k)
          sum += in[i * kSize + k] * by[k * kSize + j];
        sum *= static_cast<uint32_t>(layer.factor);
        if (layer.isRectified) sum = std::max(static_cast<int32_t>(sum), 0);
        const uint32_t old = kept[i * kSize + j];
        out.push_back(layer.subtracts ? old - sum : old + sum);
      }
    x = std::move(out);
  }
  return x;
}

std::string textOf(const std::vector<Layer> &layers) {
  const std::string type = " = s32[3,3] ";
  std::string text =
      "HloModule m\n\nENTRY e {\n  x = s32[3,3] parameter(0)\n"
      "  w = s32[3,3] parameter(1)\n  v = s32[3,3] parameter(2)\n"
      "  zero = s32[] constant(0)\n"
      "  zeros = s32[3,3] broadcast(zero), dimensions={}\n";
  std::string x = "x";
  for (size_t l = 0; l < layers.size(); ++l) {
    const Layer &layer = layers[l];
    const std::string n = std::to_string(l);
    const auto is = [&](int bit) { return (layer.forms >> bit & 1) != 0; };
    const auto op = [&](const std::string &name, const std::string &what) {
      text += "  " + name + n + type + what + "\n";
      return name + n;
    };
    const std::string by = layer.isSecond ? "v" : "w";
    const std::string flat =
        "), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    const std::string across =
        "), lhs_contracting_dims={0}, rhs_contracting_dims={0}";
    std::string d;
    if (is(0)) {
      // The transpose of the product of the transposes.
      const std::string t = op("t", "transpose(" + by + "), dimensions={1,0}");
      const std::string u =
          layer.isTurned ? x
                         : op("u", "transpose(" + x + "), dimensions={1,0}");
      d = op("d", "transpose(" + op("p", "dot(" + t + ", " + u + flat) +
                      "), dimensions={1,0}");
    } else if (layer.isTurned && is(1)) {
      d = op("d", "dot(" + x + ", " + by + across);
    } else {
      const std::string in =
          layer.isTurned ? op("u", "transpose(" + x + "), dimensions={1,0}")
                         : x;
      d = op("d", "dot(" + in + ", " + by + flat);
    }
    if (layer.factor > 1 && is(2)) {
      std::string sum = d;
      for (int64_t k = 1; k < layer.factor; ++k)
        sum = op("a" + std::to_string(k) + "_", "add(" + sum + ", " + d + ")");
      d = sum;
    } else if (layer.factor > 1) {
      text += "  c" + n + " = s32[] constant(" + std::to_string(layer.factor) +
              ")\n";
      const std::string c = op("b", "broadcast(c" + n + "), dimensions={}");
      d = op("m", "multiply(" + d + ", " + c + ")");
    }
    if (layer.isRectified && is(3)) {
      text +=
          "  g" + n + " = pred[3,3] compare(" + d + ", zeros), direction=GT\n";
      d = op("r", "select(g" + n + ", " + d + ", zeros)");
    } else if (layer.isRectified) {
      d = op("r", "maximum(zeros, " + d + ")");
    }
    std::string kept = x;
    if (layer.keepsTurned)
      kept = op("k", "transpose(" + x + "), dimensions={1,0}");
    if (layer.subtracts && is(4))
      x = op("y", "add(" + op("n", "negate(" + d + ")") + ", " + kept + ")");
    else if (layer.subtracts)
      x = op("y", "subtract(" + kept + ", " + d + ")");
    else
      x = op("y", is(4) ? "add(" + d + ", " + kept + ")"
                        : "add(" + kept + ", " + d + ")");
  }
  return text + "  ROOT out = s32[3,3] copy(" + x + ")\n}\n";
}

absl::StatusOr<Sameness> compared(const std::string &first,
                                  const std::string &second) {
  const auto one = parseHlo(first), other = parseHlo(second);
  for (const auto *each : {&one, &other})
    if (!each->ok()) return each->status();
  SamenessOptions options;
  options.values = ValueOptions();
  options.operations = 2'000'000;
  return compare(one->modules[0], other->modules[0], options);
}

std::vector<Layer> randomLayers(Random &random, int64_t count) {
  std::vector<Layer> layers(count);
  for (Layer &layer : layers) {
    layer.isTurned = random.oneIn(2);
    layer.keepsTurned = random.oneIn(2);
    layer.isSecond = random.oneIn(3);
    layer.factor = random.in(1, 3);
    layer.isRectified = random.oneIn(3);
    layer.subtracts = random.oneIn(3);
    layer.forms = random.in(0, 31);
  }
  return layers;
}

void mutate(Layer &layer, Random &random) {
  switch (random.in(0, 5)) {
    case 0:
      layer.isTurned = !layer.isTurned;
      break;
    case 1:
      layer.keepsTurned = !layer.keepsTurned;
      break;
    case 2:
      layer.isSecond = !layer.isSecond;
      break;
    case 3:
      layer.factor = layer.factor % 3 + 1;
      break;
    case 4:
      layer.isRectified = !layer.isRectified;
      break;
    default:
      layer.subtracts = !layer.subtracts;
  }
}

TEST(SameLayers, ALayerThatIsWrittenInAnotherWay) {
  Random random(1);
  std::vector<Layer> layers = randomLayers(random, 60);
  std::vector<Layer> other = layers;
  other[20].forms ^= 31;
  other[41].forms ^= 31;
  const auto same = compared(textOf(layers), textOf(other));
  ASSERT_TRUE(same.ok()) << same.status();
  EXPECT_EQ(same->verdict.answer, Verdict::Same);
}

TEST(SameLayers, TheLayerThatDiffersIsNamed) {
  Random random(2);
  std::vector<Layer> layers = randomLayers(random, 60);
  std::vector<Layer> other = layers;
  other[20].forms ^= 31;
  layers[41].isRectified = other[41].isRectified = false;
  other[41].subtracts = !layers[41].subtracts;
  const auto one = parseHlo(textOf(layers)), two = parseHlo(textOf(other));
  ASSERT_TRUE(one.ok() && two.ok());
  const auto made =
      compareByLayers(one->modules[0], two->modules[0], ValueOptions(), {});
  ASSERT_TRUE(made && made->partings[1]);
  EXPECT_FALSE(made->equality.isEqual);
  const Module &module = two->modules[0];
  EXPECT_EQ(module.computations[module.entry]
                .instructions[*made->partings[1]]
                .name.drop_front()
                .str(),
            "41");
}

TEST(SameLayers, RewritesAreEqualAndMistakesAreNot) {
  const int64_t seed = fromEnvironment("INDEXICAL_SEED", 20261130);
  const int64_t count = fromEnvironment("INDEXICAL_LAYERS", 12);
  std::cout << "seed " << seed << std::endl;
  int64_t right = 0, decided = 0, mistakes = 0;
  for (int64_t k = 0; k < count; ++k) {
    Random random(seed + k);
    const std::vector<Layer> layers = randomLayers(random, random.in(2, 24));
    std::vector<Layer> other = layers;
    for (Layer &layer : other)
      if (random.oneIn(4)) layer.forms = random.in(0, 31);
    if (random.oneIn(2)) mutate(other[random.in(0, other.size() - 1)], random);
    bool isSame = true;
    for (int tries = 0; tries < 16 && isSame; ++tries) {
      Numbers arrays[3];
      for (Numbers &array : arrays)
        for (int64_t at = 0; at < kSize * kSize; ++at)
          array.push_back(static_cast<uint32_t>(random.in(-3, 3)));
      isSame = run(layers, arrays[0], arrays[1], arrays[2]) ==
               run(other, arrays[0], arrays[1], arrays[2]);
    }
    const std::string texts[] = {textOf(layers), textOf(other)};
    const auto same = compared(texts[0], texts[1]);
    ASSERT_TRUE(same.ok()) << same.status();
    const bool isEqual = same->verdict.isSame();
    ASSERT_TRUE(isSame ? same->verdict.answer != Verdict::Different : !isEqual)
        << "seed " << seed + k << "\n"
        << texts[0] << texts[1];
    (isSame ? right : mistakes) += 1;
    decided += isSame && isEqual;
    if (isSame && !isEqual && fromEnvironment("INDEXICAL_SHOW", 0))
      std::cout << "undecided, seed " << seed + k << "\n"
                << texts[0] << texts[1];
  }
  std::cout << decided << " of " << right << " rewrites are equal; " << mistakes
            << " mistakes\n";
  EXPECT_GE(decided * 100, right * 90);
  EXPECT_GE(mistakes * 10, count);
}

}  // namespace
}  // namespace indexical::testing
