"""Draws frames of a recording with MuJoCo's off-screen renderer: one picture, frames side by side.

.venv/bin/python tools/draw_recording.py out/demo.h5 scenes/demo.xml out/demo.png --camera demo --times 0 0.4 0.9 2

MuJoCo draws, nothing more: the poses are those of the recording. Without a working OpenGL (EGL or OSMesa) the program
says so and leaves with exit code 3.
"""

import argparse
import os
import sys
from pathlib import Path

NO_OPENGL = 3  # exit code: nothing is wrong with the recording, but this machine cannot draw
os.environ.setdefault("MUJOCO_GL", "egl")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recording", help="HDF5 file written by `stiction run --out`")
    parser.add_argument("scene", help="the MJCF file of the recording, for shapes, colours, lights and cameras")
    parser.add_argument("picture", help="PNG file to write")
    parser.add_argument("--camera", default=-1, help="name of a camera of the scene; default: MuJoCo's free camera")
    parser.add_argument("--times", type=float, nargs="+", help="[s]; default: four, from the first to the last step")
    parser.add_argument("--columns", type=int, default=2, help="frames in one row")
    parser.add_argument("--size", type=int, nargs=2, default=(640, 400), help="width and height of a frame [pixels]")
    return parser.parse_args()


def open_renderer(scene, size):
    """The scene and MuJoCo's renderer for it; leaves the program with a line that says why if there is no OpenGL."""
    try:
        import mujoco  # fails here already where the OpenGL library is missing
        from mujoco import Renderer
    except Exception as error:
        leave_without_picture(error)
    model = mujoco.MjModel.from_xml_path(scene)
    try:
        return model, Renderer(model, size[1], size[0])
    except Exception as error:  # each OpenGL back end fails in its own way
        leave_without_picture(error)


def leave_without_picture(error):
    platform = os.environ["MUJOCO_GL"]
    print(f"no picture: OpenGL through '{platform}' does not work here ({error})", file=sys.stderr)
    print("Install libegl1 and libgl1-mesa-dri, or libosmesa6 and set MUJOCO_GL=osmesa.", file=sys.stderr)
    sys.exit(NO_OPENGL)


def nearest_steps(recording, times):
    """The step nearest to each time; evenly spread steps if no times are given."""
    if times is None:
        return [round(i * recording.steps / 3) for i in range(4)]
    h = recording.options.timestep
    start = recording.state(0).time
    return [min(max(round((t - start) / h), 0), recording.steps) for t in times]


def draw_frames(recording, model, renderer, camera, steps):
    """(time, picture) for each step."""
    import mujoco

    data = mujoco.MjData(model)
    for step in steps:
        state = recording.state(step)
        data.qpos[:] = state.q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_camlight(model, data)
        renderer.update_scene(data, camera)
        yield state.time, renderer.render()


def compose(frames, columns, size):
    """The frames in rows, each with its time in a corner."""
    from PIL import Image, ImageDraw, ImageFont

    margin = 6
    rows = -(-len(frames) // columns)
    width, height = size
    picture = Image.new("RGB", (columns * (width + margin) - margin, rows * (height + margin) - margin), "white")
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(size=max(12, height // 20))
    for i, (time, pixels) in enumerate(frames):
        x, y = (i % columns) * (width + margin), (i // columns) * (height + margin)
        picture.paste(Image.fromarray(pixels), (x, y))
        pen.text((x + width // 40, y + height // 40), f"t = {time:.2f} s", fill=(60, 60, 60), font=font)
    return picture


def main():
    arguments = parse_arguments()
    import stiction

    recording = stiction.Recording(arguments.recording)
    model, renderer = open_renderer(arguments.scene, arguments.size)
    if model.nq != recording.model.nq:
        sys.exit(
            f"{arguments.scene} has {model.nq} coordinates, the recording has {recording.model.nq}: another scene?"
        )
    steps = nearest_steps(recording, arguments.times)
    frames = list(draw_frames(recording, model, renderer, arguments.camera, steps))
    picture = compose(frames, arguments.columns, arguments.size)
    # 256 colours are plenty for such scenes and make a file of a third of the size.
    Path(arguments.picture).parent.mkdir(parents=True, exist_ok=True)
    picture.quantize(256).save(arguments.picture, optimize=True)
    print(f"drew {len(frames)} frames of {arguments.recording} to {arguments.picture}")


if __name__ == "__main__":
    main()
