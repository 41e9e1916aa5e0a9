#include "tests/exact/moving_programs.h"

namespace indexical::testing {

std::vector<Moved> evaluate(const NodePtr &program) {
  std::vector<Moved> result;
  if (program->kind == Node::Kind::Parameter) {
    for (int64_t i = 0; i < countOf(program->sizes); ++i)
      result.push_back({program->number, i});
    return result;
  }
  std::vector<std::vector<Moved>> operands;
  for (const NodePtr &operand : program->operands)
    operands.push_back(evaluate(operand));
  for (const Reads &reads : readsOf(*program)) {
    const Read &read = reads.front();
    result.push_back(read.operand < static_cast<int64_t>(operands.size())
                         ? operands[read.operand][read.element]
                         : Moved());
  }
  return result;
}

}  // namespace indexical::testing
