#include "indexical/indexing/plain_map.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace indexical {
namespace {

constexpr size_t kMostResults = 64;

thread_local bool isOff = false;

bool isPoint(const Interval &bounds) { return bounds.lower == bounds.upper; }

/// Whether both ends are numbers, of which there is one at least.
bool isProper(const Interval &bounds) {
  return bounds.isFinite() && !bounds.isEmpty();
}

}  // namespace

/// The expressions of a map as they are met, each once, and the map of them.
/// There are few, so that a search through all of them finds one.
class PlainMapWriter {
 public:
  PlainMapWriter(llvm::ArrayRef<Interval> dimensions,
                 llvm::ArrayRef<Interval> ranges)
      : dimensions_(dimensions), ranges_(ranges) {}

  /// Whether the map can be as simple as this.
  bool canWrite(size_t results) const {
    bool areProper = true;
    for (const Interval &bounds : dimensions_) areProper &= isProper(bounds);
    for (const Interval &bounds : ranges_) areProper &= isProper(bounds);
    return !isOff && results <= kMostResults && areProper;
  }

  /// Adds the result. Returns false if it may leave 64 bits.
  bool add(const PlainResult &result) {
    if (result.constant == INT64_MIN || result.coefficient == INT64_MIN)
      return false;
    if (result.variable == PlainResult::kNoVariable) {
      results_.push_back(form({}, result.constant));
      return true;
    }
    const VariableId id = VariableId::fromKey(result.variable);
    const bool isRange = id.kind == VariableKind::Range;
    const Interval &bounds = (isRange ? ranges_ : dimensions_)[id.index];
    Interval sum = Interval::point(result.constant);
    if ((result.coefficient != 1 || result.constant != 0) &&
        !sum.addFinite(bounds, result.coefficient))
      return false;
    readsPoints_ |= isPoint(bounds);
    const size_t before = atoms_.size();
    const Term term = {variable(result.variable), result.coefficient};
    const bool isNew = atoms_.size() > before;
    rangesRead_ += isRange;
    rangesMet_ += isRange && isNew;
    // What reads a variable that none before has read is none of these.
    results_.push_back(isNew ? newForm(term, result.constant)
                             : form(term, result.constant));
    return true;
  }

  /// Adds the sum of the digits, which are in the order of their dimensions.
  bool add(llvm::ArrayRef<PlainDigit> digits) {
    Interval sum = Interval::point(0);
    llvm::SmallVector<Term, 4> terms;
    for (const PlainDigit &digit : digits) {
      const Interval all = dimensions_[digit.dimension].floorDiv(digit.stride);
      const Interval values =
          digit.modulus ? Interval{0, digit.modulus - 1}.intersect(all) : all;
      if (digit.coefficient == INT64_MIN ||
          !sum.addFinite(values, digit.coefficient))
        return false;
      terms.push_back({atomOf(digit), digit.coefficient});
    }
    results_.push_back(form(terms, 0));
    return true;
  }

  IndexingMap write() const {
    const size_t bytes =
        bytesOf<Variable>(dimensions_.size()) +
        bytesOf<Variable>(ranges_.size()) + bytesOf<FormId>(results_.size()) +
        bytesOf<Atom>(atoms_.size()) + bytesOf<FormData>(forms_.size()) +
        bytesOf<Term>(terms_.size());
    void *memory = ::operator new(sizeof(Data) + bytes);
    Data *data = new (memory) Data(IndexingMap::Contents());
    char *next = reinterpret_cast<char *>(data + 1);
    data->dimensions = variables(dimensions_, next);
    data->ranges = variables(ranges_, next);
    data->results = copy<FormId>(results_, next);
    data->table.atoms_ = copy<Atom>(atoms_, next);
    data->table.forms_ = copy<FormData>(forms_, next);
    data->table.terms_ = copy<Term>(terms_, next);
    // As markPlainMap() sees it: each range is read just once.
    data->canonical =
        !hasDigits_ && !readsPoints_ && rangesMet_ == ranges_.size() &&
        rangesRead_ == ranges_.size() && llvm::none_of(ranges_, isPoint);
    return IndexingMap(llvm::IntrusiveRefCntPtr<const Data>(data));
  }

 private:
  using Data = IndexingMap::Data;
  using FormData = ExpressionTable::FormData;

  AtomId atom(const Atom &atom) {
    const auto *known = llvm::find(atoms_, atom);
    const AtomId number = known - atoms_.begin();
    if (known == atoms_.end()) atoms_.push_back(atom);
    return number;
  }

  AtomId variable(uint32_t key) {
    for (AtomId a = 0; a < atoms_.size(); ++a)
      if (atoms_[a].a == key && atoms_[a].kind == AtomKind::Variable) return a;
    Atom made;
    made.a = made.leadVariable = key;
    atoms_.push_back(made);
    return atoms_.size() - 1;
  }

  AtomId atomOf(const PlainDigit &digit) {
    const VariableId id = {VariableKind::Dimension, digit.dimension};
    const AtomId whole = variable(id.key());
    if (digit.stride == 1 && digit.modulus == 0) return whole;
    hasDigits_ = true;
    Atom made;
    made.kind = AtomKind::Digit;
    made.leadVariable = id.key();
    made.stride = digit.stride;
    made.modulus = digit.modulus;
    made.a = form(Term{whole, 1}, 0);
    return atom(made);
  }

  FormId form(llvm::ArrayRef<Term> terms, int64_t constant) {
    for (FormId f = 0; f < forms_.size(); ++f)
      if (forms_[f].constant == constant && termsOf(forms_[f]) == terms)
        return f;
    return newForm(terms, constant);
  }

  FormId newForm(llvm::ArrayRef<Term> terms, int64_t constant) {
    FormData made;
    made.constant = constant;
    made.firstTerm = terms_.size();
    made.termCount = terms.size();
    for (const Term &term : terms) terms_.push_back(term);
    forms_.push_back(made);
    return forms_.size() - 1;
  }

  llvm::ArrayRef<Term> termsOf(const FormData &form) const {
    return llvm::ArrayRef<Term>(terms_).slice(form.firstTerm, form.termCount);
  }

  template <typename T>
  static size_t bytesOf(size_t count) {
    static_assert(alignof(T) <= 8);
    return llvm::alignTo<8>(count * sizeof(T));
  }

  static llvm::ArrayRef<Variable> variables(llvm::ArrayRef<Interval> bounds,
                                            char *&next) {
    auto *to = reinterpret_cast<Variable *>(next);
    for (size_t i = 0; i < bounds.size(); ++i)
      new (to + i) Variable{bounds[i], {}};
    next += bytesOf<Variable>(bounds.size());
    return {to, bounds.size()};
  }

  template <typename T>
  static llvm::ArrayRef<T> copy(llvm::ArrayRef<T> from, char *&next) {
    auto *to = reinterpret_cast<T *>(next);
    std::uninitialized_copy(from.begin(), from.end(), to);
    next += bytesOf<T>(from.size());
    return {to, from.size()};
  }

  const llvm::ArrayRef<Interval> dimensions_, ranges_;
  llvm::SmallVector<FormId, 8> results_;
  llvm::SmallVector<Atom, 8> atoms_;
  llvm::SmallVector<FormData, 8> forms_;
  llvm::SmallVector<Term, 12> terms_;
  size_t rangesRead_ = 0, rangesMet_ = 0;
  bool readsPoints_ = false, hasDigits_ = false;
};

std::optional<IndexingMap> plainMap(llvm::ArrayRef<Interval> dimensions,
                                    llvm::ArrayRef<Interval> ranges,
                                    llvm::ArrayRef<PlainResult> results) {
  PlainMapWriter writer(dimensions, ranges);
  if (!writer.canWrite(results.size())) return std::nullopt;
  for (const PlainResult &result : results)
    if (!writer.add(result)) return std::nullopt;
  return writer.write();
}

std::optional<IndexingMap> digitMap(
    llvm::ArrayRef<Interval> dimensions,
    llvm::ArrayRef<llvm::SmallVector<PlainDigit, 2>> results) {
  PlainMapWriter writer(dimensions, {});
  if (!writer.canWrite(results.size())) return std::nullopt;
  for (llvm::SmallVector<PlainDigit, 2> digits : results) {
    llvm::sort(digits, [](const PlainDigit &a, const PlainDigit &b) {
      return a.dimension < b.dimension;
    });
    if (!writer.add(digits)) return std::nullopt;
  }
  return writer.write();
}

WithoutPlainMaps::WithoutPlainMaps() : before_(std::exchange(isOff, true)) {}
WithoutPlainMaps::~WithoutPlainMaps() { isOff = before_; }

}  // namespace indexical
