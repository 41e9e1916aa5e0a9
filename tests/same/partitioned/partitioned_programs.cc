#include "tests/same/partitioned/partitioned_programs.h"

#include <numeric>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "tests/support/op_trees.h"

namespace indexical::testing {
namespace {

using OpKind = Node::Kind;

std::string groupsText(const std::vector<Numbers> &groups) {
  std::string text = "{";
  for (const Numbers &group : groups)
    text += (text.size() > 1 ? "," : "") + braces(group);
  return text + "}";
}

/// Makes the ops of the steps, which op_trees.h writes.
class StepOps {
 public:
  explicit StepOps(const StepProgram &program) : program(program) {
    for (const Step &step : program.steps) {
      Node node = opOf(step);
      const std::string sharding = shardingOf(step);
      if (!sharding.empty()) node.attributes += ", sharding=" + sharding;
      values.push_back(put(std::move(node)));
    }
  }

  std::vector<NodePtr> nodes;

 private:
  NodePtr put(Node node) {
    nodes.push_back(shared(std::move(node)));
    return nodes.back();
  }
  NodePtr put(const NodePtr &node) { return put(*node); }
  NodePtr typed(Node node, const char *type) {
    node.type = type;
    return put(std::move(node));
  }
  NodePtr constant(int64_t number) { return put(scalar(number)); }

  std::string shardingOf(const Step &step) const {
    const bool isRoot = &step == &program.steps.back();
    if (isRoot && !program.rootSharding.empty()) return program.rootSharding;
    if (step.kind == Step::Kind::ToParts) return "{manual}";
    if (step.kind == Step::Kind::ToWhole) return step.cut.text(program.devices);
    return step.sharding;
  }

  /// Returns the device's number of the table.
  NodePtr offset(const Step &step) {
    Node table =
        nodeOf(OpKind::Constant, {static_cast<int64_t>(step.table.size())}, {});
    table.first.assign(step.table.begin(), step.table.end());
    const NodePtr all = put(std::move(table));
    const NodePtr id = typed(otherOf("partition-id", {}, {}, ""), "u32");
    return put(reshaped(put(otherOf("dynamic-slice", {1}, {all, id},
                                    ", dynamic_slice_sizes={1}")),
                        {}));
  }

  Node maskOf(const Step &s, const Sizes &sizes) {
    const NodePtr first = put(broadcasted(offset(s), sizes, {}));
    const NodePtr count = put(otherOf(
        "iota", sizes, {}, ", iota_dimension=" + std::to_string(s.axis)));
    const NodePtr place = put(binary(OpKind::Add, count, first));
    const NodePtr end = put(broadcasted(constant(s.size), sizes, {}));
    const NodePtr isInside = typed(
        otherOf("compare", sizes, {place, end}, ", direction=LT"), "pred");
    const NodePtr zeros = put(broadcasted(constant(0), sizes, {}));
    Node node =
        otherOf("select", sizes, {isInside, values[s.in[0]], zeros}, "");
    node.type.clear();
    return node;
  }

  Node opOf(const Step &s) {
    const Sizes sizes = {s.rows, s.columns};
    auto in = [&](size_t k) { return values[s.in[k]]; };
    const std::string axis = ", dimensions=" + braces(s.axis);
    auto collective = [&](const char *opcode, const std::string &attributes) {
      return otherOf(opcode, sizes, {in(0)},
                     attributes + ", channel_id=" + std::to_string(channels++));
    };
    const std::string groups = ", replica_groups=" + groupsText(s.groups) +
                               ", use_global_device_ids=true";
    switch (s.kind) {
      case Step::Kind::Parameter: {
        Node node = nodeOf(OpKind::Parameter, sizes, {});
        node.number = parameters++;
        return node;
      }
      case Step::Kind::Negate:
        return *negated(in(0));
      case Step::Kind::Add:
        return *binary(OpKind::Add, in(0), in(1));
      case Step::Kind::Multiply:
        return *binary(OpKind::Multiply, in(0), in(1));
      case Step::Kind::Transpose:
        return *transposed(in(0), {1, 0});
      case Step::Kind::Reverse:
        return *reversed(in(0), {s.axis});
      case Step::Kind::Slice: {
        Sizes starts = {0, 0}, limits = in(0)->sizes;
        starts[s.axis] = s.start;
        limits[s.axis] = s.start + s.size;
        return *sliced(in(0), starts, limits, {1, 1});
      }
      case Step::Kind::Concat:
        return *joined({in(0), in(1)}, s.axis);
      case Step::Kind::Offset: {
        NodePtr row = offset(s), column = constant(0);
        if (s.axis) std::swap(row, column);
        return otherOf("dynamic-slice", sizes, {in(0), row, column},
                       ", dynamic_slice_sizes=" + braces(sizes));
      }
      case Step::Kind::Mask:
        return maskOf(s, sizes);
      case Step::Kind::Gather:
        return collective("all-gather", axis + groups);
      case Step::Kind::Sum:
        return collective("all-reduce", groups + ", to_apply=sum");
      case Step::Kind::Permute:
        return collective("collective-permute",
                          ", source_target_pairs=" + groupsText(s.groups));
      case Step::Kind::Dot:
        return *multiplied(in(0), in(1));
      case Step::Kind::ToParts:
      case Step::Kind::ToWhole:
        break;
    }
    const bool isBack = s.kind == Step::Kind::ToWhole;
    const NodePtr whole =
        put(otherOf("custom-call", in(0)->sizes, {in(0)},
                    ", custom_call_target=\"Sharding\", sharding=" +
                        (isBack ? "{manual}" : s.cut.text(program.devices))));
    const std::string target = isBack ? "ShardToFull" : "FullToShard";
    return otherOf("custom-call", sizes, {whole},
                   ", custom_call_target=\"SPMD" + target + "Shape\"");
  }

  const StepProgram &program;
  std::vector<NodePtr> values;
  int64_t parameters = 0, channels = 1;
};

}  // namespace

std::string textOf(const StepProgram &program) {
  std::string text = "HloModule m";
  if (program.devices > 1)
    text += ", num_partitions=" + std::to_string(program.devices);
  return text + "\n\n" + reducerOf("sum", "add", "s32") +
         computationOf("ENTRY main", StepOps(program).nodes, "s32");
}

std::string Cut::text(int64_t devices) const {
  const int64_t count = tilesOf(devices);
  std::string grid = std::to_string(count);
  if (isUnreduced)
    grid = "1,1," + grid;
  else if (axis < 0)
    return "{replicated}";
  else
    grid = axis ? "1," + grid : grid + ",1";
  const bool hasCopies = count != devices;
  if (hasCopies) grid += "," + std::to_string(devices / count);
  std::string last;
  if (isUnreduced)
    last = hasCopies ? " last_tile_dims={unreduced, replicated}"
                     : " last_tile_dims={unreduced}";
  else if (hasCopies)
    last = " last_tile_dim_replicate";
  return "{devices=[" + grid + "]" + listOf(order) + last + "}";
}

int64_t Cut::tileOf(int64_t device) const {
  if (axis < 0 && !isUnreduced) return 0;
  const int64_t devices = order.size();
  return (llvm::find(order, device) - order.begin()) /
         (devices / tilesOf(devices));
}

int64_t ceilOf(int64_t a, int64_t b) { return (a + b - 1) / b; }

namespace {

/// Adds steps to both programs.
struct Maker : PartitionedPrograms {
  Maker(Random &random, int64_t devices) : random(random) {
    this->devices = devices;
  }

  Random &random;

  Numbers inOrder() const {
    Numbers order(devices);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  Cut anyCut(int64_t rows, int64_t columns) {
    Cut cut;
    cut.axis = random.in(-1, 1);
    if (cut.axis >= 0 && ceilOf(cut.axis ? columns : rows, devices) * 1 == 0)
      cut.axis = -1;
    cut.order = inOrder();
    if (random.oneIn(3)) {
      auto order = random.permutation(devices);
      cut.order.assign(order.begin(), order.end());
    }
    return cut;
  }
  Step shaped(Step::Kind kind, std::vector<size_t> in, int64_t rows,
              int64_t columns) {
    Step step;
    step.kind = kind;
    step.in = std::move(in);
    step.rows = rows;
    step.columns = columns;
    return step;
  }
  const Step &whole(const Both &both) const {
    return global.steps[both.global];
  }
  const Step &part(const Both &both) const { return local.steps[both.local]; }

  Both parameter(int64_t rows, int64_t columns) {
    const Cut cut = anyCut(rows, columns);
    Step step = shaped(Step::Kind::Parameter, {}, rows, columns);
    step.sharding = cut.text(devices);
    const size_t a = global.add(step);
    if (cut.axis == 0) step.rows = ceilOf(rows, devices);
    if (cut.axis == 1) step.columns = ceilOf(columns, devices);
    step.sharding.clear();
    parameters.push_back({a, local.add(step), cut});
    return parameters.back();
  }
  /// Every device gets all of it, padding cut off.
  Both gathered(Both both) {
    if (both.cut.axis < 0) return both;
    const int64_t axis = both.cut.axis;
    Step step = shaped(Step::Kind::Gather, {both.local}, part(both).rows,
                       part(both).columns);
    step.axis = axis;
    step.groups = {both.cut.order};
    (axis ? step.columns : step.rows) *= devices;
    both.local = local.add(step);
    const int64_t size = whole(both).along(axis);
    if (step.along(axis) > size) {
      Step slice = shaped(Step::Kind::Slice, {both.local}, whole(both).rows,
                          whole(both).columns);
      slice.axis = axis;
      slice.size = size;
      both.local = local.add(slice);
    }
    both.cut.axis = -1;
    return both;
  }
  /// From all on every device to a cut: offsets from a table. Even sizes only.
  Both cutTo(Both both, Cut cut) {
    both = gathered(both);
    if (cut.axis < 0 || whole(both).along(cut.axis) % devices != 0) return both;
    const int64_t size = whole(both).along(cut.axis) / devices;
    Step step = shaped(Step::Kind::Offset, {both.local}, whole(both).rows,
                       whole(both).columns);
    step.axis = cut.axis;
    (cut.axis ? step.columns : step.rows) = size;
    step.table.assign(devices, 0);
    for (int64_t tile = 0; tile < devices; ++tile)
      step.table[cut.order[tile]] = tile * size;
    both.local = local.add(step);
    both.cut = cut;
    return both;
  }
  /// To another order of devices: a permute.
  Both reordered(Both both) {
    if (both.cut.axis < 0) return both;
    auto order = random.permutation(devices);
    Step step = shaped(Step::Kind::Permute, {both.local}, part(both).rows,
                       part(both).columns);
    for (int64_t tile = 0; tile < devices; ++tile)
      step.groups.push_back({both.cut.order[tile], order[tile]});
    both.local = local.add(step);
    both.cut.order.assign(order.begin(), order.end());
    return both;
  }
  /// Adds one op to both programs.
  Both same(Step::Kind kind, std::vector<Both> in, int64_t axis = 0) {
    Both result = in[0];
    for (bool isLocal : {false, true}) {
      StepProgram &program = isLocal ? local : global;
      std::vector<size_t> from;
      for (const Both &each : in)
        from.push_back(isLocal ? each.local : each.global);
      Step step = shaped(kind, from, program.steps[from[0]].rows,
                         program.steps[from[0]].columns);
      if (kind == Step::Kind::Transpose) std::swap(step.rows, step.columns);
      step.axis = axis;
      (isLocal ? result.local : result.global) = program.add(step);
    }
    if (kind == Step::Kind::Transpose && result.cut.axis >= 0)
      result.cut.axis = 1 - result.cut.axis;
    return result;
  }
  /// a · b, whatever they are cut along: contracted over devices where both are
  /// cut along the inner axis alike, padding masked.
  Both dot(Both a, Both b) {
    const int64_t rows = whole(a).rows, columns = whole(b).columns;
    if (random.oneIn(2)) {
      Cut cut{1, inOrder()};
      if (whole(a).columns % devices == 0) {
        a = cutTo(a, cut);
        cut.axis = 0;
        b = cutTo(b, cut);
      }
    }
    const bool contracts =
        a.cut.axis == 1 && b.cut.axis == 0 && a.cut.order == b.cut.order;
    if (!contracts) {
      if (a.cut.axis == 1) a = gathered(a);
      b = gathered(b);
    }
    if (contracts && part(a).columns * devices != whole(a).columns)
      for (Both *both : {&a, &b}) {
        // Whatever padding holds, it must not be summed.
        const int64_t axis = both->cut.axis, size = part(*both).along(axis);
        Step mask = shaped(Step::Kind::Mask, {both->local}, part(*both).rows,
                           part(*both).columns);
        mask.axis = axis;
        mask.size = whole(*both).along(axis);
        mask.table.assign(devices, 0);
        for (int64_t tile = 0; tile < devices; ++tile)
          mask.table[both->cut.order[tile]] = tile * size;
        both->local = local.add(mask);
      }
    Both result = a;
    result.global = global.add(
        shaped(Step::Kind::Dot, {a.global, b.global}, rows, columns));
    result.local = local.add(shaped(Step::Kind::Dot, {a.local, b.local},
                                    part(a).rows, part(b).columns));
    if (contracts) {
      Step sum = shaped(Step::Kind::Sum, {result.local}, rows, columns);
      sum.groups = {inOrder()};
      result.local = local.add(sum);
      result.cut.axis = -1;
    }
    return result;
  }

  void make() {
    global.devices = 1;
    local.devices = devices;
    auto size = [&] {
      return random.oneIn(3) ? random.in(1, 2 * devices)
                             : devices * random.in(1, 2);
    };
    Both value = parameter(size(), size());
    const int64_t steps = random.in(1, 5);
    for (int64_t k = 0; k < steps; ++k) {
      switch (random.in(0, 7)) {
        case 0:
          value = same(Step::Kind::Negate, {value});
          break;
        case 1:
          value = same(Step::Kind::Transpose, {value});
          break;
        case 2: {
          const int64_t axis = random.in(0, 1);
          if (value.cut.axis == axis) value = gathered(value);
          value = same(Step::Kind::Reverse, {value}, axis);
          break;
        }
        case 3:
          value = cutTo(value, anyCut(whole(value).rows, whole(value).columns));
          break;
        case 4:
          value = reordered(value);
          break;
        case 5: {
          Both other =
              gathered(parameter(whole(value).rows, whole(value).columns));
          value = gathered(value);
          value = same(random.oneIn(2) ? Step::Kind::Add : Step::Kind::Multiply,
                       {value, other});
          break;
        }
        default: {
          Both other = parameter(whole(value).columns, size());
          value = dot(value, other);
        }
      }
    }
    value = same(Step::Kind::Negate, {value});
    global.rootSharding = value.cut.text(devices);
    result = value;
  }
};

}  // namespace

PartitionedPrograms randomPartitioned(Random &random, int64_t devices) {
  Maker maker(random, devices);
  maker.make();
  return maker;
}

bool mutate(StepProgram &program, Random &random) {
  const size_t at = random.in(0, program.steps.size() - 1);
  for (size_t n = 0; n < program.steps.size(); ++n) {
    Step &s = program.steps[(at + n) % program.steps.size()];
    switch (s.kind) {
      case Step::Kind::Gather: {
        if (s.groups[0].size() < 2) break;
        std::swap(s.groups[0][0],
                  s.groups[0][random.in(1, s.groups[0].size() - 1)]);
        return true;
      }
      case Step::Kind::Offset:
        s.table[random.in(0, s.table.size() - 1)] = random.in(0, 4);
        return true;
      case Step::Kind::Mask:
        if (random.oneIn(2))
          s.size += random.in(-1, 1);
        else
          s.table[random.in(0, s.table.size() - 1)] += random.in(-1, 1);
        return true;
      case Step::Kind::Permute:
        if (random.oneIn(2))
          s.groups.erase(s.groups.begin() + random.in(0, s.groups.size() - 1));
        else if (s.groups.size() > 1)
          std::swap(s.groups[0][1], s.groups[1][1]);
        return !s.groups.empty();
      case Step::Kind::Slice:
        if (program.steps[s.in[0]].along(s.axis) > s.size + s.start) {
          ++s.start;
          return true;
        }
        break;
      case Step::Kind::Sum: {
        if (random.oneIn(2)) {
          // Two groups instead of one.
          Numbers all = s.groups[0];
          if (all.size() < 2) break;
          s.groups[0].resize(all.size() / 2);
          s.groups.emplace_back(all.begin() + all.size() / 2, all.end());
          return true;
        }
        // Summed once more.
        Step again = s;
        const size_t place = (at + n) % program.steps.size();
        again.in = {place};
        for (size_t k = place + 1; k < program.steps.size(); ++k)
          for (size_t &from : program.steps[k].in)
            if (from >= place) ++from;
        program.steps.insert(program.steps.begin() + place + 1, again);
        return true;
      }
      case Step::Kind::ToParts:
      case Step::Kind::ToWhole:
        if (s.cut.order.size() < 2) break;
        std::swap(s.cut.order[0],
                  s.cut.order[random.in(1, s.cut.order.size() - 1)]);
        return true;
      default:
        break;
    }
  }
  return false;
}

}  // namespace indexical::testing
