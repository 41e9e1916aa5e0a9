"""Fuzz targets: NAME_fuzz.cc, with the seeds of seeds/NAME and NAME.dict."""

def fuzz_target(name, deps):
    """A test with a driver of ours, and the same for libFuzzer.

    Args:
      name: `hlo`: the test hlo_fuzz_test runs the seeds and some changes of
        them; hlo_fuzzer is what `--config=fuzz` builds (scripts/fuzz.sh).
      deps: of NAME_fuzz.cc.
    """
    seeds = native.glob(["seeds/%s/*" % name])
    native.cc_library(
        name = name + "_fuzz",
        testonly = True,
        srcs = [name + "_fuzz.cc"],
        alwayslink = True,
        deps = deps,
    )
    native.cc_test(
        name = name + "_fuzz_test",
        size = "large",
        args = ["$(rootpath %s)" % seed for seed in seeds],
        data = seeds,
        deps = [
            ":driver",
            ":%s_fuzz" % name,
        ],
    )
    native.cc_binary(
        name = name + "_fuzzer",
        testonly = True,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        deps = [":%s_fuzz" % name],
    )
