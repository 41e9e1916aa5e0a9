#include "indexical/program/kernel/sized_terms.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::kernels {

namespace {

// A sum of more products is not taken apart.
constexpr size_t kMostProducts = 100;

absl::Status notOfAllSizes(const std::string &what) {
  return absl::UnimplementedError(
      absl::StrCat(what, " is not followed for all sizes"));
}

/// Rewrites a term, operands first. `make` returns what replaces a term whose
/// operands are rewritten.
absl::StatusOr<TermId> rewritten(
    const Terms &terms, TermId root, std::map<TermId, TermId> &done,
    llvm::function_ref<absl::StatusOr<TermId>(TermNode, llvm::ArrayRef<TermId>)>
        make) {
  llvm::SmallVector<TermId, 32> todo = {root};
  while (!todo.empty()) {
    const TermId at = todo.back();
    const size_t before = todo.size();
    if (!done.count(at))
      for (TermId operand : terms[at].operands)
        if (!done.count(operand)) todo.push_back(operand);
    if (todo.size() != before) continue;
    todo.pop_back();
    if (done.count(at)) continue;
    llvm::SmallVector<TermId, 3> operands;
    for (TermId operand : terms[at].operands) operands.push_back(done[operand]);
    // A copy: new terms move the old ones.
    INDEXICAL_ASSIGN_OR_RETURN(done[at], make(terms[at], operands));
  }
  return done[root];
}

}  // namespace

SizedTerms::SizedTerms(Terms &terms, const OpenSizes &open,
                       std::vector<std::string> names)
    : terms_(terms), open_(open), names_(std::move(names)) {
  for (auto [k, size] : llvm::enumerate(open_.sizes)) {
    const TermId turn = terms_.leaf(
        TermKind::Loop, kFirstSizeLoop + static_cast<int64_t>(k), 64);
    const TermId steps =
        terms_.make(TermKind::Mul, 64, {turn, terms_.constant(size.step, 64)});
    sizes_.push_back(terms_.make(TermKind::Add, 64,
                                 {steps, terms_.constant(size.first, 64)}));
  }
  for (auto [k, size] : llvm::enumerate(open_.sizes)) {
    if (!size.said) continue;
    isSaid_.insert(k);
    if (const auto sum = ofSize(*size.said); sum.ok()) sizes_[k] = *sum;
  }
}

std::vector<PieceSpace::LoopCount> SizedTerms::loops() const {
  std::vector<PieceSpace::LoopCount> loops;
  for (auto [k, size] : llvm::enumerate(open_.sizes))
    loops.push_back({kFirstSizeLoop + static_cast<int64_t>(k), size.count});
  return loops;
}

bool SizedTerms::isSize(int64_t argument) const {
  return argument < static_cast<int64_t>(names_.size()) &&
         open_.sizeOf.count(names_[argument]);
}

std::optional<TermId> SizedTerms::ofArgument(const TermNode &term) {
  if (term.value >= static_cast<int64_t>(names_.size())) return std::nullopt;
  const auto size = open_.sizeOf.find(names_[term.value]);
  if (size == open_.sizeOf.end()) return std::nullopt;
  return sizes_[size->second];
}

absl::StatusOr<TermId> SizedTerms::ofName(const std::string &name) {
  if (const auto size = open_.sizeOf.find(name); size != open_.sizeOf.end())
    return sizes_[size->second];
  if (const auto value = open_.values.find(name); value != open_.values.end())
    return terms_.constant(value->second, 64);
  return notOfAllSizes(absl::StrCat("the grid's `", name, "`"));
}

absl::StatusOr<TermId> SizedTerms::ofSize(const SizeTerm &size) {
  if (size.kind == SizeKind::Number) return terms_.constant(size.number, 64);
  if (size.kind == SizeKind::Name) return ofName(size.name);
  INDEXICAL_ASSIGN_OR_RETURN(const TermId a, ofSize(size.operands[0]));
  INDEXICAL_ASSIGN_OR_RETURN(const TermId b, ofSize(size.operands[1]));
  static constexpr std::pair<SizeKind, TermKind> kKinds[] = {
      {SizeKind::Add, TermKind::Add},
      {SizeKind::Sub, TermKind::Sub},
      {SizeKind::Mul, TermKind::Mul},
      {SizeKind::FloorDiv, TermKind::FloorDivS},
      {SizeKind::CeilDiv, TermKind::CeilDivS},
      {SizeKind::Min, TermKind::MinS},
      {SizeKind::Max, TermKind::MaxS}};
  for (const auto &[kind, made] : kKinds)
    if (kind == size.kind) return terms_.make(made, 64, {a, b});
  // The remainder has the divisor's sign.
  const TermId whole = terms_.make(
      TermKind::Mul, 64, {terms_.make(TermKind::FloorDivS, 64, {a, b}), b});
  return terms_.make(TermKind::Sub, 64, {a, whole});
}

absl::StatusOr<TermId> SizedTerms::grid(size_t axis) {
  return ofSize(open_.grid[axis]);
}

absl::StatusOr<std::array<int64_t, 3>> SizedTerms::mostPrograms(
    const Stop *stop) {
  std::array<int64_t, 3> most = {1, 1, 1};
  PieceSpace space;
  space.loops = loops();
  for (size_t axis = 0; axis < most.size(); ++axis) {
    INDEXICAL_ASSIGN_OR_RETURN(const TermId count, grid(axis));
    INDEXICAL_ASSIGN_OR_RETURN(const Interval bounds,
                               PieceMaker(terms_, space, stop).bounds(count));
    if (!bounds.hasUpper() || bounds.upper < 1)
      return notOfAllSizes("how many programs there are");
    most[axis] = std::min<int64_t>(bounds.upper, INT32_MAX);
  }
  return most;
}

/// `program < cdiv(n, 128)` is `program * 128 < n`.
absl::StatusOr<TermId> SizedTerms::isBelow(TermId number,
                                           const SizeTerm &size) {
  if (size.kind == SizeKind::CeilDiv || size.kind == SizeKind::FloorDiv) {
    INDEXICAL_ASSIGN_OR_RETURN(const TermId divisor, ofSize(size.operands[1]));
    if (terms_[divisor].kind == TermKind::Constant &&
        terms_[divisor].value > 0) {
      INDEXICAL_ASSIGN_OR_RETURN(const TermId whole, ofSize(size.operands[0]));
      TermId first = terms_.make(TermKind::Mul, 64, {number, divisor});
      if (size.kind == SizeKind::CeilDiv)
        return terms_.make(TermKind::LessS, 1, {first, whole});
      first = terms_.make(TermKind::Add, 64, {first, divisor});
      return terms_.make(TermKind::LessEqualS, 1, {first, whole});
    }
  }
  if (size.kind == SizeKind::Min) {
    INDEXICAL_ASSIGN_OR_RETURN(const TermId a,
                               isBelow(number, size.operands[0]));
    INDEXICAL_ASSIGN_OR_RETURN(const TermId b,
                               isBelow(number, size.operands[1]));
    return terms_.make(TermKind::And, 1, {a, b});
  }
  INDEXICAL_ASSIGN_OR_RETURN(const TermId count, ofSize(size));
  return terms_.make(TermKind::LessS, 1, {number, count});
}

absl::StatusOr<std::optional<TermId>> SizedTerms::isInGrid() {
  std::optional<TermId> all;
  for (size_t axis = 0; axis < open_.grid.size(); ++axis) {
    INDEXICAL_ASSIGN_OR_RETURN(const TermId count, grid(axis));
    if (terms_[count].kind == TermKind::Constant) continue;
    const TermId program = terms_.make(
        TermKind::SignExtend, 64, {terms_.leaf(TermKind::Program, axis, 32)});
    INDEXICAL_ASSIGN_OR_RETURN(const TermId is,
                               isBelow(program, open_.grid[axis]));
    all = all ? terms_.make(TermKind::And, 1, {*all, is}) : is;
  }
  for (const SizeCondition &condition : open_.conditions) {
    INDEXICAL_ASSIGN_OR_RETURN(const TermId is, holds(condition));
    all = all ? terms_.make(TermKind::And, 1, {*all, is}) : is;
  }
  return all;
}

absl::StatusOr<TermId> SizedTerms::holds(const SizeCondition &condition) {
  INDEXICAL_ASSIGN_OR_RETURN(const TermId left, ofSize(condition.left));
  INDEXICAL_ASSIGN_OR_RETURN(const TermId right, ofSize(condition.right));
  switch (condition.sign) {
    case SizeSign::Less:
      return terms_.make(TermKind::LessS, 1, {left, right});
    case SizeSign::AtMost:
      return terms_.make(TermKind::LessEqualS, 1, {left, right});
    case SizeSign::Greater:
      return terms_.make(TermKind::LessS, 1, {right, left});
    case SizeSign::AtLeast:
      return terms_.make(TermKind::LessEqualS, 1, {right, left});
    case SizeSign::Equal:
      break;
  }
  return terms_.make(TermKind::Equal, 1, {left, right});
}

absl::StatusOr<TermId> SizedTerms::exact(TermId term) {
  return rewritten(
      terms_, term, exact_,
      [&](TermNode at,
          llvm::ArrayRef<TermId> operands) -> absl::StatusOr<TermId> {
        if (at.kind == TermKind::Argument)
          if (const auto size = ofArgument(at))
            return terms_.make(TermKind::Truncate, at.bits, {*size});
        if (at.kind == TermKind::Programs) {
          INDEXICAL_ASSIGN_OR_RETURN(const TermId count, grid(at.value));
          return terms_.make(TermKind::Truncate, at.bits, {count});
        }
        if (at.kind <= TermKind::Unknown)
          return terms_.leaf(at.kind, at.value, at.bits, operands);
        return terms_.make(at.kind, at.bits, operands);
      });
}

absl::StatusOr<TermId> SizedTerms::wide(TermId term) {
  return rewritten(terms_, term, wide_,
                   [&](TermNode at, llvm::ArrayRef<TermId> operands) {
                     return widened(at, operands);
                   });
}

absl::StatusOr<TermId> SizedTerms::widened(const TermNode &term,
                                           llvm::ArrayRef<TermId> operands) {
  constexpr int32_t kLeastBits = 32;
  auto isBit = [&](size_t k) { return terms_[operands[k]].bits == 1; };
  const int32_t bits = term.bits == 1 ? 1 : 64;
  if (term.bits != 1 && term.bits < kLeastBits)
    return notOfAllSizes(absl::StrCat("an integer of ", term.bits, " bits"));
  switch (term.kind) {
    case TermKind::Constant:
      return terms_.constant(term.value, bits);
    case TermKind::Program:
      return terms_.make(
          TermKind::SignExtend, 64,
          {terms_.leaf(TermKind::Program, term.value, term.bits)});
    case TermKind::Programs:
      return grid(term.value);
    case TermKind::Argument:
      if (const auto size = ofArgument(term)) return *size;
      if (term.bits == 1) return terms_.leaf(term.kind, term.value, term.bits);
      return terms_.make(TermKind::SignExtend, 64,
                         {terms_.leaf(term.kind, term.value, term.bits)});
    case TermKind::Pointer:
    case TermKind::Loop:
    case TermKind::Coordinate:
      return terms_.leaf(term.kind, term.value, term.bits, operands);
    case TermKind::Add:
    case TermKind::Sub:
    case TermKind::Mul:
    case TermKind::DivS:
    case TermKind::FloorDivS:
    case TermKind::CeilDivS:
    case TermKind::RemS:
    case TermKind::MinS:
    case TermKind::MaxS:
    case TermKind::PointerAdd:
    case TermKind::Select:
    case TermKind::Equal:
    case TermKind::NotEqual:
    case TermKind::LessS:
    case TermKind::LessEqualS:
      return terms_.make(term.kind, bits, operands);
    case TermKind::And:
    case TermKind::Or:
    case TermKind::Xor:
      if (term.bits == 1) return terms_.make(term.kind, 1, operands);
      return notOfAllSizes("an operation on bits");
    case TermKind::Shl:
    case TermKind::ShrS: {
      const TermNode amount = terms_[operands[1]];
      if (bits == 1 || amount.kind != TermKind::Constant || amount.value < 0 ||
          amount.value >= kLeastBits - 1)
        return notOfAllSizes("a shift by no number");
      const TermId factor = terms_.constant(int64_t{1} << amount.value, 64);
      return terms_.make(
          term.kind == TermKind::Shl ? TermKind::Mul : TermKind::FloorDivS, 64,
          {operands[0], factor});
    }
    case TermKind::SignExtend:
      if (!isBit(0)) return operands[0];
      return terms_.make(
          TermKind::Select, 64,
          {operands[0], terms_.constant(-1, 64), terms_.constant(0, 64)});
    case TermKind::ZeroExtend:
      if (!isBit(0)) return notOfAllSizes("an integer without a sign");
      return terms_.make(
          TermKind::Select, 64,
          {operands[0], terms_.constant(1, 64), terms_.constant(0, 64)});
    case TermKind::Truncate:
      if (bits == 1) return notOfAllSizes("the last bit of an integer");
      return operands[0];
    case TermKind::Loaded:
    case TermKind::Unknown:
    case TermKind::Placeholder:
      return notOfAllSizes("a value of memory in an address or a mask");
    default:
      return notOfAllSizes("arithmetic without a sign");
  }
}

absl::StatusOr<SizedTerms::Sum> SizedTerms::sumOf(TermId root) {
  std::map<TermId, Sum> done;
  llvm::SmallVector<TermId, 32> todo = {root};
  // A size that others say is a sum of these.
  auto sizeOf = [&](TermId id) -> std::optional<size_t> {
    for (auto [k, size] : llvm::enumerate(sizes_))
      if (size == id && !isSaid_.count(k)) return k;
    return std::nullopt;
  };
  auto isSum = [&](TermId id) {
    const TermKind kind = terms_[id].kind;
    return !sizeOf(id) &&
           (kind == TermKind::Add || kind == TermKind::Sub ||
            kind == TermKind::Mul);
  };
  while (!todo.empty()) {
    const TermId at = todo.back();
    const size_t before = todo.size();
    if (!done.count(at) && isSum(at))
      for (TermId operand : terms_[at].operands)
        if (!done.count(operand)) todo.push_back(operand);
    if (todo.size() != before) continue;
    todo.pop_back();
    if (done.count(at)) continue;
    const TermNode &term = terms_[at];
    Sum sum;
    if (const auto size = sizeOf(at)) {
      sum[{{*size}, {}}] = 1;
    } else if (term.kind == TermKind::Constant) {
      if (term.value != 0) sum[{{}, {}}] = term.value;
    } else if (!isSum(at)) {
      sum[{{}, {at}}] = 1;
    } else {
      const Sum &a = done[term.operands[0]], &b = done[term.operands[1]];
      auto take = [&](const Key &key, std::optional<int64_t> number) {
        const auto all = number ? checkedAdd(sum[key], *number) : std::nullopt;
        if (!all) return false;
        sum[key] = *all;
        return true;
      };
      bool fits = true;
      if (term.kind == TermKind::Mul) {
        for (const auto &[x, p] : a)
          for (const auto &[y, q] : b) {
            Key both = x;
            both.sizes.insert(both.sizes.end(), y.sizes.begin(), y.sizes.end());
            both.others.insert(both.others.end(), y.others.begin(),
                               y.others.end());
            llvm::sort(both.sizes);
            llvm::sort(both.others);
            fits = fits && take(both, checkedMul(p, q));
          }
      } else {
        sum = a;
        for (const auto &[key, number] : b)
          fits = fits &&
                 take(key, term.kind == TermKind::Add ? std::optional(number)
                                                      : checkedSub(0, number));
      }
      for (auto each = sum.begin(); each != sum.end();)
        each = each->second == 0 ? sum.erase(each) : std::next(each);
      if (!fits || sum.size() > kMostProducts)
        return notOfAllSizes("a long sum of products");
    }
    done[at] = std::move(sum);
  }
  return done[root];
}

TermId SizedTerms::termOf(const Sum &sum) {
  TermId all = terms_.constant(0, 64);
  for (const auto &[key, number] : sum) {
    TermId product = terms_.constant(number, 64);
    for (size_t size : key.sizes)
      product = terms_.make(TermKind::Mul, 64, {sizes_[size], product});
    for (TermId other : key.others)
      product = terms_.make(TermKind::Mul, 64, {other, product});
    all = terms_.make(TermKind::Add, 64, {all, product});
  }
  return all;
}

absl::StatusOr<SizedTerms::Address> SizedTerms::apart(TermId pointer) {
  INDEXICAL_ASSIGN_OR_RETURN(TermId at, wide(pointer));
  TermId number = terms_.constant(0, 64);
  while (terms_[at].kind == TermKind::PointerAdd) {
    number = terms_.make(TermKind::Add, 64, {number, terms_[at].operands[1]});
    at = terms_[at].operands[0];
  }
  if (terms_[at].kind != TermKind::Pointer)
    return notOfAllSizes("a choice among pointers");
  Address address;
  address.argument = terms_[at].value;
  INDEXICAL_ASSIGN_OR_RETURN(const Sum sum, sumOf(number));
  std::map<SizeProduct, Sum> factors;
  factors[{}];
  for (const auto &[key, factor] : sum) {
    // A size with a constant is affine: it belongs to the rest, unless it is a
    // product that has other factors, too.
    const bool hasOthers =
        llvm::any_of(sum, [&, &key = key](const auto &other) {
          return other.first.sizes == key.sizes && !other.first.others.empty();
        });
    if (key.sizes.size() == 1 && !hasOthers)
      factors[{}][key] += factor;
    else
      factors[key.sizes][{{}, key.others}] += factor;
  }
  for (const auto &[product, factor] : factors)
    address.factors[product] = termOf(factor);
  return address;
}

std::set<SizeProduct> SizedTerms::productsOf(const Address &address,
                                             const Terms &terms) {
  std::set<SizeProduct> products;
  for (const auto &[product, factor] : address.factors)
    if (!product.empty() &&
        (product.size() > 1 || terms[factor].kind != TermKind::Constant))
      products.insert(product);
  return products;
}

/// Whether the rest is from 0 to one less than the size, where the mask holds.
absl::StatusOr<bool> SizedTerms::isDigit(const PieceSpace &space, TermId rest,
                                         size_t size,
                                         std::optional<TermId> mask,
                                         const Stop *stop) {
  const TermId isLow =
      terms_.make(TermKind::LessS, 1, {rest, terms_.constant(0, 64)});
  const TermId isHigh =
      terms_.make(TermKind::LessEqualS, 1, {sizes_[size], rest});
  for (TermId outside : {isLow, isHigh}) {
    if (mask) outside = terms_.make(TermKind::And, 1, {*mask, outside});
    PieceMaker maker(terms_, space, stop);
    INDEXICAL_ASSIGN_OR_RETURN(
        const auto maps,
        maker.elements(terms_.leaf(TermKind::Pointer, 0, 64), outside));
    if (!maps.empty()) return false;
  }
  return true;
}

/// Moves a size from the rest to its factor, or back, so that the rest is below
/// the size: r * C + C - 1 - c, of 0 <= c < C, is r * C + (C - 1 - c).
absl::Status SizedTerms::normalize(const PieceSpace &space,
                                   std::optional<TermId> mask,
                                   const std::set<SizeProduct> &products,
                                   const Stop *stop, Address &address) {
  auto moved = [&](TermId from, TermId size, int64_t times) {
    return terms_.make(TermKind::Add, 64,
                       {from, terms_.make(TermKind::Mul, 64,
                                          {size, terms_.constant(times, 64)})});
  };
  TermId &rest = address.factors[{}];
  for (const SizeProduct &product : products)
    if (!address.factors.count(product))
      address.factors[product] = terms_.constant(0, 64);
  if (products.size() != 1 || products.begin()->size() != 1)
    return absl::OkStatus();
  const size_t size = products.begin()->front();
  TermId &factor = address.factors[{size}];
  // What the rest has of the size itself.
  INDEXICAL_ASSIGN_OR_RETURN(Sum sum, sumOf(rest));
  if (const auto own = sum.find(Key{{size}, {}}); own != sum.end()) {
    factor = terms_.make(TermKind::Add, 64,
                         {factor, terms_.constant(own->second, 64)});
    sum.erase(own);
    rest = termOf(sum);
  }
  for (const int64_t times : {0, -1, 1}) {
    const TermId next = moved(rest, sizes_[size], -times);
    INDEXICAL_ASSIGN_OR_RETURN(const bool fits,
                               isDigit(space, next, size, mask, stop));
    if (!fits) continue;
    rest = next;
    factor =
        terms_.make(TermKind::Add, 64, {factor, terms_.constant(times, 64)});
    return absl::OkStatus();
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<PointerMap>> SizedTerms::elements(
    const PieceSpace &space, TermId pointer, std::optional<TermId> mask,
    const Stop *stop) {
  INDEXICAL_ASSIGN_OR_RETURN(Address address, apart(pointer));
  if (mask) {
    INDEXICAL_ASSIGN_OR_RETURN(mask, wide(*mask));
  }
  std::set<SizeProduct> products;
  if (const auto known = open_.products.find(address.argument);
      known != open_.products.end())
    products = known->second;
  for (const SizeProduct &own : productsOf(address, terms_))
    if (!products.count(own))
      return notOfAllSizes("a product of sizes in an address");
  INDEXICAL_RETURN_IF_ERROR(normalize(space, mask, products, stop, address));
  const TermId base = terms_.leaf(TermKind::Pointer, address.argument, 64);
  // The maps so far, each with a result more.
  std::vector<PointerMap> all;
  bool isFirst = true;
  for (const auto &[product, factor] : address.factors) {
    PieceMaker maker(terms_, space, stop);
    INDEXICAL_ASSIGN_OR_RETURN(
        auto maps,
        maker.elements(terms_.make(TermKind::PointerAdd, 64, {base, factor}),
                       isFirst ? mask : std::nullopt));
    if (maker.isCover() || !maker.runtime().empty())
      return notOfAllSizes("a value that is not known");
    if (std::exchange(isFirst, false)) {
      all = std::move(maps);
      continue;
    }
    std::vector<PointerMap> next;
    for (const PointerMap &before : all)
      for (const PointerMap &own : maps) {
        IndexingMapBuilder b;
        std::vector<FormId> dimensions;
        for (const Variable &v : before.map.dimensions())
          dimensions.push_back(b.dimension(v.bounds, v.name).form());
        for (auto [v, form] : llvm::zip(own.map.dimensions(), dimensions))
          b.constraint(b.expression(form), v.bounds);
        MapCopy first(before.map, b, dimensions, {});
        MapCopy second(own.map, b, dimensions, {});
        for (size_t k = 0; k < before.map.results().size(); ++k)
          b.result(first.result(k));
        b.result(second.result(0));
        first.addConstraints();
        second.addConstraints();
        INDEXICAL_ASSIGN_OR_RETURN(auto map, b.build());
        INDEXICAL_ASSIGN_OR_RETURN(map, simplify(map));
        if (!map.isKnownEmpty())
          next.push_back({address.argument, std::move(map)});
      }
    all = std::move(next);
    if (all.size() > PieceMaker::kMostPieces)
      return notOfAllSizes("an index of many cases");
  }
  for (PointerMap &each : all) {
    IndexingMapBuilder b;
    std::vector<FormId> dimensions;
    std::vector<Expr> turns;
    for (auto [k, v] : llvm::enumerate(each.map.dimensions())) {
      const Expr variable = b.dimension(v.bounds, v.name);
      dimensions.push_back(variable.form());
      const size_t axes = space.grid.size();
      if (k >= axes && k < axes + open_.sizes.size()) turns.push_back(variable);
    }
    MapCopy copy(each.map, b, dimensions, {});
    for (size_t k = 0; k < each.map.results().size(); ++k)
      b.result(copy.result(k));
    for (const Expr &turn : turns) b.result(turn);
    copy.addConstraints();
    INDEXICAL_ASSIGN_OR_RETURN(auto map, b.build());
    INDEXICAL_ASSIGN_OR_RETURN(each.map, simplify(map));
  }
  return all;
}

}  // namespace indexical::kernels
