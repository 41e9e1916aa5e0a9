"""mlir-tblgen as a rule: one generated file an action."""

load("//bazel:library.bzl", "indexical_library")

def tblgen(name, td, outs):
    """Runs mlir-tblgen on one file.

    Args:
      name: of the library that holds what is generated.
      td: the file with the definitions.
      outs: generated file -> the generator's flags.
    """
    for out, flags in outs.items():
        native.genrule(
            name = name + "_" + out.replace(".", "_"),
            srcs = [
                ":td",
                "@mlir//:ods",
            ],
            outs = [out],
            cmd = ("$(location @mlir//:bin/mlir-tblgen) %s -I . " +
                   "-I external/mlir/include $(location %s) -o $@") %
                  (flags, td),
            tools = [
                td,
                "@mlir//:bin/mlir-tblgen",
            ],
        )
    native.filegroup(
        name = name,
        srcs = outs.keys(),
    )

def ops_library(name, srcs, deps = [], generated = [], hdrs = []):
    """The op classes of NAME.td, declared in NAME.h and defined in NAME.cc.

    Args:
      name: of the group.
      srcs: what else is compiled with them, their syntax and constraints.
      deps: groups whose ops these sources use.
      generated: what the header includes beside the ops.
      hdrs: what other groups use of these sources.
    """
    tblgen(
        name = name + "_ods",
        td = name + ".td",
        outs = {
            name + ".h.inc": "-gen-op-decls",
            name + ".cc.inc": "-gen-op-defs",
        },
    )
    indexical_library(
        name = name,
        # What mlir-tblgen writes is chosen by macros, and names what it calls.
        in_units = False,
        srcs = [name + ".cc"] + srcs,
        hdrs = [name + ".h", name + "_ods"] + hdrs + generated,
        # The code that mlir-tblgen writes has unused parameters.
        copts = ["-Wno-unused-parameter"],
        deps = deps + [
            ":core",
            "@llvm//:Support",
            "@mlir//:Dialects",
            "@mlir//:IR",
        ],
    )
