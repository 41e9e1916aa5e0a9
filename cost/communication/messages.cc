#include "indexical/cost/communication/messages.h"

#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

/// Returns the devices that hold parts, each once. A device adds its own parts.
std::vector<int64_t> holdersOf(llvm::ArrayRef<Part> parts) {
  std::vector<int64_t> holders;
  for (const Part &part : parts) holders.push_back(part.first);
  llvm::sort(holders);
  holders.erase(llvm::unique(holders), holders.end());
  return holders;
}

/// Adds the messages for elements that have parts on these devices. `users` are
/// the devices that use some of them.
void addMessagesOf(
    llvm::ArrayRef<int64_t> parts,
    llvm::ArrayRef<std::pair<int64_t, const std::vector<StridedNumbers> *>>
        users,
    const std::vector<int64_t> &holders, Need &need) {
  auto add = [](int64_t &sum, int64_t more) {
    sum = checkedAdd(sum, more).value_or(INT64_MAX);
  };
  if (parts.size() == 1) {
    for (const auto &[device, numbers] : users) {
      if (holders[device] == parts[0]) continue;
      const int64_t count = countUnion(*numbers, need.isExact);
      add(need.byDevice[device], count);
      add(need.all, count);
    }
    return;
  }
  std::vector<StridedNumbers> all, held;
  for (const auto &[device, numbers] : users) {
    const int64_t count = countUnion(*numbers, need.isExact);
    add(need.byDevice[device], count);
    add(need.all, count);
    llvm::append_range(all, *numbers);
    if (llvm::is_contained(parts, holders[device]))
      llvm::append_range(held, *numbers);
  }
  // N + P - 1 for each element, and one less if a needer holds a part.
  const int64_t elements = countUnion(std::move(all), need.isExact);
  const int64_t met = countUnion(std::move(held), need.isExact);
  const int64_t others = static_cast<int64_t>(parts.size()) - 1;
  add(need.all, checkedMul(elements, others).value_or(INT64_MAX) - met);
}

}  // namespace

void addUsed(const FlowPieces &pieces, const ReaderDemand &demand,
             UsedNumbers &used) {
  for (const FlowPiece &piece : pieces) {
    if (demand.isWhole) {
      used[piece.parts].push_back(numbersOf(piece));
      continue;
    }
    for (const ElementBox &box : demand.boxes)
      if (auto cut = cutTo(piece, box))
        used[piece.parts].push_back(numbersOf(*cut));
  }
}

void addMessages(const std::vector<UsedNumbers> &used,
                 const std::vector<int64_t> &holders, const PartsTable &table,
                 Need &need) {
  std::map<PartsId,
           std::vector<std::pair<int64_t, const std::vector<StridedNumbers> *>>>
      users;
  for (size_t device = 0; device < used.size(); ++device)
    for (const auto &[parts, numbers] : used[device])
      users[parts].push_back({static_cast<int64_t>(device), &numbers});
  // A part that is needed in a sum and also by itself, or in another sum, need
  // not move twice.
  std::map<int64_t, int64_t> lists;
  for (const auto &[parts, mine] : users)
    for (int64_t holder : holdersOf(table.of(parts))) ++lists[holder];
  for (const auto &[parts, mine] : users) {
    const std::vector<int64_t> holding = holdersOf(table.of(parts));
    addMessagesOf(holding, mine, holders, need);
    if (holding.size() > 1)
      for (int64_t holder : holding) need.isExact &= lists[holder] == 1;
  }
}

}  // namespace indexical
