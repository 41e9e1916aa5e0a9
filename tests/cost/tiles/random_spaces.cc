#include "tests/cost/tiles/random_spaces.h"

#include <algorithm>
#include <numeric>

namespace indexical::testing {
namespace {

std::string sizesText(const Point &sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : ",") + std::to_string(size);
  return text;
}

std::string shapeText(const Point &shape) {
  return "f32[" + sizesText(shape) + "]";
}

int64_t elementsOf(const Point &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1},
                         std::multiplies<int64_t>());
}

int64_t flat(const Point &index, const Point &shape) {
  int64_t number = 0;
  for (size_t k = 0; k < shape.size(); ++k)
    number = number * shape[k] + index[k];
  return number;
}

Point unflat(int64_t number, const Point &shape) {
  Point index(shape.size());
  for (size_t k = shape.size(); k-- > 0; number /= shape[k])
    index[k] = number % shape[k];
  return index;
}

using Take = std::function<void(ElementRead)>;

class SpaceMaker {
 public:
  SpaceMaker(Random &random, const SpaceOptions &options)
      : random_(random), options_(options) {}

  SpaceProgram make() {
    const int64_t parameters = random_.in(1, 2);
    for (int64_t i = 0; i < parameters; ++i) addParameter(randomShape());
    const int64_t ops = random_.in(1, 4);
    for (int64_t i = 0; i < ops; ++i) addOp();
    program_.results = {program_.instructions.size() - 1};
    if (options_.results && random_.oneIn(2))
      program_.results.push_back(pick());
    return std::move(program_);
  }

 private:
  Point randomShape() {
    Point shape;
    const int64_t rank = random_.in(1, 3);
    for (int64_t k = 0; k < rank; ++k) shape.push_back(random_.in(1, 8));
    while (elementsOf(shape) > options_.mostElements)
      for (int64_t &size : shape) size = std::max<int64_t>(1, size / 2);
    return shape;
  }

  size_t pick() { return random_.in(0, program_.instructions.size() - 1); }
  size_t last() { return program_.instructions.size() - 1; }
  const Point &shapeOf(size_t at) { return program_.instructions[at].shape; }
  std::string nameOf(size_t at) { return program_.instructions[at].name; }

  size_t addParameter(Point shape) {
    SpaceInstruction made;
    made.name = "p" + std::to_string(last() + 1);
    made.shape = std::move(shape);
    made.text = "parameter(" + std::to_string(parameters_++) + ")";
    program_.instructions.push_back(std::move(made));
    return last();
  }

  void add(Point shape, std::string text, std::vector<size_t> operands,
           std::function<void(const Point &, const Take &)> reads,
           Point summed = {}) {
    SpaceInstruction made;
    made.name = "x" + std::to_string(program_.instructions.size());
    made.shape = std::move(shape);
    made.text = std::move(text);
    made.operands = std::move(operands);
    made.reads = std::move(reads);
    made.summed = std::move(summed);
    program_.instructions.push_back(std::move(made));
  }

  void addOp() {
    const size_t from = random_.oneIn(3) ? pick() : last();
    switch (random_.in(0, options_.collectives ? 11 : 9)) {
      case 0:
      case 1:
        return addReshape(from);
      case 2:
        return addTranspose(from);
      case 3:
        return addSlice(from);
      case 4:
        return addReverse(from);
      case 5:
        return addBroadcast(from);
      case 6:
        return addConcatenate(from);
      case 7:
        return addReduce(from);
      case 8:
        return addDot(from);
      case 9:
        return addPad(from);
      default:
        return addCollective(from);
    }
  }

  void addReshape(size_t from) {
    const Point old = shapeOf(from);
    int64_t rest = elementsOf(old);
    Point shape;
    const int64_t rank = random_.in(1, 4);
    for (int64_t k = 0; k + 1 < rank; ++k) {
      std::vector<int64_t> divisors;
      for (int64_t d = 1; d <= rest; ++d)
        if (rest % d == 0) divisors.push_back(d);
      shape.push_back(divisors[random_.in(0, divisors.size() - 1)]);
      rest /= shape.back();
    }
    shape.push_back(rest);
    add(shape, "reshape(" + nameOf(from) + ")", {from},
        [old, shape](const Point &at, const Take &take) {
          take({0, unflat(flat(at, shape), old)});
        });
  }

  void addTranspose(size_t from) {
    const Point old = shapeOf(from);
    Point order(old.size()), shape;
    std::iota(order.begin(), order.end(), 0);
    for (size_t k = order.size(); k > 1; --k)
      std::swap(order[k - 1], order[random_.in(0, k - 1)]);
    for (int64_t k : order) shape.push_back(old[k]);
    add(shape,
        "transpose(" + nameOf(from) + "), dimensions={" + sizesText(order) +
            "}",
        {from}, [order](const Point &at, const Take &take) {
          Point index(at.size());
          for (size_t k = 0; k < at.size(); ++k) index[order[k]] = at[k];
          take({0, index});
        });
  }

  void addSlice(size_t from) {
    const Point old = shapeOf(from);
    Point starts, steps, shape;
    std::string text;
    for (int64_t size : old) {
      const int64_t start = random_.in(0, size - 1),
                    limit = random_.in(start + 1, size),
                    step = random_.in(1, 3);
      starts.push_back(start);
      steps.push_back(step);
      shape.push_back((limit - start + step - 1) / step);
      text += (text.empty() ? "[" : ", [") + std::to_string(start) + ":" +
              std::to_string(limit) + ":" + std::to_string(step) + "]";
    }
    add(shape, "slice(" + nameOf(from) + "), slice={" + text + "}", {from},
        [starts, steps](const Point &at, const Take &take) {
          Point index(at.size());
          for (size_t k = 0; k < at.size(); ++k)
            index[k] = starts[k] + at[k] * steps[k];
          take({0, index});
        });
  }

  void addReverse(size_t from) {
    const Point shape = shapeOf(from);
    const size_t k = random_.in(0, shape.size() - 1);
    if (shape.empty()) return;
    add(shape,
        "reverse(" + nameOf(from) + "), dimensions={" + std::to_string(k) + "}",
        {from}, [shape, k](const Point &at, const Take &take) {
          Point index = at;
          index[k] = shape[k] - 1 - at[k];
          take({0, index});
        });
  }

  void addBroadcast(size_t from) {
    const Point old = shapeOf(from);
    const int64_t size = random_.in(1, 4);
    if (elementsOf(old) * size > options_.mostElements) return;
    const size_t at = random_.in(0, old.size());
    Point shape = old, dimensions;
    shape.insert(shape.begin() + at, size);
    for (size_t k = 0; k < shape.size(); ++k)
      if (k != at) dimensions.push_back(k);
    add(shape,
        "broadcast(" + nameOf(from) + "), dimensions={" +
            sizesText(dimensions) + "}",
        {from}, [at](const Point &index, const Take &take) {
          Point read = index;
          read.erase(read.begin() + at);
          take({0, read});
        });
  }

  void addConcatenate(size_t from) {
    const Point old = shapeOf(from);
    if (old.empty() || elementsOf(old) * 2 > options_.mostElements) return;
    const size_t k = random_.in(0, old.size() - 1);
    Point other = old;
    other[k] = random_.in(1, 8);
    const size_t beside = random_.oneIn(3) ? from : addParameter(other);
    Point shape = old;
    shape[k] = old[k] + shapeOf(beside)[k];
    add(shape,
        "concatenate(" + nameOf(from) + ", " + nameOf(beside) +
            "), dimensions={" + std::to_string(k) + "}",
        {from, beside}, [old, k](const Point &at, const Take &take) {
          Point index = at;
          if (index[k] < old[k]) return take({0, index});
          index[k] -= old[k];
          take({1, index});
        });
  }

  void addPad(size_t from) {
    const Point old = shapeOf(from);
    if (old.empty()) return;
    const size_t value = addParameter({});
    Point shape = old, low;
    std::string text;
    for (size_t k = 0; k < old.size(); ++k) {
      low.push_back(random_.in(0, 2));
      const int64_t high = random_.in(0, 2);
      shape[k] += low[k] + high;
      text += (text.empty() ? "" : "x") + std::to_string(low[k]) + "_" +
              std::to_string(high);
    }
    add(shape,
        "pad(" + nameOf(from) + ", " + nameOf(value) + "), padding=" + text,
        {from, value}, [old, low](const Point &at, const Take &take) {
          Point index = at;
          for (size_t k = 0; k < at.size(); ++k) {
            index[k] -= low[k];
            if (index[k] < 0 || index[k] >= old[k]) return take({1, {}});
          }
          take({0, index});
        });
  }

  void addReduce(size_t from) {
    const Point old = shapeOf(from);
    if (old.empty()) return;
    Point dimensions, shape, summed;
    for (size_t k = 0; k < old.size(); ++k)
      if (random_.oneIn(2)) dimensions.push_back(k);
    if (dimensions.empty()) dimensions.push_back(0);
    if (random_.oneIn(2)) std::reverse(dimensions.begin(), dimensions.end());
    for (int64_t k : dimensions) summed.push_back(old[k]);
    for (size_t k = 0; k < old.size(); ++k)
      if (std::find(dimensions.begin(), dimensions.end(), k) ==
          dimensions.end())
        shape.push_back(old[k]);
    const size_t init = addParameter({});
    add(
        shape,
        "reduce(" + nameOf(from) + ", " + nameOf(init) + "), dimensions={" +
            sizesText(dimensions) + "}, to_apply=sum",
        {from, init},
        [old, dimensions, summed](const Point &at, const Take &take) {
          visitBox(summed, [&](const Point &turn) {
            Point index(old.size(), -1);
            for (size_t i = 0; i < dimensions.size(); ++i)
              index[dimensions[i]] = turn[i];
            size_t next = 0;
            for (int64_t &each : index)
              if (each < 0) each = at[next++];
            take({0, index, {}, turn});
          });
          take({1, {}});
        },
        summed);
  }

  void addDot(size_t from) {
    const Point left = shapeOf(from);
    if (left.empty()) return;
    const size_t k = random_.in(0, left.size() - 1);
    const int64_t columns = random_.in(1, 6);
    Point shape = left;
    shape.erase(shape.begin() + k);
    shape.push_back(columns);
    if (elementsOf(shape) > options_.mostElements) return;
    const bool isSquare =
        left.size() == 2 && left[0] == left[1] && random_.oneIn(2);
    const size_t right = isSquare ? from : addParameter({left[k], columns});
    if (isSquare) shape.back() = left[1];
    const size_t of = 0;
    add(shape,
        "dot(" + nameOf(from) + ", " + nameOf(right) +
            "), lhs_contracting_dims={" + std::to_string(k) +
            "}, rhs_contracting_dims={" + std::to_string(of) + "}",
        {from, right},
        [left, k](const Point &at, const Take &take) {
          for (int64_t turn = 0; turn < left[k]; ++turn) {
            Point index(at.begin(), at.end() - 1);
            index.insert(index.begin() + k, turn);
            take({0, index, {}, {turn}});
            take({1, {turn, at.back()}, {}, {turn}});
          }
        },
        {left[k]});
  }

  void addCollective(size_t from) {
    const Point old = shapeOf(from);
    if (old.empty() || elementsOf(old) * 2 > options_.mostElements) return;
    const std::string groups =
        ", replica_groups={{0,1,2}}, channel_id=1, use_global_device_ids=true";
    if (random_.oneIn(2))
      return add(old,
                 "all-reduce(" + nameOf(from) + ")" + groups + ", to_apply=sum",
                 {from}, [](const Point &at, const Take &take) {
                   for (int64_t member = 0; member < 3; ++member)
                     take({0, at, {member}});
                 });
    const size_t k = random_.in(0, old.size() - 1);
    Point shape = old;
    shape[k] *= 3;
    add(shape,
        "all-gather(" + nameOf(from) + ")" + groups + ", dimensions={" +
            std::to_string(k) + "}",
        {from}, [old, k](const Point &at, const Take &take) {
          Point index = at;
          index[k] = at[k] % old[k];
          take({0, index, {at[k] / old[k]}});
        });
  }

  Random &random_;
  const SpaceOptions &options_;
  SpaceProgram program_;
  int64_t parameters_ = 0;
};

}  // namespace

std::string SpaceProgram::text() const {
  std::string text =
      "HloModule m, num_partitions=3\n"
      "sum { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
      "  ROOT c = f32[] add(a, b) }\nENTRY f {\n";
  for (size_t i = 0; i < instructions.size(); ++i) {
    const SpaceInstruction &each = instructions[i];
    text += "  " + each.name + " = " + shapeText(each.shape) + " " + each.text +
            "\n";
  }
  std::string shapes, names;
  for (size_t result : results) {
    const std::string comma = shapes.empty() ? "" : ", ";
    shapes += comma + shapeText(instructions[result].shape);
    names += comma + instructions[result].name;
  }
  text += "  ROOT root = (" + shapes + ") tuple(" + names + ")\n}\n";
  return text;
}

std::map<size_t, Points> SpaceProgram::readsOf(
    size_t result, const Points &elements, const std::vector<SpaceStep> &steps,
    const Point &turns) const {
  // An element, and the members in front of it: the collectives on the way say
  // how many these are.
  using Member = std::pair<std::vector<size_t>, std::vector<int64_t>>;
  std::map<size_t, std::set<std::pair<Member, Point>>> open;
  for (const Point &element : elements) open[result].insert({{}, element});
  std::map<size_t, Points> reads;
  for (size_t i = instructions.size(); i-- > 0;) {
    const SpaceInstruction &own = instructions[i];
    for (const auto &[members, index] : open[i]) {
      Point with(members.second);
      with.insert(with.end(), index.begin(), index.end());
      reads[i].insert(with);
      if (!own.reads) continue;
      own.reads(index, [&, &members = members](const ElementRead &read) {
        for (size_t s = 0; s < steps.size(); ++s)
          if (steps[s].at == i && !read.summed.empty()) {
            const int64_t turn = read.summed[steps[s].dimension];
            if (turn < turns[s] || turn >= turns[s] + steps[s].size) return;
          }
        Member behind = members;
        if (!read.member.empty()) {
          behind.first.push_back(i);
          behind.second.push_back(read.member[0]);
        }
        open[own.operands[read.operand]].insert({behind, read.index});
      });
    }
  }
  return reads;
}

SpaceProgram randomSpace(Random &random, const SpaceOptions &options) {
  return SpaceMaker(random, options).make();
}

}  // namespace indexical::testing
