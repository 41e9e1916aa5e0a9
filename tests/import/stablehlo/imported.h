// Programs of MLIR text, and texts that tests compare.
//
//   shown(main)                  x=parameter() 2:17
//                                y=stablehlo.negate(x) 3:8
//   reads(program, "main", 0, 0) exact; (d0) -> (d0), domain: d0 in [0, 3]
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_IMPORTED_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_IMPORTED_H

#include <string>

#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical::testing {

/// Returns the program. If the text is refused, this is a test failure, and the
/// program is empty.
inline Program imported(const std::string &text) {
  auto program = importMlir(text, "test.mlir");
  EXPECT_TRUE(program.ok()) << program.status() << "\n" << text;
  return program.ok() ? *std::move(program) : Program();
}

/// `name=opcode(operand, operand#1, *captured) 3:5`, one a line.
inline std::string shown(const Computation &computation) {
  std::string text;
  for (const Instruction &i : computation.instructions) {
    if (i.terminator) continue;
    text += i.name.str() + "=" + i.opcode.str() + "(";
    for (size_t k = 0; k < i.operands.size(); ++k) {
      const bool captured =
          k + i.captured >= i.operands.size() && i.captured > 0;
      text += (k ? ", " : "") + std::string(captured ? "*" : "") +
              computation.instructions[i.operands[k]].name.str();
      if (i.elements[k] >= 0) text += "#" + std::to_string(i.elements[k]);
    }
    text += ") " + std::to_string(i.place.line) + ":" +
            std::to_string(i.place.column) + "\n";
  }
  return text;
}

inline std::string names(const Module &module) {
  std::string text;
  for (const Computation &c : module.computations)
    text += (text.empty() ? "" : " ") + c.name.str() + (c.entry ? "*" : "");
  return text;
}

inline const Computation &computationOf(const Program &program,
                                        const std::string &name) {
  static const Computation none;
  if (program.modules.empty()) return none;
  const Module &module = program.modules[0];
  const int32_t c = module.find(name);
  EXPECT_GE(c, 0) << name << " of " << names(module);
  return c < 0 ? none : module.computations[c];
}

/// Returns the frames that an instruction of the first module comes from, the
/// innermost first: `layer.py:80 in dense; model.py:12`.
inline std::string stackOf(const Program &program,
                           const Instruction &instruction) {
  std::string text;
  for (const StackFrame &frame :
       program.modules[0].frames.stackFrom(instruction.metadata.frame))
    text += (text.empty() ? "" : "; ") + frame.str();
  return text;
}

/// Returns the reads of leaf `r` of the root of leaf 0 of parameter p, or the
/// relation of the other direction.
inline std::string reads(const Program &program, const std::string &computation,
                         int64_t r, int32_t p,
                         Direction direction = Direction::OutputToInput) {
  if (program.modules.empty()) return "";
  const Module &module = program.modules[0];
  ProgramIndexing maps(module);
  auto relation = maps.computation(module.find(computation), LeafId(r),
                                   ParameterLeaf{p}, direction);
  if (!relation.ok()) return relation.status().ToString();
  std::string text = precisionName(relation->precision()).str();
  for (const IndexingMap &piece : relation->pieces())
    text += "; " + piece.strOneLine();
  return text;
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_IMPORTED_H
