# Tests of indexical-opt: RUN lines and FileCheck, as mlir-opt's own.
#
#   bazel test //tests/import/stablehlo:opt_test --test_arg=--filter=attribute
import os

import lit.formats

config.name = "indexical-opt"
config.suffixes = [".mlir"]
config.test_format = lit.formats.ShTest(execute_external=True)
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["work"]
config.substitutions += [
    ("indexical-opt", lit_config.params["indexical_opt"]),
    ("FileCheck", lit_config.params["filecheck"] + " --dump-input=fail"),
    ("%external_dialect", lit_config.params["external_dialect"]),
]
config.environment["LC_ALL"] = "C.UTF-8"
