/** Messages between processes through the MPI library of the machine. */
@NullMarked
package dev.tutti.engine.mpi;

import org.jspecify.annotations.NullMarked;
