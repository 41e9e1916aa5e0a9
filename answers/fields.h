// The keys of an answer, stated once: a key's name, its type, when it is
// absent, its meaning, and the function that finds its value.
//
//   {"trips", "integer >= 0", "never", "how often the kernel runs",
//    [](const KernelEntry &of, KeyValue &to) { to.integer(of.trips()); }},
//
// Everything else is a fold over a list of these:
//
//   writeKeys(entry, sink)   JSON, JSON lines, a page's data: a sink writes
//                            what it gets; cells of CSV: it sorts them by
//                            columns
//   columnsOf<T>()           the columns of CSV
//   described<T>()           the tables of docs/keys.md, and so the JSON
//                            Schema and the classes of Python, which are made
//                            of those tables
//
// The unit of its numbers follows from the key's name, or from its column. A
// key is absent if its function gives no value. A list of keys may include
// those of another answer: {kKeysOf, "[an access](#an-access)", …}.
#ifndef INDEXICAL_ANSWERS_FIELDS_H
#define INDEXICAL_ANSWERS_FIELDS_H

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Takes the keys and values of an answer, in order. Each format is one.
class ValueSink {
 public:
  virtual ~ValueSink() = default;
  /// The key of the value that follows, in the object that is open.
  virtual void key(llvm::StringRef name) = 0;
  virtual void integer(int64_t number) = 0;
  /// Takes the digits of a number, with a point: `94.8`.
  virtual void number(llvm::StringRef digits) = 0;
  virtual void boolean(bool value) = 0;
  /// Takes a text, whose bytes may be invalid UTF-8.
  virtual void text(llvm::StringRef text) = 0;
  virtual void null() = 0;
  virtual void beginList() = 0;
  virtual void endList() = 0;
  virtual void beginObject() = 0;
  virtual void endObject() = 0;
  /// The item that follows in the list that is open begins a line, in formats
  /// that have lines.
  virtual void beginLine() {}
  /// Takes a value that a sink of this format has written before.
  virtual void written(llvm::StringRef text) = 0;
};

/// Returns the number with so many decimals, without zeros at its end.
std::string decimal(double number, int decimals);

class KeyValue;

/// The documentation of a key.
struct KeyWords {
  llvm::StringRef name;  ///< or kKeysOf
  const char *type;  ///< in the words of keys.md: `list of [tiles](#a-tile)`
  const char *absent = "never";  ///< when it is absent
  const char *meaning = "";      ///< read alone: it refers to no other row
  const char *unit = "";         ///< of its numbers: `bytes`, `us`; "": none
};

/// Returns the unit that the name of a key ends with, or "": `moved_bytes` is
/// in bytes, `predicted_us` in microseconds.
constexpr const char *unitOf(llvm::StringLiteral name) {
  constexpr struct {
    llvm::StringLiteral end;
    const char *unit;
  } kUnits[] = {{"bytes_per_s", "bytes/s"},
                {"operations_per_s", "operations/s"},
                {"bytes", "bytes"},
                {"us", "us"}};
  for (const auto &each : kUnits) {
    const size_t size = each.end.size();
    if (name.size() < size) continue;
    const size_t from = name.size() - size;
    bool isEnd = from == 0 || name.data()[from - 1] == '_';
    for (size_t i = 0; i < size; ++i)
      isEnd = isEnd && name.data()[from + i] == each.end.data()[i];
    if (isEnd) return each.unit;
  }
  return "";
}

/// The name of an entry that includes the keys of another answer. Its type
/// links to that answer, and says which keys are left out, or that values may
/// be null here: `[sums](#sums) without `used_bytes``, `[sums](#sums) or null`.
inline constexpr llvm::StringLiteral kKeysOf("");

/// A column of a table, for rows that have the key.
struct Column {
  /// Its position, from 1; 0: there is no column. New columns get higher
  /// positions, so that those before them stay where they are.
  int place = 0;
  const char *name = nullptr;  ///< null: that of the key
};

template <typename T>
struct Key : KeyWords {
  /// Gives the value to `to`, or none if the key is absent. Null: the value is
  /// a list that is written item by item.
  void (*value)(const T &of, KeyValue &to);
  Column column;

  constexpr Key(llvm::StringLiteral name, const char *type, const char *absent,
                const char *meaning, void (*value)(const T &of, KeyValue &to),
                Column column = {}, const char *unit = nullptr)
      : KeyWords{name, type, absent, meaning, unit ? unit : unitOf(name)},
        value(value),
        column(column) {}

  llvm::StringRef columnName() const {
    return column.name ? llvm::StringRef(column.name) : name;
  }
};

/// The keys of an answer, and the heading of its table.
template <typename T>
struct KeyList {
  const char *heading;
  llvm::ArrayRef<Key<T>> keys;
};
/// Returns those of T, for which the file with its keys defines it.
template <typename T>
KeyList<T> keysOf();

template <typename T>
void writeKeys(const T &of, ValueSink &sink,
               llvm::ArrayRef<Key<T>> keys = keysOf<T>().keys);

/// The place of one value. A key's function calls at most one of its members.
class KeyValue {
 public:
  KeyValue(ValueSink &sink, llvm::StringRef key) : sink_(sink), key_(key) {}

  void integer(int64_t number) { begin().integer(number); }
  void integer(std::optional<int64_t> number) {
    if (number) integer(*number);
  }
  void integerOrNull(std::optional<int64_t> number) {
    number ? integer(*number) : null();
  }
  void number(double number, int decimals) {
    begin().number(decimal(number, decimals));
  }
  void number(llvm::StringRef digits) { begin().number(digits); }
  /// Gives the number with all of its digits.
  void number(double number);
  void numberOrNull(std::optional<double> of) { of ? number(*of) : null(); }
  void boolean(bool value) { begin().boolean(value); }
  /// Gives `true`, or leaves the key absent.
  void ifTrue(bool holds) {
    if (holds) boolean(true);
  }
  /// Gives `false`, or leaves the key absent if it holds.
  void ifFalse(bool holds) {
    if (!holds) boolean(false);
  }
  void text(llvm::StringRef text) { begin().text(text); }
  /// Gives the text, or leaves the key absent if the text is empty.
  void textIfAny(llvm::StringRef of) {
    if (!of.empty()) text(of);
  }
  void null() { begin().null(); }
  void integers(llvm::ArrayRef<int64_t> numbers) {
    list(numbers, [](int64_t number, KeyValue &to) { to.integer(number); });
  }
  /// Gives an object with a number for each name.
  template <typename Names>
  void integersByName(const Names &names, llvm::ArrayRef<int64_t> numbers) {
    begin().beginObject();
    for (const auto &[name, number] : llvm::zip_equal(names, numbers))
      KeyValue(sink_, name).integer(number);
    sink_.endObject();
  }
  template <typename Texts>
  void texts(const Texts &texts) {
    list(texts, [](const auto &text, KeyValue &to) { to.text(text); });
  }
  /// Gives the texts, or leaves the key absent if there are none.
  template <typename Texts>
  void textsIfAny(const Texts &of) {
    if (!of.empty()) texts(of);
  }
  /// Gives a list with a value for each element: item(element, to).
  template <typename Range, typename Item>
  void list(const Range &range, Item item) {
    begin().beginList();
    for (const auto &each : range) {
      KeyValue to(sink_, "");
      item(each, to);
    }
    sink_.endList();
  }
  /// Gives a list whose items `write` gives, one after another, to a place.
  template <typename Write>
  void items(Write write) {
    begin().beginList();
    KeyValue each(sink_, "");
    write(each);
    sink_.endList();
  }
  /// Gives a list of objects with the keys of these answers.
  template <typename Range>
  void objects(const Range &range) {
    list(range, [](const auto &of, KeyValue &to) { to.object(of); });
  }
  /// Gives an object with the keys of that answer.
  template <typename T>
  void object(const T &of) {
    object(of, keysOf<T>().keys);
  }
  /// Gives an object with these keys.
  template <typename T>
  void object(const T &of, llvm::ArrayRef<Key<T>> keys) {
    begin().beginObject();
    writeKeys(of, sink_, keys);
    sink_.endObject();
  }
  void written(llvm::StringRef text) { begin().written(text); }
  /// Gives the keys of an entry kKeysOf to the object that is open.
  template <typename T>
  void keys(const T &of, llvm::ArrayRef<Key<T>> keys = keysOf<T>().keys) {
    writeKeys(of, sink_, keys);
  }

 private:
  ValueSink &begin() {
    if (!key_.empty()) sink_.key(key_);
    return sink_;
  }

  ValueSink &sink_;
  const llvm::StringRef key_;
};

template <typename T>
void writeKeys(const T &of, ValueSink &sink, llvm::ArrayRef<Key<T>> keys) {
  for (const Key<T> &key : keys) {
    if (!key.value) continue;
    KeyValue to(sink, key.name);
    key.value(of, to);
  }
}

/// Like writeKeys, for the keys that are columns, under the columns' names.
template <typename T>
void writeCells(const T &of, ValueSink &sink) {
  for (const Key<T> &key : keysOf<T>().keys) {
    if (key.column.place == 0) continue;
    KeyValue to(sink, key.columnName());
    key.value(of, to);
  }
}

using Columns = std::vector<std::pair<int, llvm::StringRef>>;
/// Returns the places and names of the columns among these keys.
template <typename T>
Columns columnsOf() {
  Columns columns;
  for (const Key<T> &key : keysOf<T>().keys)
    if (key.column.place > 0)
      columns.push_back({key.column.place, key.columnName()});
  return columns;
}
/// Returns the names of all columns, in the order of their places.
std::vector<llvm::StringRef> inOrder(llvm::ArrayRef<Columns> columns);

/// Returns lists of keys as one.
template <typename T>
std::vector<Key<T>> joined(
    std::initializer_list<llvm::ArrayRef<Key<T>>> lists) {
  std::vector<Key<T>> keys;
  for (llvm::ArrayRef<Key<T>> list : lists)
    keys.insert(keys.end(), list.begin(), list.end());
  return keys;
}

/// An answer as its table in keys.md has it.
struct Described {
  std::string heading;
  std::vector<KeyWords> keys;
};
template <typename T>
Described described(const KeyList<T> &list = keysOf<T>()) {
  return {list.heading, {list.keys.begin(), list.keys.end()}};
}

/// Returns the page with the tables of these answers replaced: the first table
/// after each answer's heading. Returns "" if the page lacks a heading.
std::string withTables(llvm::StringRef page, llvm::ArrayRef<Described> answers);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_FIELDS_H
