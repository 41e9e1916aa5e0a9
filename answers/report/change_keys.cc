// The keys of a comparison with an earlier report.
#include "indexical/answers/report/keys.h"

namespace indexical {

template <>
KeyList<EarlierEntry> keysOf<EarlierEntry>() {
  static constexpr Key<EarlierEntry> kKeys[] = {
      {"instruction", "string", "never", "as it was called",
       [](const EarlierEntry &of, KeyValue &to) {
         to.text(of.kernel.instruction);
       }},
      {"measured_us", "number", "it was not measured", "as it was",
       [](const EarlierEntry &of, KeyValue &to) {
         if (of.kernel.measured) to.number(*of.kernel.measured, 7);
       }},
      {"measured_min_us", "number", "it was not measured",
       "the least of its launches, as it was",
       [](const EarlierEntry &of, KeyValue &to) {
         if (of.kernel.measuredLeast) to.number(*of.kernel.measuredLeast, 7);
       }},
      {"predicted_us", "number", "its time was not predicted", "as it was",
       [](const EarlierEntry &of, KeyValue &to) {
         if (of.kernel.predicted) to.number(*of.kernel.predicted, 6);
       }},
      {"trips", "integer >= 0", "never", "as it was",
       [](const EarlierEntry &of, KeyValue &to) {
         to.integer(of.kernel.trips);
       }},
      {"avoidable_us", "number", "it was not known", "as it was",
       [](const EarlierEntry &of, KeyValue &to) {
         if (of.kernel.avoidable) to.number(*of.kernel.avoidable, 6);
       }},
      {"moved_bytes", "integer >= 0", "never", "as it was",
       [](const EarlierEntry &of, KeyValue &to) {
         to.integer(of.kernel.sums.moved);
       }},
      {"used_bytes", "integer >= 0", "never", "as it was",
       [](const EarlierEntry &of, KeyValue &to) {
         to.integer(of.kernel.used);
       }},
      {"wasted_bytes", "integer >= 0", "never", "as it was",
       [](const EarlierEntry &of, KeyValue &to) {
         to.integer(of.kernel.sums.wasted);
       }},
  };
  return {"An earlier kernel", kKeys};
}

template <>
KeyList<GoneEntry> keysOf<GoneEntry>() {
  static constexpr Key<GoneEntry> kKeys[] = {
      {"instruction", "string", "never", "as it was called",
       [](const GoneEntry &of, KeyValue &to) {
         to.text(of.kernel.instruction);
       }},
      {"shapes", "list of strings", "never", "as they were",
       [](const GoneEntry &of, KeyValue &to) { to.texts(of.kernel.shapes); }},
      {"op_name", "string", "it had none", "as it was",
       [](const GoneEntry &of, KeyValue &to) {
         to.textIfAny(of.kernel.opName);
       }},
      {"predicted_us", "number", "its time was not predicted", "as it was",
       [](const GoneEntry &of, KeyValue &to) {
         if (of.kernel.predicted) to.number(*of.kernel.predicted, 6);
       }},
      {"trips", "integer >= 0", "never", "as it was",
       [](const GoneEntry &of, KeyValue &to) { to.integer(of.kernel.trips); }},
      {"avoidable_us", "number", "it was not known", "as it was",
       [](const GoneEntry &of, KeyValue &to) {
         if (of.kernel.avoidable) to.number(*of.kernel.avoidable, 6);
       }},
      {"moved_bytes", "integer >= 0", "never", "as it was",
       [](const GoneEntry &of, KeyValue &to) {
         to.integer(of.kernel.sums.moved);
       }},
      {"used_bytes", "integer >= 0", "never", "as it was",
       [](const GoneEntry &of, KeyValue &to) { to.integer(of.kernel.used); }},
      {"wasted_bytes", "integer >= 0", "never", "as it was",
       [](const GoneEntry &of, KeyValue &to) {
         to.integer(of.kernel.sums.wasted);
       }},
  };
  return {"A kernel that is gone", kKeys};
}

template <>
KeyList<ChangesEntry> keysOf<ChangesEntry>() {
  static constexpr Key<ChangesEntry> kKeys[] = {
      {"better", "integer >= 0", "never",
       "the number of kernels that waste fewer bytes than they did",
       [](const ChangesEntry &of, KeyValue &to) {
         to.integer(of.comparison.better);
       }},
      {"worse", "integer >= 0", "never",
       "the number of kernels that waste more bytes than they did",
       [](const ChangesEntry &of, KeyValue &to) {
         to.integer(of.comparison.worse);
       }},
      {"new", "integer >= 0", "never",
       "the number of kernels that the earlier report does not have",
       [](const ChangesEntry &of, KeyValue &to) {
         to.integer(of.comparison.added);
       }},
      {"gone", "integer >= 0", "never",
       "the number of kernels that only the earlier report has",
       [](const ChangesEntry &of, KeyValue &to) {
         to.integer(of.comparison.gone.size());
       }},
      {"wasted_less_bytes", "integer >= 0", "never",
       "the bytes that the better kernels waste less than before",
       [](const ChangesEntry &of, KeyValue &to) {
         to.integer(of.comparison.wastedLess);
       }},
      {"wasted_more_bytes", "integer >= 0", "never",
       "the bytes that the worse kernels waste more than before",
       [](const ChangesEntry &of, KeyValue &to) {
         to.integer(of.comparison.wastedMore);
       }},
      {"predicted_us", "number", "no kernel has a time in both reports",
       "the predicted microseconds, all trips, of the kernels that have them "
       "in "
       "both reports",
       [](const ChangesEntry &of, KeyValue &to) {
         if (of.comparison.predicted.kernels > 0)
           to.number(of.comparison.predicted.now, 6);
       }},
      {"was_predicted_us", "number", "no kernel has a time in both reports",
       "`predicted_us` of these kernels in the earlier report",
       [](const ChangesEntry &of, KeyValue &to) {
         if (of.comparison.predicted.kernels > 0)
           to.number(of.comparison.predicted.was, 6);
       }},
      {"avoidable_us", "number",
       "of no kernel it is known in both reports what is avoidable",
       "the sum of `avoidable_us` of the kernels that have it in both reports",
       [](const ChangesEntry &of, KeyValue &to) {
         if (of.comparison.avoidable.kernels > 0)
           to.number(of.comparison.avoidable.now, 6);
       }},
      {"was_avoidable_us", "number",
       "of no kernel it is known in both reports what is avoidable",
       "`avoidable_us` of these kernels in the earlier report",
       [](const ChangesEntry &of, KeyValue &to) {
         if (of.comparison.avoidable.kernels > 0)
           to.number(of.comparison.avoidable.was, 6);
       }},
  };
  return {"Changes", kKeys};
}

}  // namespace indexical
