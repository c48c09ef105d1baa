"""Runs a simulation and prints what the examples of crowds tell: size, contacts, effort, certificate."""

import sys
import time

import numpy as np


def measure(simulation, seconds):
    """Steps for the given time, with progress on standard error; times are those of the processor."""
    steps = round(seconds / simulation.options.timestep)
    contacts, factorisations, worst, missed, deepest = [], [], 0.0, 0, 0.0
    begin = time.process_time()
    for i in range(steps):
        report = simulation.step()
        contacts.append(report.contacts)
        factorisations.append(report.factorisations)
        worst, missed = max(worst, report.certificate.residual), missed + (not report.ok)
        deepest = max(deepest, report.certificate.penetration)
        print(f"\r{i + 1}/{steps}", end="", file=sys.stderr)
    spent = 1e3 * (time.process_time() - begin) / steps
    print(file=sys.stderr)
    print(f"{simulation.model.nbody - 1} bodies, {simulation.model.nv} degrees of freedom, {steps} steps")
    print(f"contacts {np.mean(contacts):.0f}, at most {max(contacts)}; penetration at most {deepest:.1e} m")
    print(f"factorisations {np.mean(factorisations):.0f}, at most {max(factorisations)}")
    print(f"{spent:.1f} ms of the processor a step; residual at most {worst:.1e}, {missed} steps above the tolerance")
