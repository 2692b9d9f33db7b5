package dev.tutti.engine;

/**
 * How many of a plan's signals are left in a program.
 *
 * @param awaits AWAIT actions of the plan, those of nested plans included
 * @param waits points of the program at which something waits for something else; what is implied
 *     anyway, by the order of a list or by an earlier wait, is dropped
 */
public record SignalCount(long awaits, long waits) {}
