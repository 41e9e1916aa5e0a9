#include "indexical/exact/isl.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include "indexical/exact/system.h"
#include "indexical/indexing/fold.h"
#include <pthread.h>

namespace indexical::isl {
namespace {

template <typename T, T *(*release)(T *)>
struct Releaser {
  void operator()(T *pointer) const { release(pointer); }
};
using Set = std::unique_ptr<isl_set, Releaser<isl_set, isl_set_free>>;
using PointPointer =
    std::unique_ptr<isl_point, Releaser<isl_point, isl_point_free>>;
using Value = std::unique_ptr<isl_val, Releaser<isl_val, isl_val_free>>;

struct Context {
  isl_ctx *ctx = isl_ctx_alloc();
  Context() { isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE); }
  ~Context() { isl_ctx_free(ctx); }
};

isl_ctx *context() {
  thread_local Context own;
  return own.ctx;
}

/// isl asks no Stop. While it works another thread does, and aborts it: one
/// thread for all, which is there from the first call that may be stopped.
class Watch {
 public:
  static Watch &one() {
    static Watch &watch = *new Watch;  // until the process ends
    return watch;
  }
  void begin(isl_ctx *ctx, const Stop *stop) {
    std::lock_guard<std::mutex> lock(mutex_);
    watched_.emplace(ctx, stop);
    if (watched_.size() == 1) someWork_.notify_one();
  }
  void end(isl_ctx *ctx) {
    std::lock_guard<std::mutex> lock(mutex_);
    watched_.erase(ctx);
    isl_ctx_resume(ctx);
  }

 private:
  /// Starts a thread. If there is none to be had, only the limit of operations
  /// ends the work.
  Watch() {
    pthread_t thread;
    auto start = [](void *own) -> void * {
      static_cast<Watch *>(own)->watch();
      return nullptr;
    };
    if (pthread_create(&thread, nullptr, start, this) == 0)
      pthread_detach(thread);
  }
  void watch() {
    // Most calls are over before they are looked at.
    constexpr auto kBetween = std::chrono::milliseconds(20);
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      someWork_.wait(lock, [&] { return !watched_.empty(); });
      someWork_.wait_for(lock, kBetween, [&] { return watched_.empty(); });
      for (const auto &[ctx, stop] : watched_)
        if (stop->isReached()) isl_ctx_abort(ctx);
    }
  }

  std::mutex mutex_;
  std::condition_variable someWork_;
  std::map<isl_ctx *, const Stop *> watched_;
};

/// Limits isl's operations while it lives. An operation of isl takes about as
/// long as one of ours, or `cost` times as long. The Stop ends the work, too.
class Limited {
 public:
  Limited(Meter &meter, int64_t cost) : meter_(meter) {
    isl_ctx_reset_error(context());
    isl_ctx_reset_operations(context());
    isl_ctx_set_max_operations(context(),
                               std::max<int64_t>(1, meter.left() / cost));
    if (meter_.stop()) Watch::one().begin(context(), meter_.stop());
  }
  /// Whether isl finished its work. isl returns a count that the limit of
  /// operations ended as if it were complete.
  bool isGood() const {
    return isl_ctx_last_error(context()) == isl_error_none;
  }
  ~Limited() {
    if (meter_.stop()) Watch::one().end(context());
    // isl does not say how many operations it took. It took all of them if they
    // were not enough.
    if (!isGood()) meter_.spend(meter_.left() + 1);
    isl_ctx_reset_error(context());
    isl_ctx_set_max_operations(context(), 0);
    isl_ctx_reset_operations(context());
  }

 private:
  Meter &meter_;
};

/// isl's text of a set; empty if a form is not one of isl's, or if the
/// text, with shared parts written wherever they are used, would be long.
class Text {
 public:
  explicit Text(const IndexingMap &set) : set_(set) {
    int64_t left = kMostTerms;
    auto take = [&](FormId form) {
      left -= std::min(left + 1, set.expressions().writtenSize(form));
      good_ &= left >= 0;
    };
    for (FormId form : set.results()) take(form);
    for (const Constraint &c : set.constraints()) take(c.form);
  }

  /// Returns how many operations one of isl's is worth here: it goes through
  /// tables with a row and a column for each variable and division, whose
  /// numbers grow with them.
  int64_t costOfOne() const {
    constexpr int64_t kUsual = 64;
    const int64_t times = 1 + (set_.dimensions().size() + divisions_) / kUsual;
    return times * times;
  }

  /// `{ [x0, x1] : … }`
  std::string points() {
    if (!good_) return "";
    std::string text = "{ " + tuple("x", set_.dimensions().size()) + " : ";
    text += domain() + " }";
    return good_ ? text : "";
  }
  /// `{ [y0] : exists x0, x1 : y0 = … and … }`
  std::string results() {
    if (!good_) return "";
    std::string text = "{ " + tuple("y", set_.results().size()) + " : ";
    std::string names;
    for (size_t i = 0; i < set_.dimensions().size(); ++i)
      names += (i ? ", x" : "x") + std::to_string(i);
    text += names.empty() ? "(" : "exists (" + names + " : ";
    for (size_t i = 0; i < set_.results().size(); ++i)
      text +=
          "y" + std::to_string(i) + " = " + form(set_.results()[i]) + " and ";
    text += domain() + ") }";
    return good_ ? text : "";
  }

 private:
  static std::string tuple(const char *name, size_t count) {
    std::string text = "[";
    for (size_t i = 0; i < count; ++i)
      text += (i ? ", " : "") + std::string(name) + std::to_string(i);
    return text + "]";
  }

  std::string domain() {
    std::string text = "true";
    for (size_t i = 0; i < set_.dimensions().size(); ++i)
      text += within("x" + std::to_string(i), set_.dimensions()[i].bounds);
    for (const Constraint &c : set_.constraints())
      text += within(form(c.form), c.bounds);
    return text;
  }

  static std::string within(const std::string &what, Interval bounds) {
    std::string text;
    if (bounds.hasLower())
      text += " and " + what + " >= " + std::to_string(bounds.lower);
    if (bounds.hasUpper())
      text += " and " + what + " <= " + std::to_string(bounds.upper);
    return text;
  }

  std::string form(FormId id) {
    const ExpressionTable &table = set_.expressions();
    std::string text = "(" + std::to_string(table.constant(id));
    for (const Term &term : table.terms(id))
      text += " + " + std::to_string(term.coefficient) + " * " +
              atom(table.atom(term.atom));
    return text + ")";
  }

  /// Text of atoms: a domain (indexing/fold.h).
  struct AtomText {
    Text &of;

    std::string variable(VariableId id) const {
      return "x" + std::to_string(id.index);
    }
    std::string digit(std::string text, int64_t stride, int64_t modulus) const {
      ++of.divisions_;
      if (stride != 1)
        text = "floor(" + text + " / " + std::to_string(stride) + ")";
      if (modulus) text = "(" + text + " mod " + std::to_string(modulus) + ")";
      return text;
    }
    // Parts that are not linear have no text.
    std::string product(const std::string &, const std::string &) const {
      of.good_ = false;
      return "0";
    }
    std::string quotient(const std::string &a, const std::string &b) const {
      return product(a, b);
    }
    std::string remainder(const std::string &a, const std::string &b) const {
      return product(a, b);
    }
    std::string positivePart(const std::string &parent) const {
      ++of.divisions_;
      return "max(0, " + parent + ")";
    }
  };
  std::string atom(const Atom &atom) {
    return valueOfAtom(atom, AtomText{*this},
                       [this](FormId operand) { return form(operand); });
  }

  static constexpr int64_t kMostTerms = 2000;

  const IndexingMap &set_;
  int64_t divisions_ = 0;  // that were written
  bool good_ = true;
};

Set read(const std::string &text) {
  if (text.empty()) return nullptr;
  return Set(isl_set_read_from_str(context(), text.c_str()));
}

std::optional<Values> coordinates(isl_point *point, size_t count) {
  Values values;
  for (size_t i = 0; i < count; ++i) {
    Value value(isl_point_get_coordinate_val(point, isl_dim_set, i));
    // A coordinate past 64 bits is no answer.
    if (!value || !isl_val_is_int(value.get()) ||
        isl_val_n_abs_num_chunks(value.get(), 8) > 1)
      return std::nullopt;
    char *text = isl_val_to_str(value.get());
    errno = 0;
    long long number = text ? std::strtoll(text, nullptr, 10) : 0;
    bool good = text && errno == 0;
    std::free(text);
    if (!good) return std::nullopt;
    values.push_back(number);
  }
  return values;
}

Sample sampleOf(Set set, size_t count, const Limited &limited) {
  if (!set || !limited.isGood()) return {};
  isl_bool empty = isl_set_is_empty(set.get());
  if (empty == isl_bool_error || !limited.isGood()) return {};
  if (empty == isl_bool_true) return Sample::nothing();
  PointPointer point(isl_set_sample_point(set.release()));
  if (!point || isl_point_is_void(point.get()) != isl_bool_false) return {};
  auto values = coordinates(point.get(), count);
  return values && limited.isGood() ? Sample::of(std::move(*values)) : Sample();
}

}  // namespace

bool isThere() { return true; }

Sample sample(const IndexingMap &set, Meter &meter) {
  if (set.isKnownEmpty()) return Sample::nothing();
  Text text(set);
  const std::string points = text.points();
  Limited limited(meter, text.costOfOne());
  return sampleOf(read(points), set.dimensions().size(), limited);
}

namespace {

/// Returns how many operations one of isl's is worth where it counts: tables of
/// numbers of more than 32 bits, which are multiplied row by row, soon have
/// numbers of thousands.
int64_t costOfNumbers(const std::string &text) {
  constexpr size_t kMostDigits = 9;
  constexpr int64_t kOfLong = 16;
  size_t digits = 0;
  for (const char c : text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > kMostDigits) return kOfLong;
  }
  return 1;
}

}  // namespace

std::optional<llvm::DynamicAPInt> countResults(const IndexingMap &set,
                                               Meter &meter) {
  if (set.isKnownEmpty()) return llvm::DynamicAPInt(0);
  Text asText(set);
  const std::string written = asText.results();
  Limited limited(meter, asText.costOfOne() * costOfNumbers(written));
  Set results = read(written);
  if (!results) return std::nullopt;
  results.reset(isl_set_make_disjoint(results.release()));
  if (!results || isl_set_is_bounded(results.get()) != isl_bool_true)
    return std::nullopt;
  Value count(isl_set_count_val(results.get()));
  if (!count || !limited.isGood() ||
      isl_val_is_int(count.get()) != isl_bool_true)
    return std::nullopt;
  char *text = isl_val_to_str(count.get());
  if (!text) return std::nullopt;
  llvm::DynamicAPInt number(0);
  for (const char *c = text; *c; ++c)
    number = number * llvm::DynamicAPInt(10) + llvm::DynamicAPInt(*c - '0');
  std::free(text);
  return number;
}

Sample resultNotIn(const IndexingMap &a, llvm::ArrayRef<IndexingMap> b,
                   Meter &meter) {
  if (a.isKnownEmpty()) return Sample::nothing();
  Text text(a);
  const std::string written = text.results();
  int64_t cost = text.costOfOne();
  llvm::SmallVector<std::string, 4> others;
  for (const IndexingMap &set : b) {
    if (set.isKnownEmpty()) continue;
    Text other(set);
    others.push_back(other.results());
    cost = std::max(cost, other.costOfOne());
  }
  Limited limited(meter, cost);
  Set left = read(written);
  for (const std::string &other : others) {
    Set right = read(other);
    if (!left || !right) return {};
    left.reset(isl_set_subtract(left.release(), right.release()));
  }
  return sampleOf(std::move(left), a.results().size(), limited);
}

namespace {

std::optional<int64_t> numberOf(isl_val *released) {
  Value value(released);
  if (!value || isl_val_is_int(value.get()) != isl_bool_true ||
      isl_val_n_abs_num_chunks(value.get(), 8) > 1)
    return std::nullopt;
  char *text = isl_val_to_str(value.get());
  errno = 0;
  const long long number = text ? std::strtoll(text, nullptr, 10) : 0;
  const bool isGood = text && errno == 0 && number != INT64_MIN;
  std::free(text);
  if (!isGood) return std::nullopt;
  return number;
}

/// The conjunctions of a set, as they are found.
struct Conjunctions {
  std::vector<std::vector<BoundedSum>> all;
  size_t rank = 0;
  bool isGood = true;

  /// Adds sum + constant >= 0, or = 0, to the last conjunction.
  void add(isl_constraint *constraint) {
    BoundedSum sum;
    bool isNegative = true;  // of the first coefficient that is not 0
    bool isFirst = true;
    for (size_t k = 0; k < rank; ++k) {
      const auto factor = numberOf(
          isl_constraint_get_coefficient_val(constraint, isl_dim_set, k));
      isGood &= factor.has_value();
      sum.coefficients.push_back(factor.value_or(0));
      if (isFirst && factor && *factor != 0) {
        isNegative = *factor < 0;
        isFirst = false;
      }
    }
    const auto constant = numberOf(isl_constraint_get_constant_val(constraint));
    isGood &= constant.has_value();
    if (!isGood || isFirst) return;
    const bool isEquation =
        isl_constraint_is_equality(constraint) == isl_bool_true;
    sum.bounds.lower = -*constant;
    if (isEquation) sum.bounds.upper = -*constant;
    if (isNegative) {
      for (int64_t &factor : sum.coefficients) factor = -factor;
      sum.bounds = -sum.bounds;
    }
    for (BoundedSum &known : all.back())
      if (known.coefficients == sum.coefficients) {
        known.bounds = known.bounds.intersect(sum.bounds);
        return;
      }
    all.back().push_back(std::move(sum));
  }
};

isl_stat takeConstraint(isl_constraint *constraint, void *to) {
  static_cast<Conjunctions *>(to)->add(constraint);
  isl_constraint_free(constraint);
  return isl_stat_ok;
}

isl_stat takeConjunction(isl_basic_set *conjunction, void *user) {
  auto &to = *static_cast<Conjunctions *>(user);
  to.all.emplace_back();
  to.isGood &= isl_basic_set_dim(conjunction, isl_dim_div) == 0;
  isl_basic_set_foreach_constraint(conjunction, takeConstraint, user);
  isl_basic_set_free(conjunction);
  return to.isGood ? isl_stat_ok : isl_stat_error;
}

}  // namespace

std::optional<std::vector<std::vector<BoundedSum>>> pointsOutside(
    llvm::ArrayRef<Interval> box, llvm::ArrayRef<IndexingMap> sets,
    Meter &meter) {
  std::string all = "{ [", bounds;
  for (size_t k = 0; k < box.size(); ++k) {
    const std::string name = "y" + std::to_string(k);
    all += (k ? ", " : "") + name;
    if (box[k].hasLower())
      bounds += " and " + name + " >= " + std::to_string(box[k].lower);
    if (box[k].hasUpper())
      bounds += " and " + name + " <= " + std::to_string(box[k].upper);
  }
  all += "] : true" + bounds + " }";
  llvm::SmallVector<std::string, 4> texts;
  int64_t cost = 1;
  for (const IndexingMap &set : sets) {
    if (set.isKnownEmpty()) continue;
    Text text(set);
    texts.push_back(text.results());
    cost = std::max(cost, text.costOfOne());
  }
  Limited limited(meter, cost);
  Set left = read(all);
  for (const std::string &text : texts) {
    Set right = read(text);
    if (!left || !right) return std::nullopt;
    left.reset(isl_set_subtract(left.release(), right.release()));
    left.reset(isl_set_coalesce(left.release()));
  }
  if (left) left.reset(isl_set_remove_redundancies(left.release()));
  if (!left || !limited.isGood()) return std::nullopt;
  Conjunctions found;
  found.rank = box.size();
  if (isl_set_is_empty(left.get()) == isl_bool_true) return found.all;
  isl_set_foreach_basic_set(left.get(), takeConjunction, &found);
  if (!found.isGood || !limited.isGood()) return std::nullopt;
  return found.all;
}

}  // namespace indexical::isl
