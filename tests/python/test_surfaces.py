"""Triangle meshes and height fields as shapes, from the builder and from MJCF."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from solids import box_triangles

import stiction

ROOT = Path(__file__).resolve().parents[2]


def box_mesh(half):
    return stiction.TriangleMesh(*box_triangles(-np.array(half), half))


def at_rest(model, steps=300):
    simulation = stiction.Simulation(model)
    for _ in range(steps):
        assert simulation.step().ok
    return simulation


def test_closed_mesh_has_the_mass_of_its_solid():
    builder = stiction.Builder()
    body = builder.add_body("block", position=(0, 0, 1))
    builder.add_joint_free(body)
    builder.add_shape_mesh(body, box_mesh((0.1, 0.2, 0.3)), density=500)
    model = builder.build()
    mass = 8 * 0.1 * 0.2 * 0.3 * 500
    assert model.body_mass[1] == pytest.approx(mass, rel=1e-14)
    moments = mass / 3 * np.array([0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04])
    assert np.sort(model.body_inertia[1]) == pytest.approx(np.sort(moments), rel=1e-12)


def test_triangles_that_repeat_another_count_once():
    good = box_mesh((0.1, 0.2, 0.3))
    twice = stiction.TriangleMesh(good.vertices, np.vstack([good.triangles, good.triangles[::-1]]))
    # Each triangle with vertices of its own.
    loose = stiction.TriangleMesh(twice.vertices[twice.triangles.ravel()], np.arange(72).reshape(24, 3))
    for mesh in (twice, loose):
        builder = stiction.Builder()
        body = builder.add_body("block", position=(0, 0, 1))
        builder.add_joint_free(body)
        builder.add_shape_mesh(body, mesh, density=500)
        model = builder.build()
        assert model.body_mass[1] == pytest.approx(8 * 0.1 * 0.2 * 0.3 * 500, rel=1e-14)
        assert len(model.mesh_triangle_vertex) == 12
    assert "12 triangles repeat another" in " ".join(twice.report().problems())


def test_faults_of_a_mesh_are_named():
    builder = stiction.Builder()
    body = builder.add_body("block")
    builder.add_joint_free(body)
    good = box_mesh((1, 1, 1))
    with pytest.raises(stiction.Error, match=r"shape 'm'.*vertex 2 has a coordinate of nan"):
        vertices = good.vertices.copy()
        vertices[2, 1] = np.nan
        builder.add_shape_mesh(body, stiction.TriangleMesh(vertices, good.triangles), name="m")
    with pytest.raises(stiction.Error, match="triangle 11 names vertex 9: there are 8"):
        triangles = good.triangles.copy()
        triangles[11, 2] = 9
        builder.add_shape_mesh(body, stiction.TriangleMesh(good.vertices, triangles), name="m")
    builder.add_shape_mesh(body, stiction.TriangleMesh(good.vertices, good.triangles[:-1]), name="open")
    with pytest.raises(stiction.Error, match=r"'open'.*an open mesh has no volume"):
        builder.build()
    builder = stiction.Builder()
    body = builder.add_body("block")
    builder.add_joint_free(body)
    turned = good.triangles.copy()
    turned[3] = turned[3, ::-1]
    builder.add_shape_mesh(body, stiction.TriangleMesh(good.vertices, turned))
    with pytest.raises(stiction.Error, match=r"shape number 0.*: 1 of its 12 triangles run against their neighbours"):
        builder.build()
    with pytest.raises(stiction.Error, match="height 1 is -2"):
        builder.add_shape_height_field(0, [[0, -2], [0, 0]], 1, 1, 0.5)


def test_mesh_and_box_rest_alike_on_a_height_field(tmp_path):
    builder = stiction.Builder()
    builder.add_shape_height_field(0, np.full((5, 7), 0.25), 2, 2, 0.1)
    for name, x in (("mesh", -0.5), ("box", 0.5)):
        body = builder.add_body(name, position=(x, 0.1, 0.25 + 0.1 + 0.02))
        builder.add_joint_free(body)
        if name == "mesh":
            builder.add_shape_mesh(body, box_mesh((0.1, 0.1, 0.1)))
        else:
            builder.add_shape_box(body, (0.1, 0.1, 0.1))
    simulation = at_rest(builder.build())
    assert simulation.state.q[[2, 9]] == pytest.approx([0.35, 0.35], abs=1e-9)
    assert len(simulation.contacts.gap) == 8


XML = """<mujoco><asset>
<mesh name="u" vertex="-1 -.2 0  1 -.2 0  1 .2 0  -1 .2 0  -1 -.2 .5  1 -.2 .5  1 .2 .5  -1 .2 .5
  -.8 -.2 .5  .8 -.2 .5  .8 .2 .5  -.8 .2 .5  -.8 -.2 .1  .8 -.2 .1  .8 .2 .1  -.8 .2 .1"
 face="0 2 1 0 3 2  0 4 7 0 7 3  1 2 6 1 6 5  12 13 14 12 14 15  8 12 15 8 15 11  9 10 14 9 14 13
  4 8 11 4 11 7  9 5 6 9 6 10  0 1 13 0 13 12  0 12 8 0 8 4  1 5 9 1 9 13
  3 14 2 3 15 14  3 11 15 3 7 11  2 10 6 2 14 10"/>
<hfield name="h" nrow="3" ncol="3" size="3 3 .5 .1" elevation="0 0 0 0 0 0 0 0 1"/></asset>
<worldbody><geom name="ground" type="hfield" hfield="h" pos="0 0 -1"/><geom name="channel" type="mesh" mesh="u"/>
<body pos="0 0 .3"><joint type="free"/><geom name="ball" size=".1"/></body></worldbody></mujoco>"""


def test_ball_lies_in_the_channel_only_if_meshes_are_triangles(tmp_path):
    path = tmp_path / "channel.xml"
    path.write_text(XML)
    floor = {}
    for meshes in ("triangles", "hulls"):
        model = stiction.load(path, meshes=meshes)
        assert model.nheightfield == 1 and model.height_field_height.max() == pytest.approx(0.5)
        simulation = at_rest(model, 500)
        floor[meshes] = simulation.state.q[2]
    assert floor["triangles"] == pytest.approx(0.2, abs=1e-6)  # the bottom of the channel is at 0.1
    assert abs(floor["hulls"] - 0.2) > 0.1  # pushed out of the hull, which fills the channel
    with pytest.raises(stiction.Error, match="'hulls' or 'triangles'"):
        stiction.load(path, meshes="boxes")


def test_file_chooses_triangles_or_hull_for_a_single_geom(tmp_path):
    def load(geom, kind, **options):
        path = tmp_path / "channel.xml"
        second = '<geom name="other" type="mesh" mesh="u" pos="5 0 0"/></worldbody>'
        text = f'<custom><text name="meshes:{geom}" data="{kind}"/></custom>'
        path.write_text(XML.replace("</worldbody>", second).replace("<asset>", text + "<asset>"))
        model = stiction.load(path, **options)
        return {model.shape_name[i]: int(model.shape_type[i]) for i in range(model.nshape)}

    hull, mesh = 4, 7  # of ShapeType
    shapes = load("channel", "triangles")
    assert (shapes["channel"], shapes["other"]) == (mesh, hull)
    shapes = load("channel", "hulls", meshes="triangles")
    assert (shapes["channel"], shapes["other"]) == (hull, mesh)
    with pytest.raises(stiction.Error, match="no geom 'nobody' of type mesh"):
        load("nobody", "hulls")
    with pytest.raises(stiction.Error, match="not 'boxes'"):
        load("channel", "boxes")


def test_boundary_of_tetrahedra_lies_on_the_ground(tmp_path):
    path = tmp_path / "wedge.msh"  # three tetrahedra of a wedge, the sloping side above
    path.write_text(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 0 1\n4 0 1 0\n5 1 1 0\n6 0 1 1\n"
        "$EndNodes\n$Elements\n3\n1 4 0 1 3 2 4\n2 4 0 2 4 6 5\n3 4 0 2 3 6 4\n$EndElements\n"
    )
    solid = stiction.read_tetrahedra(path)
    assert solid.tetrahedra.shape == (3, 4)
    surface = solid.boundary()
    assert surface.report().outward and surface.report().volume == pytest.approx(0.5, rel=1e-14)
    assert np.array_equal(surface.triangles, stiction.read_mesh(path).triangles)
    builder = stiction.Builder()
    builder.add_shape_plane(0)
    body = builder.add_body("wedge", position=(0, 0, 0.01))
    builder.add_joint_free(body)
    builder.add_shape_mesh(body, surface)
    simulation = at_rest(builder.build())
    assert simulation.state.q[2] == pytest.approx(0, abs=1e-9)
    with pytest.raises(stiction.Error, match="tetrahedron 1 is inverted"):
        turned = solid.tetrahedra.copy()
        turned[1] = turned[1, [0, 2, 1, 3]]
        stiction.TetrahedralMesh(solid.vertices, turned).boundary()


def test_recording_of_a_mesh_replays(tmp_path):
    builder = stiction.Builder()
    builder.add_shape_mesh(0, box_mesh((1, 1, 0.1)))
    body = builder.add_body("ball", position=(0, 0, 0.25))
    builder.add_joint_free(body)
    builder.add_shape_sphere(body, 0.1)
    model = builder.build()
    simulation = stiction.Simulation(model)
    path = tmp_path / "mesh.h5"
    with stiction.Recorder(path, simulation) as recorder:
        for _ in range(50):
            simulation.step()
            recorder.add()
    recording = stiction.Recording(path)
    assert recording.model.nmesh == 1
    assert np.array_equal(recording.model.mesh_triangle_vertex, model.mesh_triangle_vertex)
    assert np.array_equal(recording.state(50).q, simulation.state.q)


def test_triangles_of_a_model_are_rows_of_three():
    builder = stiction.Builder()
    body = builder.add_body("block")
    builder.add_joint_free(body)
    mesh = box_mesh((0.1, 0.2, 0.3))
    builder.add_shape_mesh(body, mesh)
    model = builder.build()
    assert np.array_equal(model.mesh_triangle_vertex, mesh.triangles)


def test_heap_of_meshes_stays_out_of_each_other(tmp_path):
    """Thirty tori, angles, crosses and cups strike each other at up to 3 m/s and 20 rad/s. Without a look at the end
    of the step they penetrate by 5 mm of their 190 mm, with it by 0.13 mm (measured)."""
    subprocess.run(
        [sys.executable, ROOT / "tools/make_piles.py", tmp_path, "--convex", "1", "--meshes", "30"], check=True
    )
    model = stiction.load(tmp_path / "pile_meshes_30.xml", meshes="triangles")
    simulation = stiction.Simulation(model)
    deepest = contacts = 0
    for _ in range(100):
        report = simulation.step()
        assert report.ok, simulation.describe()
        deepest = max(deepest, report.certificate.penetration)
        contacts = max(contacts, report.contacts)
    assert contacts > 300
    assert deepest <= 2e-4


# A rim that rolls over an edge of a closed mesh ended a step 0.1 mm past it: deeper than edges were followed in smooth
# bodies, so that no later step had a contact, and the cylinder sank in by a third of its size. Aim of a step: 5e-5.
@pytest.mark.parametrize("integrator", ["euler", "midpoint"])
def test_cylinder_does_not_enter_a_closed_mesh_past_an_edge(tmp_path, integrator):
    vertices = """-0.02199 0.04663 -0.037884 0.018855 0.070653 -0.00269 0.047339 -0.02042 -0.009691 -0.012224 -0.071659
      0.01415 -0.007633 -0.025942 -0.05341 0.015954 0.071119 0.010206 0.031702 -0.030034 -0.038251 0.01426 -0.072846
      -0.005586 -0.021262 -0.058577 -0.027642 -0.034997 0.050944 -0.014497 0.041056 0.042756 -0.005687 0.009813 0.012075
      -0.055688"""
    scene = tmp_path / "rim.xml"
    scene.write_text(f"""<mujoco><asset><mesh name="hull" vertex="{vertices}"/></asset><worldbody>
      <body pos="0 0 1"><freejoint/><geom name="hull" type="mesh" mesh="hull" friction="0.3"/></body>
      <body><freejoint/><geom name="rim" type="cylinder" size="0.0404 0.0641" friction="0.3"/></body>
      </worldbody></mujoco>""")
    model = stiction.load(scene, meshes="triangles")
    simulation = stiction.Simulation(model, timestep=0.005, integrator=integrator)
    hull = [0.86056816, -0.09491387, 0.0373439, -0.32958354, 0.60893293, -0.61653137, -0.37478587]
    rim = [0.88199536, -0.09682451, 0.1132072, -0.49034345, 0.33193872, 0.72646489, 0.34875315]
    simulation.state.q[:] = hull + rim
    simulation.state.u[:6] = [-0.47662509, -0.2480295, -0.81940099, 5.8698443, 17.13264221, -17.58413924]
    simulation.state.u[6:] = [-0.00993051, 0.33850599, -1.03588063, -4.77953907, 10.8344116, 13.7184211]
    query = stiction.Query(model)
    nearest = []
    for _ in range(6):
        assert simulation.step().ok
        query.place(simulation)
        nearest.append(query.distance("hull", "rim").distance)
    assert min(nearest) < 3e-4, "they do not meet"
    assert min(nearest) > -1e-4 * 0.0758 * 2
    assert nearest[-1] > 0, "they do not part"
