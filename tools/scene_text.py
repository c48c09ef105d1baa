"""The text of MJCF scenes: numbers that read back, bodies of one geom, the frame of a file."""

import math

LIGHT = '<light pos="0 -2 4" dir="0 0.4 -1" directional="true"/>'
COLOURS = ["0.2 0.45 0.7 1", "0.8 0.4 0.2 1", "0.35 0.6 0.35 1", "0.75 0.6 0.2 1", "0.55 0.35 0.6 1", "0.45 0.55 0.6 1"]

SKY = ["<asset>", '  <texture type="skybox" builtin="flat" rgb1="0.93 0.95 0.97" width="8" height="48"/>', "</asset>"]


def camera(position, target):
    """A camera named `view` that looks at a target, the world's z upwards in its picture."""
    back = [p - t for p, t in zip(position, target)]
    length = math.hypot(*back[:2])
    right = (-back[1] / length, back[0] / length, 0)
    up = (-back[2] * right[1], back[2] * right[0], back[0] * right[1] - back[1] * right[0])
    size = math.hypot(*up)
    axes = numbers(*(round(v, 4) for v in (*right, *(u / size for u in up))))
    return f'<camera name="view" pos="{numbers(*position)}" xyaxes="{axes}"/>'


def numbers(*values):
    """The shortest text that reads back as the same doubles; whole numbers without a point."""
    return " ".join(str(int(v)) if v == int(v) else repr(float(v)) for v in values)


def floor(size):
    return f'<geom name="floor" type="plane" size="{numbers(size, size, 0.1)}" rgba="0.75 0.75 0.7 1"/>'


def body(name, position, geom, colour, rotation=""):
    """A free body with one geom; `geom` and `rotation` are attributes."""
    turned = f" {rotation}" if rotation else ""
    return [
        f'<body name="{name}" pos="{numbers(*position)}"{turned}>',
        "  <freejoint/>",
        f'  <geom name="{name}" {geom} rgba="{COLOURS[colour % len(COLOURS)]}"/>',
        "</body>",
    ]


def scene(name, head, friction, world, timestep=0.002, before=(), after=()):
    """The text of a file; `before` and `after` are the lines of other sections around the bodies."""
    lines = ["<!--"] + [f"  {line}" for line in head.strip().splitlines()] + ["-->"]
    lines += [f'<mujoco model="{name}">', f'  <option timestep="{numbers(timestep)}" gravity="0 0 -9.81"/>']
    lines += ["  <default>", f'    <geom friction="{numbers(friction)}"/>', "  </default>"]
    lines += [f"  {line}" for line in before] + ["  <worldbody>"]
    lines += [f"    {line}" for line in world] + ["  </worldbody>"]
    lines += [f"  {line}" for line in after]
    return "\n".join([*lines, "</mujoco>"]) + "\n"


def random_rotation(rng):
    """A rotation uniform over all: a normalised Gaussian quaternion."""
    q = [rng.gauss(0, 1) for _ in range(4)]
    length = math.sqrt(sum(c * c for c in q))
    return [round(c / length, 6) for c in q]
