#!/usr/bin/env python3
"""Files as strings of a C++ header: embed.py NAME=FILE[,FILE]… > page_text.h

Several files are one string, one after another.
"""

import sys

LIMIT = 8000  # characters of one literal


def main(arguments):
    print("// Made by writers/page/embed.py.")
    print("#ifndef INDEXICAL_TOOLS_PAGE_TEXT_H")
    print("#define INDEXICAL_TOOLS_PAGE_TEXT_H\n")
    print("namespace indexical {\n")
    for argument in arguments:
        name, paths = argument.split("=", 1)
        text = ""
        for path in paths.split(","):
            with open(path, encoding="utf-8") as file:
                text += file.read()
        assert ')PAGE"' not in text
        parts = [text[i:i + LIMIT] for i in range(0, len(text), LIMIT)]
        print("inline constexpr char %s[] =" % name)
        print("\n".join('R"PAGE(%s)PAGE"' % part for part in parts) + ";\n")
    print("}  // namespace indexical\n\n#endif")


if __name__ == "__main__":
    main(sys.argv[1:])
