package dev.tutti.engine;

import org.jspecify.annotations.Nullable;

/**
 * How far a run was when its time was over.
 *
 * @param unfinished what was not done, in indented lines
 * @param undone the data actions that were not done; null if that could not be told
 */
record LateRun(String unfinished, @Nullable Positions undone) {}
