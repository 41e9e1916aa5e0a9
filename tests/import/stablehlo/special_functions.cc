// Functions that <cmath> lacks, good to the last digits of a float.
#include <cmath>
#include <limits>

#include "tests/import/stablehlo/scalar_functions.h"

namespace indexical::testing {

constexpr double kPi = 3.14159265358979323846;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Uses reflection below 0, and recurrence up to numbers for which the series
/// is good.
double digamma(double x) {
  if (x <= 0 && x == std::floor(x)) return kNaN;
  if (x < 0) return digamma(1 - x) - kPi / std::tan(kPi * x);
  double sum = 0;
  for (; x < 12; ++x) sum -= 1 / x;
  const double r = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x -
         r * (1.0 / 12 - r * (1.0 / 120 - r * (1.0 / 252 - r / 240)));
}

/// Bisection finds the neighbourhood, Newton's steps the rest.
double inverseErf(double x) {
  if (std::isnan(x) || std::abs(x) > 1) return kNaN;
  if (std::abs(x) == 1) return std::copysign(kInfinity, x);
  double low = -6, high = 6;
  for (int i = 0; i < 20; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle) < x ? low : high) = middle;
  }
  double y = (low + high) / 2;
  for (int i = 0; i < 4; ++i)
    y -= (std::erf(y) - x) * std::sqrt(kPi) / 2 * std::exp(y * y);
  return y;
}

double scaledBesselI1(double x) {
  const double size = std::abs(x);
  return std::copysign(std::cyl_bessel_i(1.0, size) * std::exp(-size), x);
}

}  // namespace indexical::testing
