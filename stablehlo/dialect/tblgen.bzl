"""mlir-tblgen as a rule: one generated file an action."""

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

def tblgen_ops(name):
    """NAME.td's op classes, as NAME.h.inc and NAME.cc.inc."""
    tblgen(
        name = name + "_ods",
        td = name + ".td",
        outs = {
            name + ".h.inc": "-gen-op-decls",
            name + ".cc.inc": "-gen-op-defs",
        },
    )
