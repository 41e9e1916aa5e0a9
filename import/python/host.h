// Follows the function `call` of Inductor's files; private to import/python.
//
//   buf1 = reinterpret_tensor(buf0, (64, 10), (10, 1), 0); del buf0  # reuse
//       `buf1` is a part of the memory of `buf0`
//   s0 = arg1_1
//       `s0` is the value that the file's benchmark gives `arg1_1`
//
// A name is a Python constant, an array, a list of these, or the result of a
// library call. Any other value is unknown, and so is every value that is
// computed from it.
#ifndef INDEXICAL_IMPORT_PYTHON_HOST_H
#define INDEXICAL_IMPORT_PYTHON_HOST_H

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/lowering.h"
#include "indexical/import/python/module.h"
#include "indexical/import/python/output_code.h"
#include "indexical/import/python/output_text.h"

namespace indexical::python {

struct HostValue {
  enum class Kind : uint8_t {
    Unknown,
    Constant,
    Tensor,
    List,
    Outcome,  ///< the result of a step of a library
    Given,    ///< the arguments of `call`
  };
  Kind kind = Kind::Unknown;
  Value constant;
  HostTensor tensor;
  std::vector<HostValue> items;
  size_t step = 0;  ///< of an outcome

  bool is(Kind of) const { return kind == of; }
  static HostValue of(Value constant) {
    HostValue made;
    made.kind = Kind::Constant;
    made.constant = std::move(constant);
    return made;
  }
  static HostValue of(HostTensor tensor) {
    HostValue made;
    made.kind = Kind::Tensor;
    made.tensor = std::move(tensor);
    return made;
  }
};

/// A kernel that the file defines by `async_compile.…('name', '''text''')`.
struct KernelText {
  std::string language;  ///< `triton`, `cpp`, `pallas`…
  std::string function;
  Place place;
  std::string text;
  uint32_t firstLine = 1;
  std::unique_ptr<ModuleText> module;  ///< of Triton kernels, once needed
};

class Host {
 public:
  /// The arguments must outlive the object.
  Host(const ModuleText &file, const PythonOptions &options,
       std::vector<NodeComment> comments, OutputCode &into);

  /// Follows `call`. Returns false if the file does not define it.
  bool run();

 private:
  using Names = std::map<llvm::StringRef, HostValue>;
  /// A function of the file: its tokens from `def` on.
  struct Function {
    size_t begin = 0, end = 0;
  };

  //===-- Statements (host.cc) --------------------------------------------===//

  void findDefinitions();
  void defineKernel(llvm::StringRef name, const Node &call);
  void readBenchmark();
  /// Follows a function whose last parameter is `args`. Returns its result.
  HostValue follow(const Function &function, HostValue args);
  void statements(size_t begin, size_t end, HostValue &returned);
  void assignment(Parser &parser, HostValue &returned);
  void bind(const Node &target, HostValue value);
  HostValue input(llvm::StringRef name);

  //===-- Expressions (host_values.cc) ------------------------------------===//

  HostValue evaluate(const Node &node);
  HostValue constantOf(const Node &node);
  HostValue subscript(const Node &node);
  HostValue outcomePart(size_t step, int64_t element);
  std::optional<std::vector<int64_t>> numbersOf(const Node *node);
  std::optional<int64_t> numberOf(const Node *node);
  /// Returns the tensor with the facts that were found since it was made.
  HostTensor resolved(HostTensor tensor) const;
  size_t addMemory(HostTensor first);

  //===-- Calls (host_calls.cc) -------------------------------------------===//

  HostValue call(const Node &node);
  HostValue allocation(const Node &call, llvm::StringRef function);
  HostValue view(const Node &call);
  HostValue poolView(const Node &call);
  HostValue castView(const Node &call);
  HostValue assertSizes(const Node &call);
  HostValue library(const Node &call, const std::string &name,
                    const HostValue *self);
  /// Returns the array of a value; std::nullopt if it is not an array.
  std::optional<HostTensor> tensorOf(const HostValue &value);
  /// Adds the arrays of a value, and of lists in it.
  void addTensors(const HostValue &value, std::vector<HostTensor> &into);
  HostStep stepAt(Place place, std::string name);

  //===-- Launches (host_launches.cc) -------------------------------------===//

  void launch(const Node &call, llvm::StringRef name);
  /// Returns the sides that a function of the file, or a lambda, computes from
  /// the constants of a kernel; std::nullopt if they are unknown.
  std::optional<std::vector<int64_t>> sidesBy(
      const Node &function, const kernels::SizeValues &constants);
  std::optional<std::vector<int64_t>> sidesReturned(
      const Function &function, const kernels::SizeValues &constants);
  void addArrays(const Node &call, HostStep &step);
  const ModuleText &moduleOf(KernelText &kernel);
  void takeArguments(const Node &call, const JitFunction &function,
                     HostStep &step, std::vector<int64_t> &behind,
                     std::set<std::string> &unknown);
  void readKernelOf(const Node &call, KernelText &kernel, HostStep &step);

  const ModuleText &file_;
  const PythonOptions &options_;
  const std::vector<NodeComment> comments_;
  OutputCode &into_;
  SyntaxStore store_;
  std::map<llvm::StringRef, Function> functions_;
  /// The functions that the followed function has defined last.
  std::map<llvm::StringRef, Function> inner_;
  std::map<llvm::StringRef, KernelText> kernels_;
  /// By the name of a multi_kernel: the kernel's name.
  std::map<llvm::StringRef, std::string> otherNames_;
  std::map<std::string, std::shared_ptr<const PythonKernel>> read_;
  Names inputs_;  ///< that the benchmark makes
  Names names_;
  std::map<std::string, Value> symbols_;  ///< names that are constants
  std::map<std::pair<size_t, int64_t>, size_t> outcomes_;
  size_t comment_ = 0;  ///< the first one without a step
  uint32_t lastLine_ = 0;
  int depth_ = 0;
  std::set<size_t> followed_;  ///< where functions that are followed begin
  size_t statements_ = 0, expressions_ = 0;
};

/// Returns HLO's name of a torch element type (`torch.float32`), or "".
std::string elementOfTorch(llvm::StringRef name);
/// Returns HLO's name of the element type of a pointer (`*fp32`), or "".
std::string elementOfPointer(const ValueType &type);
/// Sets `isKnown` if the sizes and strides are those of an array: none is
/// negative, and they span no more than an address space. Otherwise drops them.
void setKnown(HostTensor &tensor);
/// Returns the bytes of an element by its HLO name, or 0.
int64_t bytesOfElement(llvm::StringRef element);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_HOST_H
