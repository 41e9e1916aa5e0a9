#include "indexical/import/hlo/stack_tables.h"

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace indexical {
namespace {

using llvm::StringRef;
using llvm::Twine;

/// The number and the value together.
StringRef textOf(const TableRowSyntax &row) {
  return StringRef(row.number.begin(), row.value.end() - row.number.begin());
}

/// The string that C's escapes stand for.
std::string unescaped(StringRef text) {
  std::string out;
  while (!text.empty()) {
    const char c = text.front();
    text = text.drop_front();
    if (c != '\\' || text.empty()) {
      out += c;
      continue;
    }
    unsigned code = 0;
    if (text.size() >= 3 && !text.take_front(3).getAsInteger(8, code) &&
        code < 256) {
      out += static_cast<char>(code);
      text = text.drop_front(3);
      continue;
    }
    const char escaped = text.front();
    text = text.drop_front();
    out += escaped == 'n'   ? '\n'
           : escaped == 't' ? '\t'
           : escaped == 'r' ? '\r'
                            : escaped;
  }
  return out;
}

class TableReader {
 public:
  using Numbers = llvm::DenseMap<int64_t, int32_t>;

  TableReader(Source &source, const StackTablesSyntax &tables, Program &program,
              StackFrames &frames, Numbers &numbers)
      : source_(source),
        tables_(tables),
        program_(program),
        frames_(frames),
        numbers_(numbers) {}

  void read() {
    index(tables_.files, "FileNames", files_);
    index(tables_.functions, "FunctionNames", functions_);
    index(tables_.locations, "FileLocations", locations_);
    index(tables_.frames, "StackFrames", rows_);
    for (const TableRowSyntax &row : tables_.frames) addFrom(row);
  }

 private:
  using Rows = llvm::DenseMap<int64_t, const TableRowSyntax *>;

  void warn(const TableRowSyntax &row, const Twine &text) {
    source_.warn(textOf(row), text.str());
  }

  void index(const std::vector<TableRowSyntax> &rows, StringRef table,
             Rows &found) {
    for (const TableRowSyntax &row : rows) {
      int64_t number = 0;
      if (row.number.getAsInteger(10, number) || number < 1 ||
          number > INT32_MAX)
        warn(row, "`" + row.number + "` is not a number of a row; the row "
                                     "of " +
                      table + " is not read");
      else if (!found.try_emplace(number, &row).second)
        warn(row,
             table + " has two rows " + row.number + "; the first one counts");
    }
  }

  static const TableRowSyntax *find(const Rows &rows, int64_t number) {
    // The map keeps two of the largest numbers for itself.
    return number < 1 || number > INT32_MAX ? nullptr : rows.lookup(number);
  }

  StringRef nameIn(const TableRowSyntax &row) {
    StringRef text = row.value;
    text.consume_front("\"");
    text.consume_back("\"");
    if (!text.contains('\\')) return text;
    StringRef &kept = names_[&row];
    if (!kept.data()) kept = program_.keptStrings.emplace_back(unescaped(text));
    return kept;
  }

  /// The numbers in `{file_name_id=1 line=6}`. A value that is no number is 0,
  /// with a warning.
  struct Fields {
    int64_t file = 0, function = 0, line = 0, location = 0, parent = 0;
  };
  Fields fieldsOf(const TableRowSyntax &row) {
    Fields fields;
    forEachField(row.value, [&](StringRef key, StringRef value) {
      int64_t *field = key == "file_name_id"       ? &fields.file
                       : key == "function_name_id" ? &fields.function
                       : key == "line"             ? &fields.line
                       : key == "file_location_id" ? &fields.location
                       : key == "parent_frame_id"  ? &fields.parent
                                                   : nullptr;
      int64_t number = 0;
      if (!field) return;
      if (value.getAsInteger(10, number) || number < 0 || number > INT32_MAX)
        warn(row, "`" + value + "` is not a number for `" + key + "`");
      else
        *field = number;
    });
    return fields;
  }

  /// The frame at that place, without its caller, or nothing.
  std::optional<StackFrame> frameAt(const TableRowSyntax &place) {
    auto [known, isNew] = places_.try_emplace(&place);
    if (!isNew) return known->second;
    const Fields fields = fieldsOf(place);
    const TableRowSyntax *file = find(files_, fields.file);
    if (!file) {
      warn(place, "FileNames has no row " + Twine(fields.file) +
                      "; frames at this place are left out of all stacks");
      return std::nullopt;
    }
    StackFrame frame;
    frame.file = nameIn(*file);
    frame.line = fields.line;
    if (const TableRowSyntax *function = find(functions_, fields.function))
      frame.function = nameIn(*function);
    else if (fields.function > 0)
      warn(place, "FunctionNames has no row " + Twine(fields.function));
    known->second = frame;
    return frame;
  }

  /// Adds the frames around that of the row, the outermost first, and its own.
  void addFrom(const TableRowSyntax &innermost) {
    struct Open {
      const TableRowSyntax *row;
      int64_t number, location;
    };
    std::vector<Open> chain;
    int32_t caller = -1;
    const TableRowSyntax *row = &innermost;
    while (true) {
      int64_t number = 0;
      // Rows that do not count have a warning already.
      if (row->number.getAsInteger(10, number) || find(rows_, number) != row)
        return;
      if (auto known = numbers_.find(number); known != numbers_.end()) {
        if (known->second == kOpen)
          warn(*chain.back().row,
               "frame " + Twine(number) +
                   " calls itself by way of this one; the stack ends here");
        else
          caller = known->second;
        break;
      }
      numbers_[number] = kOpen;
      const Fields fields = fieldsOf(*row);
      chain.push_back({row, number, fields.location});
      if (fields.parent <= 1) break;
      const TableRowSyntax *parent = find(rows_, fields.parent - 1);
      if (!parent) {
        warn(*row, "StackFrames has no row " + Twine(fields.parent - 1) +
                       " for the caller of this frame; the stack ends here");
        break;
      }
      row = parent;
    }
    for (; !chain.empty(); chain.pop_back()) {
      const Open &open = chain.back();
      const TableRowSyntax *place = find(locations_, open.location);
      if (!place)
        warn(*open.row, "FileLocations has no row " + Twine(open.location) +
                            "; the frame is left out of all stacks");
      if (auto frame = place ? frameAt(*place) : std::nullopt) {
        frame->caller = caller;
        caller = frames_.add(*frame);
      }
      numbers_[open.number] = caller;
    }
  }

  static constexpr int32_t kOpen = -2;

  Source &source_;
  const StackTablesSyntax &tables_;
  Program &program_;
  StackFrames &frames_;
  Numbers &numbers_;
  Rows files_, functions_, locations_, rows_;
  llvm::DenseMap<const TableRowSyntax *, StringRef> names_;
  llvm::DenseMap<const TableRowSyntax *, std::optional<StackFrame>> places_;
};

}  // namespace

FrameNumbers::FrameNumbers(Source &source, const StackTablesSyntax &tables,
                           Program &program, Module &module) {
  TableReader(source, tables, program, module.frames, numbers_).read();
}

int32_t FrameNumbers::frameOf(Source &source,
                              const MetadataSyntax &metadata) const {
  int64_t number = 0;
  const bool isNumber = !metadata.stackFrame.getAsInteger(10, number);
  // 0 means none. A module without tables was cut out of one that has them.
  const bool isMissing = !metadata.stackFrame.empty() &&
                         (!isNumber || number != 0) && !numbers_.empty();
  if (auto known = isNumber && number > 0 && number <= INT32_MAX
                       ? numbers_.find(number)
                       : numbers_.end();
      known != numbers_.end()) {
    if (known->second >= 0) return known->second;
  } else if (isMissing) {
    source.warn(metadata.stackFrameField,
                ("StackFrames has no row " + metadata.stackFrame).str());
  }
  return -1;
}

}  // namespace indexical
