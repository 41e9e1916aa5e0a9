// A witness: why a claim about elements does not hold, as a place and numbers
// that a reader, a test or an interpreter can try.
//
//   before   ROOT r = s32[4] subtract(x, y)
//   after    ROOT r = s32[4] subtract(y, x)
//
//   kind     Numbers: both compute another number
//   result   0
//   inputs   x[0] = 2, y[0] = -1
//   first    index (0), value 3
//   second   index (0), value -3
//
// One form serves claims about two programs (same/verdict/verdict.h) and about
// one (check.h). A witness has an *element* of an *array*, and two *accesses*
// of it. In a comparison the first access is that of the first program: the
// module before, the module that is not partitioned, or the kernel. In a check
// both are of one program: two stores of one element, or one access alone.
//
//   Two programs of a kernel store element 512 of argument 1: kind
//   WrittenTwice, array 1, element (512), first {program (0, 0, 0), tile (512),
//   line 9}, second {program (1, 0, 0), tile (0), line 9}
//
// A hazard of later kinds (a read before the write, or after an overwrite) is a
// kind with the same two accesses.
//
// exact/ has witnesses of its own (PairWitness): points of the maps that it is
// asked about. A claim about a program says where these lie in the program.
#ifndef INDEXICAL_PROGRAM_CHECK_WITNESS_H
#define INDEXICAL_PROGRAM_CHECK_WITNESS_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace indexical {

struct Witness {
  /// The kind of difference or violation that the witness shows.
  enum class Kind : uint8_t {
    Read,           ///< one of two modules reads the element
    Numbers,        ///< two modules compute other numbers
    DeviceNumbers,  ///< a device computes another number than the whole
                    ///< module, or than by the other module of devices
    Touched,        ///< the programs of a kernel, or of its fusion, alone
                    ///< load or store the element
    StoredOutside,  ///< a kernel stores outside of a result
    StoredOther,    ///< a kernel stores another number than its fusion has
    NotStored,      ///< no program of a kernel stores the element
    OutOfBounds,    ///< an access is outside of its buffer
    WrittenTwice,   ///< two accesses write the element in no order
    Overwritten,    ///< the first access writes the element and the second one
                    ///< loads it, in no order
    SharedOverwritten,  ///< the same of two threads of one program, in shared
                        ///< memory
  };
  enum class Side : uint8_t { First, Second };

  /// Where an element is accessed. A field that the kind has no use for is
  /// empty, or 0.
  struct Access {
    std::vector<int64_t> index;    ///< of the result's element, in its array
    int64_t device = 0;            ///< on which it is computed
    std::vector<int64_t> program;  ///< of a kernel, along x, y and z
    std::vector<int64_t> loops;  ///< iterations before it, outermost loop first
    std::vector<int64_t> tile;   ///< coordinates in the tile of the program
    int64_t line = 0;            ///< in the file; 0: not known
    bool isAtomic = false;
    std::string term, value;  ///< what it gives, as a term and as a number
  };

  /// The number that an element of a parameter has.
  struct Input {
    int64_t parameter = 0, leaf = 0;
    std::string name;  ///< of the parameter's array
    std::vector<int64_t> element;
    std::string value;
    /// The device whose array it is, if two local modules are compared; nothing
    /// if all devices have the same array.
    std::optional<int64_t> device = {};
  };

  Kind kind = Kind::Read;
  /// The array of the result, counted through its leaves, of which the accesses
  /// compute an element.
  int64_t result = 0;
  /// The array that the element is of: of the parameters, or an argument of a
  /// kernel. Nothing if only the result differs.
  std::optional<int64_t> array;
  /// Its index, or its number in memory if that is one number.
  std::vector<int64_t> element;
  /// The name of the array in shared memory, and where the element begins.
  std::string variable;
  int64_t offsetBytes = 0;
  std::optional<int64_t> elementDevice;  ///< as Input::device
  std::optional<int64_t> size;  ///< of the array, in elements, if it is known
  Access first, second;
  /// The side that alone accesses the element, if there is one.
  std::optional<Side> onlyIn;
  /// The values of runtime variables, sizes and other integers for which the
  /// witness holds, by name. Names may be empty.
  std::vector<std::pair<std::string, int64_t>> runtime;
  std::vector<Input> inputs;  ///< numbers of parameters, at most 16
  std::optional<int> others;  ///< the number of all that are read besides
  /// The number of times that a sum over devices has the same summand.
  std::optional<int64_t> counted;
  /// Whether a device runs both programs: both accesses are its own.
  bool isLocal = false;
  bool isPadding = false;      ///< whether what is read is padding
  std::vector<int64_t> lines;  ///< of all stores to the array

  bool isOnlyInFirst() const { return onlyIn == Side::First; }
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_CHECK_WITNESS_H
