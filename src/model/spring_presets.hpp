// Stiffness and damping of the compliant contact models, by constraint type. A row is a spring and a damper at the end
// of the step,
//
//   λ = −k_p C(q⁺) − k_d Ċ⁺,
//
// after Bharaj et al. 2015, supplement to "Computational Design of Walking Automata", eq. (1). Motors have gains of
// their own (those of the paper, 10⁸ and 10⁵, are the defaults of Builder::add_phase_motor).
#pragma once

#include <stiction/options.hpp>

// X(name, pin, normal, friction damping, meaning)
#define STICTION_SPRING_PRESETS(X)                                                                          \
  X("automata", (detail::Spring{1e8, 1e4}), (detail::Spring{1e8, 1e4}), 1e4, "those of Bharaj et al. 2015") \
  X("stiff", (detail::Spring{1e9, 1e4}), (detail::Spring{1e9, 1e4}), 1e5,                                   \
    "ten times as stiff: machines walk with loops closed to 1e-5 m")                                        \
  X("stiff-pins", (detail::Spring{1e9, 1e4}), (detail::Spring{1e8, 1e4}), 1e4,                              \
    "joints ten times as stiff, contacts those of automata")

#define STICTION_PRESET_NAME(name, pin, normal, friction, meaning) name,
#define STICTION_PRESET_VALUE(name, pin, normal, friction, meaning) detail::Springs{pin, normal, friction},

namespace stiction::detail {

struct Spring {
  double stiffness = 0;  // k_p [N/m or N m/rad]
  double damping = 0;    // k_d [N s/m or N m s/rad]

  // With a = 1 / (h k_p + k_d) and Ċ⁺ = J u⁺, C(q⁺) = C + h J u⁺:  J u⁺ + a λ + a k_p C = 0.
  double compliance(double h) const { return 1 / (h * stiffness + damping); }
  // a k_p h: the share of an error that the step takes back.
  double share(double h) const { return h * stiffness / (h * stiffness + damping); }
};

struct Springs {
  Spring pin, normal;           // of joints and loops; of contacts and limits
  double friction_damping = 0;  // k_d of friction, which has no k_p [N s/m]
};

// The preset of options that were checked, with the numbers that replace its own.
Springs springs(const Options& options);

}  // namespace stiction::detail
