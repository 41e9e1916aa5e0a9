"""What keywords mean, said once: functions that take them say it in their
docstrings.

    @documented
    def equal(first, second, *, values=False): ...

    help(equal)        …  values: compare what is computed, too
"""

import inspect

# Of all functions that take the keyword. Sizes are bytes, times are seconds.
_MEANINGS = {
    "aliases": "lists of pointers that name one array: `[[\"x\", \"y\"]]`",
    "args": "the values of a kernel's integers and floats, by name or number: "
            "`{\"n\": 98432}`",
    "arguments": "the types of all parameters, with the sizes that the module "
                 "leaves open: `tensor<8x128xf32>, tensor<8xi32>`",
    "assume": "bounds of a kernel's arguments that are taken for granted: "
              "`[\"C <= B\"]`",
    "at": "the index at which the tile begins, or the element",
    "at_block": "the block, with `thread_map`",
    "baseline": "an earlier report, or the path of one: what became better or "
                "worse",
    "block": "the threads of a block, one number or up to three",
    "budget": "the operations of each question; past them an answer is a "
              "bound, a cover or undecided",
    "cancels": "also the values that are an earlier one again",
    "computation": "the name of the computation; by default the entry",
    "constants": "the values of a source's `tl.constexpr`s, by name",
    "deadline": "seconds after which the call ends with what is complete",
    "device": "the GPU, such as `h100`; by default the one that the dump was "
              "compiled for",
    "device_memory": "plans that need more bytes on a device are left out: "
                     "`4GiB`",
    "dims": "the dimensions of the result that are shown, rows and columns",
    "element": "the index of the element that is asked about",
    "emit": "the form of a plan's text: `hlo`, `stablehlo` or `sdy`",
    "filter": "only reads and writes of which this is true: `op_name=*dot*`",
    "first": "of a profile, so many first launches of each op are left out",
    "float_laws": "laws that floats are taken to have: `reassociate`, "
                  "`no-nan`, `zero-sign`, `excess-precision`, `real`",
    "forward": "what reads the tile, in place of what it reads",
    "from_mesh": "the mesh of that name in the first sharding, where it is "
                 "another one",
    "function": "the kernel; by default the only one",
    "global_shape": "the shape of the whole value: `f32[8,3]`",
    "gpu": "of a profile, only these GPUs",
    "grid": "how many programs run: numbers, or `\"cdiv(n, B), H\"`",
    "group": "sums of the reads and writes that are alike in this, in place of "
             "kernels: `pattern`, `op_name`, `source`, `array`, …",
    "hlo": "paths of dumps with modules that a profile does not hold",
    "inside": "also what is read of every instruction in a fusion or call",
    "instruction": "the name of the instruction; by default the root",
    "jobs": "threads to work on; by default one for each core",
    "latency": "the bytes that one collective costs, by which the first plan is "
               "chosen",
    "launch": "how kernels are launched: `xla` or `linear`",
    "live": "also the arrays that are live where a module needs most memory",
    "map_parameters": "for each parameter of the first program, its number in "
                      "the second",
    "memory": "megabytes past which the call ends with what is complete",
    "mesh": "a mesh that shardings name: `m=<[\"x\"=2, \"y\"=4]>`",
    "min": "only kernels, or groups, that waste so many bytes: `10MB`",
    "num_warps": "the warps of a program, where the text does not say",
    "of_args": "`args` of the old kernel, where they are others",
    "of_constants": "`constants` of the old kernel, where they are others",
    "of_grid": "the grid of the old kernel; by default that of its file, else "
               "`grid`",
    "one_operand": "with `tries`, only values for which no tile reads several "
                   "operands of a concatenate",
    "only": "only these verdicts; the others are counted",
    "operand_dims": "the dimensions of the operands that are shown",
    "outputs": "the arrays that have to be the same; by default all",
    "pairs": "arguments, each with the one of the old kernel that it stands "
             "for; by default by name, else in order",
    "parameter": "the number of the parameter",
    "parameter_shardings": "the shardings of parameters, by number",
    "partitions": "the number of partitions; by default what the module says",
    "program_id": "of a profile, only the module with this number",
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
    "sizes": "with `search`, the sizes that are tried: `powers`, `divisors` or "
             "a list",
    "sort": "what comes first: `avoidable`, `wasted`, `time`, …",
    "space": "the instruction of a fusion to whose index space `thread_map` "
             "goes; by default its root",
    "steps": "the indices of a turn of the only loop, or `{\"dot:0\": 64}`",
    "strides": "the strides of the tile",
    "thread_map": "a map from threads and blocks to the result, in place of "
                  "the launch's",
    "tile": "the sizes of the tile, numbers and names",
    "top": "the most rows; by default all",
    "topology": "the bandwidths of links: `within 8: 450 GB/s`",
    "tries": "values of the names of `tile`: are all tiles exact for them",
    "types": "the types of a source's arguments, by name: `{\"x\": "
             "\"*fp16\"}`",
    "values": "compare what is computed, too",
    "warp": "the lanes of this warp against sectors; `worst`: of the one that "
            "wastes most",
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
