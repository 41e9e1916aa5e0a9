#include "indexical/import/llvm/text_places.h"

#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"

namespace indexical::compiled {
namespace {

using llvm::StringRef;

constexpr char kKind[] = "indexical.place";

class PlaceKeeper {
 public:
  PlaceKeeper(llvm::Module &module, const llvm::AsmParserContext &places,
              StringRef text)
      : places_(places), kind_(module.getMDKindID(kKind)) {
    text.split(lines_, '\n');
  }

  void keep(llvm::Function &function) {
    const auto head = places_.getFunctionLocation(&function);
    if (!head) return;
    // The line of the last instruction, or of the label, before an instruction.
    unsigned last = head->Start.Line;
    for (llvm::BasicBlock &block : function) {
      if (const auto label = places_.getBlockLocation(&block))
        if (&block != &function.getEntryBlock()) last = label->Start.Line;
      for (llvm::Instruction &each : block) {
        auto place = placeOf(each);
        if (!place && each.mayReadOrWriteMemory()) place = behind(last);
        if (!place) continue;
        last = place->line - 1;
        give(each, *place);
      }
    }
  }

 private:
  /// Returns the place that the parser knows. An instruction may have the
  /// address of one that is gone: its line then has another operation.
  std::optional<Place> placeOf(const llvm::Instruction &each) const {
    const auto found = places_.getInstructionLocation(&each);
    if (!found || found->Start.Line >= lines_.size()) return std::nullopt;
    if (!lines_[found->Start.Line]
             .drop_front(std::min<size_t>(found->Start.Col,
                                          lines_[found->Start.Line].size()))
             .contains(each.getOpcodeName()))
      return std::nullopt;
    return Place{found->Start.Line + 1, found->Start.Col + 1};
  }

  /// Returns the place of the first operation behind a line.
  std::optional<Place> behind(unsigned line) const {
    for (size_t k = line + 1; k < lines_.size(); ++k) {
      const StringRef code = lines_[k].ltrim();
      if (code.empty() || code.starts_with(";") || code.starts_with("#dbg"))
        continue;
      if (code.starts_with("}")) return std::nullopt;
      return Place{static_cast<uint32_t>(k + 1),
                   static_cast<uint32_t>(lines_[k].size() - code.size() + 1)};
    }
    return std::nullopt;
  }

  void give(llvm::Instruction &each, const Place &place) const {
    llvm::Type *type = llvm::Type::getInt32Ty(each.getContext());
    llvm::Metadata *numbers[] = {
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, place.line)),
        llvm::ConstantAsMetadata::get(
            llvm::ConstantInt::get(type, place.column))};
    each.setMetadata(kind_, llvm::MDNode::get(each.getContext(), numbers));
  }

  const llvm::AsmParserContext &places_;
  const unsigned kind_;
  llvm::SmallVector<StringRef, 0> lines_;
};

std::optional<Place> ownPlaceOf(const llvm::Instruction &each) {
  const llvm::MDNode *kept = each.getMetadata(kKind);
  if (!kept) return std::nullopt;
  auto number = [&](unsigned k) {
    return static_cast<uint32_t>(
        llvm::mdconst::extract<llvm::ConstantInt>(kept->getOperand(k))
            ->getZExtValue());
  };
  return Place{number(0), number(1)};
}

}  // namespace

void keepPlaces(llvm::Module &module, const llvm::AsmParserContext &places,
                StringRef text) {
  PlaceKeeper keeper(module, places, text);
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) keeper.keep(function);
}

std::optional<Place> keptPlaceOf(const llvm::Instruction &instruction) {
  for (const auto *at = &instruction; at; at = at->getPrevNode())
    if (const auto place = ownPlaceOf(*at)) return place;
  for (const auto *at = &instruction; at; at = at->getNextNode())
    if (const auto place = ownPlaceOf(*at)) return place;
  return std::nullopt;
}

}  // namespace indexical::compiled
