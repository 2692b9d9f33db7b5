/** The processes of a job, one for each rank: where they meet, and what each of them is doing. */
@NullMarked
package dev.tutti.cli.job;

import org.jspecify.annotations.NullMarked;
