#include "indexical/cost/reshard/box_messages.h"

#include <algorithm>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

using Sizes = llvm::SmallVector<int64_t, 4>;

Sizes shapeOf(const ElementBox &box) {
  Sizes sizes;
  for (auto [begin, end] : box) sizes.push_back(end - begin);
  return sizes;
}

/// Colours one edge after another. Where its ends have no free colour in
/// common, a path of two colours is turned.
class Colouring {
 public:
  explicit Colouring(llvm::ArrayRef<std::pair<int64_t, int64_t>> edges)
      : edges_(edges), colours_(edges.size(), -1) {
    std::map<int64_t, int64_t> degree[2];
    for (auto [left, right] : edges) {
      most_ = std::max(most_, ++degree[0][left]);
      most_ = std::max(most_, ++degree[1][right]);
    }
    for (size_t edge = 0; edge < edges.size(); ++edge) colour(edge);
  }
  std::vector<int64_t> colours() && { return std::move(colours_); }

 private:
  int64_t nodeOf(size_t edge, int side) const {
    return side == 0 ? edges_[edge].first : edges_[edge].second;
  }
  /// Returns the edges of a node by their colours (-1: none).
  std::vector<int64_t> &at(int side, int64_t node) {
    auto &of = taken_[side][node];
    if (of.empty()) of.assign(most_, -1);
    return of;
  }
  int64_t freeAt(int side, int64_t node) {
    const auto &of = at(side, node);
    return llvm::find(of, -1) - of.begin();
  }
  void set(size_t edge, int64_t colour) {
    colours_[edge] = colour;
    for (int side : {0, 1}) at(side, nodeOf(edge, side))[colour] = edge;
  }

  void colour(size_t edge) {
    const int64_t left = freeAt(0, nodeOf(edge, 0)),
                  right = freeAt(1, nodeOf(edge, 1));
    if (left != right) turn(nodeOf(edge, 1), left, right);
    set(edge, left);
  }

  /// Exchanges both colours along the path that begins at a right node with an
  /// edge of the first.
  void turn(int64_t node, int64_t first, int64_t second) {
    std::vector<size_t> path;
    int side = 1;
    for (int64_t wanted = first; at(side, node)[wanted] >= 0;
         wanted = first + second - wanted) {
      path.push_back(at(side, node)[wanted]);
      side = 1 - side;
      node = nodeOf(path.back(), side);
    }
    for (size_t edge : path)
      for (int each : {0, 1})
        at(each, nodeOf(edge, each))[colours_[edge]] = -1;
    for (size_t edge : path) set(edge, first + second - colours_[edge]);
  }

  const llvm::ArrayRef<std::pair<int64_t, int64_t>> edges_;
  std::vector<int64_t> colours_;
  std::map<int64_t, std::vector<int64_t>> taken_[2];
  int64_t most_ = 0;
};

/// Collects the messages to one device after another.
class Messages {
 public:
  Messages(const ShardedRelation &from, const ShardedRelation &to,
           int64_t devices)
      : from_(from), to_(to), devices_(devices) {
    for (int64_t device = 0; device < devices; ++device)
      if (const auto holding = from.sharding().holding(device))
        holders_[Sizes(holding->tile)].push_back(device);
  }

  std::optional<std::vector<BoxMessage>> all() {
    for (int64_t device = 0; device < devices_; ++device) {
      const auto box = to_.box(device);
      if (box && elementsOf(*box) > 0 && !add(device, *box))
        return std::nullopt;
    }
    return std::move(messages_);
  }

 private:
  bool add(int64_t device, const ElementBox &wanted) {
    const auto own = from_.sharding().holding(device);
    Sizes first, last;
    for (size_t k = 0; k < wanted.size(); ++k) {
      first.push_back(wanted[k].first / from_.local()[k]);
      last.push_back((wanted[k].second - 1) / from_.local()[k]);
    }
    for (Sizes tile = first;;) {
      if (!own || Sizes(own->tile) != tile) {
        if (messages_.size() >= kMostMessages) return false;
        add(device, wanted, tile);
      }
      size_t k = tile.size();
      while (k > 0 && ++tile[k - 1] > last[k - 1]) {
        tile[k - 1] = first[k - 1];
        --k;
      }
      if (k == 0) return true;
    }
  }

  void add(int64_t device, const ElementBox &wanted, const Sizes &tile) {
    BoxMessage message;
    message.to = device;
    for (size_t k = 0; k < wanted.size(); ++k) {
      const int64_t size = from_.local()[k];
      message.box.push_back({std::max(wanted[k].first, tile[k] * size),
                             std::min(wanted[k].second, (tile[k] + 1) * size)});
    }
    auto &sent = sent_[shapeOf(message.box)];
    sent.resize(devices_, 0);
    const auto &holders = holders_[tile];
    message.from = *std::min_element(
        holders.begin(), holders.end(), [&](int64_t a, int64_t b) {
          return std::pair(sent[a], (a - device + devices_) % devices_) <
                 std::pair(sent[b], (b - device + devices_) % devices_);
        });
    ++sent[message.from];
    messages_.push_back(std::move(message));
  }

  const ShardedRelation &from_, &to_;
  const int64_t devices_;
  std::map<Sizes, std::vector<int64_t>> holders_;
  std::map<Sizes, std::vector<int64_t>> sent_;
  std::vector<BoxMessage> messages_;
};

}  // namespace

std::vector<int64_t> coloursOf(
    llvm::ArrayRef<std::pair<int64_t, int64_t>> edges) {
  return Colouring(edges).colours();
}

std::optional<std::vector<BoxMessage>> messagesOf(const ShardedRelation &from,
                                                  const ShardedRelation &to,
                                                  int64_t devices) {
  return Messages(from, to, devices).all();
}

std::vector<MessageRound> roundsOf(llvm::ArrayRef<BoxMessage> messages) {
  std::map<Sizes, std::vector<BoxMessage>> byShape;
  for (const BoxMessage &message : messages)
    byShape[shapeOf(message.box)].push_back(message);
  std::vector<MessageRound> rounds;
  for (const auto &[shape, alike] : byShape) {
    std::vector<std::pair<int64_t, int64_t>> edges;
    for (const BoxMessage &message : alike)
      edges.emplace_back(message.from, message.to);
    const size_t first = rounds.size();
    for (auto [k, colour] : llvm::enumerate(coloursOf(edges))) {
      rounds.resize(std::max(rounds.size(), first + colour + 1));
      rounds[first + colour].push_back(alike[k]);
    }
  }
  return rounds;
}

}  // namespace indexical
