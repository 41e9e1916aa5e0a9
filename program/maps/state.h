// How ProgramIndexing finds its answers, and DerivativeReads those along fewer
// edges: private to program/.
//
// Each question is a class that names in its constructor what it asks, from the
// module up:
//
//   graph     who uses whom: of the module alone     program_graph.h
//   values    numbers of the values in answers       value_numbers.h
//   solved    the answers for whole computations     solved_computations.h
//
//   facts     known sizes and elements               program_facts.h
//   ops       maps of ops, without callees           op_maps.h
//   calls     fusions, calls, branches               calls.h
//   boxes     loops as boxes                         loop_boxes.h
//   counted   loops in closed form                   counted_loops.h
//   loops     what a while reads                     loops.h
//   scans     what a scan reads                      scans.h
//   scatters  scatters with known indices            scatters.h
//   edges     one instruction: one of those above    edges.h
//   uses      which leaves can read which            leaf_uses.h
//   sizes     what is read because a size is named   size_reads.h
//   passes    one instruction after another          passes.h
//   solver    whole computations, callees first      solver.h
//
// A question asks those above it in this list. Two need one that is below, and
// ask it through Recursion alone: a pass that meets a call has the callee
// solved, and a scatter asks for a pass between two of its operands.
//
// Each class keeps its answers in tables of its own, since no other class reads
// them. Two tables are shared: the solver alone fills `solved`, and each class
// that names a new value adds it to `values`.
#ifndef INDEXICAL_PROGRAM_MAPS_STATE_H
#define INDEXICAL_PROGRAM_MAPS_STATE_H

#include <map>
#include <vector>

#include "indexical/program/maps/calls.h"
#include "indexical/program/maps/counted_loops.h"
#include "indexical/program/maps/edge_filter.h"
#include "indexical/program/maps/edges.h"
#include "indexical/program/maps/leaf_uses.h"
#include "indexical/program/maps/loop_boxes.h"
#include "indexical/program/maps/loops.h"
#include "indexical/program/maps/op_maps.h"
#include "indexical/program/maps/passes.h"
#include "indexical/program/maps/program_facts.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/maps/recursion.h"
#include "indexical/program/maps/scans.h"
#include "indexical/program/maps/scatters.h"
#include "indexical/program/maps/size_reads.h"
#include "indexical/program/maps/solved_computations.h"
#include "indexical/program/maps/solver.h"
#include "indexical/program/maps/value_numbers.h"

namespace indexical {

struct Questions : Recursion {
  /// The arguments must outlive the object. Without a filter all edges are
  /// followed.
  Questions(const Module &module, std::vector<Value> &all,
            std::map<Value, int64_t> &numbers, const Budget &budget,
            const EdgeFilter *filter = nullptr)
      : graph(module),
        values(all, numbers),
        facts(module, values),
        ops(graph, values, facts),
        calls(graph, solved, values, facts, ops),
        boxes(graph, solved),
        counted(graph, solved, values, boxes),
        loops(graph, values, facts, ops, calls, boxes, counted),
        scans(graph, solved, loops),
        scatters(graph, facts, ops, *this),
        edges(graph, budget, ops, calls, loops, scans, scatters),
        uses(graph, solved, boxes),
        sizes(graph, facts),
        passes(graph, budget, facts, ops, edges, uses, sizes, filter, *this),
        solver(graph, solved, ops, edges, passes) {}

  absl::Status solveCallees(ComputationId c,
                            const Instruction &instruction) override {
    return solver.solveCallees(c, instruction);
  }
  absl::StatusOr<ReachedInstructions> readsUntil(ComputationId c,
                                                 InstructionLeaf from,
                                                 InstructionId stop) override {
    return passes.backward(c, from, stop);
  }

  const ProgramGraph graph;
  ValueNumbers values;
  SolvedComputations solved;
  ProgramFacts facts;
  OpMaps ops;
  Calls calls;
  LoopBoxes boxes;
  CountedLoops counted;
  Loops loops;
  Scans scans;
  Scatters scatters;
  Edges edges;
  LeafUses uses;
  NamedSizes sizes;
  Passes passes;
  Solver solver;
};

struct ProgramIndexing::State final : Questions {
  explicit State(ProgramIndexing &owner)
      : Questions(owner.module_, owner.values_, owner.numbers_, owner.budget_) {
  }
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_STATE_H
