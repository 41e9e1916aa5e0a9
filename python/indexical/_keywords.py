"""The meanings of keywords, stated once: functions that take a keyword repeat
its meaning in their docstrings.

    @documented
    def equal(first, second, *, values=False): ...

    help(equal)        …  values: compare values, too
"""

import inspect

# For all functions that take the keyword. Sizes are bytes, times are seconds.
_MEANINGS = {
    "aliases": "lists of pointers that name one array: `[[\"x\", \"y\"]]`",
    "args": "the values of a kernel's integers and floats, by name or number: "
            "`{\"n\": 98432}`",
    "arguments": "the types of all parameters, with the sizes that the module "
                 "leaves open: `tensor<8x128xf32>, tensor<8xi32>`",
    "assume": "assumed conditions of a kernel's arguments: `[\"C <= B\"]`",
    "at": "the index at which the tile begins, or the element; of a kernel, a "
          "block and a thread whose accesses are listed",
    "at_block": "the block, with `thread_map`",
    "baseline": "an earlier report to compare with, or the path of one",
    "block": "the threads of a block, one number or up to three",
    "budget": "the operations of each question; past them an answer is a "
              "bound, a cover or undecided",
    "cancels": "also the values that equal an earlier one",
    "computation": "the name of the computation; by default the entry",
    "constants": "the values of a source's `tl.constexpr`s, by name",
    "deadline": "seconds after which the call ends with the results that are "
                "complete",
    "device": "the GPU, such as `h100`; by default the one that the dump was "
              "compiled for",
    "device_memory": "plans that need more bytes on a device are left out: "
                     "`4GiB`",
    "dims": "the dimensions of the result that are shown, rows and columns",
    "element": "the index of the element",
    "emit": "the form of a plan's text: `hlo`, `stablehlo` or `sdy`",
    "filter": "only reads and writes that match: `op_name=*dot*`",
    "first": "in a profile, the number of first launches of each op that are "
             "left out",
    "float_laws": "the assumed laws of floats: `reassociate`, `no-nan`, "
                  "`zero-sign`, `excess-precision`, `real`",
    "forward": "the elements that read the tile, in place of those that it "
               "reads",
    "from_mesh": "the mesh of that name in the first sharding, if it is "
                 "another one",
    "function": "the kernel; by default the only one",
    "global_shape": "the shape of the whole value: `f32[8,3]`",
    "gpu": "in a profile, only these GPUs",
    "grid": "the numbers of programs: numbers, or `\"cdiv(n, B), H\"`",
    "group": "sums of the reads and writes with one value of this key, in "
             "place of kernels: `pattern`, `op_name`, `source`, `array`, …",
    "hlo": "paths of dumps with modules that a profile does not hold",
    "inside": "also the elements of every instruction in a fusion or call "
              "that are read",
    "instruction": "the name of the instruction; by default the root",
    "jobs": "threads to work on; by default one for each core",
    "latency": "the bytes that one collective costs, by which the first plan "
               "is chosen",
    "launch": "how kernels are launched: `xla` or `linear`",
    "live": "also the arrays that are live at the memory peak of a module",
    "map_parameters": "for each parameter of the first program, its number in "
                      "the second",
    "memory": "megabytes past which the call ends with the results that are "
              "complete",
    "mesh": "a mesh that shardings name: `m=<[\"x\"=2, \"y\"=4]>`",
    "min": "only kernels, or groups, that waste at least this: `10MB`",
    "num_warps": "the warps of a program, if the text does not say",
    "of_args": "`args` of the old kernel, if they differ",
    "of_constants": "`constants` of the old kernel, if they differ",
    "of_grid": "the grid of the old kernel; by default that of its file, else "
               "`grid`",
    "one_operand": "with `tries`, only values for which no tile reads several "
                   "operands of a concatenate",
    "only": "only these verdicts; the others are counted",
    "operand_dims": "the dimensions of the operands that are shown",
    "outputs": "the arrays that must be the same; by default all",
    "pairs": "arguments, each with the one of the old kernel that it stands "
             "for; by default by name, else in order",
    "parameter": "the number of the parameter",
    "parameter_shardings": "the shardings of parameters, by number",
    "partitions": "the number of partitions; by default what the module says",
    "program_id": "in a profile, only the module with this number",
    "replicas": "the number of replicas; by default what the module says",
    "result": "the number of the result",
    "result_shardings": "the shardings of results, by number",
    "runtime": "the values of runtime variables, by name: `{\"rt0\": 3}`",
    "search": "the sizes for which every tile is exact, best first",
    "sharding": "the sharding that is shown; `stated`: the instruction's own",
    "shapes": "the arrays of a kernel's pointers: `{\"x\": \"f32[98432]\"}`",
    "shared": "with `search`, the shared memory of a block in bytes",
    "shares": "only these pairs: `f{0}=1{}`, array 0 of the result of `f` in "
              "the memory of its operand 1, which is taken as donated",
    "size": "sizes that the module leaves open: `{\"x:0\": 8}`",
    "sizes": "with `search`, the candidate sizes: `powers`, `divisors` or a "
             "list",
    "sort": "the order, largest first: `avoidable`, `wasted`, `time`, …",
    "space": "the instruction of a fusion to whose index space `thread_map` "
             "goes; by default its root",
    "steps": "the indices of an iteration of the only loop, or `{\"dot:0\": "
             "64}`",
    "strides": "the strides of the tile",
    "thread_map": "a map from threads and blocks to the result, in place of "
                  "the launch's",
    "tile": "the sizes of the tile, numbers and names",
    "top": "the most rows; by default all",
    "topology": "the bandwidths of links: `within 8: 450 GB/s`",
    "tries": "values of the names of `tile`: whether all tiles are exact for "
             "them",
    "types": "the types of a source's arguments, by name: `{\"x\": \"*fp16\"}`",
    "values": "compare values, too",
    "warp": "the lanes of this warp, and the sectors that they touch; "
            "`worst`: the warp that wastes most",
    "zeros": "the arrays that hold 0 before the launch",
}


def documented(function):
    """Adds the meanings of its keywords to the function's docstring."""
    names = [each.name
             for each in inspect.signature(function).parameters.values()
             if each.kind is each.KEYWORD_ONLY]
    function.__doc__ = "%s\n\nKeywords:\n%s" % (
        inspect.cleandoc(function.__doc__),
        "\n".join("  %s: %s" % (name, _MEANINGS[name]) for name in names))
    return function
