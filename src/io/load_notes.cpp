// What is left out on purpose, said once: MuJoCo's settings for soft contact, its solver and its integrator. A note
// appears only where the file sets something away from MuJoCo's default, and names it.
#include <algorithm>

#include <fmt/format.h>

#include "io/load_parts.hpp"

namespace stiction::detail {

namespace {

class Note {
 public:
  explicit Note(Feature feature) : feature_(feature) {}
  void set_if(bool holds, const char* name) {
    if (holds) names_.push_back(name);
  }
  void report(LoadReport& report) const {
    if (names_.empty()) return;
    report.notes.push_back(
        fmt::format("{} (set in this file: {})", feature_info(feature_).remark, fmt::join(names_, ", ")));
  }

 private:
  Feature feature_;
  std::vector<const char*> names_;
};

// Does any of `count` rows of `width` numbers differ from the default?
bool differs(const mjtNum* values, mjtSize count, int width, const mjtNum* usual) {
  for (mjtSize i = 0; i < count; ++i)
    if (!std::equal(usual, usual + width, values + i * width)) return true;
  return false;
}

void soft_contact(const mjModel& m, const mjOption& usual, LoadReport& report) {
  mjsGeom geom;
  mjs_defaultGeom(&geom);
  mjsPair pair;
  mjs_defaultPair(&pair);
  Note note(Feature::kSoftContact);
  const auto solref = [&](const mjtNum* values, mjtSize count) { return differs(values, count, mjNREF, geom.solref); };
  const auto solimp = [&](const mjtNum* values, mjtSize count) { return differs(values, count, mjNIMP, geom.solimp); };
  note.set_if(solref(m.geom_solref, m.ngeom) || solref(m.pair_solref, m.npair) || solref(m.jnt_solref, m.njnt) ||
                  solref(m.dof_solref, m.nv) || solref(m.eq_solref, m.neq),
              "solref");
  note.set_if(solimp(m.geom_solimp, m.ngeom) || solimp(m.pair_solimp, m.npair) || solimp(m.jnt_solimp, m.njnt) ||
                  solimp(m.dof_solimp, m.nv) || solimp(m.eq_solimp, m.neq),
              "solimp");
  note.set_if(differs(m.geom_solmix, m.ngeom, 1, &geom.solmix), "solmix");
  note.set_if(differs(m.pair_solreffriction, m.npair, mjNREF, pair.solreffriction), "solreffriction");
  note.set_if(m.opt.impratio != usual.impratio, "impratio");
  note.report(report);
}

void solver_settings(const mjModel& m, const mjOption& usual, LoadReport& report) {
  Note note(Feature::kSolverSettings);
  note.set_if(m.opt.cone != usual.cone, "cone");
  note.set_if(m.opt.solver != usual.solver, "solver");
  note.set_if(m.opt.jacobian != usual.jacobian, "jacobian");
  note.set_if(m.opt.iterations != usual.iterations, "iterations");
  note.set_if(m.opt.tolerance != usual.tolerance, "tolerance");
  note.set_if(m.opt.ls_iterations != usual.ls_iterations, "ls_iterations");
  note.set_if(m.opt.ls_tolerance != usual.ls_tolerance, "ls_tolerance");
  note.set_if(m.opt.noslip_iterations != usual.noslip_iterations, "noslip_iterations");
  note.set_if(m.opt.noslip_tolerance != usual.noslip_tolerance, "noslip_tolerance");
  note.set_if(m.opt.ccd_iterations != usual.ccd_iterations, "ccd_iterations");
  note.set_if(m.opt.ccd_tolerance != usual.ccd_tolerance, "ccd_tolerance");
  note.set_if(m.opt.sdf_iterations != usual.sdf_iterations, "sdf_iterations");
  note.set_if(m.opt.sdf_initpoints != usual.sdf_initpoints, "sdf_initpoints");
  note.set_if(disabled(m, mjDSBL_WARMSTART), "flag warmstart");
  note.set_if(disabled(m, mjDSBL_REFSAFE), "flag refsafe");
  note.set_if(disabled(m, mjDSBL_MIDPHASE), "flag midphase");
  note.set_if(disabled(m, mjDSBL_NATIVECCD), "flag nativeccd");
  note.set_if(disabled(m, mjDSBL_MULTICCD), "flag multiccd");
  note.set_if(disabled(m, mjDSBL_ISLAND), "flag island");
  note.set_if(enabled(m, mjENBL_DIAGEXACT), "flag diagexact");
#if mjVERSION_HEADER >= 4000000  // Python 3.10 has MuJoCo 3.17, without this flag
  note.set_if(enabled(m, mjENBL_SPECULATIVE), "flag speculative");
#endif
  note.set_if(enabled(m, mjENBL_IPC), "flag ipc");
  note.report(report);
}

void integrator(const mjModel& m, const mjOption& usual, LoadReport& report) {
  Note note(Feature::kIntegrator);
  note.set_if(m.opt.integrator != usual.integrator, "integrator");
  note.set_if(disabled(m, mjDSBL_EULERDAMP), "flag eulerdamp");
  note.set_if(disabled(m, mjDSBL_AUTORESET), "flag autoreset");
  note.report(report);
}

}  // namespace

void report_notes(const mjModel& compiled, LoadReport& report) {
  mjOption usual;
  mj_defaultOption(&usual);
  soft_contact(compiled, usual, report);
  solver_settings(compiled, usual, report);
  integrator(compiled, usual, report);
}

}  // namespace stiction::detail
