#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/stop_scope.h"
#include "indexical/same/solver/solver.h"
#include "indexical/same/solver/z3_library.h"

namespace indexical::solver {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

/// A mistake of ours or of Z3 makes its terms nothing; it ends no process.
void ignore(Z3_context, Z3_error_code) {}

class Z3Solver final : public Solver {
 public:
  explicit Z3Solver(const Z3Library &z3) : z3_(z3) {
    const Z3_config config = z3_.Z3_mk_config();
    context_ = z3_.Z3_mk_context(config);
    z3_.Z3_del_config(config);
    z3_.Z3_set_error_handler(context_, ignore);
    one_ = z3_.Z3_mk_unsigned_int64(context_, 1, sortOf(bitsSort(1)));
    zero_ = z3_.Z3_mk_unsigned_int64(context_, 0, sortOf(bitsSort(1)));
    nearest_ = z3_.Z3_mk_fpa_rne(context_);
  }
  ~Z3Solver() override { z3_.Z3_del_context(context_); }

  Term variable(Sort sort) override {
    return made(z3_.Z3_mk_fresh_const(context_, "v", sortOf(sort)), sort);
  }

  Term bits(uint32_t width, uint64_t value) override {
    const Sort sort = bitsSort(width);
    return made(z3_.Z3_mk_unsigned_int64(context_, value, sortOf(sort)), sort);
  }

  Term floatOfBits(Sort sort, uint64_t value) override {
    const Z3_ast word =
        z3_.Z3_mk_unsigned_int64(context_, value, sortOf(bitsSort(sort.bits)));
    return made(z3_.Z3_mk_fpa_to_fp_bv(context_, word, sortOf(sort)), sort);
  }

  Term apply(Operation operation, llvm::ArrayRef<Term> operands) override {
    const Sort sort = operands[0].sort, truth = bitsSort(1);
    const Z3_ast a = of(operands[0]);
    const Z3_ast b = operands.size() > 1 ? of(operands[1]) : nullptr;
    switch (operation) {
      case Operation::And:
        return made(z3_.Z3_mk_bvand(context_, a, b), sort);
      case Operation::Or:
        return made(z3_.Z3_mk_bvor(context_, a, b), sort);
      case Operation::Xor:
        return made(z3_.Z3_mk_bvxor(context_, a, b), sort);
      case Operation::Not:
        return made(z3_.Z3_mk_bvnot(context_, a), sort);
      case Operation::Add:
        return made(z3_.Z3_mk_bvadd(context_, a, b), sort);
      case Operation::Subtract:
        return made(z3_.Z3_mk_bvsub(context_, a, b), sort);
      case Operation::Multiply:
        return made(z3_.Z3_mk_bvmul(context_, a, b), sort);
      case Operation::Negate:
        return made(z3_.Z3_mk_bvneg(context_, a), sort);
      case Operation::DivideSigned:
        return made(z3_.Z3_mk_bvsdiv(context_, a, b), sort);
      case Operation::DivideUnsigned:
        return made(z3_.Z3_mk_bvudiv(context_, a, b), sort);
      case Operation::RemainderSigned:
        return made(z3_.Z3_mk_bvsrem(context_, a, b), sort);
      case Operation::RemainderUnsigned:
        return made(z3_.Z3_mk_bvurem(context_, a, b), sort);
      case Operation::ShiftLeft:
        return made(z3_.Z3_mk_bvshl(context_, a, b), sort);
      case Operation::ShiftRightLogical:
        return made(z3_.Z3_mk_bvlshr(context_, a, b), sort);
      case Operation::ShiftRightArithmetic:
        return made(z3_.Z3_mk_bvashr(context_, a, b), sort);
      case Operation::LessSigned:
        return made(asBit(z3_.Z3_mk_bvslt(context_, a, b)), truth);
      case Operation::LessUnsigned:
        return made(asBit(z3_.Z3_mk_bvult(context_, a, b)), truth);
      case Operation::FloatAdd:
        return made(z3_.Z3_mk_fpa_add(context_, nearest_, a, b), sort);
      case Operation::FloatSubtract:
        return made(z3_.Z3_mk_fpa_sub(context_, nearest_, a, b), sort);
      case Operation::FloatMultiply:
        return made(z3_.Z3_mk_fpa_mul(context_, nearest_, a, b), sort);
      case Operation::FloatDivide:
        return made(z3_.Z3_mk_fpa_div(context_, nearest_, a, b), sort);
      case Operation::FloatNegate:
        return made(z3_.Z3_mk_fpa_neg(context_, a), sort);
      case Operation::FloatAbs:
        return made(z3_.Z3_mk_fpa_abs(context_, a), sort);
      case Operation::FloatLess:
        return made(asBit(z3_.Z3_mk_fpa_lt(context_, a, b)), truth);
      case Operation::FloatLessEqual:
        return made(asBit(z3_.Z3_mk_fpa_leq(context_, a, b)), truth);
      case Operation::FloatEqual:
        return made(asBit(z3_.Z3_mk_fpa_eq(context_, a, b)), truth);
      case Operation::IsNan:
        return made(asBit(z3_.Z3_mk_fpa_is_nan(context_, a)), truth);
      case Operation::IsInfinite:
        return made(asBit(z3_.Z3_mk_fpa_is_infinite(context_, a)), truth);
      case Operation::IsZero:
        return made(asBit(z3_.Z3_mk_fpa_is_zero(context_, a)), truth);
      case Operation::Same:
        return made(asBit(z3_.Z3_mk_eq(context_, a, b)), truth);
      case Operation::Select: {
        const Z3_ast isOne = z3_.Z3_mk_eq(context_, a, one_);
        return made(isOne ? z3_.Z3_mk_ite(context_, isOne, b, of(operands[2]))
                          : nullptr,
                    operands[1].sort);
      }
    }
    return {};
  }

  Term resized(Term term, uint32_t width, bool isSigned) override {
    const uint32_t own = term.sort.bits;
    if (width == own) return term;
    const Sort sort = bitsSort(width);
    if (width < own)
      return made(z3_.Z3_mk_extract(context_, width - 1, 0, of(term)), sort);
    return made((isSigned ? z3_.Z3_mk_sign_ext : z3_.Z3_mk_zero_ext)(
                    context_, width - own, of(term)),
                sort);
  }

  Term rounded(Term term, Sort to, bool isSigned) override {
    if (term.sort == to) return term;
    const auto round = term.sort.isFloat() ? z3_.Z3_mk_fpa_to_fp_float
                       : isSigned          ? z3_.Z3_mk_fpa_to_fp_signed
                                           : z3_.Z3_mk_fpa_to_fp_unsigned;
    return made(round(context_, nearest_, of(term), sortOf(to)), to);
  }

  Term unknownFunction(llvm::StringRef name, Sort result,
                       llvm::ArrayRef<Term> operands) override {
    llvm::SmallVector<Z3_sort, 4> sorts;
    llvm::SmallVector<Z3_ast, 4> values;
    for (const Term &operand : operands) {
      sorts.push_back(sortOf(operand.sort));
      values.push_back(of(operand));
    }
    const Z3_func_decl function = z3_.Z3_mk_func_decl(
        context_, z3_.Z3_mk_string_symbol(context_, name.str().c_str()),
        sorts.size(), sorts.data(), sortOf(result));
    return made(z3_.Z3_mk_app(context_, function, values.size(), values.data()),
                result);
  }

  void assume(Term truth) override {
    assumed_.push_back(z3_.Z3_mk_eq(context_, of(truth), one_));
  }

  Answer areEqual(Term first, Term second) override {
    if (failed() || !(first.sort == second.sort)) return Answer::Unknown;
    const Z3_solver solver = z3_.Z3_mk_solver(context_);
    z3_.Z3_solver_inc_ref(context_, solver);
    const Z3_params params = z3_.Z3_mk_params(context_);
    z3_.Z3_params_inc_ref(context_, params);
    z3_.Z3_params_set_uint(context_, params,
                           z3_.Z3_mk_string_symbol(context_, "rlimit"),
                           kMostSteps);
    // Whoever handles Ctrl-C is not to be replaced.
    z3_.Z3_params_set_bool(context_, params,
                           z3_.Z3_mk_string_symbol(context_, "ctrl_c"), false);
    z3_.Z3_solver_set_params(context_, solver, params);
    z3_.Z3_params_dec_ref(context_, params);
    for (const Z3_ast each : assumed_)
      z3_.Z3_solver_assert(context_, solver, each);
    z3_.Z3_solver_assert(
        context_, solver,
        z3_.Z3_mk_not(context_, z3_.Z3_mk_eq(context_, of(first), of(second))));
    const bool isAsked = !failed();
    const Z3_lbool found = isAsked ? check(solver) : Z3_L_UNDEF;
    const bool isAnswered = isAsked && !failed();
    z3_.Z3_solver_dec_ref(context_, solver);
    if (!isAnswered || found == Z3_L_UNDEF) return Answer::Unknown;
    return found == Z3_L_FALSE ? Answer::Equal : Answer::Different;
  }

 private:
  /// Z3 looks at no stop: a thread looks for it.
  Z3_lbool check(Z3_solver solver) {
    const Stop *const stop = StopScope::current();
    if (!stop) return z3_.Z3_solver_check(context_, solver);
    std::mutex mutex;
    std::condition_variable changed;
    bool isAnswered = false;
    std::thread watcher([&] {
      std::unique_lock lock(mutex);
      // Z3 forgets an interruption that comes before it begins.
      while (!changed.wait_for(lock, kBetweenLooks, [&] { return isAnswered; }))
        if (stop->isReached()) z3_.Z3_solver_interrupt(context_, solver);
    });
    const Z3_lbool found = z3_.Z3_solver_check(context_, solver);
    {
      const std::lock_guard lock(mutex);
      isAnswered = true;
    }
    changed.notify_one();
    watcher.join();
    return found;
  }

  bool failed() {
    hasFailed_ |= z3_.Z3_get_error_code(context_) != Z3_OK;
    return hasFailed_;
  }
  Z3_sort sortOf(Sort sort) {
    return sort.isFloat()
               ? z3_.Z3_mk_fpa_sort(context_, sort.exponent, sort.significand)
               : z3_.Z3_mk_bv_sort(context_, sort.bits);
  }
  Z3_ast asBit(Z3_ast truth) {
    if (!truth) return nullptr;
    return z3_.Z3_mk_ite(context_, truth, one_, zero_);
  }
  Z3_ast of(Term term) const { return terms_[term.number]; }
  Term made(Z3_ast ast, Sort sort) {
    // Z3 forgets what failed once the next call succeeds, and takes no term
    // that it did not make.
    failed();
    if (!ast) {
      hasFailed_ = true;
      ast = z3_.Z3_mk_fresh_const(context_, "v", sortOf(sort));
    }
    terms_.push_back(ast);
    return {static_cast<int32_t>(terms_.size()) - 1, sort};
  }

  const Z3Library &z3_;
  Z3_context context_;
  Z3_ast one_, zero_, nearest_;
  std::vector<Z3_ast> terms_, assumed_;
  bool hasFailed_ = false;
};

}  // namespace

std::unique_ptr<Solver> Solver::make() {
  const Z3Library *const z3 = Z3Library::find();
  if (!z3) return nullptr;
  return std::make_unique<Z3Solver>(*z3);
}

}  // namespace indexical::solver
