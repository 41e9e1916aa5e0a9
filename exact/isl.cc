#include "indexical/exact/isl.h"

#include <cstdlib>
#include <memory>
#include <string>

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/options.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include "indexical/exact/system.h"

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

/// A number of operations for what is done while it lives: one of isl's takes
/// about as long as one of ours.
class Limited {
 public:
  explicit Limited(Meter &meter) : meter_(meter) {
    isl_ctx_reset_error(context());
    isl_ctx_reset_operations(context());
    isl_ctx_set_max_operations(context(), std::max<int64_t>(1, meter.left()));
  }
  /// Whether isl did all that it was asked for: a count that the operations end
  /// is handed out as if it were whole.
  bool isGood() const {
    return isl_ctx_last_error(context()) == isl_error_none;
  }
  ~Limited() {
    // How many isl took is not told: all of them, where they were not enough.
    if (!isGood()) meter_.spend(meter_.left() + 1);
    isl_ctx_reset_error(context());
    isl_ctx_set_max_operations(context(), 0);
    isl_ctx_reset_operations(context());
  }

 private:
  Meter &meter_;
};

/// isl's text of a set; empty where a form is not one of isl's, or where the
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

  std::string atom(const Atom &atom) {
    if (atom.kind == AtomKind::Variable)
      return "x" + std::to_string(atom.variable().index);
    if (atom.kind != AtomKind::Digit) {
      good_ = false;
      return "0";
    }
    std::string text = form(atom.a);
    if (atom.stride != 1)
      text = "floor(" + text + " / " + std::to_string(atom.stride) + ")";
    if (atom.modulus)
      text = "(" + text + " mod " + std::to_string(atom.modulus) + ")";
    return text;
  }

  static constexpr int64_t kMostTerms = 2000;

  const IndexingMap &set_;
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
  Limited limited(meter);
  return sampleOf(read(Text(set).points()), set.dimensions().size(), limited);
}

std::optional<llvm::DynamicAPInt> countResults(const IndexingMap &set,
                                               Meter &meter) {
  if (set.isKnownEmpty()) return llvm::DynamicAPInt(0);
  Limited limited(meter);
  Set results = read(Text(set).results());
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
  Limited limited(meter);
  Set left = read(Text(a).results());
  for (const IndexingMap &set : b) {
    if (set.isKnownEmpty()) continue;
    Set right = read(Text(set).results());
    if (!left || !right) return {};
    left.reset(isl_set_subtract(left.release(), right.release()));
  }
  return sampleOf(std::move(left), a.results().size(), limited);
}

}  // namespace indexical::isl
