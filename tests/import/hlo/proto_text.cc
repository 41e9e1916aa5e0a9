// Prints the text that a module of protocol buffers stands for, as proto_test
// looks at it: what no map follows from is in the text alone.
#include "indexical/import/hlo/proto/proto_text.h"

#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

int main() {
  const std::string bytes{std::istreambuf_iterator<char>(std::cin), {}};
  const auto text = indexical::hloTextOfProto(bytes);
  if (!text.ok()) {
    std::cerr << text.status().message() << '\n';
    return 1;
  }
  std::cout << *text;
  return 0;
}
