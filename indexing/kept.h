// Kept<T>: a large T whose memory a thread uses again and again.
//
//   Kept<ExpressionPool> pool;      // the thread's, or a new one
//   pool->variable({VariableKind::Dimension, 0});
//   // At the end of the scope the thread gets it back, cleared.
//
// Most of the time of a small map went into asking for memory. A thread keeps
// one T. If that is in use, as inside another question, a second one is made.
//
// T has a default constructor and `bool recycle()`, which clears the T. It
// returns false if the T has grown too large to be kept; then it is destroyed.
#ifndef INDEXICAL_INDEXING_KEPT_H
#define INDEXICAL_INDEXING_KEPT_H

#include <memory>
#include <utility>

namespace indexical {

template <typename T>
class Kept {
 public:
  Kept() : own_(kept() ? std::move(kept()) : std::make_unique<T>()) {}
  ~Kept() {
    if (own_ && !kept() && own_->recycle()) kept() = std::move(own_);
  }
  Kept(Kept &&) = default;
  Kept &operator=(Kept &&) = default;

  T &operator*() const { return *own_; }
  T *operator->() const { return own_.get(); }
  T *get() const { return own_.get(); }

 private:
  static std::unique_ptr<T> &kept() {
    thread_local std::unique_ptr<T> kept;
    return kept;
  }

  std::unique_ptr<T> own_;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_KEPT_H
