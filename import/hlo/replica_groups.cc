#include "indexical/import/hlo/replica_groups.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/import/hlo/lexer.h"

namespace indexical {
namespace {

// Groups of more numbers are not listed.
constexpr int64_t kMostListed = 1 << 16;

/// One attribute `replica_groups`, in any of its forms.
class GroupParser {
 public:
  /// `count`: how many devices there are; -1: not known.
  GroupParser(Source &source, llvm::StringRef text, int64_t count)
      : text_(text), lexer_(source, text), count_(count) {}

  /// `size` stays as it is for the group of all.
  bool parse(Interval &size) {
    bool ok = false;
    if (lexer_.peek() == '{')
      ok = parseLists(size);
    else if (lexer_.peek() == '[')
      ok = parseIota(size);
    else
      ok = parseMesh(size);
    return ok && (lexer_.atEnd() ||
                  lexer_.failExpected("the end of the replica groups"));
  }

  /// The groups that `parse` has read; empty if they are not listed.
  llvm::ArrayRef<Int64s> groups() const { return groups_; }

 private:
  bool fail(const llvm::Twine &message) {
    return lexer_.source().fail(text_, message);
  }

  // `{{0,1},{2,3}}`, `{}`, or the oldest form of one group, `{0,1}`.
  bool parseLists(Interval &size) {
    if (!lexer_.expect('{')) return false;
    if (lexer_.consume('}')) return true;
    Interval sizes = Interval::none();
    if (lexer_.peek() != '{') {
      int64_t count = 0;
      if (!parseDevices('}', count)) return false;
      size = Interval::point(count);
      return true;
    }
    do {
      int64_t count = 0;
      if (!lexer_.expect('{')) return false;
      if (lexer_.consume('}')) continue;
      if (!parseDevices('}', count)) return false;
      sizes = sizes.hull(Interval::point(count));
    } while (lexer_.consume(','));
    if (!sizes.isEmpty()) size = sizes;
    return lexer_.expect('}');
  }

  /// Numbers up to the closing bracket.
  bool parseDevices(char close, int64_t &count) {
    do {
      int64_t device;
      if (!lexer_.takeInteger(device)) return false;
      if (device < 0)
        return fail("replica groups: " + llvm::Twine(device) +
                    " is not a device; the first one is 0");
      if (count_ > 0 && device >= count_)
        return fail("replica groups: there is no device " +
                    llvm::Twine(device) + "; there are " + llvm::Twine(count_));
      if (!devices_.insert(device).second)
        return fail("replica groups: device " + llvm::Twine(device) +
                    " is in them twice");
      if (count++ == 0) groups_.emplace_back();
      groups_.back().push_back(device);
    } while (lexer_.consume(','));
    return lexer_.expect(close);
  }

  /// The numbers 0, 1, … of these sizes, the dimensions in this order, cut into
  /// groups.
  void listInOrder(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order,
                   int64_t count, int64_t members) {
    if (count > kMostListed) return;
    Int64s strides(sizes.size(), 1);
    for (size_t k = sizes.size(); k-- > 1;)
      strides[k - 1] = strides[k] * sizes[k];
    for (int64_t i = 0; i < count; ++i) {
      int64_t number = 0, rest = i;
      for (size_t j = order.size(); j-- > 0;) {
        number += rest % sizes[order[j]] * strides[order[j]];
        rest /= sizes[order[j]];
      }
      if (i % members == 0) groups_.emplace_back();
      groups_.back().push_back(number);
    }
  }

  /// Positive sizes in brackets, and their product.
  bool parseSizes(char open, char close, Int64s &sizes, int64_t &product) {
    product = 1;
    if (!lexer_.expect(open)) return false;
    do {
      if (!lexer_.takeInteger(sizes.emplace_back())) return false;
      if (sizes.back() < 1 || llvm::MulOverflow(product, sizes.back(), product))
        return fail(
            "replica groups: sizes are positive, and their product is "
            "a 64-bit integer");
    } while (lexer_.consume(','));
    return lexer_.expect(close);
  }

  // `T(1,0)`, or nothing: the order of the sizes.
  bool parseOrder(llvm::ArrayRef<int64_t> sizes, Int64s &order) {
    for (size_t k = 0; k < sizes.size(); ++k) order.push_back(k);
    if (!lexer_.consume('T')) return true;
    const Int64s all = order;
    order.clear();
    if (!lexer_.expect('(')) return false;
    do {
      if (!lexer_.takeInteger(order.emplace_back())) return false;
    } while (lexer_.consume(','));
    if (!lexer_.expect(')')) return false;
    Int64s sorted = order;
    std::sort(sorted.begin(), sorted.end());
    return sorted == all ||
           fail(
               "replica groups: the order in `T(…)` is not a permutation of "
               "the " +
               llvm::Twine(sizes.size()) + " sizes before it");
  }

  // `[4,2]<=[2,4]T(1,0)`: 4 groups of 2, of the numbers 0 … 7 reshaped to 2 by
  // 4 and transposed.
  bool parseIota(Interval &size) {
    Int64s groups, tiles, order;
    int64_t count, tiled;
    if (!parseSizes('[', ']', groups, count)) return false;
    if (groups.size() != 2)
      return fail(
          "replica groups: `[groups,members]<=[…]` has two numbers "
          "before the arrow");
    if (!lexer_.expect('<') || !lexer_.expect('=') ||
        !parseSizes('[', ']', tiles, tiled))
      return false;
    if (count != tiled)
      return fail("replica groups: " + llvm::Twine(groups[0]) + " groups of " +
                  llvm::Twine(groups[1]) + " are not " + llvm::Twine(tiled) +
                  " devices");
    if (!parseOrder(tiles, order)) return false;
    listInOrder(tiles, order, count, groups[1]);
    size = Interval::point(groups[1]);
    return true;
  }

  // `mesh['x'=2,'y'=4], device_ids=(…) {'y','x':(1)2}`, or with the devices
  // before the closing bracket.
  bool parseMesh(Interval &size) {
    if (lexer_.takeWord() != "mesh")
      return lexer_.failExpected(
          "replica groups, as in `{{0,1},{2,3}}`, `[2,2]<=[4]` or "
          "`mesh['x'=2,'y'=2] {'y'}`");
    if (!lexer_.expect('[')) return false;
    int64_t count = 1;
    do {
      if (lexer_.peek() != '\'') {
        if (!parseDeviceIds(count)) return false;
        break;
      }
      if (!parseAxis(count)) return false;
    } while (lexer_.consume(','));
    if (!lexer_.expect(']')) return false;
    if (lexer_.consume(',') && !parseDeviceIds(count)) return false;
    if (!lexer_.expect('{')) return false;
    std::vector<AxisPart> named;
    if (!lexer_.consume('}')) {
      do {
        if (!parseGroupAxis(named.emplace_back())) return false;
      } while (lexer_.consume(','));
      if (!lexer_.expect('}')) return false;
    }
    return listMesh(named, count, size);
  }

  // `'x'=2`
  bool parseAxis(int64_t &count) {
    Axis &axis = axes_.emplace_back();
    if (!takeAxis(axis.name) || !lexer_.expect('=') ||
        !lexer_.takeInteger(axis.size))
      return false;
    if (axis.size < 1 || llvm::MulOverflow(count, axis.size, count))
      return fail(
          "replica groups: the sizes of a mesh are positive, and "
          "their product is a 64-bit integer");
    return true;
  }

  // `device_ids=(0,2,1,3)`, or `device_ids=([4,2]T(1,0))`: the numbers 0, 1, …
  // of these sizes, transposed.
  bool parseDeviceIds(int64_t count) {
    llvm::StringRef key = lexer_.takeWord();
    if (key != "device_ids")
      return lexer_.failExpected("an axis of the mesh, or `device_ids`");
    if (!lexer_.expect('=') || !lexer_.expect('(')) return false;
    int64_t named = 0;
    if (lexer_.peek() == '[') {
      Int64s sizes, order;
      if (!parseSizes('[', ']', sizes, named) || !parseOrder(sizes, order) ||
          !lexer_.expect(')'))
        return false;
      if (named == count && count <= kMostListed) {
        listInOrder(sizes, order, count, count);
        meshDevices_ = groups_.back();
      }
    } else {
      if (!parseDevices(')', named)) return false;
      meshDevices_ = groups_.back();
    }
    groups_.clear();
    if (named != count)
      return fail("replica groups: the mesh has " + llvm::Twine(count) +
                  " devices, `device_ids` names " + llvm::Twine(named));
    return true;
  }

  bool takeAxis(llvm::StringRef &name) {
    if (!lexer_.expect('\'')) return false;
    llvm::StringRef rest = lexer_.rest();
    name = rest.take_until([](char c) { return c == '\''; });
    lexer_.setPosition(name.end());
    return lexer_.expect('\'');
  }

  struct Axis {
    llvm::StringRef name;
    int64_t size = 0;
    /// The cuts between parts of the axis, as products of sizes: an axis of 8
    /// that `'x':(2)2` names a part of has the cuts 1, 2, 4 and 8.
    std::set<int64_t> cuts;
  };
  struct AxisPart {
    size_t axis;
    int64_t before, size;  ///< the product of the sizes before it, and its own
  };

  // `'x'`, or a part of an axis, `'x':(1)2`: 2 of its members, 1 before them.
  bool parseGroupAxis(AxisPart &part) {
    llvm::StringRef name;
    if (!takeAxis(name)) return false;
    auto axis = std::find_if(axes_.begin(), axes_.end(),
                             [&](const Axis &a) { return a.name == name; });
    if (axis == axes_.end())
      return lexer_.source().fail(name, "the mesh has no axis `" + name + "`");
    part = {static_cast<size_t>(axis - axes_.begin()), 1, axis->size};
    int64_t end = axis->size;
    if (lexer_.consume(':') &&
        (!lexer_.expect('(') || !lexer_.takeInteger(part.before) ||
         !lexer_.expect(')') || !lexer_.takeInteger(part.size)))
      return false;
    if (part.before < 1 || part.size < 1 ||
        llvm::MulOverflow(part.before, part.size, end) || axis->size % end != 0)
      return lexer_.source().fail(
          name, "axis `" + name + "` of " + llvm::Twine(axis->size) +
                    " has no part of " + llvm::Twine(part.size) + " behind " +
                    llvm::Twine(part.before));
    axis->cuts.insert({1, part.before, end, axis->size});
    return true;
  }

  /// The groups that the named parts of axes span: devices that differ in
  /// nothing else are one group, in the order of the parts.
  bool listMesh(llvm::ArrayRef<AxisPart> named, int64_t count, Interval &size) {
    // Each axis is cut where its parts end, and each piece is a dimension.
    Int64s sizes, order;
    std::vector<std::pair<size_t, int64_t>> pieces;  // axis, size before it
    for (size_t a = 0; a < axes_.size(); ++a) {
      int64_t before = 1;
      for (int64_t cut : axes_[a].cuts) {
        if (cut % before != 0)
          return fail("replica groups: parts of the axis `" + axes_[a].name +
                      "` overlap");
        if (cut > before) {
          pieces.emplace_back(a, before);
          sizes.push_back(cut / before);
        }
        before = cut;
      }
      if (before < axes_[a].size) {
        pieces.emplace_back(a, before);
        sizes.push_back(axes_[a].size / before);
      }
    }
    Int64s last;
    for (const AxisPart &part : named) {
      for (size_t k = 0; k < pieces.size(); ++k) {
        const auto [axis, before] = pieces[k];
        if (axis != part.axis || before < part.before ||
            before >= part.before * part.size)
          continue;
        if (llvm::is_contained(last, static_cast<int64_t>(k)))
          return fail("replica groups: parts of the axis `" + axes_[axis].name +
                      "` overlap");
        last.push_back(k);
      }
    }
    int64_t members = 1;
    for (int64_t k : last) members *= sizes[k];
    for (size_t k = 0; k < pieces.size(); ++k)
      if (!llvm::is_contained(last, static_cast<int64_t>(k)))
        order.push_back(k);
    order.append(last.begin(), last.end());
    listInOrder(sizes, order, count, members);
    if (!meshDevices_.empty())
      for (Int64s &group : groups_)
        for (int64_t &member : group) member = meshDevices_[member];
    size = Interval::point(members);
    return true;
  }

  llvm::StringRef text_;
  Lexer lexer_;
  const int64_t count_;
  std::set<int64_t> devices_;
  std::vector<Int64s> groups_;
  std::vector<Axis> axes_;  // of a mesh
  Int64s meshDevices_;      // in the mesh's order; empty: 0, 1, …
};

}  // namespace

bool parseGroupSize(const ResolvedInstruction &in, ChannelGroups groups,
                    Interval &size) {
  const bool channel = in.attributes.has("channel_id");
  int64_t number;
  bool global = false;
  if ((channel && !in.attributes.requiredInteger("channel_id", number)) ||
      !in.attributes.flag("use_global_device_ids", global))
    return false;
  const DeviceGroups devices{in.module.replicaCount, in.module.partitionCount,
                             groups, channel, global};
  size = devices.sizeOfAll();
  if (!in.attributes.has("replica_groups")) return true;
  Interval listed = Interval::none();
  if (!GroupParser(in.source, in.attributes.replicaGroups(),
                   devices.numberCount())
           .parse(listed))
    return false;
  if (!listed.isEmpty()) size = devices.sizeOfListed(listed);
  return true;
}

std::string listedGroups(llvm::StringRef text) {
  Source scratch(text);
  GroupParser parser(scratch, text, -1);
  Interval size;
  if (!parser.parse(size) || parser.groups().empty()) return text.trim().str();
  std::vector<Int64s> groups(parser.groups().begin(), parser.groups().end());
  std::sort(groups.begin(), groups.end());
  std::string listed = "{";
  for (const Int64s &group : groups) {
    listed += listed.size() > 1 ? ",{" : "{";
    for (int64_t member : group) {
      if (listed.back() != '{') listed += ',';
      listed += std::to_string(member);
    }
    listed += '}';
  }
  return listed + '}';
}

int64_t deviceCount(const ResolvedInstruction &in) {
  return in.attributes.has("channel_id") ? in.module.partitionCount
                                         : in.module.replicaCount;
}

}  // namespace indexical
