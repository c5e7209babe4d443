// The subcommands of `shunt`: each file adds its own.
//
// The action of a subcommand throws Error for what the user got wrong (exit status 2) and
// FoundWrong for a finding that is no success, as `verify` has (exit status 1).
#pragma once

#include "tools/common/options.hpp"

namespace shunt {

void add_algorithms(Command app);
void add_calibrate(Command app);
void add_draw(Command app);
void add_env(Command app);
void add_explain(Command app);
void add_patterns(Command app);
void add_predict(Command app);
void add_redistribute(Command app);
void add_replay(Command app);
void add_reproduce(Command app);
void add_run(Command app);
void add_simulate(Command app);
void add_topo(Command app);
void add_trace(Command app);
void add_verify(Command app);
void add_wisdom(Command app);

/// `verify redistribution`: a subcommand of `verify`, which is given here.
void add_redistribution_proofs(Command verify);

/// `bench`: all ways to make an exchange; returned for the subcommands that measure something else.
Command add_bench(Command app);

/// `bench schedule`: a subcommand of `bench`, which is given here.
void add_schedule_bench(Command bench);

/// `bench records`: a subcommand of `bench`, which is given here.
void add_record_bench(Command bench);

/// `bench allgather`: a subcommand of `bench`, which is given here.
void add_allgather_bench(Command bench);

/// `bench grid`: a subcommand of `bench`, which is given here.
void add_grid_bench(Command bench);

}  // namespace shunt
