// Chains of collectives, run on all devices, against their composed maps.
//
// A device runs the program on operands of its own. The maps say, for a result
// element of one device, which element it reads, and member by member on which
// device. Here every device is run, and every member is followed:
//
//   a = f32[8,3] all-gather(p), dimensions={0}, replica_groups={{0,1},{2,3}}
//   r = f32[8,3] collective-permute(a), source_target_pairs={{0,3},{3,0}}
//   replica of (d0, d1) -> (d0 mod 4, d1) under rt0 = 3:
//     [permute: 0, all-gather: d0 floordiv 4]   device 3, then 0, then 0 or 1
//
//   INDEXICAL_PROGRAMS=10000   more programs
//   INDEXICAL_SEED=17          other programs
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/oracle/collectives.h"
#include "tests/support/random_maps.h"
#include "tests/support/random_ops.h"

namespace indexical::testing {
namespace {

constexpr int64_t kDevices = 6;

using Groups = std::vector<std::vector<int64_t>>;
/// An element of the parameter on a device.
using Element = std::pair<int64_t, int64_t>;
using Elements = std::set<Element>;

/// A chain of instructions as text, and the groups of its collectives.
class ChainWriter {
 public:
  explicit ChainWriter(Random &random) : random(random) {
    sizes = {random.in(1, 4), random.in(1, 3)};
    text =
        "HloModule m, replica_count=6\nf { a = f32[] parameter(0) "
        "b = f32[] parameter(1) ROOT r = f32[] add(a, b) }\nENTRY e {\n"
        "  i = s32[] parameter(1)\n  z = s32[] constant(0)\n"
        "  id = u32[] replica-id()\n  n = s32[] convert(id)\n"
        "  x0 = " +
        shape() + " parameter(0)\n";
    for (int64_t k = random.in(1, 5); k > 0; --k) step();
    text += "}\n";
  }

  std::string text;
  std::map<std::string, Groups> groups;

 private:
  std::string shape() const {
    return "f32[" + std::to_string(sizes[0]) + "," + std::to_string(sizes[1]) +
           "]";
  }

  /// Puts devices into random groups of one size, or of several if `uneven`.
  int64_t chooseGroups(Groups &chosen, bool uneven) {
    const int64_t size = random.oneIn(2) ? 2 : 3;
    const auto order = random.permutation(kDevices);
    for (int64_t i = 0; i < kDevices; ++i) {
      const bool opens = uneven && random.oneIn(4);
      if (chosen.empty() || opens ||
          (!uneven && static_cast<int64_t>(chosen.back().size()) == size))
        chosen.emplace_back();
      chosen.back().push_back(order[i]);
    }
    return size;
  }

  static std::string textOf(const Groups &groups) {
    std::string text = "{";
    for (const auto &group : groups) {
      text += text.size() > 1 ? ",{" : "{";
      for (size_t k = 0; k < group.size(); ++k)
        text += (k ? "," : "") + std::to_string(group[k]);
      text += "}";
    }
    return text + "}";
  }

  void add(const std::string &opcode, const std::string &operands,
           const std::string &attributes) {
    const std::string name = "x" + std::to_string(++count);
    text += "  " + name + " = " + shape() + " " + opcode + "(x" +
            std::to_string(count - 1) + operands + ")" + attributes + "\n";
  }

  void step() {
    const int64_t axis = random.in(0, 1);
    const std::string dimension = ", dimensions={" + std::to_string(axis) + "}";
    Groups chosen;
    switch (random.in(0, 8)) {
      case 0: {
        const int64_t members = chooseGroups(chosen, false);
        if (sizes[axis] * members > 18) return;
        sizes[axis] *= members;
        add("all-gather", "", dimension + groupsText(chosen));
        return;
      }
      case 1: {
        const int64_t members = chooseGroups(chosen, false);
        if (sizes[axis] % members != 0) return;
        sizes[axis] /= members;
        add("reduce-scatter", "",
            dimension + groupsText(chosen) + ", to_apply=f");
        return;
      }
      case 2: {
        const int64_t members = chooseGroups(chosen, false);
        if (sizes[axis] % members != 0) return;
        add("all-to-all", "", dimension + groupsText(chosen));
        return;
      }
      case 3:
        chooseGroups(chosen, true);
        add("all-reduce", "", groupsText(chosen) + ", to_apply=f");
        return;
      case 4:
        chooseGroups(chosen, true);
        add("collective-broadcast", "", groupsText(chosen));
        return;
      case 5: {
        const auto sources = random.permutation(kDevices);
        const auto targets = random.permutation(kDevices);
        Groups pairs;
        for (int64_t k = random.in(1, 3); k > 0; --k)
          pairs.push_back({sources[k], targets[k]});
        add("collective-permute", "", ", source_target_pairs=" + textOf(pairs));
        return;
      }
      case 6:
        add("reverse", "", dimension);
        return;
      case 7:
        std::swap(sizes[0], sizes[1]);
        add("transpose", "", ", dimensions={1,0}");
        return;
      default: {
        sizes[axis] = (sizes[axis] + 1) / 2;
        const std::string start = random.oneIn(2) ? "i" : "n";
        add("dynamic-slice", axis == 0 ? ", " + start + ", z" : ", z, " + start,
            ", dynamic_slice_sizes={" + std::to_string(sizes[0]) + "," +
                std::to_string(sizes[1]) + "}");
      }
    }
  }

  std::string groupsText(const Groups &chosen) {
    groups["x" + std::to_string(count + 1)] = chosen;
    return ", replica_groups=" + textOf(chosen);
  }

  Random &random;
  Int64s sizes;
  int64_t count = 0;
};

/// The program on all devices.
class Cluster {
 public:
  Cluster(const Module &module, const std::map<std::string, Groups> &groups,
          Random &random)
      : computation(module.computations[module.entry]), groups(groups) {
    for (int64_t q = 0; q < kDevices; ++q) index.push_back(random.in(-2, 6));
    elements.resize(computation.instructions.size());
    for (int32_t i : computation.postOrder()) run(i);
  }

  /// elements[i][q][e]: what element e of instruction i on device q reads.
  std::vector<std::vector<std::vector<Elements>>> elements;
  const Computation &computation;

  llvm::ArrayRef<int64_t> sizesOf(int32_t i) const {
    return shapesOf(computation.instructions[i].op).results[0].dimensions;
  }

  /// The value of a scalar instruction on a device.
  int64_t valueOf(int32_t i, int64_t device) const {
    llvm::StringRef name = computation.instructions[i].name;
    if (name == "i") return index[device];
    if (name == "z") return 0;
    EXPECT_TRUE(name == "id" || name == "n") << name.str();
    return device;
  }

  const std::vector<int64_t> &groupOf(int32_t i, int64_t device) const {
    for (const auto &group : groups.at(computation.instructions[i].name.str()))
      if (llvm::is_contained(group, device)) return group;
    ADD_FAILURE() << "no group";
    return groups.begin()->second[0];
  }

 private:
  void run(int32_t i) {
    const Instruction &instruction = computation.instructions[i];
    const int64_t count = countOf(sizesOf(i));
    elements[i].assign(kDevices, std::vector<Elements>(count));
    if (instruction.parameterNumber == 0) {
      for (int64_t q = 0; q < kDevices; ++q)
        for (int64_t e = 0; e < count; ++e) elements[i][q][e] = {{q, e}};
      return;
    }
    if (!instruction.name.starts_with("x")) return;
    if (groups.count(instruction.name.str())) {
      for (const auto &group : groups.at(instruction.name.str()))
        runGroup(i, group);
    } else if (instruction.opcode == "collective-permute") {
      runGroup(i, {0, 1, 2, 3, 4, 5});
    } else {
      for (int64_t q = 0; q < kDevices; ++q) {
        OperandValues values;
        for (int32_t operand : instruction.operands)
          values.push_back(operand == instruction.operands[0]
                               ? std::vector<int64_t>()
                               : std::vector{valueOf(operand, q)});
        take(i, q, {q}, evaluate(instruction.op, values)[0]);
      }
    }
  }

  void runGroup(int32_t i, const std::vector<int64_t> &group) {
    const std::vector<OperandValues> none(group.size());
    const auto results =
        evaluateMembers(computation.instructions[i].op, group.size(), none);
    for (size_t m = 0; m < group.size(); ++m)
      take(i, group[m], group, results[m][0]);
  }

  /// Operand 0 of member m, one operand a member.
  void take(int32_t i, int64_t device, const std::vector<int64_t> &group,
            const Tensor &result) {
    const auto &operands = computation.instructions[i].operands;
    const bool alone = group.size() == 1 && operands.size() > 1;
    for (size_t e = 0; e < result.elements.size(); ++e)
      for (const Read &read : result.elements[e]) {
        if (alone && read.operand > 0) continue;
        const Elements &from =
            elements[operands[0]][group[alone ? 0 : read.operand]]
                    [read.element];
        elements[i][device][e].insert(from.begin(), from.end());
      }
  }

  const std::map<std::string, Groups> &groups;
  std::vector<int64_t> index;
};

/// The values of runtime variables on one device and on those that it reaches.
class DeviceWorld : public World {
 public:
  DeviceWorld(const Cluster &cluster, const ProgramIndexing &maps,
              int64_t device)
      : World(0), cluster(cluster), maps(maps), self(device) {}

  /// Returns the device behind these members, or nothing if one does not exist.
  std::optional<int64_t> reach(llvm::ArrayRef<int64_t> collectives,
                               llvm::ArrayRef<int64_t> members) const {
    int64_t device = self;
    for (size_t h = 0; h < collectives.size(); ++h) {
      const int32_t i = maps.value(collectives[h]).instruction;
      if (cluster.computation.instructions[i].opcode == "collective-permute") {
        device = members[h];
        continue;
      }
      const auto &group = cluster.groupOf(i, device);
      if (members[h] < 0 || members[h] >= static_cast<int64_t>(group.size()))
        return std::nullopt;
      device = group[members[h]];
    }
    return device;
  }

  std::optional<int64_t> value(const RuntimeVariable &variable,
                               llvm::ArrayRef<int64_t> index) const override {
    const size_t hops = variable.collectives.size();
    const auto reached = reach(variable.collectives, index.take_back(hops));
    if (!reached) return std::nullopt;
    const int64_t device = *reached;
    const int32_t i = maps.value(variable.source.tensor).instruction;
    switch (variable.source.kind) {
      case RuntimeSource::Kind::GroupPosition: {
        const auto &group = cluster.groupOf(i, device);
        return llvm::find(group, device) - group.begin();
      }
      case RuntimeSource::Kind::GroupSize:
        return cluster.groupOf(i, device).size();
      case RuntimeSource::Kind::DeviceId:
        return device;
      default:
        EXPECT_EQ(index.size(), hops);
        return cluster.valueOf(i, device);
    }
  }

 private:
  const Cluster &cluster;
  const ProgramIndexing &maps;
  int64_t self;
};

/// Returns the reads of the root's elements on `device`, as (element, device).
std::vector<Pair> expectedPairs(const Cluster &cluster, int64_t device,
                                bool turned) {
  std::vector<Pair> pairs;
  const int32_t root = cluster.computation.root;
  const int32_t parameter = cluster.computation.parameters[0];
  const auto &elements = cluster.elements[root][device];
  for (size_t e = 0; e < elements.size(); ++e)
    for (const Element &element : elements[e]) {
      Index from = indexAt(cluster.sizesOf(root), e);
      Index to = indexAt(cluster.sizesOf(parameter), element.second);
      if (turned) std::swap(from, to);
      to.push_back(element.first);
      pairs.emplace_back(from, to);
    }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<Pair> mapPairs(const IndexingRelation &relation,
                           const DeviceWorld &world) {
  std::vector<Pair> pairs;
  for (const IndexingMap &piece : relation.pieces())
    for (auto &[from, to] : pairsOf(piece, world, {0, 31})) {
      const size_t rank = piece.results().size();
      const auto device = world.reach(
          piece.collectives(), llvm::ArrayRef<int64_t>(to).drop_front(rank));
      to.resize(rank);
      EXPECT_TRUE(device.has_value()) << piece.str();
      to.push_back(device.value_or(-1));
      pairs.emplace_back(from, to);
    }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

void checkProgram(uint64_t seed) {
  Random random(seed);
  const ChainWriter chain(random);
  SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(seed) + "\n" + chain.text);
  auto program = parseHlo(chain.text);
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &module = program->modules[0];
  const Cluster cluster(module, chain.groups, random);
  ProgramIndexing maps(module);
  for (Direction direction :
       {Direction::OutputToInput, Direction::InputToOutput}) {
    auto relation =
        maps.computation(module.entry, LeafId(0), ParameterLeaf{0}, direction);
    ASSERT_TRUE(relation.ok()) << relation.status();
    EXPECT_EQ(relation->precision(), Precision::Exact);
    for (int64_t q = 0; q < kDevices; ++q)
      EXPECT_EQ(
          difference(
              mapPairs(*relation, DeviceWorld(cluster, maps, q)),
              expectedPairs(cluster, q, direction == Direction::InputToOutput)),
          "")
          << "device " << q << "\n"
          << (relation->isEmpty() ? "" : describe(relation->pieces()[0]));
  }
}

TEST(CollectiveProgramTest, ChainsReadTheRightDevices) {
  const uint64_t programs = fromEnvironment("INDEXICAL_PROGRAMS", 400);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    checkProgram(seed);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace indexical::testing
