"""Rigid bodies in exact, certified frictional contact.

    import stiction

    model = stiction.load("scene.xml")
    sim = stiction.Simulation(model, timestep=0.005)
    report = sim.step()
    print(report.certificate.residual, sim.contacts.force)

Units are SI: metres, kilograms, seconds, newtons, radians. Quaternions are (w, x, y, z). See docs/python.md.
"""

from ._scenes import scene, scenes
from ._stiction import (
    ActuatorTarget,
    BilateralConstraint,
    BilateralType,
    Builder,
    Certificate,
    ConstrainedDynamics,
    Contact,
    ContactProblem,
    Contacts,
    Control,
    Distance,
    Dynamics,
    Error,
    JointType,
    LoadIssue,
    LoadReport,
    MeshReport,
    Model,
    Options,
    PathObject,
    ProximalResult,
    Query,
    RayHit,
    Recorder,
    Recording,
    SensorObject,
    SensorType,
    Simulation,
    Solution,
    SolveStats,
    State,
    StepReport,
    Transform,
    TriangleMesh,
    WrapType,
    __version__,
    certify,
    contradicting_rows,
    convergence,
    list_problems,
    load,
    read_mesh,
    read_problem,
    solve,
    solvers,
    to_maximal,
    write_fclib_problem,
    write_problem,
)

__all__ = [
    "ActuatorTarget",
    "BilateralConstraint",
    "BilateralType",
    "Builder",
    "Certificate",
    "ConstrainedDynamics",
    "Contact",
    "ContactProblem",
    "Contacts",
    "Control",
    "Distance",
    "Dynamics",
    "Error",
    "JointType",
    "LoadIssue",
    "LoadReport",
    "MeshReport",
    "Model",
    "Options",
    "PathObject",
    "ProximalResult",
    "Query",
    "RayHit",
    "Recorder",
    "Recording",
    "SensorObject",
    "SensorType",
    "Simulation",
    "Solution",
    "SolveStats",
    "State",
    "StepReport",
    "Transform",
    "TriangleMesh",
    "WrapType",
    "__version__",
    "certify",
    "contradicting_rows",
    "convergence",
    "list_problems",
    "load",
    "read_mesh",
    "read_problem",
    "scene",
    "scenes",
    "solve",
    "solvers",
    "to_maximal",
    "write_fclib_problem",
    "write_problem",
]

# Messages and help show the public name: stiction.Error, not stiction._stiction.Error.
for _name in __all__:
    _value = globals()[_name]
    if isinstance(_value, type):
        _value.__module__ = __name__
del _name, _value
