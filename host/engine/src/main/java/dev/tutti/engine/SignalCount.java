package dev.tutti.engine;

/**
 * How many of a plan's signals are left in a program.
 *
 * @param awaits AWAIT actions of the plan, those of nested plans included
 * @param waits points of the program at which one list or node waits for another; waits that the
 *     order of a list or an earlier wait implies are dropped
 */
public record SignalCount(long awaits, long waits) {}
