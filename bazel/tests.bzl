"""Tests of a folder that are compiled together, and each by itself for daily work.

    load("//bazel:tests.bzl", "indexical_test", "tests_in_units")

    indexical_test(name = "interval_test", srcs = ["interval_test.cc"], deps = […])
    indexical_test(name = "relation_test", srcs = ["relation_test.cc"], deps = […])

    tests_in_units()

`bazel test //tests/indexing:relation_test` runs one, from its own source. What
`bazel test //...` runs is `//tests/indexing:tests`, which holds all of them.
"""

# The sources of one unit, some 2,500 lines.
_UNIT_FILES = 10

# Each source of a test has a namespace of its own in place of the one without a
# name, for two sources may have a function of one name. It is hidden, so that
# GCC inlines as it does in one without a name. #line: an error, and a test that
# fails, name the source.
_TEST_UNIT = """
for source in $(SRCS); do
  echo "#line 1 \\"$$source\\""
  own="namespace [[gnu::visibility(\\"hidden\\")]] $${source//[^a-zA-Z0-9]/_} {"
  sed "s/^namespace {$$/$$own/" $$source
done > $@
"""

# Sources of a library use their nameless namespace from outside.
_LIBRARY_UNIT = """
for source in $(SRCS); do
  echo "#line 1 \\"$$source\\""
  cat $$source
done > $@
"""

def _units(name, suffix, sources, command):
    """Writes units: files that hold up to _UNIT_FILES sources each.

    Returns:
      their names, or those of the sources in builds with --config=apart.
    """

    # Of one length, so that none is much shorter than the others.
    count = (len(sources) + _UNIT_FILES - 1) // _UNIT_FILES
    units = []
    for number in range(count):
        unit = "%s_unit_%d%s" % (name, number, suffix)
        native.genrule(
            name = unit,
            srcs = sources[number * len(sources) // count:(number + 1) * len(sources) // count],
            outs = [unit + ".cc"],
            cmd = command,
            tags = ["unit"],
            testonly = True,
            visibility = ["//visibility:private"],
        )
        units.append(unit + ".cc")
    return select({
        str(Label("//bazel:sources_apart")): sources,
        "//conditions:default": units,
    })

def test_library(name, srcs, **kwargs):
    """What tests share, compiled in units.

    Args:
      name: of the library.
      srcs: its sources, and headers that are its own alone.
      **kwargs: as of cc_library.
    """
    native.cc_library(
        name = name,
        testonly = True,
        srcs = _units(name, "", [file for file in srcs if file.endswith(".cc")], _LIBRARY_UNIT) +
               [file for file in srcs if not file.endswith(".cc")],
        copts = ["-Wno-subobject-linkage"],
        **kwargs
    )

def indexical_test(name, srcs, deps, size = "medium", data = []):
    """A test that tests_in_units compiles together with others of its folder.

    It takes ten seconds at most. A test that takes longer, or that changes its
    process, is a cc_test. So is one with arguments or an environment of its own.

    Args:
      name: of the test alone, which only builds that name it build.
      srcs: its sources, which open their nameless namespace by `namespace {`, and
        headers.
      deps: as of cc_test.
      size: as of cc_test.
      data: as of cc_test.
    """
    native.cc_test(
        name = name,
        size = size,
        srcs = srcs,
        data = data,
        tags = ["in_units", "manual"],
        deps = deps,
    )

def _labels(rules, key):
    """Returns what is listed under a key of any of the rules, each once."""
    return {str(label): None for rule in rules for label in rule.get(key) or []}.keys()

def tests_in_units(name = "tests"):
    """One test of all that this BUILD file has called indexical_test for so far.

    Args:
      name: of the test.
    """
    rules = [
        rule
        for rule in native.existing_rules().values()
        if "in_units" in (rule.get("tags") or [])
    ]
    files = sorted(_labels(rules, "srcs"))
    native.cc_test(
        name = name,
        size = "medium",
        srcs = _units(name, "_test", [file for file in files if file.endswith(".cc")], _TEST_UNIT) +
               [file for file in files if not file.endswith(".cc")],
        copts = ["-Wno-subobject-linkage"],
        data = _labels(rules, "data"),
        deps = _labels(rules, "deps"),
    )
