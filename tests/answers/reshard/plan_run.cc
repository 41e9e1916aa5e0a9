#include "tests/answers/reshard/plan_run.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace indexical::testing {
namespace {

using Numbers = std::vector<int64_t>;
using Lists = std::vector<Numbers>;
using OnDevices = std::vector<PlanArray>;

int64_t countOf(const Numbers &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

/// Returns all integers of a text.
Numbers integersOf(const std::string &text) {
  Numbers numbers;
  for (size_t at = 0; at < text.size();) {
    if (!isdigit(text[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && isdigit(text[end])) ++end;
    const int64_t sign = at > 0 && text[at - 1] == '-' ? -1 : 1;
    numbers.push_back(sign * std::stoll(text.substr(at, end - at)));
    at = end;
  }
  return numbers;
}

/// `{{0,1},{2,3}}` as lists.
Lists listsOf(const std::string &text) {
  Lists lists;
  for (size_t at = text.find('{', 1); at != std::string::npos;
       at = text.find('{', at + 1))
    lists.push_back(integersOf(text.substr(at, text.find('}', at) - at)));
  return lists;
}

struct Line {
  std::string name, op, text;
  Numbers sizes;
  std::vector<std::string> operands;

  /// The value of an attribute, with the braces around it.
  std::string attribute(const std::string &key) const {
    size_t at = text.find(", " + key + "=");
    if (at == std::string::npos) return "";
    at += key.size() + 3;
    size_t end = at;
    int depth = 0;
    for (; end < text.size(); ++end) {
      if (text[end] == '{' || text[end] == '[') ++depth;
      if (text[end] == '}' || text[end] == ']') --depth;
      if (depth == 0 && text[end] == ',') break;
    }
    return text.substr(at, end - at);
  }
};

bool readLine(std::string text, Line &line) {
  text.erase(0, text.find_first_not_of(' '));
  if (text.rfind("ROOT ", 0) == 0) text.erase(0, 5);
  const size_t equals = text.find(" = ");
  if (equals == std::string::npos) return false;
  line.name = text.substr(0, equals);
  const size_t bracket = text.find(']', equals);
  const size_t open = text.find('(', bracket);
  line.sizes = integersOf(text.substr(text.find('[', equals),
                                      bracket - text.find('[', equals)));
  line.op = text.substr(bracket + 2, open - bracket - 2);
  const size_t close = text.find(')', open);
  line.text = text.substr(close + 1);
  std::stringstream in(text.substr(open + 1, close - open - 1));
  if (line.op == "constant") {
    line.operands = {text.substr(open + 1, close - open - 1)};
    return true;
  }
  for (std::string word; std::getline(in, word, ',');) {
    word.erase(0, word.find_first_not_of(' '));
    line.operands.push_back(word);
  }
  return true;
}

/// Calls `take` with each index of an array.
template <typename Take>
void forEach(const Numbers &sizes, Take take) {
  Numbers at(sizes.size(), 0);
  for (int64_t k = 0, count = countOf(sizes); k < count; ++k) {
    take(at, k);
    for (size_t d = sizes.size(); d-- > 0;) {
      if (++at[d] < sizes[d]) break;
      at[d] = 0;
    }
  }
}

int64_t placeOf(const Numbers &at, const Numbers &sizes) {
  int64_t place = 0;
  for (size_t k = 0; k < at.size(); ++k) place = place * sizes[k] + at[k];
  return place;
}

class Interpreter {
 public:
  Interpreter(const std::vector<PlanArray> &parameters, PlanRun &run)
      : parameters_(parameters), run_(run) {}

  void entry(const std::string &hlo) {
    combinesBy_ = hlo.find(" maximum(") != std::string::npos   ? 'x'
                  : hlo.find(" minimum(") != std::string::npos ? 'n'
                                                               : '+';
    std::stringstream in(hlo.substr(hlo.find("ENTRY")));
    std::string text, last;
    while (std::getline(in, text) && run_.mistake.empty()) {
      Line line;
      if (!readLine(text, line)) continue;
      instruction(line);
      last = line.name;
    }
    if (run_.mistake.empty()) run_.results = values_[last];
  }

 private:
  size_t devices() const { return parameters_.size(); }
  const OnDevices &operand(const Line &line, size_t k) {
    static const OnDevices kNone;
    const auto found = values_.find(
        k < line.operands.size() ? line.operands[k] : std::string());
    if (found == values_.end()) {
      run_.mistake = "no operand of " + line.name;
      return kNone;
    }
    return found->second;
  }

  void instruction(const Line &line) {
    OnDevices result(devices());
    for (PlanArray &each : result) {
      each.sizes = line.sizes;
      each.numbers.assign(countOf(line.sizes), 0);
    }
    if (line.op == "parameter")
      result = parameters_;
    else if (line.op == "constant")
      constant(line, result);
    else if (line.op == "partition-id")
      for (size_t d = 0; d < devices(); ++d)
        result[d].numbers = {static_cast<int64_t>(d)};
    else if (line.op.rfind("all-", 0) == 0 || line.op == "reduce-scatter" ||
             line.op == "collective-permute")
      collective(line, result);
    else
      for (size_t d = 0; d < devices() && run_.mistake.empty(); ++d)
        local(line, d, result[d]);
    values_[line.name] = std::move(result);
  }

  static void constant(const Line &line, OnDevices &result) {
    Numbers numbers = integersOf(line.operands[0]);
    if (line.operands[0] == "false") numbers = {0};
    for (PlanArray &each : result) each.numbers = numbers;
  }

  Numbers offsets(const Line &line, size_t first, size_t device,
                  const Numbers &all, const Numbers &part) {
    Numbers offsets;
    for (size_t k = 0; k < all.size(); ++k) {
      const OnDevices &of = operand(line, first + k);
      if (!run_.mistake.empty()) return Numbers(all.size(), 0);
      offsets.push_back(std::clamp<int64_t>(of[device].numbers[0], 0,
                                            all[k] - part[k]));
    }
    return offsets;
  }

  void local(const Line &line, size_t device, PlanArray &result) {
    const OnDevices &all = operand(line, 0);
    if (!run_.mistake.empty()) return;
    const PlanArray &of = all[device];
    if (line.op == "reshape" || line.op == "copy") {
      if (countOf(of.sizes) != countOf(line.sizes))
        run_.mistake = "sizes of " + line.name;
      result.numbers = of.numbers;
    } else if (line.op == "broadcast") {
      result.numbers.assign(countOf(line.sizes), of.numbers[0]);
    } else if (line.op == "transpose") {
      const Numbers order = integersOf(line.attribute("dimensions"));
      if (order.size() != line.sizes.size() ||
          std::set<int64_t>(order.begin(), order.end()).size() != order.size())
        run_.mistake = "wrong dimensions";
      for (size_t d = 0; d < order.size() && run_.mistake.empty(); ++d)
        if (order[d] >= static_cast<int64_t>(order.size()) ||
            of.sizes[order[d]] != line.sizes[d])
          run_.mistake = "wrong dimensions";
      if (!run_.mistake.empty()) return;
      forEach(line.sizes, [&](const Numbers &at, int64_t k) {
        Numbers from(at.size());
        for (size_t d = 0; d < at.size(); ++d) from[order[d]] = at[d];
        result.numbers[k] = of.numbers[placeOf(from, of.sizes)];
      });
    } else if (line.op == "pad" || line.op == "slice") {
      // Both keep the first elements of each dimension.
      forEach(line.sizes, [&](const Numbers &at, int64_t k) {
        bool isInside = true;
        for (size_t d = 0; d < at.size(); ++d) isInside &= at[d] < of.sizes[d];
        if (isInside) result.numbers[k] = of.numbers[placeOf(at, of.sizes)];
      });
    } else if (line.op == "dynamic-slice") {
      const Numbers begin = offsets(line, 1, device, of.sizes, line.sizes);
      forEach(line.sizes, [&](const Numbers &at, int64_t k) {
        Numbers from = at;
        for (size_t d = 0; d < at.size(); ++d) from[d] += begin[d];
        result.numbers[k] = of.numbers[placeOf(from, of.sizes)];
      });
    } else if (line.op == "dynamic-update-slice") {
      const PlanArray &update = operand(line, 1)[device];
      const Numbers begin = offsets(line, 2, device, of.sizes, update.sizes);
      result.numbers = of.numbers;
      forEach(update.sizes, [&](const Numbers &at, int64_t k) {
        Numbers to = at;
        for (size_t d = 0; d < at.size(); ++d) to[d] += begin[d];
        result.numbers[placeOf(to, of.sizes)] = update.numbers[k];
      });
    } else if (line.op == "compare") {
      result.numbers = {of.numbers[0] == operand(line, 1)[device].numbers[0]};
    } else if (line.op == "select") {
      result.numbers =
          operand(line, of.numbers[0] ? 1 : 2)[device].numbers;
    } else {
      run_.mistake = "no meaning of " + line.op;
    }
  }

  int64_t combined(int64_t a, int64_t b) const {
    return combinesBy_ == '+'   ? a + b
           : combinesBy_ == 'x' ? std::max(a, b)
                                : std::min(a, b);
  }

  /// Returns whether all numbers are devices, and no one is there twice.
  bool areDevices(const Numbers &numbers) const {
    std::set<int64_t> seen;
    for (int64_t number : numbers)
      if (number < 0 || number >= static_cast<int64_t>(devices()) ||
          !seen.insert(number).second)
        return false;
    return true;
  }
  /// Returns whether each device is in one group.
  bool areGroups(const Lists &groups) const {
    Numbers all;
    for (const Numbers &group : groups)
      all.insert(all.end(), group.begin(), group.end());
    return all.size() == devices() && areDevices(all);
  }

  void collective(const Line &line, OnDevices &result) {
    const OnDevices &of = operand(line, 0);
    if (!run_.mistake.empty()) return;
    ++run_.collectives;
    const int64_t held = of[0].numbers.size();
    if (line.op == "collective-permute") {
      auto &pairs = run_.permutes[line.sizes].emplace_back();
      const Lists listed = listsOf(line.attribute("source_target_pairs"));
      Numbers targets;
      for (const Numbers &pair : listed) {
        targets.push_back(pair[1]);
        if (!areDevices({pair[0]})) run_.mistake = "wrong pairs";
      }
      if (!areDevices(targets)) run_.mistake = "wrong pairs";
      if (!run_.mistake.empty()) return;
      for (const Numbers &pair : listed) {
        result[pair[1]].numbers = of[pair[0]].numbers;
        if (pair[0] != pair[1]) run_.received += held;
        pairs.emplace_back(pair[0], pair[1]);
      }
      return;
    }
    const Numbers dimensions = integersOf(line.attribute("dimensions"));
    const size_t along = dimensions.empty() ? 0 : dimensions[0];
    const Lists groups = listsOf(line.attribute("replica_groups"));
    if (!areGroups(groups) || along >= line.sizes.size() + line.sizes.empty()) {
      run_.mistake = "wrong groups";
      return;
    }
    for (const Numbers &group : groups) {
      const int64_t members = group.size();
      if (line.op == "all-gather" || line.op == "all-to-all") {
        const bool gathers = line.op == "all-gather";
        const int64_t part =
            of[0].sizes[along] / (gathers ? 1 : members);
        run_.received += gathers ? members * (members - 1) * held
                                 : (members - 1) * held;
        for (int64_t k = 0; k < members; ++k)
          forEach(line.sizes, [&](const Numbers &at, int64_t place) {
            Numbers from = at;
            const int64_t other = at[along] / part;
            from[along] = at[along] % part + (gathers ? 0 : k * part);
            result[group[k]].numbers[place] =
                of[group[other]].numbers[placeOf(from, of[0].sizes)];
          });
        continue;
      }
      // The sums of all members, of which each gets all or a part.
      Numbers sum = of[group[0]].numbers;
      for (int64_t k = 1; k < members; ++k)
        for (int64_t i = 0; i < held; ++i)
          sum[i] = combined(sum[i], of[group[k]].numbers[i]);
      const bool scatters = line.op == "reduce-scatter";
      run_.received += (scatters ? 1 : 2) * (members - 1) * held;
      for (int64_t k = 0; k < members; ++k)
        forEach(line.sizes, [&](const Numbers &at, int64_t place) {
          Numbers from = at;
          if (scatters) from[along] += k * line.sizes[along];
          result[group[k]].numbers[place] = sum[placeOf(from, of[0].sizes)];
        });
    }
  }

  const std::vector<PlanArray> &parameters_;
  PlanRun &run_;
  std::map<std::string, OnDevices> values_;
  char combinesBy_ = '+';
};

}  // namespace

PlanRun runPlan(const std::string &hlo,
                const std::vector<PlanArray> &parameters) {
  PlanRun run;
  Interpreter(parameters, run).entry(hlo);
  return run;
}

}  // namespace indexical::testing
