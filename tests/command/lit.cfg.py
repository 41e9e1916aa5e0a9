# Tests of the command line: each *.test is a few calls of `indexical` and what
# they must print. bazel runs them (//tests/command:cli_test); by hand:
#
#   bazel test //tests/command:cli_test --test_arg=--filter=compose
import os

import lit.formats

config.name = "indexical"
config.suffixes = [".test"]
config.test_format = lit.formats.ShTest(execute_external=True)
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["work"]

tool = lit_config.params["indexical"]
config.substitutions += [
    ("%indexical", tool),
    # `%status N CALL…` runs a call and asks for its exit status.
    ("%status", "bash " + os.path.join(config.test_source_root, "status.sh")),
    # `python3 %terminal COLUMNS CALL…` runs a call on a terminal.
    ("%terminal", os.path.join(config.test_source_root, "terminal.py")),
    ("%query_maps", lit_config.params["query_maps"]),
    ("%size_bounds", lit_config.params["size_bounds"]),
    ("%custom_op", lit_config.params["custom_op"]),
    ("%cost_model", lit_config.params["cost_model"]),
    ("%kernel_warnings", lit_config.params["kernel_warnings"]),
    ("%report", lit_config.params["report"]),
    ("%softmax", lit_config.params["softmax"]),
    ("FileCheck", lit_config.params["filecheck"] + " --dump-input=fail"),
    ("split-file", lit_config.params["split_file"]),
]
# The help's examples say `indexical`.
config.environment["PATH"] = os.pathsep.join(
    [os.path.dirname(tool), os.environ.get("PATH", "")]
)
config.environment["LC_ALL"] = "C.UTF-8"
