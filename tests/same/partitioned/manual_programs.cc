#include "tests/same/partitioned/manual_programs.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical::testing {
namespace {

using Kind = Step::Kind;

/// The devices that have one copy of each tile, for each copy.
std::vector<Numbers> groupsOf(const Cut &cut, int64_t devices) {
  const int64_t tiles = cut.tilesOf(devices), copies = devices / tiles;
  std::vector<Numbers> groups(copies);
  for (int64_t k = 0; k < copies; ++k)
    for (int64_t tile = 0; tile < tiles; ++tile)
      groups[k].push_back(cut.order[tile * copies + k]);
  return groups;
}

bool isSame(const Cut &a, const Cut &b) {
  if (a.axis < 0 && b.axis < 0 && !a.isUnreduced && !b.isUnreduced) return true;
  return a.axis == b.axis && a.order == b.order && a.tiles == b.tiles &&
         a.isUnreduced == b.isUnreduced;
}

/// Adds steps to both programs.
struct ManualMaker : PartitionedPrograms {
  ManualMaker(Random &random, int64_t tiles, int64_t copies)
      : random(random), tiles(tiles) {
    devices = tiles * copies;
    global.devices = local.devices = devices;
    const auto order = random.permutation(devices);
    manual.order.assign(order.begin(), order.end());
    manual.tiles = tiles;
  }

  Random &random;
  int64_t tiles;
  Cut manual;  ///< the devices of the manual part

  static Step shaped(Kind kind, std::vector<size_t> in, int64_t rows,
                     int64_t columns) {
    Step step;
    step.kind = kind;
    step.in = std::move(in);
    step.rows = rows;
    step.columns = columns;
    return step;
  }

  Cut manualCut() {
    Cut cut = manual;
    cut.axis = random.in(-1, 1);
    return cut;
  }

  Both parameter(int64_t rows, int64_t columns) {
    Cut cut = manualCut();
    if (random.oneIn(2)) {
      const auto order = random.permutation(devices);
      cut.order.assign(order.begin(), order.end());
    }
    if (random.oneIn(3)) {
      cut.axis = -1;
      cut.isUnreduced = true;
    }
    Step step = shaped(Kind::Parameter, {}, rows, columns);
    step.sharding = cut.text(devices);
    step.cut = cut;
    const size_t a = global.add(step);
    if (cut.axis == 0) step.rows = ceilOf(rows, tiles);
    if (cut.axis == 1) step.columns = ceilOf(columns, tiles);
    step.sharding.clear();
    parameters.push_back({a, local.add(step), cut});
    return parameters.back();
  }

  /// Every device gets all of it.
  Both gathered(Both both) {
    const Step &part = local.steps[both.local];
    Step step = shaped(both.cut.isUnreduced ? Kind::Sum : Kind::Gather,
                       {both.local}, part.rows, part.columns);
    step.groups = groupsOf(both.cut, devices);
    step.axis = both.cut.axis;
    if (both.cut.axis < 0 && !both.cut.isUnreduced) return both;
    if (both.cut.axis >= 0) (both.cut.axis ? step.columns : step.rows) *= tiles;
    both.local = local.add(step);
    both.cut.axis = -1;
    both.cut.isUnreduced = false;
    return both;
  }

  /// Into the manual part.
  Both toParts(Both both) {
    const Step &whole = global.steps[both.global];
    const Cut cut = manualCut();
    Step step = shaped(Kind::ToParts, {both.global}, whole.rows, whole.columns);
    step.cut = cut;
    if (cut.axis >= 0) (cut.axis ? step.columns : step.rows) /= tiles;
    if (!isSame(both.cut, cut)) {
      both = gathered(both);
      Step slice = step;
      slice.kind = Kind::Offset;
      slice.in = {both.local};
      slice.axis = cut.axis;
      slice.table.assign(devices, 0);
      for (int64_t device = 0; device < devices; ++device)
        slice.table[device] =
            cut.tileOf(device) * (cut.axis ? step.columns : step.rows);
      if (cut.axis >= 0) both.local = local.add(slice);
    }
    both.global = global.add(std::move(step));
    both.cut = cut;
    return both;
  }

  /// Adds one step to both programs.
  Both same(const Step &step, std::vector<Both> in) {
    Both result = in[0];
    for (bool isLocal : {false, true}) {
      Step each = step;
      each.in.clear();
      for (const Both &from : in)
        each.in.push_back(isLocal ? from.local : from.global);
      (isLocal ? result.local : result.global) =
          (isLocal ? local : global).add(each);
    }
    return result;
  }

  Both toWhole(Both both, bool isSameOnAll) {
    const Step &part = global.steps[both.global];
    Cut cut = manualCut();
    if (cut.axis < 0 && random.oneIn(2)) cut.isUnreduced = true;
    // Now and then copies are not the same, and nothing is defined.
    if (cut.axis < 0 && !cut.isUnreduced && !isSameOnAll && !random.oneIn(8))
      cut.axis = random.in(0, 1);
    Step step = shaped(Kind::ToWhole, {both.global}, part.rows, part.columns);
    if (cut.axis >= 0) (cut.axis ? step.columns : step.rows) *= tiles;
    step.cut = cut;
    both.global = global.add(step);
    both.cut = cut;
    return both;
  }

  void make() {
    const int64_t rows = tiles * random.in(1, 2);
    const int64_t columns = tiles * random.in(1, 2);
    std::vector<Both> inputs = {parameter(rows, columns)};
    if (random.oneIn(2)) inputs.push_back(parameter(rows, columns));
    for (Both &input : inputs) input = toParts(input);
    Both value = inputs[0];
    bool isSameOnAll = value.cut.axis < 0;
    for (int64_t k = random.in(1, 3); k > 0; --k) {
      const Step &now = global.steps[value.global];
      Step step = shaped(Kind::Negate, {}, now.rows, now.columns);
      const Step *other =
          inputs.size() > 1 ? &global.steps[inputs[1].global] : nullptr;
      step.groups = groupsOf(manual, devices);
      switch (random.in(0, 5)) {
        case 0:
          value = same(step, {value});
          break;
        case 1:
          step.kind = Kind::Sum;
          value = same(step, {value});
          isSameOnAll = true;
          break;
        case 2:
          if (now.rows * now.columns > 40) break;
          step.kind = Kind::Gather;
          step.axis = random.in(0, 1);
          (step.axis ? step.columns : step.rows) *= tiles;
          value = same(step, {value});
          isSameOnAll = true;
          break;
        case 3: {
          step.kind = Kind::Permute;
          std::vector<Numbers> pairs;
          const int64_t by = random.in(1, tiles);
          for (const Numbers &group : step.groups)
            for (int64_t tile = 0; tile < tiles; ++tile)
              pairs.push_back({group[tile], group[(tile + by) % tiles]});
          step.groups = std::move(pairs);
          value = same(step, {value});
          break;
        }
        default:
          if (!other || other->rows != now.rows ||
              other->columns != now.columns)
            break;
          step.kind = random.oneIn(2) ? Kind::Add : Kind::Multiply;
          value = same(step, {value, inputs[1]});
          isSameOnAll &= inputs[1].cut.axis < 0;
          // Once alone: x is read by (x + y) - x, and decides nothing.
          inputs.pop_back();
      }
    }
    value = toWhole(value, isSameOnAll);
    const Step &whole = global.steps[value.global];
    const Step &part = local.steps[value.local];
    const size_t negated = global.add(
        shaped(Kind::Negate, {value.global}, whole.rows, whole.columns));
    value.local =
        local.add(shaped(Kind::Negate, {value.local}, part.rows, part.columns));
    value.global = negated;
    if (random.oneIn(3)) value = gathered(value);
    global.rootSharding = value.cut.text(devices);
    result = value;
  }
};

//===-- Shardy's form -----------------------------------------------------===//

std::string typeText(const Step &step) {
  return "tensor<" + std::to_string(step.rows) + "x" +
         std::to_string(step.columns) + "xi32>";
}

/// Writes values `%0`, `%1`, … of the steps.
struct ShardyWriter {
  const StepProgram &program;
  bool isFree;
  std::string meshes = "", body = "", closing = "";
  int64_t meshCount = 0, channel = 1;

  int64_t copiesOf(const Cut &cut) const {
    return program.devices / cut.tilesOf(program.devices);
  }

  /// The sharding, over a mesh of its own. `whole` may be cut by free axes.
  std::string shardingOf(const Cut &cut, const Step *whole = nullptr) {
    const std::string name = "@m" + std::to_string(meshCount++);
    meshes += "sdy.mesh " + name +
              " = <[\"t\"=" + std::to_string(cut.tilesOf(program.devices)) +
              ", \"c\"=" + std::to_string(copiesOf(cut)) + "], device_ids=[";
    for (size_t k = 0; k < cut.order.size(); ++k)
      meshes += (k ? ", " : "") + std::to_string(cut.order[k]);
    meshes += "]>\n";
    std::string text = "<" + name + ", [";
    for (int64_t axis : {0, 1}) {
      std::string axes = cut.axis == axis ? "\"t\"" : "";
      const int64_t size = whole ? whole->along(axis) : 1;
      if (axis == 1 && whole && isFree &&
          size % (cut.tilesOf(program.devices) * copiesOf(cut)) == 0)
        axes += axes.empty() ? "\"c\"" : ", \"c\"";
      text += std::string(axis ? ", {" : "{") + axes + "}";
    }
    return text + (cut.isUnreduced ? "], unreduced={\"t\"}>" : "]>");
  }

  static std::string numbers(const std::vector<Numbers> &lists) {
    size_t longest = 0;
    for (const Numbers &list : lists) longest = std::max(longest, list.size());
    std::string text = "dense<[";
    for (size_t g = 0; g < lists.size(); ++g) {
      text += g ? ", [" : "[";
      // Short groups end with -1.
      for (size_t k = 0; k < longest; ++k)
        text += (k ? ", " : "") +
                std::to_string(k < lists[g].size() ? lists[g][k] : -1);
      text += "]";
    }
    return text + "]> : tensor<" + std::to_string(lists.size()) + "x" +
           std::to_string(longest) + "xi64>";
  }

  void collective(const Step &s, const std::string &name, const char *op,
                  const std::string &attributes, const std::string &region) {
    body += "  " + name + " = \"stablehlo." + op + "\"(%" +
            std::to_string(s.in[0]) +
            ") <{channel_handle = #stablehlo.channel_handle<handle = " +
            std::to_string(channel++) + ", type = 1>, " + attributes + "}> " +
            region + ": (" + typeText(program.steps[s.in[0]]) + ") -> " +
            typeText(s) + "\n";
  }

  /// The steps that lead into the manual part, and the region's head.
  size_t open(size_t first, const Step &back) {
    std::string operands, in, arguments, types;
    size_t end = first;
    for (; program.steps[end].kind == Kind::ToParts; ++end) {
      const Step &s = program.steps[end];
      const std::string comma = end == first ? "" : ", ";
      const Step &whole = program.steps[s.in[0]];
      operands += comma + "%" + std::to_string(s.in[0]);
      in += comma + shardingOf(s.cut, &whole);
      arguments += comma + "%" + std::to_string(end) + ": " + typeText(s);
      types += comma + typeText(whole);
    }
    const std::string all = isFree ? "\"t\"" : "\"t\", \"c\"";
    body += "  %whole = sdy.manual_computation(" + operands +
            ") in_shardings=[" + in + "] out_shardings=[" +
            shardingOf(back.cut, &back) + "] manual_axes={" + all + "} (" +
            arguments + ") {\n";
    closing = "  } : (" + types + ") -> " + typeText(back) + "\n";
    return end - 1;
  }

  std::string write() {
    std::string arguments;
    const auto back = llvm::find_if(
        program.steps, [](const Step &s) { return s.kind == Kind::ToWhole; });
    const size_t backAt = back - program.steps.begin();
    auto nameOf = [&](size_t i) {
      return i == backAt ? std::string("%whole") : "%" + std::to_string(i);
    };
    for (size_t i = 0; i < program.steps.size(); ++i) {
      const Step &s = program.steps[i];
      const std::string name = nameOf(i);
      switch (s.kind) {
        case Kind::Parameter:
          arguments += (arguments.empty() ? "" : ", ") + name + ": " +
                       typeText(s) + " {sdy.sharding = #sdy.sharding" +
                       shardingOf(s.cut) + "}";
          break;
        case Kind::ToParts:
          i = open(i, *back);
          break;
        case Kind::ToWhole:
          body += "  sdy.return " + nameOf(s.in[0]) + " : " +
                  typeText(program.steps[s.in[0]]) + "\n" + closing;
          break;
        case Kind::Negate:
          body += "  " + name + " = stablehlo.negate " + nameOf(s.in[0]) +
                  " : " + typeText(s) + "\n";
          break;
        case Kind::Add:
        case Kind::Multiply:
          body += "  " + name + " = stablehlo." +
                  (s.kind == Kind::Add ? "add " : "multiply ") +
                  nameOf(s.in[0]) + ", " + nameOf(s.in[1]) + " : " +
                  typeText(s) + "\n";
          break;
        case Kind::Sum:
          collective(s, name, "all_reduce",
                     "replica_groups = " + numbers(s.groups) +
                         ", use_global_device_ids",
                     "({ ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
                     "    %s = stablehlo.add %a, %b : tensor<i32>\n"
                     "    stablehlo.return %s : tensor<i32> }) ");
          break;
        case Kind::Gather:
          collective(s, name, "all_gather",
                     "all_gather_dim = " + std::to_string(s.axis) +
                         " : i64, replica_groups = " + numbers(s.groups) +
                         ", use_global_device_ids",
                     "");
          break;
        case Kind::Permute:
          collective(s, name, "collective_permute",
                     "source_target_pairs = " + numbers(s.groups), "");
          break;
        default:
          return "";
      }
    }
    const Step &root = program.steps.back();
    return meshes + "func.func @main(" + arguments + ") -> " + typeText(root) +
           " {\n" + body + "  return " + nameOf(program.steps.size() - 1) +
           " : " + typeText(root) + "\n}\n";
  }
};

}  // namespace

PartitionedPrograms randomManual(Random &random, int64_t tiles,
                                 int64_t copies) {
  ManualMaker maker(random, tiles, copies);
  maker.make();
  return maker;
}

std::string shardyTextOf(const StepProgram &program, bool isFree) {
  return ShardyWriter{program, isFree}.write();
}

}  // namespace indexical::testing
