package dev.tutti.engine;

/**
 * What one worker runs in one piece: tasks in a fixed order, waits for other lists, and the points
 * at which it tells others how far it is.
 *
 * @param tasks the tasks, with TILED, WAIT and PUBLISH among them
 */
record ListProgram(TaskArrays tasks) {}
