// The leaves of terms as pieces: variables of the space, and runtime variables
// for values that are not known.
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/program/kernel/pieces.h"

namespace indexical::kernels {

Expr PieceMaker::runtime(RuntimeVariable variable) {
  variable.source.kind = RuntimeSource::Kind::Element;
  runtime_.push_back(variable);
  return builder_.runtime(std::move(variable));
}

absl::StatusOr<PieceMaker::Pieces> PieceMaker::anyValue(
    int64_t number, int32_t bits, llvm::ArrayRef<TermId> index) {
  RuntimeVariable value;
  value.bounds = bitsInterval(bits);
  value.clamped = true;
  value.name = absl::StrCat("value", number);
  // Tables have the numbers behind those of the arguments.
  value.source.tensor =
      static_cast<int64_t>(space_.argumentNames.size()) + number;
  Pieces all = {{{}, builder_.constant(0), -1}};
  std::vector<llvm::SmallVector<FormId, 2>> places = {{}};
  for (size_t axis = 0; axis < 3; ++axis)
    places[0].push_back(variables_[axis].form());
  for (TermId operand : index) {
    INDEXICAL_ASSIGN_OR_RETURN(const auto at, pieces(operand));
    Pieces next;
    std::vector<llvm::SmallVector<FormId, 2>> nextPlaces;
    for (size_t k = 0; k < all.size(); ++k)
      for (const TermPiece &piece : at) {
        auto both = joined(all[k].when, piece.when);
        if (!both) continue;
        next.push_back({*std::move(both), all[k].value, -1});
        nextPlaces.push_back(places[k]);
        nextPlaces.back().push_back(piece.value.form());
      }
    all = std::move(next);
    places = std::move(nextPlaces);
    if (all.size() > kMostPieces) return tooManyCases();
  }
  for (size_t k = 0; k < all.size(); ++k) {
    value.index = places[k];
    all[k].value = runtime(value);
  }
  return all;
}

TermPiece PieceMaker::undefined(const TermPiece &piece, int32_t bits) {
  RuntimeVariable value;
  value.bounds = bitsInterval(bits);
  value.clamped = true;
  value.name = absl::StrCat("undefined", undefined_);
  // No evaluation has such a number.
  value.source.tensor = ((space_.number + 1) << 32) + undefined_++;
  for (Expr variable : variables_) value.index.push_back(variable.form());
  return {piece.when, runtime(std::move(value)), -1};
}

/// Two loads of one element of an array that nothing changes have one value.
absl::StatusOr<PieceMaker::Pieces> PieceMaker::loaded(const TermNode &term) {
  Pieces all;
  INDEXICAL_ASSIGN_OR_RETURN(const auto from, pieces(term.operands[0]));
  Cases isOn = {{}}, isOff;
  if (term.operands.size() > 2) {
    INDEXICAL_ASSIGN_OR_RETURN(isOn, cases(term.operands[2], true));
    INDEXICAL_ASSIGN_OR_RETURN(isOff, cases(term.operands[2], false));
  }
  auto addOther = [&](const Conditions &when) -> absl::Status {
    INDEXICAL_ASSIGN_OR_RETURN(const auto other, pieces(term.operands[1]));
    for (const TermPiece &piece : other)
      if (auto both = joined(when, piece.when))
        all.push_back({*std::move(both), piece.value, -1});
    return absl::OkStatus();
  };
  for (const TermPiece &piece : from) {
    RuntimeVariable element;
    element.bounds = bitsInterval(term.bits);
    element.name = absl::StrCat("loaded", term.value);
    element.source.tensor = piece.argument;
    element.index.push_back(piece.value.form());
    std::optional<Expr> value;
    for (const Conditions &when : isOn) {
      auto both = joined(piece.when, when);
      if (!both) continue;
      if (!space_.readOnly.count(piece.argument)) {
        INDEXICAL_RETURN_IF_ERROR(addOther(*both));
        continue;
      }
      if (!value) value = runtime(element);
      all.push_back({*std::move(both), *value, -1});
    }
  }
  for (const Conditions &when : isOff)
    INDEXICAL_RETURN_IF_ERROR(addOther(when));
  return all;
}

absl::StatusOr<PieceMaker::Pieces> PieceMaker::leaf(const TermNode &term) {
  auto one = [](Expr value) { return Pieces{{{}, value, -1}}; };
  switch (term.kind) {
    case TermKind::Constant:
      return one(builder_.constant(term.value));
    case TermKind::Program:
      return one(variables_[term.value]);
    case TermKind::Programs:
      return one(builder_.constant(space_.grid[term.value]));
    case TermKind::Pointer:
      return Pieces{{{}, builder_.constant(0), term.value}};
    case TermKind::Coordinate:
      return one(variables_[3 + space_.loops.size() + term.value]);
    case TermKind::Loop:
      for (size_t k = 0; k < space_.loops.size(); ++k)
        if (space_.loops[k].loop == term.value) return one(variables_[3 + k]);
      return notWritten("a value that a loop leaves behind");
    case TermKind::Argument: {
      const auto value = space_.values.find(term.value);
      if (value != space_.values.end())
        return one(builder_.constant(wrapped(value->second, term.bits)));
      if (term.value >= static_cast<int64_t>(space_.argumentNames.size()))
        return notWritten("the address of an array");
      // One value for the launch.
      RuntimeVariable size;
      size.bounds = bitsInterval(term.bits);
      if (const auto bounds = space_.argumentBounds.find(term.value);
          bounds != space_.argumentBounds.end()) {
        size.bounds.lower = std::max(size.bounds.lower, bounds->second.lower);
        size.bounds.upper = std::min(size.bounds.upper, bounds->second.upper);
      }
      size.clamped = true;
      size.name = space_.argumentNames[term.value];
      size.source.tensor = term.value;
      return one(runtime(std::move(size)));
    }
    case TermKind::Loaded:
      return loaded(term);
    case TermKind::Unknown:
      return anyValue(term.value, term.bits, term.operands);
    default:
      return notWritten("a value that a loop carries");
  }
}

}  // namespace indexical::kernels
