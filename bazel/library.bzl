"""A library of Indexical: its headers are included by indexical/FOLDER/FILE.h."""

def cxx_options():
    """Options of every source. Here .bazelrc says the same; elsewhere it is not read."""
    return [] if native.repository_name() == "@" else ["-std=c++17"]

def _precompiled():
    """What a library of this repository adds to use precompiled headers: options and libraries."""
    if native.repository_name() != "@":
        return [], []
    name = "precompiled_mlir" if native.package_name().startswith("stablehlo") else "precompiled"
    return ["-include", "precompiled/%s.h" % name], ["//bazel:" + name]

def indexical_library(name, srcs = [], hdrs = [], deps = [], copts = [], **kwargs):
    """A cc_library whose headers no other project's can be taken for.

    Args:
      name: of the library.
      srcs: its sources, and the headers that are its own alone: those are in a
        library that only this package can name.
      hdrs: its public headers, a list of names, and what they include.
      deps: as of cc_library.
      copts: likewise.
      **kwargs: likewise.
    """
    prefix = "indexical/" + native.package_name()
    own = [source for source in srcs if source.endswith(".h")]
    options, precompiled = _precompiled()
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
        srcs = [source for source in srcs if not source.endswith(".h")],
        hdrs = hdrs,
        copts = cxx_options() + options + copts,
        include_prefix = prefix,
        deps = deps + precompiled + ([":" + name + "_own_headers"] if own else []),
        **kwargs
    )
