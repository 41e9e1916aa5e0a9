// The sparsity of a Jacobian is written as text, as a structure, as a picture
// and as a matrix.
#ifndef INDEXICAL_WRITERS_SPARSITY_H
#define INDEXICAL_WRITERS_SPARSITY_H

#include "indexical/answers/sparsity/keys.h"
#include "indexical/writers/result.h"

namespace indexical {

class SparsityResult : public Result {
 public:
  explicit SparsityResult(const SparsityEntry &entry) : entry_(entry) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  /// Both require that the entries are listed.
  void picture(llvm::raw_ostream &os) override;
  void matrix(llvm::raw_ostream &os) override;

 private:
  const SparsityEntry entry_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_SPARSITY_H
