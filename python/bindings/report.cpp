// Certificate and StepReport: every row of their tables as an attribute.
#include <stiction/report.hpp>

#include "fields.hpp"
#include "module.hpp"

namespace stiction::python {

void bind_report(nb::module_& module) {
  {
    using Bound = Certificate;
    nb::class_<Certificate> bound(module, "Certificate",
                                  "How far a step is from each law, computed from its problem and solution by code "
                                  "that shares nothing with the solvers.");
    STICTION_CERTIFICATE(STICTION_BIND_SCALAR)
    bound.def_prop_ro("residual", &Certificate::residual,
                      "largest of the four relative residuals: what the tolerance is compared with [1]");
    bound.def("as_dict", &as_dict<Certificate>, "All figures as a dictionary.");
    bound.def("__repr__", [](const Certificate& self) { return repr_of("Certificate", self); });
  }
  {
    using Bound = StepReport;
    nb::class_<StepReport> bound(module, "StepReport", "What one step says about itself.");
    bound.def_ro("certificate", &StepReport::certificate, "the certificate of the step");
    STICTION_REPORT(STICTION_BIND_SCALAR)
    bound.def_prop_ro("ok", &StepReport::ok, "True if the state is finite and the certificate met the tolerance");
    bound.def("as_dict", &as_dict<StepReport>, "All figures but the certificate as a dictionary.");
    bound.def("__repr__", [](const StepReport& self) { return repr_of("StepReport", self); });
  }
}

}  // namespace stiction::python
