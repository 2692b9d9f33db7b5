/** Measures the network between the machines of a job over MPI. */
@NullMarked
package dev.tutti.cli.tune.network;

import org.jspecify.annotations.NullMarked;
