// The subcommands of `shunt`: each file adds its own.
//
// The action of a subcommand throws Error for what the user got wrong (exit status 2) and
// CLI::RuntimeError with a status for a finding that is no success (`verify`: 1).
#pragma once

#include <CLI/CLI.hpp>

namespace shunt {

void add_algorithms(CLI::App& app);
void add_draw(CLI::App& app);
void add_env(CLI::App& app);
void add_explain(CLI::App& app);
void add_patterns(CLI::App& app);
void add_replay(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_run(CLI::App& app);
void add_simulate(CLI::App& app);
void add_topo(CLI::App& app);
void add_trace(CLI::App& app);
void add_verify(CLI::App& app);

/// `verify redistribution`: a subcommand of `verify`, which is given here.
void add_redistribution_proofs(CLI::App& verify);

/// `bench`: all ways to make an exchange; returned for the subcommands that measure something else.
CLI::App* add_bench(CLI::App& app);

/// `bench schedule`: a subcommand of `bench`, which is given here.
void add_schedule_bench(CLI::App& bench);

/// `bench records`, likewise.
void add_record_bench(CLI::App& bench);

/// `bench broadcast`, likewise.
void add_broadcast_bench(CLI::App& bench);

}  // namespace shunt
