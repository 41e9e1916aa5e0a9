// The output of `dump --element`: the elements that one element needs, or that
// need it.
#ifndef INDEXICAL_WRITERS_ELEMENT_H
#define INDEXICAL_WRITERS_ELEMENT_H

#include "indexical/answers/element/element.h"
#include "indexical/writers/result.h"

namespace indexical {

class ElementResult : public Result {
 public:
  explicit ElementResult(const ElementAnswer &found) : found_(found) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;

 private:
  const ElementAnswer &found_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_ELEMENT_H
