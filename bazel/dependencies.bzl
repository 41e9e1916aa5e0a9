"""What Indexical needs: packages of the system (scripts/setup.sh has their names).

    local_repository(name = "indexical", path = "/path/to/indexical")
    load("@indexical//bazel:dependencies.bzl", "indexical_dependencies")
    indexical_dependencies()

Nothing is downloaded. A repository that is defined before, under the same name,
stays: that is how a project takes its own LLVM, MLIR, Abseil or isl. Its targets
are named as those of third_party/*.BUILD.
"""

# The headers of these lie in the compiler's own search path. To name
# /usr/include once more, as -isystem, would break #include_next in the standard
# library. So these repositories hold linker flags only, and no directory.
LINKED = [
    "absl",
    "benchmark",
    "gtest",
    "isl",
    "z3",
    "zlib",
    "zstd",
]

# LLVM and MLIR share one installation, but not one set of labels.
LLVM = "/usr/lib/llvm-22"

# Bazel's own BUILD files load these four and would fetch them; the stand-ins
# hold what a C++ build needs of each.
_STAND_INS = [
    "remote_coverage_tools",
    "rules_cc",
    "rules_java",
    "rules_proto",
]

def _linked_impl(context):
    context.symlink(context.attr.build_file, "BUILD.bazel")

linked_repository = repository_rule(
    implementation = _linked_impl,
    attrs = {"build_file": attr.label(mandatory = True, allow_single_file = True)},
)

def _stand_in_impl(context):
    third_party = context.path(Label("//bazel/third_party:BUILD")).dirname
    folder = third_party.get_child("bazel").get_child(context.attr.folder)
    for each in folder.readdir():
        if each.basename != "WORKSPACE":
            context.symlink(each, each.basename)

_stand_in = repository_rule(
    implementation = _stand_in_impl,
    attrs = {"folder": attr.string(mandatory = True)},
)

def _python_impl(context):
    found = context.execute(["python3", "-c", "import sysconfig; print(sysconfig.get_path('include'))"])
    if found.return_code:
        fail("python3 does not say where its headers are: " + found.stderr)
    context.symlink(context.path(found.stdout.strip()), "include")
    context.symlink(context.attr.build_file, "BUILD.bazel")

python_repository = repository_rule(
    implementation = _python_impl,
    attrs = {"build_file": attr.label(mandatory = True, allow_single_file = True)},
)

def indexical_dependencies(llvm = LLVM):
    """Defines the repositories that are not there yet.

    Args:
      llvm: the folder in which LLVM and MLIR 22 are installed.
    """
    for name in _STAND_INS:
        if not native.existing_rule(name):
            _stand_in(name = name, folder = name)
    for name in ["llvm", "mlir"]:
        if not native.existing_rule(name):
            native.new_local_repository(
                name = name,
                build_file = str(Label("//bazel/third_party:%s.BUILD" % name)),
                path = llvm,
            )
    for name in LINKED:
        if not native.existing_rule(name):
            linked_repository(
                name = name,
                build_file = Label("//bazel/third_party:%s.BUILD" % name),
            )
    if not native.existing_rule("python"):
        python_repository(
            name = "python",
            build_file = Label("//bazel/third_party:python.BUILD"),
        )
