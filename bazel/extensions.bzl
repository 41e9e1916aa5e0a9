"""The same repositories as dependencies.bzl, for MODULE.bazel; untried."""

load("@bazel_tools//tools/build_defs/repo:local.bzl", "new_local_repository")
load(":dependencies.bzl", "LINKED", "LLVM", "linked_repository", "python_repository")

def _system_impl(_context):
    for name in ["llvm", "mlir"]:
        new_local_repository(
            name = name,
            build_file = Label("//third_party:%s.BUILD" % name),
            path = LLVM,
        )
    for name in LINKED:
        linked_repository(
            name = name,
            build_file = Label("//third_party:%s.BUILD" % name),
        )
    python_repository(
        name = "python",
        build_file = Label("//third_party:python.BUILD"),
    )

system = module_extension(implementation = _system_impl)
