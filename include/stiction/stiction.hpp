// Everything a program needs: build or load a Model, run a Simulation, read its contacts and certificate, or call the
// dynamics of its trees directly.
#pragma once

#include <stiction/builder.hpp>
#include <stiction/constrained_dynamics.hpp>
#include <stiction/dynamics.hpp>
#include <stiction/lcp.hpp>
#include <stiction/load.hpp>
#include <stiction/mesh.hpp>
#include <stiction/qp.hpp>
#include <stiction/query.hpp>
#include <stiction/recording.hpp>
#include <stiction/simulation.hpp>
#include <stiction/version.hpp>
