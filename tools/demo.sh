#!/usr/bin/env bash
# The demo: free bodies slide, stand and topple with exact friction; every step is certified, then the laws are checked
# on the recordings and one of them is drawn. Leaves recordings, figures and the picture in out/.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p out

status=0

# run SCENE SECONDS: simulates a shipped scene. Where a step misses its tolerance the program says which, and the demo
# goes on, to fail at its end.
run() { .venv/bin/stiction run "scenes/$1.xml" --duration "$2" --out "out/$1.h5" --json >"out/$1.json" || status=1; }

echo "Simulating four scenes; each step is checked by code that shares nothing with the solver."
run incline_26 5
run sliding_box_0 1
run heavy_stack 3
run demo 3
.venv/bin/python tools/demo_table.py

# Exit code 3: this machine cannot draw. The demo is complete without the picture.
.venv/bin/python tools/draw_recording.py out/demo.h5 scenes/demo.xml out/demo.png --camera demo --size 640 360 \
    --times 0 0.36 0.72 2.4 || [[ $? -eq 3 ]]
echo 'Recordings and the picture are in out/. Next: docs/python.md, or .venv/bin/stiction scenes.'
exit $status
