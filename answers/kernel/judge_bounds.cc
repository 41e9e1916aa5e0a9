#include "indexical/answers/kernel/judge_bounds.h"

#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/read.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/program/maps/merged_ranges.h"

namespace indexical {
namespace {

using kernels::AccessKind;
using kernels::KernelAccess;
using kernels::MaskKind;
using kernels::OpenSizes;
using kernels::PointerMap;
using kernels::SizeKind;
using kernels::SizeProduct;
using kernels::SizeTerm;
using kernels::TritonKernel;

/// The numbers of an element that a map gives: the rest, the factor of each
/// product, and the turns of all sizes.
struct Numbers {
  const OpenSizes &sizes;
  MapCopy &copy;
  IndexingMapBuilder &b;
  size_t products;

  std::optional<Expr> sizeOf(size_t size) const {
    const kernels::OpenSize &open = sizes.sizes[size];
    if (open.said) return linear(*open.said);
    return copy.result(1 + products + size) * open.step + open.first;
  }
  /// Returns the term, if it is linear in each size.
  std::optional<Expr> linear(const SizeTerm &term) const {
    if (const auto number = valueOf(term, sizes.values))
      return b.constant(*number);
    if (term.kind == SizeKind::Name) {
      const auto size = sizes.sizeOf.find(term.name);
      if (size == sizes.sizeOf.end()) return std::nullopt;
      return sizeOf(size->second);
    }
    if (term.operands.size() != 2) return std::nullopt;
    const auto left = linear(term.operands[0]);
    const auto right = linear(term.operands[1]);
    if (!left || !right) return std::nullopt;
    if (term.kind == SizeKind::Add) return *left + *right;
    if (term.kind == SizeKind::Sub) return *left - *right;
    if (term.kind != SizeKind::Mul) return std::nullopt;
    if (const auto by = valueOf(term.operands[0], sizes.values))
      return *right * *by;
    if (const auto by = valueOf(term.operands[1], sizes.values))
      return *left * *by;
    return std::nullopt;
  }
};

/// A number of an element, and what it has to be below.
struct Bound {
  size_t number;
  SizeTerm below;
};

SizeTerm productOf(llvm::ArrayRef<SizeTerm> sides) {
  SizeTerm all = SizeTerm::of(1);
  for (const SizeTerm &side : sides)
    all = SizeTerm::of(SizeKind::Mul, std::move(all), side);
  return all;
}

/// Returns what bounds the numbers of the elements of such an array: x[r * C +
/// c] of f32[R,C] has c < C, and r < R.
std::vector<Bound> boundsOf(llvm::ArrayRef<SizeTerm> sides,
                            const std::set<SizeProduct> &products,
                            const OpenSizes &sizes) {
  if (products.empty()) return {{0, productOf(sides)}};
  const SizeProduct &product = *products.begin();
  if (products.size() > 1 || product.size() > 1 || sides.size() < 2) return {};
  const SizeTerm &last = sides.back();
  if (last.kind != SizeKind::Name || valueOf(last, sizes.values)) return {};
  const auto size = sizes.sizeOf.find(last.name);
  if (size == sizes.sizeOf.end()) return {};
  // Products are of sizes that others do not say.
  const auto &said = sizes.sizes[size->second].said;
  const size_t own = said && said->kind == SizeKind::Name
                         ? sizes.sizeOf.at(said->name)
                         : size->second;
  if (own != product[0]) return {};
  return {{0, last}, {1, productOf(sides.drop_back())}};
}

/// Whether a number of the map's results is below 0, or not below the bound, at
/// some sizes; nothing if that is not known.
std::optional<bool> isOutside(const IndexingMap &map, const Bound &bound,
                              const OpenSizes &sizes, size_t products,
                              const ExactOptions &options) {
  for (const bool isLow : {true, false}) {
    IndexingMapBuilder b;
    std::vector<FormId> dimensions, ranges;
    for (const Variable &v : map.dimensions())
      dimensions.push_back(b.dimension(v.bounds).form());
    for (const Variable &v : map.ranges())
      ranges.push_back(b.range(v.bounds).form());
    MapCopy copy(map, b, std::move(dimensions), std::move(ranges));
    const Expr number = copy.result(bound.number);
    const auto below = Numbers{sizes, copy, b, products}.linear(bound.below);
    if (!below) return std::nullopt;
    if (isLow)
      b.constraint(number, {Interval::kMinusInfinity, -1});
    else
      b.constraint(number - *below, {0, Interval::kInfinity});
    copy.addConstraints();
    b.result(number);
    const auto outside = b.build();
    if (!outside.ok()) return std::nullopt;
    const auto none = isEmpty(IndexingRelation(*outside), options);
    if (!none.ok() || none->answer == Answer::Undecided) return std::nullopt;
    if (none->answer == Answer::No) return true;
  }
  return false;
}

/// Returns the sides of the shape of an argument, if the call says them.
std::optional<std::vector<SizeTerm>> sidesOf(
    const std::vector<std::pair<std::string, std::string>> &shapes,
    const std::string &name) {
  for (const auto &[argument, whole] : shapes) {
    if (argument != name) continue;
    const llvm::StringRef text = whole;
    const size_t open = text.find('['), close = text.find(']');
    if (close == llvm::StringRef::npos || open > close) return std::nullopt;
    const llvm::StringRef sides = text.slice(open + 1, close).trim();
    if (sides.empty()) return std::vector<SizeTerm>();
    auto terms = python::readSizes(sides);
    if (!terms.ok()) return std::nullopt;
    return *std::move(terms);
  }
  return std::nullopt;
}

}  // namespace

bool addTouched(const TritonKernel &kernel, int64_t array,
                IndexingRelation &elements) {
  for (const KernelAccess &access : kernel.accesses) {
    if (!access.reason.empty()) return false;
    for (const PointerMap &map : access.maps)
      if (kernel.arrayOf(map.argument) == array && !map.map.isKnownEmpty())
        elements.add(withMergedDigits(withRanges(map.map, 0)));
  }
  return true;
}

OpenBounds boundsForSizes(
    const TritonKernel &kernel, const OpenSizes &sizes,
    const std::vector<std::pair<std::string, std::string>> &shapes,
    const ExactOptions &options) {
  OpenBounds bounds;
  for (const KernelAccess &access : kernel.accesses) {
    Check &check = bounds.accesses.emplace_back();
    for (const PointerMap &map : access.maps) {
      if (map.argument < 0 || map.map.isKnownEmpty()) continue;
      const std::string &name = kernel.arguments[map.argument].name;
      auto doubt = [&](const char *reason) {
        check.take(Check::undecided(reason));
      };
      const auto sides = sidesOf(shapes, name);
      if (!sides) {
        doubt("the size of the buffer is not known; new accesses no element "
              "that old does not");
        continue;
      }
      std::set<SizeProduct> products;
      if (const auto own = sizes.products.find(map.argument);
          own != sizes.products.end())
        products = own->second;
      const std::vector<Bound> each = boundsOf(*sides, products, sizes);
      bool isInside = !each.empty() && map.map.runtime().empty();
      for (const Bound &bound : each) {
        if (!isInside) break;
        const auto outside = isOutside(map.map, bound, sizes, products.size(),
                                       options);
        isInside = outside && !*outside;
        // One of two numbers may make up for the other, and an unknown mask may
        // leave the element out.
        bounds.isViolated |= outside && *outside && each.size() == 1 &&
                             access.mask != MaskKind::Cover;
      }
      if (!isInside)
        doubt("it is not known whether elements are in the shape at all sizes");
    }
  }
  return bounds;
}

std::string whyMoreThanOld(const TritonKernel &first,
                           const TritonKernel &second,
                           const kernels::PairedArguments &arguments,
                           const kernels::BufferSizes &sizes,
                           const ExactOptions &options) {
  for (auto [k, argument] : llvm::enumerate(first.arguments)) {
    const int64_t old = arguments.oldOf[k];
    if (!argument.isPointer || sizes[k] || old < 0) continue;
    IndexingRelation theirs;
    if (!addTouched(second, second.arrayOf(old), theirs)) return "";
    for (const KernelAccess &access : first.accesses) {
      // Its map may cover more than it accesses.
      if (!access.reason.empty() || access.mask == MaskKind::Cover) continue;
      for (const PointerMap &map : access.maps) {
        if (map.argument < 0 ||
            first.arrayOf(map.argument) != first.arrayOf(k) ||
            map.map.isKnownEmpty() || !map.map.runtime().empty())
          continue;
        const auto inside = isSubset(
            IndexingRelation(withMergedDigits(withRanges(map.map, 0))), theirs,
            options);
        if (inside.ok() && inside->answer == Answer::No)
          return absl::StrCat("new accesses elements of `", argument.name,
                              "` that old does not; --shape=", argument.name,
                              "=SHAPE says how many there are");
      }
    }
  }
  return "";
}

}  // namespace indexical
