// MLIR's bytecode, put together by hand from its public description.
//
//   Container artifact(6, "StableHLO_v1.9.0");
//   size_t f32 = artifact.addType("vhlo", varint(4));
//   size_t text = artifact.addAttribute("vhlo", varint(14) +
//                                       varint(artifact.addString("f")));
//   std::string bytes = artifact.finish(ops);
//
// This is for tests of the reader of portable artifacts. It shares no code with
// the reader, nor with MLIR's own writer.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_VHLO_BYTES_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_VHLO_BYTES_H

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace indexical::testing {

/// Returns a number of variable length: the zeros below the lowest one bit
/// count the bytes that follow the first.
std::string varint(uint64_t value);
/// Like varint, with a sign: 0, -1, 1, -2, … are 0, 1, 2, 3, ….
std::string signedVarint(int64_t value);
std::string section(unsigned id, const std::string &data);

/// The content of one bytecode file. Equal strings, attributes and types are
/// kept once.
class Container {
 public:
  Container(unsigned version, std::string producer)
      : version_(version), producer_(std::move(producer)) {}

  unsigned version() const { return version_; }

  size_t addString(const std::string &text);
  /// `data` is what the dialect encodes.
  size_t addAttribute(const std::string &dialect, const std::string &data);
  size_t addType(const std::string &dialect, const std::string &data);
  /// Written as MLIR prints it.
  size_t addPrintedAttribute(const std::string &text);
  size_t addPrintedType(const std::string &text);
  size_t addOp(const std::string &dialect, const std::string &name);
  /// Attributes of an op that are not in its dictionary.
  size_t addProperties(const std::string &data);
  /// Sets the version of a dialect, which stands behind its name.
  void setVersion(const std::string &dialect, const std::string &data);

  /// Returns the file. `ops` is the content of its section of ops.
  std::string finish(const std::string &ops);

 private:
  struct Entry {
    size_t dialect;
    std::string data;
    bool isPrinted;
    bool operator<(const Entry &o) const {
      return std::tie(dialect, data, isPrinted) <
             std::tie(o.dialect, o.data, o.isPrinted);
    }
  };
  // Things in the order in which they came, and where each is.
  template <typename Thing>
  struct Once {
    std::vector<Thing> all;
    std::map<Thing, size_t> places;
    size_t add(const Thing &thing) {
      auto [place, isNew] = places.emplace(thing, all.size());
      if (isNew) all.push_back(thing);
      return place->second;
    }
  };

  size_t addDialect(const std::string &name);
  std::string dialects();
  static std::string groups(const std::vector<Entry> &entries);

  unsigned version_;
  std::string producer_;
  Once<std::string> strings_, dialects_, properties_;
  Once<Entry> attributes_, types_;
  Once<std::pair<size_t, std::string>> ops_;
  std::map<std::string, std::string> versions_;
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_VHLO_BYTES_H
