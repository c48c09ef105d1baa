// The contact models by name: what a contact does. The solver says how the rows are solved.
#pragma once

#include <stiction/options.hpp>

// X(name, value, meaning)
#define STICTION_CONTACT_MODELS(X)                                                                     \
  X("coulomb", kCoulomb, "Signorini and Coulomb, exact")                                               \
  X("bilateral", kBilateral, "whatever touches sticks: least constraint, by the proximal method")      \
  X("spring-explicit", kSpringExplicit, "spring, damper and regularised friction of the step's start") \
  X("spring-implicit", kSpringImplicit, "the same at the step's end, stable for any stiffness")

namespace stiction::detail {

enum class ContactModel {
#define STICTION_CONTACT_MODEL_VALUE(name, value, meaning) value,
  STICTION_CONTACT_MODELS(STICTION_CONTACT_MODEL_VALUE)
#undef STICTION_CONTACT_MODEL_VALUE
};

// Throws Error with the list of names if there is no such model.
void check_contact_model_name(std::string_view name);
// The model of options that were checked.
ContactModel contact_model(const Options& options);

}  // namespace stiction::detail
