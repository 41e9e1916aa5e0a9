// Pictures: the text of an SVG.
//
//   draw(program, {"instruction": "t", "element": [2, 1]})
//   draw(map, {"tile": [2, 4]})
//   draw(b"tt.func …", {"grid": [97], "num_warps": 4, "warp": 0})
//   draw(None, {"sharding": "{devices=[4]<=[4]}", "global_shape": "f32[8]"})

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/draw/draw.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/answers/pictures/picture.h"
#include "indexical/indexing/relation.h"
#include "pybind11/pybind11.h"
#include "pybind11/stl.h"
#include "python/bindings/answers.h"
#include "python/bindings/asking.h"
#include "python/bindings/bindings.h"
#include "python/bindings/launches.h"
#include "python/bindings/program.h"
#include "python/bindings/python_sink.h"
#include "python/bindings/status.h"

namespace indexical {
namespace {

namespace py = pybind11;
using llvm::StringRef;

//===-- The question ------------------------------------------------------===//

/// Sets the element, which may be a text, `(3, 5)`. That of a scalar is empty.
void setElement(const Keywords &asked, PictureQuestion &question) {
  const auto given = asked.get<py::object>("element");
  if (!given) return;
  question.element.emplace();
  if (!py::isinstance<py::str>(*given)) {
    question.element = asked.numbers("element", 0);
    return;
  }
  const auto text = given->cast<std::string>();
  StringRef index = StringRef(text).trim();
  if (index.consume_front("(") && !index.consume_back(")"))
    wrong("`element` is an index, as [3, 5]");
  if (index.empty()) return;
  py::dict inner;
  inner["element"] = pythonText(index);
  question.element = Keywords(inner).numbers("element", 0);
}

void setWarp(const Keywords &asked, PictureQuestion &question) {
  const auto given = asked.get<py::object>("warp");
  if (!given || given->is(py::bool_(false))) return;
  const auto text = py::str(*given).cast<std::string>();
  size_t number = 0;
  question.worstWarp = text == "worst";
  if (!question.worstWarp && StringRef(text).getAsInteger(10, number))
    wrong("`warp` is the number of a warp, or \"worst\"");
  question.warp = number;
}

PictureQuestion questionOf(const Keywords &asked) {
  PictureQuestion question;
  question.computation = asked.name("computation");
  question.instruction = asked.name("instruction");
  setElement(asked, question);
  question.tile = asked.numbers("tile", 1);
  question.steps = stepsIn(asked);
  question.at = asked.numbers("at", 0);
  question.dims = asked.numbers("dims", 0);
  question.operandDims = asked.numbers("operand_dims", 0);
  setWarp(asked, question);
  question.device = deviceIn(asked);
  question.launch = launchIn(asked);
  question.runtime = asked.byName<int64_t>("runtime");
  question.sharding = asked.get<std::string>("sharding").value_or("");
  question.shape = asked.get<std::string>("global_shape").value_or("");
  question.partitions = asked.count("partitions");
  question.meshes = meshesIn(asked, "mesh");
  question.readAs.sizes = sizesIn(asked);
  setLaunch(asked, question.triton);
  if (const auto mistake = mistakeOfPicture(question))
    throw StatusError(inKeywords(absl::InvalidArgumentError(*mistake)));
  return question;
}

//===-- Pictures ----------------------------------------------------------===//

/// Returns the SVG that `picture` makes of the question. A picture finds its
/// cells while it is written.
template <typename MakePicture>
py::str drawn(const Keywords &asked, const std::string &path,
              MakePicture picture) {
  Limits limits(asked);
  return pythonText(
      limits.finish(withoutLock([&]() -> absl::StatusOr<std::string> {
                      absl::StatusOr<Picture> made = picture(limits.ask());
                      if (!made.ok()) return made.status();
                      std::string text;
                      llvm::raw_string_ostream os(text);
                      writeSvg(*made, os);
                      return text;
                    }),
                    path));
}

/// Draws a map, a relation, a program, the bytes of a file with kernels of
/// Triton, or, of None, a sharding.
py::str draw(const py::object &source, const py::dict &given) {
  const Keywords asked(given);
  PictureQuestion question = questionOf(asked);
  if (source.is_none()) {
    if (question.shape.empty())
      wrong("`draw` needs a source, or a `sharding` with its `global_shape`");
    return drawn(asked, "",
                 [&](const Ask &) { return pictureOfGivenSharding(question); });
  }
  if (py::isinstance<IndexingMap>(source)) {
    const auto map = source.cast<IndexingMap>();
    return drawn(asked, "", [&](const Ask &ask) {
      return pictureOfMaps(map, question, ask);
    });
  }
  if (py::isinstance<IndexingRelation>(source)) {
    const auto relation = source.cast<IndexingRelation>();
    return drawn(asked, "", [&](const Ask &ask) {
      return pictureOfMaps(relation.pieces(), question, ask);
    });
  }
  Input input;
  if (py::isinstance<py::bytes>(source)) {
    input =
        unwrap(inputOfBytes(source.cast<std::string>(), "<file>"), "<file>");
  } else {
    const Held held = source.cast<Held>();
    input = held->input;
    question.readAs.format = held->format;
  }
  return drawn(asked, input.path, [&](const Ask &ask) {
    return pictureOfInput(input, question, ask);
  });
}

}  // namespace

void bindPictures(py::module_ &module) {
  module.def("draw", &draw, py::arg("source"), py::arg("options"));
}

}  // namespace indexical
