// The depth of a parser in brackets, blocks and operators; private to
// import/python.
#ifndef INDEXICAL_IMPORT_PYTHON_NESTING_H
#define INDEXICAL_IMPORT_PYTHON_NESTING_H

#include "indexical/import/python/syntax.h"

namespace indexical::python {

/// One more level, as long as the object exists.
class Nesting {
 public:
  explicit Nesting(Parser &parser) : parser_(parser) { ++parser_.depth_; }
  ~Nesting() { --parser_.depth_; }
  Nesting(const Nesting &) = delete;
  Nesting &operator=(const Nesting &) = delete;

  /// Returns whether the level is allowed; otherwise a refusal is set.
  bool isAllowed() const {
    if (parser_.depth_ <= Parser::kMostDeep) return true;
    parser_.refuse(RefusalKind::Limit, parser_.token().place,
                   "more than 100 levels of nesting");
    return false;
  }

 private:
  Parser &parser_;
};

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_NESTING_H
