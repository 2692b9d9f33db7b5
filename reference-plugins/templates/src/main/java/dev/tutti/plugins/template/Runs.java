package dev.tutti.plugins.template;

import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Stream;
import java.util.ArrayList;
import java.util.List;

/** Copies many small spans with few actions: spans that are adjacent in memory become one. */
public final class Runs {

  private Runs() {}

  /**
   * Copies local spans one after another.
   *
   * @param dst the destination, as large as all spans together
   * @param spans the sources, in order
   */
  public static void copy(Stream stream, DeviceMem dst, List<DeviceMem> spans) {
    long done = 0;
    for (DeviceMem run : merge(spans)) {
      stream.copy(dst.slice(done, run.size()), run);
      done += run.size();
    }
  }

  /** The same bytes in the same order, in as few spans as possible. */
  static List<DeviceMem> merge(List<DeviceMem> spans) {
    List<DeviceMem> runs = new ArrayList<>();
    for (DeviceMem span : spans) {
      if (!runs.isEmpty() && continues(runs.getLast(), span)) {
        DeviceMem run = runs.removeLast();
        runs.add(new DeviceMem(run.rank(), run.type(), run.offset(), run.size() + span.size()));
      } else {
        runs.add(span);
      }
    }
    return runs;
  }

  private static boolean continues(DeviceMem run, DeviceMem span) {
    return run.rank() == span.rank()
        && run.type() == span.type()
        && run.offset() + run.size() == span.offset();
  }
}
