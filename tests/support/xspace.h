// Profiles that tests take apart, change, and write again. This shares no code
// with the library that reads them.
//
//   Space space = spaceOf(bytes);
//   space.planes[0].lines.pop_back();
//   std::string changed = bytesOf(space);
#ifndef INDEXICAL_TESTS_SUPPORT_XSPACE_H
#define INDEXICAL_TESTS_SUPPORT_XSPACE_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace indexical::testing {

/// One field of a message, as it is written.
struct WireField {
  uint32_t number = 0;
  int kind = 0;  ///< 0 a number, 1 eight bytes, 2 bytes
  uint64_t value = 0;
  std::string bytes;
};
std::vector<WireField> fieldsOf(const std::string &bytes);
std::string bytesOf(const std::vector<WireField> &fields);
WireField numberField(uint32_t number, uint64_t value);
WireField bytesField(uint32_t number, std::string bytes);

namespace xspace {

struct Stat {
  int64_t id = 0;
  WireField value;  ///< of number 2 to 7
};
struct Event {
  int64_t metadata = 0;
  std::optional<int64_t> offset, occurrences;
  int64_t duration = 0;
  std::vector<Stat> stats;
};
struct Line {
  int64_t id = 0;
  std::string name;
  int64_t timestamp = 0;
  std::vector<Event> events;
};
struct EventName {
  std::string name;
  std::vector<Stat> stats;
};
struct Plane {
  int64_t id = 0;
  std::string name;
  std::vector<Line> lines;
  std::vector<std::pair<int64_t, EventName>> events;
  std::vector<std::pair<int64_t, std::string>> statNames;
  std::vector<Stat> stats;

  /// Returns the number of that name, which is added if there is none.
  int64_t statNumber(const std::string &stat);
  /// A stat's name, and its value if the value is a text or a reference.
  std::string nameOf(const Stat &stat) const;
  std::string textOf(const Stat &stat) const;
  bool has(const Event &event, const std::string &stat) const;
};
struct Space {
  std::vector<Plane> planes;
  std::vector<std::string> errors, warnings, hosts;
  Plane &plane(const std::string &name);
};

}  // namespace xspace

xspace::Space spaceOf(const std::string &bytes);
/// Metadata before lines, or behind them.
enum class Metadata { First, Last };
std::string bytesOf(const xspace::Space &space,
                    Metadata metadata = Metadata::Last);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_XSPACE_H
