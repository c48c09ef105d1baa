// The contact models by name: what a contact does. The solver says how the rows are solved.
#pragma once

#include <stiction/options.hpp>

#include <string_view>

// X(name, value, meaning)
#define STICTION_CONTACT_MODELS(X)                                                                     \
  X("coulomb", kCoulomb, "Signorini and Coulomb, exact")                                               \
  X("relaxed", kRelaxed, "the convex relaxation: what slides moves apart by μ times its speed")        \
  X("pyramid-lcp", kPyramid, "Signorini and a friction pyramid: a linear complementarity problem")     \
  X("nonconvex-lcp", kNonconvex, "the same, of the facets near a vertex at most one acts")             \
  X("compliant", kCompliant, "implicit springs and dampers, least squares of the rows in a pyramid")   \
  X("compliant-force", kCompliantForce, "the same with every row measured by the force it lacks")      \
  X("compliant-energy", kCompliantEnergy, "the same with the least energy instead")                    \
  X("bilateral", kBilateral, "whatever touches sticks: least constraint, by the proximal method")      \
  X("spring-explicit", kSpringExplicit, "spring, damper and regularised friction of the step's start") \
  X("spring-implicit", kSpringImplicit, "the same at the step's end, stable for any stiffness")

namespace stiction::detail {

enum class ContactModel {
#define STICTION_CONTACT_MODEL_VALUE(name, value, meaning) value,
  STICTION_CONTACT_MODELS(STICTION_CONTACT_MODEL_VALUE)
#undef STICTION_CONTACT_MODEL_VALUE
};

// Whether joints, limits and contacts are springs (model/spring_presets.hpp).
constexpr bool is_compliant(ContactModel model) {
  return model == ContactModel::kCompliant || model == ContactModel::kCompliantForce ||
         model == ContactModel::kCompliantEnergy;
}

// Whether a step is the least square of all rows, which would draw to the other body what is only near.
constexpr bool is_least_squares(ContactModel model) {
  return model == ContactModel::kCompliant || model == ContactModel::kCompliantForce;
}

// Whether contacts are blocks with a law of contact, made before they touch; those of the others are rows of springs
// and equalities, made where bodies touch.
constexpr bool has_contact_law(ContactModel model) {
  return model == ContactModel::kCoulomb || model == ContactModel::kRelaxed || model == ContactModel::kPyramid ||
         model == ContactModel::kNonconvex || is_compliant(model);
}

// Throws Error with the list of names if there is no such model.
void check_contact_model_name(std::string_view name);

// The model of options that were checked. Every stage of a step asks: the usual one is found by one comparison.
inline ContactModel contact_model(const Options& options) {
  const std::string_view name = options.contact_model;
#define STICTION_CONTACT_MODEL_CASE(model, value, meaning) \
  if (name == std::string_view(model)) return ContactModel::value;
  STICTION_CONTACT_MODELS(STICTION_CONTACT_MODEL_CASE)
#undef STICTION_CONTACT_MODEL_CASE
  return ContactModel::kCoulomb;
}

}  // namespace stiction::detail
