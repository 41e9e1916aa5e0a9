// Following the function `call` of Inductor's files; private to import/python.
//
//   buf1 = reinterpret_tensor(buf0, (64, 10), (10, 1), 0); del buf0  # reuse
//       `buf1` is a part of the memory of `buf0`
//   s0 = arg1_1
//       `s0` is the value that the file's benchmark gives `arg1_1`
//
// A name is a constant of Python, an array, a list of these, or what a library
// returned. What is none of these is unknown, and so is all that is made of it.
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
    Outcome,  ///< what a step of a library returned
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
  std::unique_ptr<ModuleText> module;  ///< of Triton, once it is needed
};

class Host {
 public:
  /// The arguments must outlive the object.
  Host(const ModuleText &file, const PythonOptions &options,
       std::vector<NodeComment> comments, OutputCode &into);

  /// Follows `call`. Returns false if there is none.
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
  /// Runs a function whose last parameter is `args`; returns what it returns.
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
  /// Returns the tensor with what was found out about it since.
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
  /// Returns the array that a value is, if it is one.
  std::optional<HostTensor> tensorOf(const HostValue &value);
  /// Adds the arrays that a value and lists in it are.
  void addTensors(const HostValue &value, std::vector<HostTensor> &into);
  HostStep stepAt(Place place, std::string name);

  //===-- Launches (host_launches.cc) -------------------------------------===//

  void launch(const Node &call, llvm::StringRef name);
  /// Returns the sides that a function of the file, or a lambda, makes of the
  /// constants of a kernel; nothing if they are not known.
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
  /// Those that a function that is followed has defined last.
  std::map<llvm::StringRef, Function> inner_;
  std::map<llvm::StringRef, KernelText> kernels_;
  /// Another name of a kernel: that of a multi_kernel.
  std::map<llvm::StringRef, std::string> otherNames_;
  std::map<std::string, std::shared_ptr<const PythonKernel>> read_;
  Names inputs_;  ///< that the benchmark makes
  Names names_;
  std::map<std::string, Value> symbols_;  ///< names that are constants
  std::map<std::pair<size_t, int64_t>, size_t> outcomes_;
  size_t comment_ = 0;  ///< the first that no step has
  uint32_t lastLine_ = 0;
  int depth_ = 0;
  size_t statements_ = 0, expressions_ = 0;
};

/// Returns the element of `torch.float32` as HLO names it, or "".
std::string elementOfTorch(llvm::StringRef name);
/// Returns the element of `*fp32` as HLO names it, or "".
std::string elementOfPointer(const ValueType &type);
/// Sets whether the sizes and strides are those of an array: none is negative,
/// and what they span is no more than an address space has. Else drops them.
void setKnown(HostTensor &tensor);
/// Returns the bytes of an element that HLO names so, or 0.
int64_t bytesOfElement(llvm::StringRef element);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_HOST_H
