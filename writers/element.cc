#include "indexical/writers/element.h"

#include <string>

#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/element/keys.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

constexpr size_t kMostInText = 64;

/// Returns the array whose elements are listed.
std::string whose(const ElementAnswer &found, const ArrayElements &answer) {
  const OperandEntry &operand = found.item.operands[answer.operand];
  std::string text = operand.instruction.str();
  if (operand.result > 0) text += "#" + std::to_string(operand.result);
  if (!found.isBackward)
    return text + " " + found.item.operandShapes[answer.operand].str();
  return text + " in result " + std::to_string(answer.result) + " " +
         found.item.results[answer.result].str();
}

std::string countText(const Elements &of) {
  if (!of.listed) return "not known";
  if (of.listed->empty() && !of.more) return "nothing";
  const std::string count =
      of.count ? std::to_string(*of.count)
               : "at least " + std::to_string(of.listed->size());
  return count + (of.count == 1 ? " element" : " elements") +
         (of.isExact ? "" : " at the most");
}

}  // namespace

void ElementResult::text(llvm::raw_ostream &os, TextStyle) {
  os << "element " << indexText(found_.element) << " of ";
  if (found_.isBackward) os << "operands of ";
  os << found_.name()
     << (found_.isBackward ? ": who needs it" : ": what it needs") << '\n';
  for (const ArrayElements &answer : found_.arrays) {
    os << "  ";
    TextFlow flow(os, columnsOf(os), 4, 2);
    flow.goOnWith(whose(found_, answer) + ": " + countText(answer.elements));
    if (answer.elements.listed) {
      flow.endLine();
      for (const auto &element :
           llvm::ArrayRef(*answer.elements.listed).take_front(kMostInText))
        flow.name(indexText(element));
      if (answer.elements.more || answer.elements.listed->size() > kMostInText)
        flow.name("…");
    } else if (!answer.dependsOn.empty()) {
      flow.sentence("depends on " + llvm::join(answer.dependsOn, ", "));
    }
    flow.endLine();
  }
}

void ElementResult::structure(Structure &to) {
  to.head([&](ValueSink &sink) { writeKeys(found_, sink); });
  to.beginList("operands");
  for (const ArrayElements &array : found_.arrays) {
    auto members = [&](ValueSink &sink) {
      writeKeys(ArrayElementsEntry{found_, array}, sink);
    };
    // A line has one `instruction`, which is that of the operand.
    auto question = [&](ValueSink &sink) {
      writeKeys(AskedElementEntry{found_, /*inLine=*/true}, sink);
      KeyValue(sink, "of").text(found_.name());
    };
    to.item({"elements", members, question});
  }
  to.endList();
}

}  // namespace indexical
