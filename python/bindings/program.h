// A program that Python holds: its input, its instructions, and its maps, which
// one thread asks at a time.
#ifndef INDEXICAL_PYTHON_BINDINGS_PROGRAM_H
#define INDEXICAL_PYTHON_BINDINGS_PROGRAM_H

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "indexical/answers/inputs/input.h"
#include "indexical/answers/inputs/read_program.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct HeldProgram {
  Input input;
  InputFormat format = InputFormat::Hlo;
  Program program;
  /// The maps of a module. Relations of different modules meet in Python, so
  /// their sources have numbers of their own: the module's, and the value's.
  struct Maps {
    explicit Maps(const Module &module) : indexing(module) {}
    int64_t number = 0;
    std::mutex busy;
    ProgramIndexing indexing;
  };
  std::deque<Maps> maps;
};

using Held = std::shared_ptr<HeldProgram>;

}  // namespace indexical

#endif  // INDEXICAL_PYTHON_BINDINGS_PROGRAM_H
