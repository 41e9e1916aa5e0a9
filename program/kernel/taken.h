// The assumptions of an answer about a kernel.
//
//   type, x, *fp32, use        the type of `x` follows from how it is used
#ifndef INDEXICAL_PROGRAM_KERNEL_TAKEN_H
#define INDEXICAL_PROGRAM_KERNEL_TAKEN_H

#include <string>

namespace indexical::kernels {

struct Taken {
  std::string what;   ///< `type`, `constant`, `argument`, `grid`, `meaning`
  std::string name;   ///< of the argument; empty for a grid
  std::string value;  ///< as text
  /// `use`, `default`, `launch`, `config`, `triton_meta`, `size_hints`, `file`.
  std::string from;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_TAKEN_H
