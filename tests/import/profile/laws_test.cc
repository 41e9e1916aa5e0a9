// Laws of reports on profiles, over real ones: what changes nothing, what
// scales, where the time of what is lost goes, and that sums agree to the
// picosecond.
//
// INDEXICAL_SEED: of the random orders.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/command/run.h"
#include "indexical/import/hlo/proto/proto_text.h"
#include "tests/import/profile/profiles.h"
#include "tests/support/random.h"
#include "tests/support/xspace.h"

namespace indexical::testing {
namespace {

namespace json = llvm::json;
namespace xs = xspace;

struct Answer {
  int status = 0;
  std::string out, err;
};

Answer call(std::vector<llvm::StringRef> words, const std::string &bytes,
            const std::string &path = "p.xplane.pb") {
  Answer answer;
  llvm::raw_string_ostream out(answer.out), err(answer.err);
  answer.status = runOnInput(words, Input{path, bytes}, out, err);
  return answer;
}

std::string reportOf(const std::string &bytes,
                     std::vector<llvm::StringRef> more = {}) {
  std::vector<llvm::StringRef> words = {"report", "--format=json", "--top=all"};
  words.insert(words.end(), more.begin(), more.end());
  const Answer answer = call(words, bytes);
  EXPECT_EQ(answer.status, 0) << answer.err;
  return answer.out;
}

json::Value documentOf(const std::string &text) {
  auto value = json::parse(text);
  EXPECT_TRUE(static_cast<bool>(value)) << text.substr(0, 200);
  return value ? *value : json::Value(nullptr);
}

/// Picoseconds of a time in microseconds.
int64_t picoseconds(double microseconds) {
  return std::llround(microseconds * 1e6);
}
int64_t picoseconds(const json::Object &of, llvm::StringRef key) {
  return picoseconds(of.getNumber(key).value_or(0));
}

struct Sums {
  int64_t ops = 0, unattributed = 0;
  size_t measured = 0, launches = 0;
};
Sums sumsOf(const std::string &report) {
  Sums sums;
  const json::Value document = documentOf(report);
  for (const json::Value &kernel :
       *document.getAsObject()->getArray("kernels")) {
    const json::Object &of = *kernel.getAsObject();
    sums.measured += of.get("measured_total_us") != nullptr;
    sums.launches += of.getInteger("launches").value_or(0);
    sums.ops += picoseconds(of, "measured_total_us");
  }
  for (const json::Value &kernel :
       *document.getAsObject()->getArray("unattributed"))
    sums.unattributed +=
        picoseconds(*kernel.getAsObject(), "measured_total_us");
  return sums;
}

/// Returns the profiles whose devices are in the table, and the time of their
/// kernels. Those beside the corpus are left out where there is none.
std::vector<std::pair<const char *, int64_t>> timesOfProfiles() {
  std::vector<std::pair<const char *, int64_t>> times = {
      {"names", 1498328000}, {"graphs", 630302000}, {"streams", 1612814000}};
  if (!profilesPath().empty())
    times.insert(times.end(), {{"934987a2fc2f", 12133585000},
                               {"tw003", 28137077000},
                               {"tw003_jax08_elementwise", 3880724000}});
  return times;
}

/// Laws of profiles that only stand beside the corpus.
class LawsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (profilesPath().empty()) GTEST_SKIP() << kNoProfiles;
  }
};

void forEachKernel(xs::Space &space,
                   std::function<void(xs::Plane &, xs::Event &)> visit) {
  for (xs::Plane &plane : space.planes)
    if (llvm::StringRef(plane.name).starts_with("/device:GPU:"))
      for (xs::Line &line : plane.lines)
        for (xs::Event &event : line.events)
          if (plane.has(event, "kernel_details")) visit(plane, event);
}

TEST(AllProfilesTest, SumsAgreeToThePicosecond) {
  for (const auto &[name, time] : timesOfProfiles()) {
    const std::string report = reportOf(profileNamed(name));
    const Sums sums = sumsOf(report);
    EXPECT_EQ(sums.ops + sums.unattributed, time) << name;
    int64_t ofGpus = 0;
    const json::Value document = documentOf(report);
    for (const json::Value &gpu :
         *document.getAsObject()->getObject("profile")->getArray("gpus"))
      ofGpus += picoseconds(*gpu.getAsObject(), "kernel_us");
    EXPECT_EQ(ofGpus, time) << name;
  }
}

TEST(AllProfilesTest, LaunchesAreThoseThatArePredicted) {
  size_t same = 0;
  for (const auto &[name, time] : timesOfProfiles()) {
    const json::Value document = documentOf(reportOf(profileNamed(name)));
    for (const json::Value &kernel :
         *document.getAsObject()->getArray("kernels")) {
      const auto match = kernel.getAsObject()->getString("launch_match");
      if (!match) continue;
      EXPECT_EQ(*match, "same")
          << name << ' '
          << kernel.getAsObject()->getString("instruction")->str();
      ++same;
    }
  }
  EXPECT_GE(same, 20u);
}

TEST(AllProfilesTest, OrderAndNumbersChangeNothing) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  Random random(seed);
  for (const auto &[name, time] : timesOfProfiles()) {
    const std::string bytes = profileNamed(name);
    const std::string expected = reportOf(bytes);
    xs::Space space = spaceOf(bytes);
    auto shuffle = [&](auto &list) {
      for (size_t i = list.size(); i > 1; --i)
        std::swap(list[i - 1], list[random.in(0, i - 1)]);
    };
    shuffle(space.planes);
    for (xs::Plane &plane : space.planes) {
      shuffle(plane.lines);
      shuffle(plane.events);
      shuffle(plane.stats);
      // References are written as texts, then stats have other numbers.
      auto renumber = [&](xs::Stat &stat) {
        if (stat.value.number == 7)
          stat.value = bytesField(5, plane.textOf(stat));
        stat.id = stat.id * 7 + 100'000;
      };
      for (xs::Line &line : plane.lines) {
        shuffle(line.events);
        for (xs::Event &event : line.events) {
          shuffle(event.stats);
          for (xs::Stat &stat : event.stats) renumber(stat);
          if (plane.name != "/host:metadata")
            event.metadata = event.metadata * 3 + 5;
        }
      }
      for (xs::Stat &stat : plane.stats) renumber(stat);
      for (auto &[key, event] : plane.events) {
        for (xs::Stat &stat : event.stats) renumber(stat);
        if (plane.name != "/host:metadata") key = key * 3 + 5;
      }
      for (auto &[key, stat] : plane.statNames) key = key * 7 + 100'000;
      shuffle(plane.statNames);
      // A line is cut in two.
      if (plane.lines.empty() || plane.lines[0].events.size() < 2) continue;
      xs::Line half = plane.lines[0];
      const size_t middle = half.events.size() / 2;
      half.events.erase(half.events.begin(), half.events.begin() + middle);
      plane.lines[0].events.resize(middle);
      plane.lines.push_back(half);
    }
    for (const Metadata metadata : {Metadata::First, Metadata::Last})
      EXPECT_EQ(reportOf(bytesOf(space, metadata)), expected)
          << name << ", seed " << seed;
  }
}

TEST_F(LawsTest, DurationsScale) {
  const std::string bytes = profileNamed("tw003_jax08_elementwise");
  xs::Space space = spaceOf(bytes);
  forEachKernel(space,
                [](xs::Plane &, xs::Event &event) { event.duration *= 3; });
  const json::Value one = documentOf(reportOf(bytes));
  const json::Value three = documentOf(reportOf(bytesOf(space)));
  const json::Array &was = *one.getAsObject()->getArray("kernels");
  const json::Array &now = *three.getAsObject()->getArray("kernels");
  ASSERT_EQ(was.size(), now.size());
  for (size_t k = 0; k < was.size(); ++k) {
    const json::Object &a = *was[k].getAsObject(), &b = *now[k].getAsObject();
    for (const char *key : {"measured_us", "measured_min_us", "measured_max_us",
                            "measured_total_us"})
      EXPECT_EQ(3 * picoseconds(a, key), picoseconds(b, key)) << key;
    if (a.get("predicted_ratio")) {
      EXPECT_NEAR(*a.getNumber("predicted_ratio"),
                  3 * *b.getNumber("predicted_ratio"), 1e-5);
    }
    for (const char *key : {"instruction", "predicted_us", "wasted_bytes",
                            "launches", "launch_match", "needed_bytes",
                            "ideal_us", "measured_share", "trips_measured"})
      EXPECT_EQ(a.get(key) ? std::optional(*a.get(key)) : std::nullopt,
                b.get(key) ? std::optional(*b.get(key)) : std::nullopt)
          << key;
  }
}

TEST_F(LawsTest, CopiesOfEventsKeepTheMedian) {
  const std::string bytes = profileNamed("934987a2fc2f");
  xs::Space space = spaceOf(bytes);
  for (xs::Plane &plane : space.planes)
    for (xs::Line &line : plane.lines) {
      const auto own = line.events;
      for (int i = 0; i < 2; ++i)
        line.events.insert(line.events.end(), own.begin(), own.end());
    }
  const json::Value one = documentOf(reportOf(bytes));
  const json::Value three = documentOf(reportOf(bytesOf(space)));
  const json::Array &was = *one.getAsObject()->getArray("kernels");
  const json::Array &now = *three.getAsObject()->getArray("kernels");
  ASSERT_EQ(was.size(), now.size());
  for (size_t k = 0; k < was.size(); ++k) {
    const json::Object &a = *was[k].getAsObject(), &b = *now[k].getAsObject();
    EXPECT_EQ(picoseconds(a, "measured_us"), picoseconds(b, "measured_us"));
    EXPECT_EQ(picoseconds(a, "measured_min_us"),
              picoseconds(b, "measured_min_us"));
    EXPECT_EQ(3 * picoseconds(a, "measured_total_us"),
              picoseconds(b, "measured_total_us"));
    EXPECT_EQ(3 * a.getInteger("launches").value_or(0),
              b.getInteger("launches").value_or(0));
  }
}

TEST(AllProfilesTest, AShiftAndWhatIsDerivedChangeNothing) {
  for (const auto &[name, time] : timesOfProfiles()) {
    const std::string bytes = profileNamed(name);
    xs::Space space = spaceOf(bytes);
    for (xs::Plane &plane : space.planes) {
      for (xs::Line &line : plane.lines) line.timestamp += 123'456'789;
      if (plane.lines.empty() || plane.name == "/host:CPU") continue;
      plane.lines.push_back(plane.lines[0]);
      plane.lines.back().id = int64_t{0xdeadbeef} + 3;
      plane.lines.back().name = "XLA Ops";
    }
    xs::Plane host;
    host.name = "/host:python-tracer";
    host.lines.push_back({1, "python", 5, {}});
    space.planes.push_back(host);
    EXPECT_EQ(reportOf(bytesOf(space)), reportOf(bytes)) << name;
  }
}

TEST_F(LawsTest, TimeOfALostInstructionIsUnattributed) {
  const std::string bytes = profileNamed("tw003_jax08_elementwise");
  xs::Space space = spaceOf(bytes);
  int64_t moved = 0;
  forEachKernel(space, [&](xs::Plane &plane, xs::Event &event) {
    const bool isSin = llvm::any_of(event.stats, [&](const xs::Stat &stat) {
      return plane.nameOf(stat) == "hlo_module" &&
             plane.textOf(stat) == "jit_sin";
    });
    if (!isSin) return;
    moved += event.duration;
    llvm::erase_if(event.stats, [&](const xs::Stat &stat) {
      return plane.nameOf(stat) == "hlo_op";
    });
  });
  ASSERT_GT(moved, 0);
  const Sums was = sumsOf(reportOf(bytes)),
             now = sumsOf(reportOf(bytesOf(space)));
  EXPECT_EQ(now.unattributed, was.unattributed + moved);
  EXPECT_EQ(now.ops, was.ops - moved);
}

TEST_F(LawsTest, WithoutAModuleTheTimeStays) {
  const std::string bytes = profileNamed("tw003_jax08_elementwise");
  xs::Space space = spaceOf(bytes);
  xs::Plane &modules = space.plane("/host:metadata");
  llvm::erase_if(modules.events,
                 [](const auto &entry) { return entry.first == 13; });
  const std::string report = reportOf(bytesOf(space));
  const Sums was = sumsOf(reportOf(bytes)), now = sumsOf(report);
  EXPECT_EQ(now.ops + now.unattributed, was.ops + was.unattributed);
  EXPECT_LT(now.ops, was.ops);
  EXPECT_NE(report.find("\"no module\""), std::string::npos);
}

TEST_F(LawsTest, AModuleOfAFileIsAsGoodAsOneInside) {
  const std::string bytes = profileNamed("tw003");
  xs::Space space = spaceOf(bytes);
  xs::Plane &modules = space.plane("/host:metadata");
  std::string path;
  for (const auto &[key, event] : modules.events) {
    if (key != 15) continue;
    path = ::testing::TempDir() + "/jit_forward_3d_conv.txt";
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    auto text = hloTextOfProto(event.stats.at(0).value.bytes);
    ASSERT_TRUE(text.ok());
    file << *text;
  }
  const json::Value inside = documentOf(reportOf(bytes));
  modules.events.clear();
  const std::string word = "--hlo=" + path;
  const json::Value outside =
      documentOf(reportOf(bytesOf(space), {llvm::StringRef(word)}));
  const json::Array &a = *inside.getAsObject()->getArray("kernels");
  const json::Array &b = *outside.getAsObject()->getArray("kernels");
  ASSERT_EQ(a.size(), b.size());
  for (size_t k = 0; k < a.size(); ++k)
    for (const char *key : {"instruction", "measured_us", "measured_total_us",
                            "lost_us", "predicted_us", "launch_match"})
      EXPECT_EQ(a[k].getAsObject()->get(key) ? *a[k].getAsObject()->get(key)
                                             : json::Value(nullptr),
                b[k].getAsObject()->get(key) ? *b[k].getAsObject()->get(key)
                                             : json::Value(nullptr))
          << key;
}

TEST_F(LawsTest, WithoutProgramsOnlyNamesOfOneModuleCount) {
  const std::string bytes = profileNamed("tw003_jax08_elementwise");
  xs::Space space = spaceOf(bytes);
  forEachKernel(space, [](xs::Plane &plane, xs::Event &event) {
    llvm::erase_if(event.stats, [&](const xs::Stat &stat) {
      return plane.nameOf(stat) == "program_id";
    });
  });
  const json::Value was = documentOf(reportOf(bytes));
  const json::Value now = documentOf(reportOf(bytesOf(space)));
  std::map<std::string, int64_t> times;
  int64_t ofAdd = 0, unattributed = 0;
  for (const json::Value &kernel : *was.getAsObject()->getArray("kernels")) {
    const json::Object &of = *kernel.getAsObject();
    // Two programs are called so.
    if (of.getString("module_name") == llvm::StringRef("jit_add"))
      ofAdd += picoseconds(of, "measured_total_us");
    else
      times[of.getString("module_name")->str() + "/" +
            of.getString("instruction")->str()] +=
          picoseconds(of, "measured_total_us");
  }
  ASSERT_GT(ofAdd, 0);
  for (const json::Value &kernel : *now.getAsObject()->getArray("kernels")) {
    const json::Object &of = *kernel.getAsObject();
    const std::string key = of.getString("module_name")->str() + "/" +
                            of.getString("instruction")->str();
    if (of.getString("module_name") == llvm::StringRef("jit_add"))
      EXPECT_EQ(of.get("measured_us"), nullptr);
    else
      times[key] -= picoseconds(of, "measured_total_us");
  }
  for (const auto &[key, left] : times) EXPECT_EQ(left, 0) << key;
  for (const json::Value &kernel : *now.getAsObject()->getArray("unattributed"))
    if (kernel.getAsObject()->getString("reason") ==
        llvm::StringRef("no module"))
      unattributed += picoseconds(*kernel.getAsObject(), "measured_total_us");
  EXPECT_EQ(unattributed, ofAdd);
}

TEST_F(LawsTest, FilesOfOneGpuEachAddUp) {
  const std::string bytes = profileNamed("tw003");
  const xs::Space space = spaceOf(bytes);
  Sums sums;
  std::string all;
  for (int gpu = 0; gpu < 8; ++gpu) {
    xs::Space part = space;
    llvm::erase_if(part.planes, [&](const xs::Plane &plane) {
      return llvm::StringRef(plane.name).starts_with("/device:GPU:") &&
             plane.name != "/device:GPU:" + std::to_string(gpu);
    });
    const std::string own = bytesOf(part);
    const Sums of = sumsOf(reportOf(own));
    sums.ops += of.ops;
    sums.unattributed += of.unattributed;
    sums.launches += of.launches;
    if (gpu > 0)
      llvm::erase_if(part.planes, [](const xs::Plane &plane) {
        return plane.name == "/host:CPU";
      });
    all += bytesOf(part);
  }
  const Sums whole = sumsOf(reportOf(bytes));
  EXPECT_EQ(sums.ops, whole.ops);
  EXPECT_EQ(sums.unattributed, whole.unattributed);
  EXPECT_EQ(sums.launches, whole.launches);
  // Put together they are the whole again.
  const Sums together = sumsOf(reportOf(all));
  EXPECT_EQ(together.ops, whole.ops);
  EXPECT_EQ(together.unattributed, whole.unattributed);
}

TEST(AllProfilesTest, PredictionsAreThoseOfTheEmbeddedModule) {
  for (const auto &[name, time] : timesOfProfiles()) {
    const xs::Space space = spaceOf(profileNamed(name));
    const json::Value document = documentOf(reportOf(profileNamed(name)));
    const std::string device =
        document.getAsObject()->getObject("device")->getString("name")->str();
    std::map<std::string, std::vector<const json::Object *>> ofProgram;
    for (const json::Value &kernel :
         *document.getAsObject()->getArray("kernels"))
      ofProgram[std::to_string(*kernel.getAsObject()->getInteger("program_id"))]
          .push_back(kernel.getAsObject());
    for (const xs::Plane &plane : space.planes) {
      if (plane.name != "/host:metadata") continue;
      for (const auto &[key, event] : plane.events) {
        const auto found = ofProgram.find(std::to_string(key));
        if (found == ofProgram.end()) continue;
        auto input = inputOfBytes(event.stats.at(0).value.bytes, "m.pb");
        ASSERT_TRUE(input.ok());
        std::string text, err;
        llvm::raw_string_ostream out(text), messages(err);
        const std::string word = "--device=" + device;
        ASSERT_EQ(runOnInput({"report", "--format=json", "--top=all", word},
                             *input, out, messages),
                  0)
            << err;
        const json::Value module = documentOf(text);
        const json::Array &kernels = *module.getAsObject()->getArray("kernels");
        ASSERT_EQ(kernels.size(), found->second.size());
        // Rows are sorted by what is avoidable: of the time that was measured,
        // or of the predicted one.
        auto rowOf = [&](const json::Object &kernel) {
          return llvm::find_if(found->second, [&](const json::Object *each) {
            return llvm::all_of(
                llvm::ArrayRef<llvm::StringRef>{"computation", "instruction"},
                [&](llvm::StringRef key) {
                  return *each->get(key) == *kernel.get(key);
                });
          });
        };
        for (const json::Value &kernel : kernels) {
          const auto row = rowOf(*kernel.getAsObject());
          ASSERT_NE(row, found->second.end());
          for (const auto &[member, value] : *kernel.getAsObject())
            // Only a profile has a measured `lost_us`, and what is avoidable
            // is of the time that was measured.
            if (member != "module" && member != "why" &&
                !llvm::StringRef(member).starts_with("share") && member != "alike" &&
                member != "lost_us" && member != "advice" &&
                !llvm::StringRef(member).starts_with("avoid")) {
              EXPECT_EQ(*(*row)->get(member), value)
                  << llvm::StringRef(member).str();
            }
        }
      }
    }
  }
}

TEST_F(LawsTest, AgainstItselfNothingChanges) {
  const std::string path =
      profilesPath() + "/tw003_jax08_elementwise.xplane.pb";
  const std::string word = "--baseline=" + path;
  const Answer answer = call({"report", word, "--fail-slower=0%"},
                             profileNamed("tw003_jax08_elementwise"));
  EXPECT_EQ(answer.status, 0) << answer.err;
  // The line may be broken anywhere.
  std::string line = answer.out.substr(answer.out.find("against"));
  line = line.substr(0, line.find("\n\n"));
  for (const char *part : {"slower by 0.00", "faster by 0.00", "0 new,"})
    EXPECT_NE(line.find(part), std::string::npos) << line;
  EXPECT_EQ(answer.out.find("slower by", answer.out.find("\n\n")),
            std::string::npos);
}

TEST_F(LawsTest, WhatIsSlowerEndsWithStatusThree) {
  const std::string path =
      profilesPath() + "/tw003_jax08_elementwise.xplane.pb";
  xs::Space space = spaceOf(profileNamed("tw003_jax08_elementwise"));
  forEachKernel(space,
                [](xs::Plane &, xs::Event &event) { event.duration *= 2; });
  const std::string word = "--baseline=" + path;
  const Answer slow =
      call({"report", word, "--fail-slower=50%"}, bytesOf(space));
  EXPECT_EQ(slow.status, 3) << slow.err;
  EXPECT_NE(slow.err.find("--fail-slower allows 50%"), std::string::npos);
  const Answer allowed =
      call({"report", word, "--fail-slower=150%"}, bytesOf(space));
  EXPECT_EQ(allowed.status, 0) << allowed.err;
}

TEST_F(LawsTest, ADeviceThatIsNotInTheTableIsAskedFor) {
  const std::string bytes = profileNamed("cyclops_11_05_24");
  const Answer none = call({"report"}, bytes);
  EXPECT_EQ(none.status, 1);
  EXPECT_NE(none.err.find("GTX 1080 Ti"), std::string::npos) << none.err;
  EXPECT_EQ(call({"report", "--device=p100"}, bytes).status, 0);
}

TEST_F(LawsTest, ADamagedProfileKeepsWhatStoodBefore) {
  const std::string bytes = profileNamed("tw003");
  const std::string cut = bytes.substr(0, bytes.size() - 40);
  const Answer answer = call({"report", "--format=json", "--top=all"}, cut);
  EXPECT_EQ(answer.status, 1);
  EXPECT_NE(answer.err.find("it was cut"), std::string::npos) << answer.err;
  const Sums sums = sumsOf(answer.out);
  EXPECT_EQ(sums.ops + sums.unattributed, 28137077000);
}

TEST_F(LawsTest, FirstLaunchesAreLeftOut) {
  const json::Value document =
      documentOf(reportOf(profileNamed("tw003_jax08_elementwise"),
                          {"--first=2", "--program-id=17"}));
  bool isThere = false;
  for (const json::Value &kernel :
       *document.getAsObject()->getArray("kernels")) {
    const json::Object &of = *kernel.getAsObject();
    if (!of.get("launches")) continue;
    isThere = true;
    EXPECT_EQ(of.getInteger("program_id"), 17);
    EXPECT_EQ(of.getInteger("launches"), 3);  // of 5
    EXPECT_EQ(picoseconds(of, "measured_us"), 100880000);
    EXPECT_EQ(of.getNumber("trips_measured"), 1);
  }
  EXPECT_TRUE(isThere);
}

//===-- What is refused ---------------------------------------------------===//

xs::Space spaceWith(const std::string &plane) {
  xs::Space space;
  space.plane(plane).lines.push_back({1, "line", 0, {}});
  space.hosts = {"h"};
  return space;
}

TEST(RefusalTest, SaysWhatWasFound) {
  EXPECT_NE(call({"report"}, bytesOf(spaceWith("/device:TPU:0")))
                .err.find("it is a TPU's"),
            std::string::npos);
  EXPECT_NE(call({"report"}, bytesOf(spaceWith("/host:CPU")))
                .err.find("only the host"),
            std::string::npos);
  xs::Space space = spaceWith("/device:GPU:0");
  xs::Plane &gpu = space.planes[0];
  xs::Event event;
  event.duration = 5;
  event.stats = {{gpu.statNumber("kernel_details"),
                  bytesField(5, "grid:1,1,1 block:1,1,1")}};
  gpu.lines[0].events = {event};
  EXPECT_NE(call({"report"}, bytesOf(space)).err.find("not of XLA"),
            std::string::npos);
}

TEST(RefusalTest, OtherCommandsSayWhichReadsIt) {
  const Answer answer = call({"dump"}, bytesOf(spaceWith("/host:CPU")));
  EXPECT_EQ(answer.status, 1);
  EXPECT_NE(answer.err.find("`report` reads"), std::string::npos) << answer.err;
}

}  // namespace
}  // namespace indexical::testing
