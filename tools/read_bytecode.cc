// The reader program of a process that is not the command (bytecode.h): the
// module for Python has it beside itself.
#include "indexical/answers/inputs/bytecode.h"

int main() { return indexical::runBytecodeReader(); }
