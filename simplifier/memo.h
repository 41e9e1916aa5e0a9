// Values that were found for forms or atoms, by their numbers.
//
//   Memo<uint64_t> weights     weights[form] is 0 until it is set, and again
//                              after restart(), which costs nothing
//
// Forms are many and maps are small: most of the time of a small map went into
// clearing what the last one had left.
#ifndef INDEXICAL_SIMPLIFIER_MEMO_H
#define INDEXICAL_SIMPLIFIER_MEMO_H

#include <cstdint>
#include <vector>

namespace indexical {

template <typename Value>
class Memo {
 public:
  /// Returns the value of number `id`, or Value() if none was set. The
  /// reference is valid until another number is asked for.
  Value &operator[](uint32_t id) {
    if (id >= values_.size()) values_.resize(id + values_.size() / 2 + 16);
    ValueOfRound &stored = values_[id];
    if (stored.round != round_) stored = {Value(), round_};
    return stored.value;
  }
  /// Forgets all, keeps the memory.
  void restart() {
    if (++round_ != 0) return;
    values_.clear();
    round_ = 1;
  }

 private:
  struct ValueOfRound {
    Value value = Value();
    uint32_t round = 0;
  };
  std::vector<ValueOfRound> values_;
  uint32_t round_ = 1;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_MEMO_H
