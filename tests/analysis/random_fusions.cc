#include "tests/analysis/random_fusions.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace indexical::testing {
namespace {

using Sizes = std::vector<int64_t>;

struct Array {
  std::string name;
  Sizes sizes;
};

std::string join(const Sizes &values, const char *between = ",") {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? between : "") + std::to_string(values[i]);
  return text;
}

int64_t countOf(const Sizes &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1},
                         std::multiplies<>());
}

std::string shape(const Sizes &sizes) { return "f32[" + join(sizes) + "]"; }

std::string dimensions(const Sizes &list) {
  return ", dimensions={" + join(list) + "}";
}

class Writer {
 public:
  Writer(Random &random, const FusionOptions &options)
      : random(random), options(options) {}

  std::string write(bool called) {
    parameter(randomSizes());
    for (int64_t n = random.in(options.leastOps, options.mostOps); n > 0; --n)
      op();
    const Array &last = arrays.back();
    std::string all =
        "HloModule m\n\nsum {\n  a = f32[] parameter(0)\n  b = f32[] "
        "parameter(1)\n  ROOT r = f32[] add(a, b)\n}\n\n" +
        std::string(called ? "" : "ENTRY ") + "f {\n" + text +
        "  ROOT root = " + shape(last.sizes) + " negate(" + last.name +
        ")\n}\n";
    if (!called) return all;
    all += "\nENTRY main {\n";
    std::string operands;
    for (size_t i = 0; i < types.size(); ++i) {
      const std::string number = std::to_string(i);
      all += "  a" + number + " = " + types[i] + " parameter(" + number + ")\n";
      operands += (i ? ", a" : "a") + number;
    }
    return all + "  ROOT fusion = " + shape(last.sizes) + " fusion(" +
           operands + "), kind=kLoop, calls=f\n}\n";
  }

 private:
  Sizes randomSizes() {
    static const int64_t kSizes[] = {1, 2, 3, 4, 4, 5,  6,
                                     6, 7, 8, 8, 9, 12, 12};
    Sizes sizes;
    for (int64_t rank = random.in(1, 3); rank > 0; --rank)
      sizes.push_back(kSizes[random.in(0, std::size(kSizes) - 1)]);
    while (countOf(sizes) > options.mostElements)
      *std::max_element(sizes.begin(), sizes.end()) /= 2;
    return sizes;
  }

  Sizes factored(int64_t count) {
    Sizes sizes(random.in(1, 3), 1);
    for (int64_t p = 2; count > 1;) {
      if (count % p) {
        ++p;
        continue;
      }
      count /= p;
      sizes[random.in(0, sizes.size() - 1)] *= p;
    }
    return sizes;
  }

  void parameter(Sizes sizes, const char *type = "f32") {
    const std::string name = "p" + std::to_string(parameters++);
    types.push_back(type + ("[" + join(sizes) + "]"));
    text += "  " + name + " = " + types.back() + " parameter(" +
            std::to_string(parameters - 1) + ")\n";
    arrays.push_back({name, std::move(sizes)});
  }

  std::string integer() {
    const std::string name = "p" + std::to_string(parameters++);
    types.push_back("s32[]");
    text += "  " + name + " = s32[] parameter(" +
            std::to_string(parameters - 1) + ")\n";
    return name;
  }

  void emit(Sizes sizes, const std::string &rest) {
    const std::string name = "v" + std::to_string(arrays.size());
    text += "  " + name + " = " + shape(sizes) + " " + rest + "\n";
    arrays.push_back({name, std::move(sizes)});
  }

  std::string scalar() {
    const std::string name = "c" + std::to_string(arrays.size());
    text += "  " + name + " = f32[] constant(0)\n";
    arrays.push_back({name, {}});
    std::swap(arrays.back(), arrays.front());
    return name;
  }

  void op() {
    // Now and then an older array, so that ways part and meet.
    const size_t at =
        random.oneIn(5) ? random.in(0, arrays.size() - 1) : arrays.size() - 1;
    const Array from = arrays[at];
    const size_t rank = from.sizes.size();
    const int64_t elements = countOf(from.sizes);
    const std::string operand = "(" + from.name + ")";
    if (options.reshapesOnly) {
      if (random.oneIn(3) && rank > 1) return transpose(from);
      return emit(factored(elements), "reshape" + operand);
    }
    switch (random.in(0, options.runtime ? 15 : 12)) {
      case 0:
      case 1:
      case 2:
        return emit(factored(elements), "reshape" + operand);
      case 3:
        return transpose(from);
      case 4: {  // reverse
        Sizes reversed;
        for (size_t k = 0; k < rank; ++k)
          if (random.oneIn(2)) reversed.push_back(k);
        return emit(from.sizes, "reverse" + operand + dimensions(reversed));
      }
      case 5:
        return slice(from);
      case 6:
        return pad(from);
      case 7: {  // broadcast
        Sizes sizes = from.sizes, kept(rank);
        std::iota(kept.begin(), kept.end(), 0);
        const size_t place = random.in(0, rank);
        const int64_t size = random.in(1, 4);
        if (elements * size > options.mostElements || rank > 3) return;
        sizes.insert(sizes.begin() + place, size);
        for (int64_t &k : kept) k += k >= static_cast<int64_t>(place);
        return emit(sizes, "broadcast" + operand + dimensions(kept));
      }
      case 8: {  // reduce
        if (rank == 0) return;
        Sizes kept, reduced;
        for (size_t k = 0; k < rank; ++k)
          if (random.oneIn(2)) {
            reduced.push_back(k);
          } else {
            kept.push_back(from.sizes[k]);
          }
        const std::string init = scalar();
        return emit(kept, "reduce(" + from.name + ", " + init + ")" +
                              dimensions(reduced) + ", to_apply=sum");
      }
      case 9: {  // concatenate
        if (rank == 0) return;
        const size_t k = random.in(0, rank - 1);
        Sizes sizes = from.sizes;
        sizes[k] = random.in(1, 4);
        if (elements + countOf(sizes) > options.mostElements) return;
        parameter(sizes);
        const std::string other = arrays.back().name;
        const bool first = random.oneIn(2);
        sizes[k] += from.sizes[k];
        return emit(sizes, "concatenate(" +
                               (first ? from.name + ", " + other
                                      : other + ", " + from.name) +
                               ")" + dimensions({static_cast<int64_t>(k)}));
      }
      case 10: {  // add: of an array of the same shape, if there is one
        for (const Array &other : arrays)
          if (other.name != from.name && other.sizes == from.sizes)
            return emit(from.sizes,
                        "add(" + from.name + ", " + other.name + ")");
        return emit(from.sizes, "exponential" + operand);
      }
      case 11:
        return window(from);
      case 12: {  // dot with a matrix
        if (rank != 2) return;
        const int64_t columns = random.in(1, 4);
        parameter({from.sizes[1], columns});
        return emit(
            {from.sizes[0], columns},
            "dot(" + from.name + ", " + arrays.back().name +
                "), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
      }
      case 13: {  // dynamic-slice
        std::string starts;
        Sizes sizes = from.sizes;
        for (int64_t &size : sizes) {
          starts += ", " + integer();
          size = random.in(1, size);
        }
        return emit(sizes, "dynamic-slice(" + from.name + starts +
                               "), dynamic_slice_sizes={" + join(sizes) + "}");
      }
      case 14: {  // dynamic-update-slice
        Sizes sizes = from.sizes;
        for (int64_t &size : sizes) size = random.in(1, size);
        parameter(sizes);
        std::string starts = ", " + arrays.back().name;
        for (size_t k = 0; k < rank; ++k) starts += ", " + integer();
        return emit(from.sizes,
                    "dynamic-update-slice(" + from.name + starts + ")");
      }
      default: {  // gather of rows
        if (rank == 0) return;
        const int64_t rows = random.in(1, 4);
        parameter({rows}, "s32");
        const std::string indices = arrays.back().name;
        arrays.pop_back();
        Sizes sizes = from.sizes, slices = from.sizes, offsets;
        sizes[0] = rows;
        slices[0] = 1;
        for (size_t k = 1; k < rank; ++k) offsets.push_back(k);
        if (countOf(sizes) > options.mostElements) return;
        return emit(sizes, "gather(" + from.name + ", " + indices +
                               "), offset_dims={" + join(offsets) +
                               "}, collapsed_slice_dims={0}, "
                               "start_index_map={0}, index_vector_dim=1, "
                               "slice_sizes={" +
                               join(slices) + "}");
      }
    }
  }

  void transpose(const Array &from) {
    const auto permutation = random.permutation(from.sizes.size());
    Sizes order(permutation.begin(), permutation.end()), sizes;
    for (int64_t k : order) sizes.push_back(from.sizes[k]);
    emit(sizes, "transpose(" + from.name + ")" + dimensions(order));
  }

  void slice(const Array &from) {
    Sizes sizes;
    std::string ranges;
    for (int64_t size : from.sizes) {
      const int64_t start = random.oneIn(2) ? 0 : random.in(0, size - 1);
      const int64_t limit = random.oneIn(2) ? size : random.in(start + 1, size);
      const int64_t stride = random.oneIn(2) ? 1 : random.in(1, 3);
      ranges += (ranges.empty() ? "[" : ", [") + std::to_string(start) + ":" +
                std::to_string(limit) + ":" + std::to_string(stride) + "]";
      sizes.push_back((limit - start + stride - 1) / stride);
    }
    emit(sizes, "slice(" + from.name + "), slice={" + ranges + "}");
  }

  void pad(const Array &from) {
    Sizes sizes;
    std::string padding;
    for (int64_t size : from.sizes) {
      const int64_t interior = random.oneIn(3) ? random.in(1, 2) : 0;
      const int64_t inner = size + (size - 1) * interior;
      const int64_t low = random.oneIn(2) ? 0 : random.in(-1, 2);
      int64_t high = random.oneIn(2) ? 0 : random.in(-1, 2);
      high = std::max(high, 1 - inner - low);
      sizes.push_back(inner + low + high);
      padding += (padding.empty() ? "" : "x") + std::to_string(low) + "_" +
                 std::to_string(high) + "_" + std::to_string(interior);
    }
    if (countOf(sizes) > options.mostElements || from.sizes.empty()) return;
    const std::string value = scalar();
    emit(sizes, "pad(" + from.name + ", " + value + "), padding=" + padding);
  }

  void window(const Array &from) {
    if (from.sizes.empty()) return;
    Sizes sizes, windows, strides;
    std::string pads;
    for (int64_t size : from.sizes) {
      const int64_t window = random.oneIn(2) ? 1 : random.in(1, 3);
      const int64_t stride = random.oneIn(2) ? 1 : random.in(1, 3);
      const int64_t low = random.in(0, 1), high = random.in(0, 1);
      const int64_t room = size + low + high - window;
      if (room < 0) return;
      windows.push_back(window);
      strides.push_back(stride);
      sizes.push_back(room / stride + 1);
      pads += (pads.empty() ? "" : "x") + std::to_string(low) + "_" +
              std::to_string(high);
    }
    const std::string init = scalar();
    emit(sizes, "reduce-window(" + from.name + ", " + init +
                    "), window={size=" + join(windows, "x") + " stride=" +
                    join(strides, "x") + " pad=" + pads + "}, to_apply=sum");
  }

  Random &random;
  const FusionOptions &options;
  std::string text;
  std::vector<std::string> types;  ///< of the parameters
  std::vector<Array> arrays;
  int64_t parameters = 0;
};

}  // namespace

std::string randomFusion(Random &random, const FusionOptions &options) {
  return Writer(random, options).write(/*called=*/false);
}

std::string calledFusion(Random &random, const FusionOptions &options) {
  return Writer(random, options).write(/*called=*/true);
}

}  // namespace indexical::testing
