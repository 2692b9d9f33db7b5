package dev.tutti.verifier.run;

/**
 * A place in a run: just before one event of one stream.
 *
 * @param rank the rank
 * @param stream 0 for the rank's main stream; slave streams that have actions follow, in order
 * @param event the index of the event. On the main stream, 0 is the rank's entry into the
 *     operation, its actions follow from 1 on, and the last event is its return to the caller. On a
 *     slave stream, 0 is the first action. The actions of nested plans are counted where they run.
 */
public record Point(int rank, int stream, int event) {

  @Override
  public String toString() {
    return "rank " + rank + " stream " + stream + " event " + event;
  }
}
