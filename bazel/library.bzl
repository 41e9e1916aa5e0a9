"""A library of Indexical: its headers are included by indexical/FOLDER/FILE.h."""

def cxx_options():
    """Options of every source. Here .bazelrc says the same; elsewhere it is not read."""
    return [] if native.repository_name() == "@" else ["-std=c++17"]

# The sources of one unit, some 3,000 lines. One unit a library would leave the
# second core idle at the end of the large ones.
_UNIT_FILES = 14

def _precompiled():
    """What a library of this repository adds to use precompiled headers: options and libraries.

    A unit is a header to GCC, which warns of what is nameless in one.
    """
    if native.repository_name() != "@":
        return [], []
    package = native.package_name()
    reads_mlir = package.startswith("import/stablehlo") or package == "import/triton"
    name = "precompiled_mlir" if reads_mlir else "precompiled"
    options = ["-include", "precompiled/%s.h" % name, "-Wno-subobject-linkage"]
    return options, ["//bazel:" + name]

def _units(name, srcs):
    """Writes units: files that hold up to _UNIT_FILES sources of a library each.

    What sources include takes two thirds of the time that compiling them takes;
    in a unit it is read once. The lines keep the names of their sources, so an
    error, an assertion and a debugger name those.
    """
    units = []
    for first in range(0, len(srcs), _UNIT_FILES):
        unit = "%s_unit_%d" % (name, first // _UNIT_FILES)
        native.genrule(
            name = unit,
            srcs = srcs[first:first + _UNIT_FILES],
            outs = [unit + ".cc"],
            cmd = "for source in $(SRCS); do echo \"#line 1 \\\"$$source\\\"\"; cat $$source; done > $@",
            tags = ["unit"],
            visibility = ["//visibility:private"],
        )
        units.append(unit + ".cc")
    return units

def indexical_library(name, srcs = [], hdrs = [], deps = [], copts = [], in_units = True, **kwargs):
    """A cc_library whose headers no other project's can be taken for.

    Args:
      name: of the library.
      srcs: its sources, and the headers that are its own alone: those are in a
        library that only this package can name.
      hdrs: its public headers, a list of names, and what they include.
      deps: as of cc_library.
      copts: as of cc_library.
      in_units: whether sources are compiled together; not where they define
        macros that the next one would see.
      **kwargs: as of cc_library.
    """
    prefix = "indexical/" + native.package_name()
    own = [source for source in srcs if source.endswith(".h")]
    options, precompiled = _precompiled()
    sources = [source for source in srcs if not source.endswith(".h")]
    if in_units and len(sources) > 1:
        sources = select({
            str(Label("//bazel:sources_apart")): sources,
            "//conditions:default": _units(name, sources),
        })
    if own:
        native.cc_library(
            name = name + "_own_headers",
            hdrs = own,
            include_prefix = prefix,
            visibility = ["//visibility:private"],
            deps = deps,
        )

    # For tests that read what is written in them.
    native.filegroup(
        name = name + "_sources",
        srcs = srcs + hdrs,
        visibility = ["//visibility:public"],
    )
    native.cc_library(
        name = name,
        srcs = sources,
        hdrs = hdrs,
        copts = cxx_options() + options + copts,
        include_prefix = prefix,
        deps = deps + precompiled + ([":" + name + "_own_headers"] if own else []),
        **kwargs
    )
