// The result of `indexical equal`, for people and for tools.
//
//   different in reads (closed form)
//   result 0, parameter 1: different (closed form)
//     at index (3, 0), i = 2, only the first reads (7)
//     first: add.1, slice.2, p1
//   result 1, parameter 0: undecided: what an op of a module means is not known
//     because of `cc.3` (custom-call), line 17 of the first: it is not known
//
//   {"schema": "indexical/1", "answer": "different", "level": "reads",
//    "engine": "closed form", "pairs": [{"result": 0, "parameter": 1,
//      "answer": "different", "engine": "closed form",
//      "witness": {"index": [3, 0], "runtime": [2], "runtime_names": ["i"],
//        "element": [7], "only_in": "first"},
//      "paths": {"first": ["add.1", "slice.2", "p1"], "second": […]}}]}
#ifndef INDEXICAL_WRITERS_EQUALITY_H
#define INDEXICAL_WRITERS_EQUALITY_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/analysis/equality/module_equality.h"
#include "indexical/analysis/values/sameness.h"
#include "indexical/writers/result.h"

namespace indexical {

/// Writes a pair of a result and a parameter as text, after its name: the
/// answer, then its evidence.
void writeLeaf(const LeafEquality &leaf, llvm::raw_ostream &os);
/// Writes the answer of a leaf as members of an object.
void writeLeaf(const LeafEquality &leaf, llvm::json::OStream &json);

/// For two maps the document has one entry, whose text names no leaves.
enum class Compared : uint8_t { Maps, Modules };

class EqualityResult : public Result {
 public:
  explicit EqualityResult(const Sameness &same)
      : equality_(same.reads), what_(Compared::Modules), same_(&same) {}
  /// Two maps, which have one pair.
  explicit EqualityResult(const ModuleEquality &maps)
      : equality_(maps), what_(Compared::Maps) {}

  SameVerdict verdict() const;

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;

 private:
  const ModuleEquality &equality_;
  const Compared what_;
  const Sameness *const same_ = nullptr;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_EQUALITY_H
