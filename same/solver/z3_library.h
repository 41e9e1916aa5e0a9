// The functions of Z3 that are used, found in its shared library.
#ifndef INDEXICAL_SAME_SOLVER_Z3_LIBRARY_H
#define INDEXICAL_SAME_SOLVER_Z3_LIBRARY_H

#include <z3.h>

namespace indexical::solver {

// X(name): one pointer for each, of the type that z3.h declares.
#define INDEXICAL_Z3_FUNCTIONS(X) \
  X(Z3_mk_config)                 \
  X(Z3_del_config)                \
  X(Z3_mk_context)                \
  X(Z3_del_context)               \
  X(Z3_set_error_handler)         \
  X(Z3_get_error_code)            \
  X(Z3_mk_bv_sort)                \
  X(Z3_mk_fpa_sort)               \
  X(Z3_mk_string_symbol)          \
  X(Z3_mk_func_decl)              \
  X(Z3_mk_app)                    \
  X(Z3_mk_fresh_const)            \
  X(Z3_mk_unsigned_int64)         \
  X(Z3_mk_ite)                    \
  X(Z3_mk_eq)                     \
  X(Z3_mk_not)                    \
  X(Z3_mk_bvand)                  \
  X(Z3_mk_bvor)                   \
  X(Z3_mk_bvxor)                  \
  X(Z3_mk_bvnot)                  \
  X(Z3_mk_bvadd)                  \
  X(Z3_mk_bvsub)                  \
  X(Z3_mk_bvmul)                  \
  X(Z3_mk_bvneg)                  \
  X(Z3_mk_bvsdiv)                 \
  X(Z3_mk_bvudiv)                 \
  X(Z3_mk_bvsrem)                 \
  X(Z3_mk_bvurem)                 \
  X(Z3_mk_bvshl)                  \
  X(Z3_mk_bvlshr)                 \
  X(Z3_mk_bvashr)                 \
  X(Z3_mk_bvslt)                  \
  X(Z3_mk_bvult)                  \
  X(Z3_mk_extract)                \
  X(Z3_mk_sign_ext)               \
  X(Z3_mk_zero_ext)               \
  X(Z3_mk_fpa_rne)                \
  X(Z3_mk_fpa_add)                \
  X(Z3_mk_fpa_sub)                \
  X(Z3_mk_fpa_mul)                \
  X(Z3_mk_fpa_div)                \
  X(Z3_mk_fpa_neg)                \
  X(Z3_mk_fpa_abs)                \
  X(Z3_mk_fpa_lt)                 \
  X(Z3_mk_fpa_leq)                \
  X(Z3_mk_fpa_eq)                 \
  X(Z3_mk_fpa_is_nan)             \
  X(Z3_mk_fpa_is_infinite)        \
  X(Z3_mk_fpa_is_zero)            \
  X(Z3_mk_fpa_to_fp_bv)           \
  X(Z3_mk_fpa_to_fp_float)        \
  X(Z3_mk_fpa_to_fp_signed)       \
  X(Z3_mk_fpa_to_fp_unsigned)     \
  X(Z3_mk_solver)                 \
  X(Z3_solver_inc_ref)            \
  X(Z3_solver_dec_ref)            \
  X(Z3_mk_params)                 \
  X(Z3_params_inc_ref)            \
  X(Z3_params_dec_ref)            \
  X(Z3_params_set_uint)           \
  X(Z3_params_set_bool)           \
  X(Z3_solver_set_params)         \
  X(Z3_solver_assert)             \
  X(Z3_solver_check)              \
  X(Z3_solver_interrupt)

struct Z3Library {
#define INDEXICAL_Z3_POINTER(name) decltype(&::name) name = nullptr;
  INDEXICAL_Z3_FUNCTIONS(INDEXICAL_Z3_POINTER)
#undef INDEXICAL_Z3_POINTER

  /// Returns the library that is installed; nothing if there is none, or if it
  /// lacks a function. It is loaded once, and stays.
  static const Z3Library *find();
};

}  // namespace indexical::solver

#endif  // INDEXICAL_SAME_SOLVER_Z3_LIBRARY_H
