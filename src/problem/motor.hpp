// Servos as rows (which of them: model/motor.hpp). With the length ℓ of the transmission at the start of the step and v
// its velocity at the end, the force at the end is
//
//   f = a + b₁ (ℓ + h v) + b₂ v = f₀ − k v,   f₀ = a + b₁ ℓ,   k = −(h b₁ + b₂) > 0,   a = gain · input + b₀,
//
// cut to its range if it has one. That is the box law with λ = f, e = 1/k and the bias −f₀/k: inside, v + λ/k − f₀/k =
// 0; at the lower bound w ≥ 0 says that f₀ − k v is below it. Position servos have b₁ = −k_p, b₂ = −k_v. The stiffer,
// the nearer to an equality; no gain is too large for the step.
#pragma once

#include "problem/constraint_rows.hpp"

namespace stiction {

void add_motor_rows(const Model& model, const Options& options, const Control& control, const State& state,
                    Workspace& workspace);

}  // namespace stiction
