#include "tests/same/partitioned/local_programs.h"

#include <algorithm>
#include <numeric>

namespace indexical::testing {
namespace {

constexpr int64_t kParameters = 2, kSize = 8;

using Groups = std::vector<std::vector<int64_t>>;

std::vector<int64_t> shuffled(int64_t count, Random &random) {
  std::vector<int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (int64_t k = count - 1; k > 0; --k)
    std::swap(order[k], order[random.in(0, k)]);
  return order;
}

Groups randomGroups(int64_t devices, Random &random) {
  std::vector<int64_t> order(devices);
  std::iota(order.begin(), order.end(), 0);
  if (random.oneIn(2)) order = shuffled(devices, random);
  const int64_t size = random.in(0, 1) ? 2 : devices;
  Groups groups(devices / size);
  for (int64_t k = 0; k < devices; ++k) groups[k / size].push_back(order[k]);
  return groups;
}

/// The place of each device in its group, times a number.
std::vector<int64_t> placesIn(const Groups &groups, int64_t devices,
                              int64_t times) {
  std::vector<int64_t> places(devices, 0);
  for (const auto &group : groups)
    for (size_t k = 0; k < group.size(); ++k)
      places[group[k]] = static_cast<int64_t>(k) * times;
  return places;
}

LocalStep step(std::string op, std::vector<size_t> in, int64_t size) {
  LocalStep made;
  made.op = std::move(op);
  made.in = std::move(in);
  made.size = size;
  return made;
}

int64_t wrap(int64_t value, const std::string &type) {
  if (type == "s8") return static_cast<int8_t>(value);
  if (type == "s32") return static_cast<int32_t>(value);
  return value;
}

int64_t combine(const std::string &function, int64_t a, int64_t b,
                const std::string &type) {
  if (function == "maximum") return std::max(a, b);
  if (function == "minimum") return std::min(a, b);
  return wrap(function == "multiply" ? a * b : a + b, type);
}

//===-- Text --------------------------------------------------------------===//

std::string listOf(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t each : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(each);
  return "{" + text + "}";
}

std::string groupsText(const Groups &groups) {
  std::string text;
  for (const auto &group : groups)
    text += (text.empty() ? "" : ",") + listOf(group);
  return ", channel_id=1, replica_groups={" + text + "}";
}

std::string lineOf(const LocalProgram &program, size_t k) {
  const LocalStep &s = program.steps[k];
  const std::string v = "v" + std::to_string(k), &type = program.type;
  const std::string name =
      (k + 1 == program.steps.size() ? "  ROOT " : "  ") + v;
  const std::string shape = type + "[" + std::to_string(s.size) + "]";
  const std::string devices = std::to_string(program.devices);
  std::string in, before;
  for (size_t each : s.in)
    in += (in.empty() ? "v" : ", v") + std::to_string(each);
  /// The number that the table has for this device, as a scalar.
  auto own = [&](const std::string &of) {
    before += "  " + v + "t = " + of + "[" + devices + "] constant(" +
              listOf(s.table) + ")\n  " + v + "p = u32[] partition-id()\n  " +
              v + "d = " + of + "[1] dynamic-slice(" + v + "t, " + v +
              "p), dynamic_slice_sizes={1}\n  " + v + "n = " + of +
              "[] reshape(" + v + "d)\n";
  };
  auto zeros = [&](int64_t number) {
    before += "  " + v + "c = " + type + "[] constant(" +
              std::to_string(number) + ")\n  " + v + "z = " + shape +
              " broadcast(" + v + "c), dimensions={}\n";
  };
  std::string rest;
  if (s.op == "parameter") {
    rest = "parameter(" + std::to_string(s.number) + ")" +
           (s.isReplicated ? ", sharding={replicated}" : "");
  } else if (s.op == "constant") {
    before += "  " + v + "c = " + type + "[] constant(" +
              std::to_string(s.number) + ")\n";
    rest = "broadcast(" + v + "c), dimensions={}";
  } else if (s.op == "own") {
    own(type);
    rest = "broadcast(" + v + "n), dimensions={}";
  } else if (s.op == "mask") {
    own("s32");
    zeros(s.number);
    before += "  " + v + "o = s32[] constant(1)\n  " + v +
              "q = pred[] compare(" + v + "n, " + v + "o), direction=EQ\n  " +
              v + "b = pred[" + std::to_string(s.size) + "] broadcast(" + v +
              "q), dimensions={}\n";
    rest = "select(" + v + "b, " + in + ", " + v + "z)";
  } else if (s.op == "slice") {
    rest = "slice(" + in + "), slice={[" + std::to_string(s.number) + ":" +
           std::to_string(s.number + s.size) + "]}";
  } else if (s.op == "own-slice") {
    own("s32");
    rest = "dynamic-slice(" + in + ", " + v + "n), dynamic_slice_sizes={" +
           std::to_string(s.size) + "}";
  } else if (s.op == "place") {
    own("s32");
    zeros(0);
    rest = "dynamic-update-slice(" + v + "z, " + in + ", " + v + "n)";
  } else if (s.op == "collective-permute") {
    std::string pairs;
    for (const auto &[source, target] : s.pairs)
      pairs += (pairs.empty() ? "" : ",") + listOf({source, target});
    rest = "collective-permute(" + in +
           "), channel_id=1, source_target_pairs={" + pairs + "}";
  } else if (s.op == "all-reduce" || s.op == "reduce-scatter") {
    rest = s.op + "(" + in + ")" + groupsText(s.groups) +
           ", use_global_device_ids=true, to_apply=" + s.function +
           (s.op == "all-reduce" ? "" : ", dimensions={0}");
  } else if (s.op == "all-gather") {
    rest = "all-gather(" + in + ")" + groupsText(s.groups) +
           ", use_global_device_ids=true, dimensions={0}";
  } else if (s.op == "all-to-all") {
    rest = "all-to-all(" + in + ")" + groupsText(s.groups) + ", dimensions={0}";
  } else if (s.op == "reverse") {
    rest = "reverse(" + in + "), dimensions={0}";
  } else {
    rest = s.function + "(" + in + ")";
  }
  return before + name + " = " + shape + " " + rest + "\n";
}

//===-- Numbers -----------------------------------------------------------===//

LocalVectors runCollective(const LocalStep &s, const LocalVectors &x,
                           const std::string &type) {
  LocalVectors of(x.size());
  if (s.op == "collective-permute") {
    for (auto &each : of) each.assign(s.size, 0);
    for (const auto &[source, target] : s.pairs) of[target] = x[source];
    return of;
  }
  for (const auto &group : s.groups) {
    const int64_t members = group.size();
    std::vector<int64_t> sum = x[group[0]], all;
    for (int64_t m = 0; m < members; ++m) {
      const auto &own = x[group[m]];
      all.insert(all.end(), own.begin(), own.end());
      for (size_t i = 0; m > 0 && i < sum.size(); ++i)
        sum[i] = combine(s.function, sum[i], own[i], type);
    }
    const int64_t own = x[group[0]].size(), part = own / members;
    for (int64_t m = 0; m < members; ++m) {
      auto &mine = of[group[m]];
      if (s.op == "all-reduce") mine = sum;
      if (s.op == "all-gather") mine = all;
      if (s.op == "reduce-scatter")
        mine.assign(sum.begin() + m * part, sum.begin() + (m + 1) * part);
      if (s.op != "all-to-all") continue;
      for (int64_t n = 0; n < members; ++n)
        for (int64_t i = 0; i < part; ++i)
          mine.push_back(all[n * own + m * part + i]);
    }
  }
  return of;
}

}  // namespace

std::string textOf(const LocalProgram &program) {
  std::string text =
      "HloModule m, num_partitions=" + std::to_string(program.devices) + "\n";
  const std::string of = program.type + "[] ";
  for (const char *function : {"add", "maximum", "minimum"})
    text += std::string(function) + " {\n  x = " + of +
            "parameter(0)\n  y = " + of + "parameter(1)\n  ROOT r = " + of +
            function + "(x, y)\n}\n";
  text += "ENTRY main_spmd {\n";
  for (size_t k = 0; k < program.steps.size(); ++k) text += lineOf(program, k);
  return text + "}\n";
}

LocalVectors runLocal(const LocalProgram &program,
                      const std::vector<LocalVectors> &parameters) {
  std::vector<LocalVectors> values;
  const std::string &type = program.type;
  for (const LocalStep &s : program.steps) {
    LocalVectors of(program.devices);
    if (!s.groups.empty() || s.op == "collective-permute") {
      values.push_back(runCollective(s, values[s.in[0]], type));
      continue;
    }
    for (int64_t d = 0; d < program.devices; ++d) {
      auto in = [&](size_t n) -> const std::vector<int64_t> & {
        return values[s.in[n]][d];
      };
      std::vector<int64_t> &mine = of[d];
      if (s.op == "parameter") {
        mine = parameters[s.number][d];
      } else if (s.op == "constant") {
        mine.assign(s.size, s.number);
      } else if (s.op == "own") {
        mine.assign(s.size, s.table[d]);
      } else if (s.op == "mask") {
        mine = in(0);
        if (s.table[d] != 1) mine.assign(s.size, s.number);
      } else if (s.op == "slice" || s.op == "own-slice") {
        int64_t start = s.op == "slice" ? s.number : s.table[d];
        const int64_t room = static_cast<int64_t>(in(0).size()) - s.size;
        start = std::clamp<int64_t>(start, 0, room);
        mine.assign(in(0).begin() + start, in(0).begin() + start + s.size);
      } else if (s.op == "place") {
        mine.assign(s.size, 0);
        const int64_t room = s.size - static_cast<int64_t>(in(0).size());
        const int64_t start = std::clamp<int64_t>(s.table[d], 0, room);
        std::copy(in(0).begin(), in(0).end(), mine.begin() + start);
      } else if (s.op == "reverse") {
        mine.assign(in(0).rbegin(), in(0).rend());
      } else {
        for (size_t i = 0; i < in(0).size(); ++i)
          mine.push_back(combine(s.function, in(0)[i], in(1)[i], type));
      }
    }
    values.push_back(std::move(of));
  }
  return values.back();
}

LocalProgram randomLocal(Random &random) {
  LocalProgram program;
  static const char *kTypes[] = {"s32", "s32", "s8", "f32"};
  program.type = kTypes[random.in(0, 3)];
  program.devices = random.in(0, 2) ? 4 : 2;
  for (int64_t p = 0; p < kParameters; ++p) {
    LocalStep made = step("parameter", {}, kSize);
    made.number = p;
    made.isReplicated = random.in(0, 3) == 0;
    program.steps.push_back(made);
  }
  const int64_t count = random.in(2, 5);
  for (int64_t k = 0; k < count; ++k) {
    const size_t last = program.steps.size() - 1;
    const size_t from = k + 1 == count || random.in(0, 2)
                            ? last
                            : static_cast<size_t>(random.in(0, last));
    const int64_t size = program.steps[from].size;
    LocalStep made = step("", {from}, size);
    const Groups groups = randomGroups(program.devices, random);
    const int64_t members = groups[0].size();
    const int64_t kind = random.in(0, 9);
    if (kind <= 1) {
      made.op = "all-reduce";
      made.groups = groups;
      made.function = random.in(0, 2) ? "add" : "maximum";
    } else if (kind == 2 && size <= 8) {
      made.op = "all-gather";
      made.groups = groups;
      made.size = size * members;
    } else if (kind == 3 && size % members == 0) {
      made.op = "reduce-scatter";
      made.groups = groups;
      made.size = size / members;
    } else if (kind == 4 && size % members == 0) {
      made.op = "all-to-all";
      made.groups = groups;
    } else if (kind == 5 || kind == 2) {
      made.op = "collective-permute";
      const auto order = shuffled(program.devices, random);
      const int64_t kept =
          random.in(0, 2) ? program.devices : random.in(1, program.devices - 1);
      for (int64_t d = 0; d < kept; ++d) made.pairs.push_back({order[d], d});
    } else if (kind == 6) {
      made.op = random.in(0, 1) ? "mask" : "own-slice";
      made.size = made.op == "mask" ? size : std::max<int64_t>(size / 2, 1);
      for (int64_t d = 0; d < program.devices; ++d)
        made.table.push_back(random.in(0, made.op == "mask" ? 1 : size));
    } else if (kind == 7) {
      made.op = "reverse";
    } else {
      made.op = "elementwise";
      std::vector<size_t> fit;
      for (size_t n = 0; n <= last; ++n)
        if (program.steps[n].size == size) fit.push_back(n);
      made.in.push_back(fit[random.in(0, fit.size() - 1)]);
      made.function = random.in(0, 2) ? "add" : "maximum";
    }
    program.steps.push_back(std::move(made));
  }
  return program;
}

bool rewriteLocal(LocalProgram &program, Random &random) {
  const size_t count = program.steps.size();
  const size_t begin = random.in(0, count - 1);
  for (size_t n = 0; n < count; ++n) {
    const size_t k = (begin + n) % count;
    const LocalStep s = program.steps[k];
    std::vector<LocalStep> made;  // operands from k on are steps of this list
    const int64_t devices = program.devices;
    const int64_t members = s.groups.empty() ? 1 : s.groups[0].size();
    auto add = [&](LocalStep one) {
      made.push_back(std::move(one));
      return k + made.size() - 1;
    };
    if (s.op == "all-reduce" && s.function == "add" && random.in(0, 1) &&
        program.steps[s.in[0]].op == "elementwise" &&
        program.steps[s.in[0]].function == "add") {
      const LocalStep sum = program.steps[s.in[0]];
      LocalStep one = s, other = s;
      one.in = {sum.in[0]};
      other.in = {sum.in[1]};
      const size_t a = add(one), b = add(other);
      add(step("elementwise", {a, b}, s.size));
    } else if (s.op == "all-reduce" && s.function == "add" &&
               s.size % members == 0) {
      LocalStep scatter = s;
      scatter.op = "reduce-scatter";
      scatter.size /= members;
      LocalStep gather = s;
      gather.op = "all-gather";
      gather.in = {add(scatter)};
      add(gather);
    } else if (s.op == "all-reduce" && s.function == "maximum") {
      LocalStep again = s;
      again.in = {add(s)};
      add(again);
    } else if (s.op == "reduce-scatter") {
      LocalStep sum = s;
      sum.op = "all-reduce";
      sum.size *= members;
      LocalStep part = step("own-slice", {add(sum)}, s.size);
      part.table = placesIn(s.groups, devices, s.size);
      add(part);
    } else if (s.op == "all-gather") {
      LocalStep place = step("place", s.in, s.size);
      place.table = placesIn(s.groups, devices, s.size / members);
      LocalStep sum = step("all-reduce", {add(place)}, s.size);
      sum.groups = s.groups;
      add(sum);
    } else if (s.op == "collective-permute") {
      const auto order = shuffled(devices, random);
      LocalStep first = s, second = s;
      first.pairs.clear();
      for (int64_t d = 0; d < devices; ++d)
        first.pairs.push_back({d, order[d]});
      for (auto &[source, target] : second.pairs) source = order[source];
      second.in = {add(first)};
      add(second);
    } else if (s.op == "all-to-all") {
      // All parts of all members, of which each takes its own.
      LocalStep gather = s;
      gather.op = "all-gather";
      gather.size = s.size * members;
      const size_t all = add(gather);
      std::vector<size_t> parts;
      const int64_t part = s.size / members;
      size_t sum = 0;
      for (int64_t m = 0; m < members; ++m) {
        LocalStep own = step("own-slice", {all}, part);
        own.table = placesIn(s.groups, devices, part);
        for (int64_t &each : own.table) each += m * s.size;
        LocalStep place = step("place", {add(own)}, s.size);
        place.table.assign(devices, m * part);
        const size_t placed = add(place);
        sum = m == 0 ? placed : add(step("elementwise", {sum, placed}, s.size));
      }
    } else if (s.op == "elementwise") {
      LocalStep other = s;
      std::swap(other.in[0], other.in[1]);
      add(other);
    } else {
      continue;
    }
    const size_t more = made.size() - 1;
    for (size_t j = k + 1; j < count; ++j)
      for (size_t &in : program.steps[j].in)
        if (in >= k) in += more;
    program.steps.erase(program.steps.begin() + k);
    program.steps.insert(program.steps.begin() + k, made.begin(), made.end());
    return true;
  }
  return false;
}

bool mutateLocal(LocalProgram &program, Random &random) {
  const size_t count = program.steps.size();
  const size_t begin = random.in(0, count - 1);
  for (size_t n = 0; n < count; ++n) {
    LocalStep &s = program.steps[(begin + n) % count];
    const int64_t devices = program.devices;
    if (!s.table.empty()) {
      s.table[random.in(0, devices - 1)] += s.op == "mask" ? 2 : 1;
      return true;
    }
    if (!s.pairs.empty()) {
      auto &pair = s.pairs[random.in(0, s.pairs.size() - 1)];
      if (s.pairs.size() > 1 && random.in(0, 1))
        std::swap(s.pairs[0].first, s.pairs[1].first);
      else if (s.pairs.size() > 1 && random.in(0, 1))
        s.pairs.pop_back();
      else
        pair.first = (pair.first + 1) % devices;
      std::vector<bool> seen(devices, false);
      for (auto &[source, target] : s.pairs) {
        while (seen[source]) source = (source + 1) % devices;
        seen[source] = true;
      }
      return true;
    }
    if (!s.groups.empty()) {
      const bool isSum = s.op == "all-reduce" || s.op == "reduce-scatter";
      if (isSum && random.in(0, 2) == 0) {
        s.function = s.function == "add" ? "maximum" : "add";
        return true;
      }
      auto &first = s.groups[0], &last = s.groups.back();
      if (s.groups.size() > 1 && random.in(0, 1))
        std::swap(first[0], last[1]);
      else
        std::swap(first[0], first[1]);
      return true;
    }
    if (s.op == "elementwise") {
      s.function = s.function == "add" ? "maximum" : "add";
      return true;
    }
    if (s.op == "slice" || s.op == "constant") {
      ++s.number;
      return true;
    }
  }
  return false;
}

}  // namespace indexical::testing
