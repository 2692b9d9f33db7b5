package dev.tutti.engine;

/**
 * The position of a stream of a rank in a run that is under way.
 *
 * @param rank the rank
 * @param waitsFor the rank that has to post before the stream can continue; its own rank if another
 *     stream of the rank has to post; {@link #NOBODY} if its next action moves data and is not done
 * @param action stream, number and words of the action
 * @param source the author's line; {@code "?"} if it was not recorded
 */
public record StreamPosition(int rank, int waitsFor, String action, String source) {

  /** No rank. */
  public static final int NOBODY = -1;
}
