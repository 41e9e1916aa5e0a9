// The stand-in for a library that is built without a solver.
#include "indexical/same/solver/solver.h"

namespace indexical::solver {

std::unique_ptr<Solver> Solver::make() { return nullptr; }

}  // namespace indexical::solver
