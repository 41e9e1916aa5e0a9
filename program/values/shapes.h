// Follows sizes that are not known through a computation.
//
//   n = s32[] get-dimension-size(p), dimensions={0}       p: f32[?,4]
//   m = s32[] multiply(n, four)
//   r = f32[?] dynamic-reshape(p, m)
//
// The size of r is 4 * the size of p, so that r reads (d0 floordiv 4, d0 mod 4)
// of p. Sizes that an instruction's definition makes equal are one, everywhere
// in the computation. Such a size is a number; else the size of the first
// parameter that has it; else the expression that it follows from; else a
// variable of its own. A loop whose body keeps a size of its state keeps it,
// however often it runs; so do calls.
//
// A computation of sizes in 32 or 64 bits is taken not to overflow: people
// multiply sizes in them. In fewer bits, and where a number is known that its
// type does not hold, a value that may overflow is not followed.
//
// Law (tests/program/maps/dynamic_program_test.cc): with the sizes and elements
// that a run has, every size is that of its tensor.
#ifndef INDEXICAL_PROGRAM_VALUES_SHAPES_H
#define INDEXICAL_PROGRAM_VALUES_SHAPES_H

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/size_classes.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/program.h"

namespace indexical {

class ProgramShapes {
 public:
  /// The number of a leaf, as a source has it.
  using Number = std::function<int64_t(InstructionLeaf leaf)>;

  /// The sizes of another computation of the module, or null.
  using Called = std::function<ProgramShapes *(ComputationId computation)>;

  /// Finds which sizes of the computation's instructions are equal.
  /// `computation` must outlive the object, and so must the shapes that
  /// `called` returns. The shapes of a loop's body, or of a called computation,
  /// say which sizes of its results are those of operands.
  ProgramShapes(const Computation &computation, Number number,
                const Called &called = nullptr);
  ProgramShapes(const ProgramShapes &) = delete;

  /// The computation stands at another address now.
  void moved(const Computation &computation) { computation_ = &computation; }

  /// Returns whether any size is open.
  bool isOpen() const { return !sizes_.empty(); }
  /// Returns the known facts of the sizes of an instruction's op, or null if no
  /// size is open. The facts refer to this object.
  std::shared_ptr<const SizeFacts> factsOf(InstructionId instruction);

  /// Returns a dimension of a leaf as an expression, or nothing if its type
  /// fixes it.
  std::optional<FormId> size(InstructionLeaf leaf, int64_t dimension);
  /// Returns the element of a leaf, or nothing if it does not follow from
  /// sizes, constants and elements.
  std::optional<FormId> element(InstructionLeaf leaf,
                                llvm::ArrayRef<int64_t> index);

  /// One element of a leaf.
  struct Element {
    InstructionLeaf leaf;
    std::vector<int64_t> index;
  };
  /// The values that decide a size.
  struct Sources {
    std::vector<Element> elements;
    /// Operands of instructions that do not say how they make a size.
    std::vector<InstructionLeaf> wholes;
  };
  /// Returns the sources of a size, among the instructions that are `below`.
  /// Sizes of parameters, and sizes that types state, have none.
  Sources sourcesOf(InstructionLeaf leaf, int64_t dimension,
                    const std::vector<bool> &below);
  const ExpressionTable &table() const { return pool_; }
  const SizeFacts::Variable &variable(uint32_t i) const {
    return variables_[i].known;
  }

 private:
  class Context;
  class Elements;
  class SourceContext;
  class Facts;
  class PassedSizes;
  /// A class of equal sizes. Its form is made when it is first asked for.
  struct Class {
    bool open = false;      ///< its formulas are being looked at
    bool circular = false;  ///< one of them came back to it
    std::optional<FormId> form;
    std::vector<std::pair<InstructionId, const SizeFormula *>> formulas;
  };
  using Node = std::tuple<InstructionId, LeafId, int64_t>;  ///< and a dimension

  const ArrayShape &shapeOf(InstructionLeaf leaf) const;
  /// Returns the number of the first size that is equal to it, if it is open.
  std::optional<size_t> find(InstructionLeaf leaf, int64_t dimension) const;
  void addNodes(InstructionId instruction);
  void addRules(InstructionId instruction);
  void addRulesOfCallee(InstructionId instruction, const Called &called);
  void addEqual(const Node &x, const Node &y);
  void join(size_t a, size_t b);
  bool isOfParameter(size_t size) const {
    return computation_->instructions[std::get<0>(refs_[size])]
               .parameterNumber >= 0;
  }
  Node nodeOf(InstructionId instruction, SizeRef ref) const;
  FormId formOf(size_t first);
  struct Variable {
    SizeFacts::Variable known;
    bool isParameter;  ///< it is the size of one
  };
  FormId variableForm(SizeFacts::Variable variable, bool isParameter);
  bool isOfParameters(FormId form) const;
  FormId sizeVariable(size_t first);
  FormId elementVariable(InstructionLeaf leaf, llvm::ArrayRef<int64_t> index,
                         Interval bounds = Interval::all());
  std::optional<FormId> valueOf(InstructionLeaf leaf,
                                llvm::ArrayRef<int64_t> index);
  Interval boundsOf(FormId form);
  bool fits(FormId form, ElementType type);

  const Computation *computation_;  ///< never null
  const Number number_;
  std::vector<llvm::SmallVector<OperandLeaf, 4>> leaves_;
  std::map<Node, size_t> nodes_;
  /// Open sizes, by number: parameters in their order, then instructions.
  SizeClasses sizes_;
  std::vector<Node> refs_;
  std::vector<Class> classes_;  ///< of the first of each class
  std::vector<std::unique_ptr<SizeRules>> rules_;
  ExpressionPool pool_;
  std::vector<Variable> variables_;
  std::map<std::tuple<InstructionId, LeafId, std::vector<int64_t>>,
           std::optional<FormId>>
      elements_;
  int depth_ = 0;  ///< of elements that follow from elements
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_VALUES_SHAPES_H
