package dev.tutti.engine;

/**
 * How long a run of a compiled plan would take, and what it consists of.
 *
 * @param nanos the time of one run of many, in nanoseconds
 * @param tasks data tasks of all ranks
 * @param bytes bytes that those tasks read and write
 * @param workers threads that have work to do
 */
public record RunEstimate(double nanos, int tasks, long bytes, int workers) {}
