// Includes all of the C++ interface.
#pragma once

#include "shunt/array_layout.hpp"
#include "shunt/bounded_plan.hpp"
#include "shunt/communicator.hpp"
#include "shunt/counters.hpp"
#include "shunt/distributed_array.hpp"
#include "shunt/element_update.hpp"
#include "shunt/error.hpp"
#include "shunt/layout.hpp"
#include "shunt/options.hpp"
#include "shunt/plan.hpp"
#include "shunt/records.hpp"
#include "shunt/relabelling.hpp"
#include "shunt/types.hpp"
