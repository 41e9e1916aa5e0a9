// The inverse of a store's address: each point of the store is the place of its
// element, and no other element has a place.
#include "indexical/same/kernel/store_inverses.h"

#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"

namespace indexical::kernels {
namespace {

struct Case {
  const char *name, *map;
  bool isKnown;
};

constexpr Case kCases[] = {
    {"blocks", "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 5], d1 in [0, 7]",
     true},
    {"a tail",
     "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 5], d1 in [0, 7], d0 * 8 + "
     "d1 in [0, 42]",
     true},
    {"rows of tiles",
     "(d0, d1, d2, d3) -> (d0 * 40 + d1 * 10 + d2 * 4 + d3), domain: d0 in [0, "
     "1], d1 in [0, 3], d2 in [0, 2], d3 in [0, 3], d0 * 4 + d1 in [0, 6], d2 "
     "* 4 + d3 in [0, 9]",
     true},
    {"transposed",
     "(d0, d1, d2, d3) -> (d0 * 4 + d1 + d2 * 28 + d3 * 7), domain: d0 in [0, "
     "1], d1 in [0, 3], d2 in [0, 2], d3 in [0, 3], d0 * 4 + d1 in [0, 6], d2 "
     "* 4 + d3 in [0, 9]",
     true},
    {"backwards",
     "(d0, d1) -> (39 - d0 * 8 - d1), domain: d0 in [0, 4], d1 in "
     "[0, 7]",
     true},
    {"every third",
     "(d0, d1) -> (d0 * 24 + d1 * 3 + 1), domain: d0 in [0, 3], "
     "d1 in [0, 7]",
     true},
    {"groups",
     "(d0, d1) -> (d0 floordiv 4 * 64 + d0 mod 4 * 4 + d1), domain: d0 in [0, "
     "7], d1 in [0, 3]",
     true},
    {"two points of one element",
     "(d0, d1) -> (d0 * 4 + d1), domain: d0 in [0, 3], d1 in [0, 7]", false},
    {"stored in each turn",
     "(d0, d1) -> (d1), domain: d0 in [0, 3], d1 in [0, 7]", false},
};

TritonKernel kernelOf(const IndexingMap &map) {
  TritonKernel kernel;
  kernel.arguments.resize(1);
  kernel.arguments[0].isPointer = true;
  KernelAccess store;
  store.kind = AccessKind::Store;
  store.place.line = 9;
  store.maps.push_back({0, map});
  kernel.accesses.push_back(std::move(store));
  return kernel;
}

TEST(StoreInverses, ArePlacesOfElements) {
  for (const Case &each : kCases) {
    const auto map = parseMap(each.map);
    ASSERT_TRUE(map.ok()) << each.name << ": " << map.status();
    const TritonKernel kernel = kernelOf(*map);
    const StorePlaces places = placesOfStore(kernel, kernel.accesses[0], 0);
    EXPECT_EQ(places.reason.empty(), each.isKnown)
        << each.name << ": " << places.reason;
    if (!each.isKnown || !places.reason.empty()) continue;
    std::map<int64_t, std::vector<int64_t>> truth;
    std::vector<int64_t> point;
    std::vector<std::vector<int64_t>> left = {{}};
    while (!left.empty()) {
      point = left.back();
      left.pop_back();
      if (point.size() < map->dimensions().size()) {
        const Interval bounds = map->dimensions()[point.size()].bounds;
        for (int64_t k = bounds.lower; k <= bounds.upper; ++k) {
          left.push_back(point);
          left.back().push_back(k);
        }
        continue;
      }
      IndexingMap::Point at;
      at.dimensions.assign(point.begin(), point.end());
      if (map->contains(at)) truth[(*map->evaluate(at))[0]] = point;
    }
    for (int64_t element = -3; element < 260; ++element) {
      IndexingMap::Point at;
      at.dimensions = {element};
      std::vector<std::vector<int64_t>> found;
      for (const IndexingMap &place : places.maps)
        if (place.contains(at)) {
          const auto made = place.evaluate(at);
          ASSERT_TRUE(made.has_value());
          found.emplace_back(made->begin(), made->end());
        }
      const auto known = truth.find(element);
      if (known == truth.end()) {
        EXPECT_TRUE(found.empty()) << each.name << ", element " << element;
      } else {
        ASSERT_EQ(found.size(), 1u) << each.name << ", element " << element;
        EXPECT_EQ(found[0], known->second) << each.name;
      }
    }
  }
}

TEST(StoreInverses, SayWhatIsNotFollowed) {
  auto map = parseMap("(d0) -> (d0), domain: d0 in [0, 7]");
  ASSERT_TRUE(map.ok());
  TritonKernel kernel = kernelOf(*map);
  kernel.accesses[0].mask = MaskKind::Cover;
  EXPECT_EQ(placesOfStore(kernel, kernel.accesses[0], 0).reason,
            "line 9: a part of the mask of a store is not known");
  kernel.accesses[0].mask = MaskKind::None;
  kernel.accesses[0].kind = AccessKind::Atomic;
  EXPECT_EQ(placesOfStore(kernel, kernel.accesses[0], 0).reason,
            "line 9: what an atomic operation leaves is not followed");
  // Another array.
  kernel.accesses[0].kind = AccessKind::Store;
  EXPECT_TRUE(placesOfStore(kernel, kernel.accesses[0], 1).maps.empty());
}

}  // namespace
}  // namespace indexical::kernels
