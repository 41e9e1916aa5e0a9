// A program of another project: it has headers that are called as ours are, and
// sees none of ours but those of indexical/.
#include <cstdio>
#include <string>

#include "indexical/indexical.h"
#include "ops/op.h"

int main() {
  auto first = indexical::parseMap("(d0) -> (d0 * 2), domain: d0 in [0, 3]");
  auto second =
      indexical::parseMap("(d0) -> (d0 floordiv 2), domain: d0 in [0, 7]");
  if (!first.ok() || !second.ok()) return 1;
  auto both = indexical::compose(*first, *second);
  if (!both.ok()) return 1;

  auto program = indexical::parseHlo(
      "f { p = f32[4,8] parameter(0)\n"
      "    ROOT t = f32[8,4] transpose(p), dimensions={1,0} }");
  if (!program.ok()) return 1;
  indexical::ProgramIndexing maps(program->modules[0]);
  auto read = maps.computation(
      indexical::ComputationId(0), indexical::LeafId(0),
      indexical::ParameterLeaf{0}, indexical::Direction::OutputToInput);
  if (!read.ok()) return 1;
  auto count = indexical::countImage(read->pieces()[0]);
  if (!count.ok() || !count->value) return 1;

  // An error comes through the libraries' border as a status with its place.
  if (indexical::parseMap("(d0) -> (d1)").ok()) return 1;

  std::printf("%s %s\n%s\n%s\n%lld\n", kConsumer, indexical::kVersion,
              both->strOneLine().c_str(),
              read->pieces()[0].strOneLine().c_str(),
              static_cast<long long>(int64_t(*count->value)));
  return 0;
}
