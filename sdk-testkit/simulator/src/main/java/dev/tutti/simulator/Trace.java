package dev.tutti.simulator;

import dev.tutti.plan.ActionRef;
import dev.tutti.plan.json.JsonWriter;
import dev.tutti.simulator.flow.FlatStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes simulations in the trace event format, which ui.perfetto.dev and chrome://tracing open:
 * every rank is a process, every stream a thread. Actions and waits are complete events, with exact
 * times in microseconds to six digits. An arrow leads from every post to the await that takes its
 * signal.
 */
public final class Trace {

  private static final int PS_DIGITS = 6;

  private Trace() {}

  /**
   * Writes one simulation. A trace has a line for each action; viewers can open some hundred
   * thousand lines.
   *
   * @throws java.io.UncheckedIOException if the target cannot be written
   */
  public static void write(Simulation simulation, Appendable target) {
    JsonWriter json = new JsonWriter(target);
    json.open('{').name("displayTimeUnit").value("ns").name("traceEvents").open('[');
    List<FlatStream> streams = simulation.flatPlan().streams();
    int[] threads = threads(streams);
    for (int stream = 0; stream < threads.length; stream++) {
      FlatStream code = streams.get(stream);
      if (code.isMain()) {
        nameOf(json, "process_name", code.rank(), 0, "rank " + code.rank());
      }
      nameOf(json, "thread_name", code.rank(), threads[stream], code.name());
    }
    simulation.replay(new Writer(json, streams, threads));
    json.close(']', 0).close('}').finish();
  }

  /** Numbers the streams of each rank anew, because streams of nested plans share numbers. */
  private static int[] threads(List<FlatStream> streams) {
    int[] threads = new int[streams.size()];
    Map<Integer, Integer> next = new HashMap<>();
    for (int stream = 0; stream < threads.length; stream++) {
      threads[stream] = next.merge(streams.get(stream).rank(), 1, Integer::sum) - 1;
    }
    return threads;
  }

  private static void nameOf(JsonWriter json, String kind, int pid, int tid, String name) {
    json.line(0).open('{').name("ph").value("M").name("name").value(kind);
    json.name("pid").value(pid).name("tid").value(tid);
    json.name("args").open('{').name("name").value(name).close('}').close('}');
  }

  private static final class Writer implements EngineLog {
    private final JsonWriter json;
    private final List<FlatStream> streams;
    private final int[] threads;

    Writer(JsonWriter json, List<FlatStream> streams, int[] threads) {
      this.json = json;
      this.streams = streams;
      this.threads = threads;
    }

    @Override
    public void data(int record, int stream, int event, long start, long end, int cause) {
      complete(stream, event, start, end, "data");
    }

    @Override
    public void post(int stream, int event, long from, long to) {
      complete(stream, event, from, from, "post");
      arrow("s", stream, from, stream, event);
    }

    @Override
    public void await(int stream, int event, long from, long to, int postStream, int postEvent) {
      complete(stream, event, from, to, "await");
      arrow("f", stream, to, postStream, postEvent);
    }

    private void complete(int stream, int event, long start, long end, String category) {
      FlatStream code = streams.get(stream);
      json.line(0).open('{').name("ph").value("X");
      ActionRef ref = code.ref(event);
      json.name("name").value(ref.text()).name("cat").value(category);
      at(stream, start);
      json.name("dur").decimal(end - start, PS_DIGITS);
      json.name("args").open('{').name("source").value(ref.source()).close('}').close('}');
    }

    /**
     * One end of an arrow, which belongs to the event written before it; the post identifies the
     * arrow.
     */
    private void arrow(String end, int stream, long time, int postStream, int postEvent) {
      json.line(0).open('{').name("ph").value(end).name("name").value("notify");
      json.name("cat").value("notify").name("id").value(postStream + "." + postEvent);
      at(stream, time);
      if (end.equals("f")) {
        json.name("bp").value("e");
      }
      json.close('}');
    }

    private void at(int stream, long time) {
      json.name("pid").value(streams.get(stream).rank()).name("tid").value(threads[stream]);
      json.name("ts").decimal(time, PS_DIGITS);
    }
  }
}
