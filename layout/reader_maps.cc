// Maps as layouts, with xor; and arrays of XLA.
#include <map>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/reader.h"

namespace indexical::layouts {

/// Reads the results of a map, whose variables have bounds.
class MapReader {
 public:
  explicit MapReader(Reader &reader) : reader_(reader) {}

  absl::StatusOr<Layout> read();

 private:
  struct Value {
    Expr expr;
    Interval bounds;
  };

  absl::Status domain();
  absl::StatusOr<Value> sum();
  absl::StatusOr<Value> product();
  absl::StatusOr<Value> atom();
  absl::StatusOr<Value> exclusiveOr(const Value &a, const Value &b);
  std::optional<int64_t> constantOf(const Value &value) const {
    return builder_.valueOf(value.expr);
  }

  Reader &reader_;
  IndexingMapBuilder builder_;
  std::vector<Space> inputs_;
  std::map<std::string, Value> variables_;
  int depth_ = 0;
};

absl::Status MapReader::domain() {
  INDEXICAL_RETURN_IF_ERROR(reader_.want(","));
  INDEXICAL_RETURN_IF_ERROR(reader_.want("domain"));
  INDEXICAL_RETURN_IF_ERROR(reader_.want(":"));
  std::map<std::string, int64_t> sizes;
  while (true) {
    const size_t start = reader_.at_;
    const std::string name = reader_.word().str();
    if (llvm::none_of(inputs_,
                      [&](const Space &s) { return s.name == name; }) ||
        !reader_.take("in"))
      return reader_.failAt(
          start, "a layout has a box: bounds of its dimensions alone");
    INDEXICAL_RETURN_IF_ERROR(reader_.want("["));
    INDEXICAL_ASSIGN_OR_RETURN(const int64_t lower, reader_.number());
    INDEXICAL_RETURN_IF_ERROR(reader_.want(","));
    INDEXICAL_ASSIGN_OR_RETURN(const int64_t upper, reader_.number());
    INDEXICAL_RETURN_IF_ERROR(reader_.want("]"));
    if (lower != 0 || upper < 0 || upper == INT64_MAX)
      return reader_.failAt(start, "a dimension of a layout goes from 0 on");
    if (!sizes.emplace(name, upper + 1).second)
      return reader_.failAt(start, name + " has bounds twice");
    // A comma may belong to the list that the map stands in.
    const size_t comma = reader_.at_;
    if (!reader_.take(",")) break;
    const size_t next = reader_.at_;
    const llvm::StringRef word = reader_.word();
    const bool goesOn = !word.empty() && reader_.peek("in");
    reader_.at_ = goesOn ? next : comma;
    if (!goesOn) break;
  }
  for (Space &space : inputs_) {
    const auto size = sizes.find(space.name);
    if (size == sizes.end()) return reader_.fail(space.name + " has no bounds");
    space.size = size->second;
    const Interval bounds{0, space.size - 1};
    variables_[space.name] = {builder_.dimension(bounds, space.name), bounds};
  }
  return absl::OkStatus();
}

absl::StatusOr<Layout> MapReader::read() {
  const size_t start = reader_.at_;
  INDEXICAL_ASSIGN_OR_RETURN(const auto names, reader_.nameList());
  for (const std::string &name : names) inputs_.push_back({name, 0});
  if (reader_.next() == '[' || reader_.next() == '{')
    return reader_.fail("a layout is a function: it has dimensions alone");
  INDEXICAL_RETURN_IF_ERROR(reader_.want("->"));
  // The bounds stand behind the results: they are read first.
  const size_t results = reader_.at_;
  INDEXICAL_RETURN_IF_ERROR(reader_.want("("));
  int open = 1;
  for (; reader_.at_ < reader_.text_.size() && open > 0; ++reader_.at_) {
    const char c = reader_.text_[reader_.at_];
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
  }
  if (open > 0) return reader_.fail("expected `)`");
  if (!names.empty()) INDEXICAL_RETURN_IF_ERROR(domain());
  const size_t end = reader_.at_;
  reader_.at_ = results;
  INDEXICAL_RETURN_IF_ERROR(reader_.want("("));
  std::vector<Space> outputs;
  if (!reader_.take(")")) {
    do {
      INDEXICAL_ASSIGN_OR_RETURN(const Value value, sum());
      builder_.result(value.expr);
      outputs.push_back({absl::StrCat("dim", outputs.size()), 0});
    } while (reader_.take(","));
    INDEXICAL_RETURN_IF_ERROR(reader_.want(")"));
  }
  reader_.at_ = end;
  if (outputs.size() == 1) outputs[0].name = "offset";
  auto map = builder_.build();
  if (!map.ok()) return reader_.failAt(start, map.status());
  auto made = Layout::of(*std::move(map), inputs_, outputs);
  if (!made.ok()) return reader_.failAt(start, made.status());
  return made;
}

absl::StatusOr<MapReader::Value> MapReader::exclusiveOr(const Value &a,
                                                        const Value &b) {
  for (const Value *side : {&a, &b})
    if (side->bounds.lower < 0 || !side->bounds.isFinite() ||
        side->bounds.upper >= int64_t{1} << 62)
      return reader_.fail("xor takes numbers from 0 to 2^62 - 1");
  const int64_t most = std::max(a.bounds.upper, b.bounds.upper);
  Expr made = builder_.constant(0);
  int64_t reach = 0;
  for (int64_t weight = 1; weight <= most; weight *= 2) {
    made = made +
           mod(floorDiv(a.expr, weight) + floorDiv(b.expr, weight), 2) * weight;
    reach += weight;
  }
  return Value{made, {0, reach}};
}

absl::StatusOr<MapReader::Value> MapReader::sum() {
  if (++depth_ > 64) return reader_.fail("the expression is nested too deeply");
  INDEXICAL_ASSIGN_OR_RETURN(Value value, product());
  while (true) {
    if (reader_.peek("->")) break;
    const bool isXor = reader_.take("xor");
    const bool isPlus = !isXor && reader_.take("+");
    if (!isXor && !isPlus && !reader_.take("-")) break;
    INDEXICAL_ASSIGN_OR_RETURN(const Value more, product());
    if (isXor) {
      INDEXICAL_ASSIGN_OR_RETURN(value, exclusiveOr(value, more));
    } else if (isPlus) {
      value = {value.expr + more.expr, value.bounds + more.bounds};
    } else {
      value = {value.expr - more.expr, value.bounds - more.bounds};
    }
  }
  --depth_;
  return value;
}

absl::StatusOr<MapReader::Value> MapReader::product() {
  INDEXICAL_ASSIGN_OR_RETURN(Value value, atom());
  while (true) {
    const bool isTimes = reader_.take("*");
    const bool isFloor = !isTimes && reader_.take("floordiv");
    if (!isTimes && !isFloor && !reader_.take("mod")) return value;
    INDEXICAL_ASSIGN_OR_RETURN(Value by, atom());
    if (isTimes && constantOf(value)) std::swap(value, by);
    const auto number = constantOf(by);
    if (!number) return reader_.fail("one side is a number here");
    if (!isTimes && *number < 1) return reader_.fail("a divisor is 1 or more");
    if (isTimes)
      value = {value.expr * *number, value.bounds * *number};
    else if (isFloor)
      value = {floorDiv(value.expr, *number), value.bounds.floorDiv(*number)};
    else
      value = {mod(value.expr, *number), value.bounds.mod(*number)};
  }
}

absl::StatusOr<MapReader::Value> MapReader::atom() {
  if (++depth_ > 64) return reader_.fail("the expression is nested too deeply");
  Value value;
  const size_t start = reader_.at_;
  if (reader_.take("(")) {
    INDEXICAL_ASSIGN_OR_RETURN(value, sum());
    INDEXICAL_RETURN_IF_ERROR(reader_.want(")"));
  } else if (reader_.next() != '-' && !llvm::isDigit(reader_.next())) {
    const std::string name = reader_.word().str();
    const auto variable = variables_.find(name);
    if (variable == variables_.end())
      return reader_.failAt(
          start, name.empty() ? "expected an expression"
                              : absl::StrCat("unknown variable `", name, "`"));
    value = variable->second;
  } else if (reader_.peek("-") &&
             !llvm::isDigit(reader_.text_[std::min(
                 reader_.at_ + 1, reader_.text_.size() - 1)])) {
    (void)reader_.take("-");
    INDEXICAL_ASSIGN_OR_RETURN(value, atom());
    value = {-value.expr, -value.bounds};
  } else {
    INDEXICAL_ASSIGN_OR_RETURN(const int64_t number, reader_.number());
    value = {builder_.constant(number), Interval::point(number)};
  }
  --depth_;
  return value;
}

absl::StatusOr<Layout> Reader::map() { return MapReader(*this).read(); }

absl::StatusOr<Layout> arrayLayout(llvm::StringRef elementType,
                                   llvm::ArrayRef<int64_t> shape,
                                   llvm::ArrayRef<int64_t> minorToMajor,
                                   llvm::ArrayRef<Coordinates> tiles) {
  const size_t rank = shape.size();
  llvm::SmallVector<bool, 6> seen(rank, false);
  for (int64_t k : minorToMajor) {
    if (k < 0 || k >= static_cast<int64_t>(rank) || seen[k])
      return absl::InvalidArgumentError(
          absl::StrCat("minor to major names the dimension ", k,
                       k >= 0 && k < static_cast<int64_t>(rank)
                           ? std::string(" twice")
                           : absl::StrCat(" of ", rank)));
    seen[k] = true;
  }
  if (minorToMajor.size() != rank)
    return absl::InvalidArgumentError(
        absl::StrCat("minor to major has ", minorToMajor.size(),
                     " numbers, and the shape ", rank, " dimensions"));
  IndexingMapBuilder builder;
  std::vector<Space> inputs;
  std::vector<Expr> variables;
  for (const auto &[k, size] : llvm::enumerate(shape)) {
    if (size < 1)
      return absl::InvalidArgumentError(absl::StrCat(
          "dimension ", k, " has the size ", size, ", and no elements"));
    inputs.push_back({absl::StrCat("d", k), size});
    variables.push_back(builder.dimension({0, size - 1}, inputs.back().name));
  }
  // The sides of the memory, the slowest first, with the place along each.
  std::vector<std::pair<int64_t, Expr>> sides;
  for (int64_t k : llvm::reverse(minorToMajor))
    sides.push_back({shape[k], variables[k]});
  for (const Coordinates &tile : tiles) {
    while (sides.size() < tile.size())
      sides.insert(sides.begin(), {1, builder.constant(0)});
    const size_t first = sides.size() - tile.size();
    std::vector<std::pair<int64_t, Expr>> within;
    for (const auto &[j, size] : llvm::enumerate(tile)) {
      if (size < 1)
        return absl::InvalidArgumentError(
            absl::StrCat("a tile has sizes of 1 or more, and not ", size));
      auto &[side, place] = sides[first + j];
      within.push_back({size, mod(place, size)});
      place = floorDiv(place, size);
      side = static_cast<int64_t>(llvm::divideCeil(side, size));
    }
    sides.insert(sides.end(), within.begin(), within.end());
  }
  Expr offset = builder.constant(0);
  int64_t step = 1;
  for (const auto &[size, place] : llvm::reverse(sides)) {
    offset = offset + place * step;
    if (llvm::MulOverflow(step, size, step))
      return absl::InvalidArgumentError(
          "an offset of the array leaves 64 bits");
  }
  builder.result(offset);
  INDEXICAL_ASSIGN_OR_RETURN(IndexingMap map, builder.build());
  INDEXICAL_ASSIGN_OR_RETURN(
      const Layout made,
      Layout::of(std::move(map), inputs, {Space{"offset", 0}}));
  Notes notes;
  notes.elementType = elementType.str();
  notes.memory = Notes::Memory::Global;
  return made.withNotes(std::move(notes));
}

}  // namespace indexical::layouts
