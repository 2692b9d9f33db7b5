package dev.tutti.simulator;

import dev.tutti.simulator.flow.FlatStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Records what each data action waited for. Takes 28 bytes per action. */
final class CausalLog implements EngineLog {

  private int[] streamOf = new int[1024];
  private int[] eventOf = new int[1024];
  private int[] causeOf = new int[1024];
  private long[] startOf = new long[1024];
  private long[] endOf = new long[1024];

  @Override
  public void data(int record, int stream, int event, long start, long end, int cause) {
    if (record >= streamOf.length) {
      int length = Math.max(record + 1, streamOf.length * 2);
      streamOf = Arrays.copyOf(streamOf, length);
      eventOf = Arrays.copyOf(eventOf, length);
      causeOf = Arrays.copyOf(causeOf, length);
      startOf = Arrays.copyOf(startOf, length);
      endOf = Arrays.copyOf(endOf, length);
    }
    streamOf[record] = stream;
    eventOf[record] = event;
    causeOf[record] = cause;
    startOf[record] = start;
    endOf[record] = end;
  }

  @Override
  public void part(int record, int stream, int event, long start, long end, int cause) {
    data(record, stream, event, start, end, cause);
  }

  /** The stream and the event of each action on the path to an action, which comes last. */
  List<int[]> placesTo(int last) {
    List<int[]> places = new ArrayList<>();
    for (int record = last; record != NO_CAUSE; record = causeOf[record]) {
      places.add(new int[] {streamOf[record], eventOf[record]});
    }
    Collections.reverse(places);
    return places;
  }

  /** The actions on the path to an action, which comes last. */
  List<PathStep> pathTo(int last, List<FlatStream> streams) {
    List<PathStep> path = new ArrayList<>();
    for (int record = last; record != NO_CAUSE; record = causeOf[record]) {
      FlatStream stream = streams.get(streamOf[record]);
      path.add(new PathStep(stream.ref(eventOf[record]), startOf[record], endOf[record]));
    }
    Collections.reverse(path);
    return path;
  }
}
