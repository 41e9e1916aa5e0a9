#include "tests/same/partitioned/step_numbers.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical::testing {

std::optional<std::vector<Numbers>> numbersOf(
    const StepProgram &program,
    const std::vector<std::vector<Numbers>> &parameters) {
  std::vector<std::vector<Numbers>> done;
  size_t parameter = 0;
  auto reduce = [](int64_t v) { return ((v % kPrime) + kPrime) % kPrime; };
  auto any = [](int64_t a, int64_t b) { return a == kPoison || b == kPoison; };
  for (const Step &s : program.steps) {
    std::vector<Numbers> now(program.devices, Numbers(s.rows * s.columns, 0));
    for (int64_t d = 0; d < program.devices; ++d) {
      auto at = [&](size_t k, int64_t device, int64_t i, int64_t j) {
        return done[s.in[k]][device][i * program.steps[s.in[k]].columns + j];
      };
      for (int64_t i = 0; i < s.rows; ++i)
        for (int64_t j = 0; j < s.columns; ++j) {
          int64_t &v = now[d][i * s.columns + j];
          const int64_t here = s.axis ? j : i;
          auto moved = [&](size_t k, int64_t device, int64_t to) {
            return s.axis ? at(k, device, i, to) : at(k, device, to, j);
          };
          switch (s.kind) {
            case Step::Kind::Parameter:
              v = parameters[parameter][d][i * s.columns + j];
              break;
            case Step::Kind::Negate:
              v = at(0, d, i, j);
              if (v != kPoison) v = reduce(-v);
              break;
            case Step::Kind::Add:
              v = any(at(0, d, i, j), at(1, d, i, j))
                      ? kPoison
                      : at(0, d, i, j) + at(1, d, i, j);
              break;
            case Step::Kind::Multiply:
              v = any(at(0, d, i, j), at(1, d, i, j))
                      ? kPoison
                      : at(0, d, i, j) * at(1, d, i, j);
              break;
            case Step::Kind::Transpose:
              v = at(0, d, j, i);
              break;
            case Step::Kind::Reverse:
              v = moved(0, d, s.along(s.axis) - 1 - here);
              break;
            case Step::Kind::Slice:
              v = moved(0, d, here + s.start);
              break;
            case Step::Kind::Concat: {
              const int64_t first = program.steps[s.in[0]].along(s.axis);
              v = here < first ? moved(0, d, here) : moved(1, d, here - first);
              break;
            }
            case Step::Kind::Offset: {
              const int64_t most =
                  program.steps[s.in[0]].along(s.axis) - s.along(s.axis);
              const int64_t start =
                  std::min(std::max<int64_t>(s.table[d], 0), most);
              v = moved(0, d, here + start);
              break;
            }
            case Step::Kind::Mask:
              v = here + s.table[d] < s.size ? at(0, d, i, j) : 0;
              break;
            case Step::Kind::Gather:
              for (const Numbers &group : s.groups)
                if (llvm::is_contained(group, d)) {
                  const int64_t part = program.steps[s.in[0]].along(s.axis);
                  v = moved(0, group[here / part], here % part);
                }
              break;
            case Step::Kind::Sum:
              for (const Numbers &group : s.groups)
                if (llvm::is_contained(group, d))
                  for (int64_t member : group)
                    v = any(v, at(0, member, i, j)) ? kPoison
                                                    : v + at(0, member, i, j);
              break;
            case Step::Kind::Permute:
              for (const Numbers &pair : s.groups)
                if (pair[1] == d) v = at(0, pair[0], i, j);
              break;
            case Step::Kind::ToParts: {
              const Step &whole = program.steps[s.in[0]];
              const int64_t tile = s.cut.tileOf(d);
              const int64_t wi = i + (s.cut.axis == 0 ? tile * s.rows : 0);
              const int64_t wj = j + (s.cut.axis == 1 ? tile * s.columns : 0);
              v = wi < whole.rows && wj < whole.columns ? at(0, d, wi, wj)
                                                        : kPoison;
              break;
            }
            case Step::Kind::ToWhole: {
              const Step &part = program.steps[s.in[0]];
              const int64_t count = s.cut.tilesOf(program.devices);
              std::vector<std::optional<int64_t>> of(count);
              for (int64_t p = 0; p < program.devices; ++p) {
                const int64_t tile = s.cut.tileOf(p);
                const int64_t pi = s.cut.axis == 0 ? i - tile * part.rows : i;
                const int64_t pj =
                    s.cut.axis == 1 ? j - tile * part.columns : j;
                if (pi < 0 || pi >= part.rows || pj < 0 || pj >= part.columns)
                  continue;
                const int64_t number = at(0, p, pi, pj);
                if (of[tile] && *of[tile] != number) return std::nullopt;
                of[tile] = number;
              }
              for (const auto &number : of)
                if (number) v = any(v, *number) ? kPoison : v + *number;
              break;
            }
            case Step::Kind::Dot: {
              const int64_t inner = program.steps[s.in[0]].columns;
              for (int64_t k = 0; k < inner; ++k)
                v = v == kPoison || any(at(0, d, i, k), at(1, d, k, j))
                        ? kPoison
                        : reduce(v + at(0, d, i, k) * at(1, d, k, j));
              break;
            }
          }
          if (v != kPoison) v = reduce(v);
        }
    }
    if (s.kind == Step::Kind::Parameter) ++parameter;
    done.push_back(std::move(now));
  }
  return done.back();
}

}  // namespace indexical::testing
