// What the compliant contact models do between collision and the problem: joints, loops, limits and contacts become
// springs and dampers at the end of the step (model/spring_presets.hpp; docs/contact-models.md).
//
// Where we depart from Bharaj et al. 2015: C(q⁺) is not its Taylor series but linearised again at what was found, as
// the equalities of the other models are, so that joints do not open by what turns within the step; and a contact acts
// before it is deep: one that would pass touch within the step ends there, as a spring without preload. Old errors are
// taken back at no more than `push_out_speed`.
#pragma once

#include "model/contact_model.hpp"
#include "step/workspace.hpp"

namespace stiction {

// Gives all candidates that have no compliance of their own that of the model.
void add_contact_springs(const Options& options, Contacts& candidates);

// The law of contacts and limits under a compliant model.
Law compliant_law(detail::ContactModel model);

// Equalities and held joints as springs; false, and nothing done, for models in which they are rigid.
bool make_springs(const Options& options, Workspace& workspace);

// The same for a limit that enters the problem: its law, compliance and bias.
bool make_spring(const Options& options, ConstraintRow& limit);

// Gap up to which limits enter the problem in any case. Least squares draw a row that is there to its zero, so that
// theirs are there only if they act.
double row_margin(const Options& options);

}  // namespace stiction
