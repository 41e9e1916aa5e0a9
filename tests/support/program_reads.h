// The reads of a small module's entry, as text.
#ifndef INDEXICAL_TESTS_SUPPORT_PROGRAM_READS_H
#define INDEXICAL_TESTS_SUPPORT_PROGRAM_READS_H

#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical::testing {

constexpr Direction kReads = Direction::OutputToInput;
constexpr Direction kUsers = Direction::InputToOutput;

inline Program parsed(const std::string &text) {
  auto program = parseHlo(text);
  EXPECT_TRUE(program.ok()) << program.status() << "\n" << text;
  return program.ok() ? *std::move(program) : Program();
}

inline std::string textOf(const IndexingRelation &relation) {
  std::string text = precisionName(relation.precision()).str() + ":";
  for (const IndexingMap &piece : relation.pieces())
    text += "\n  " + piece.strOneLine();
  return text;
}

/// Returns the text of a relation, with the sources of its runtime variables
/// as `rt0: e.start`, and the calls on the way in front of a source.
inline std::string textOf(const ProgramIndexing &maps,
                          const IndexingRelation &relation) {
  std::string out = textOf(relation);
  auto name = [&](int32_t c, int32_t i) {
    const Computation &computation = maps.module().computations[c];
    return computation.name.str() + "." +
           computation.instructions[i].name.str();
  };
  for (const IndexingMap &piece : relation.pieces())
    for (uint32_t i = 0; i < piece.runtime().size(); ++i) {
      const Value &value = maps.value(piece.runtime()[i].source.tensor);
      out += "\n  " + piece.nameOf({VariableKind::Runtime, i}) + ": ";
      for (const CallSite &site : value.calls)
        out += name(site.computation, site.instruction) + " > ";
      out += name(value.computation, value.instruction);
      if (value.result) out += "#" + std::to_string(value.result);
    }
  return out;
}

/// Returns as text what leaf `rootLeaf` of the entry's root reads of the
/// parameter's leaf `leaf`, or the relation of the other direction.
inline std::string reads(const std::string &text, int32_t parameter = 0,
                         int64_t leaf = 0, Direction direction = kReads,
                         int64_t rootLeaf = 0) {
  const Program program = parsed(text);
  if (program.modules.empty()) return "";
  const Module &module = program.modules[0];
  ProgramIndexing maps(module);
  auto relation =
      maps.computation(module.entry, LeafId(rootLeaf),
                       ParameterLeaf{parameter, LeafId(leaf)}, direction);
  return relation.ok() ? textOf(maps, *relation)
                       : std::string(relation.status().message());
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_PROGRAM_READS_H
