/** All-to-all: every rank has a block for every other one. */
@NullMarked
package dev.tutti.plugins.alltoall;

import org.jspecify.annotations.NullMarked;
