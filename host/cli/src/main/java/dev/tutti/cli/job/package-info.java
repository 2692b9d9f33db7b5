/**
 * The processes of a job, one for each rank: the directory where they meet, and the status of each.
 */
@NullMarked
package dev.tutti.cli.job;

import org.jspecify.annotations.NullMarked;
