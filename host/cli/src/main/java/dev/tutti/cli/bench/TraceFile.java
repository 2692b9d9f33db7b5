package dev.tutti.cli.bench;

import dev.tutti.base.text.Sentence;
import dev.tutti.engine.trace.RunTrace;
import dev.tutti.plan.ActionRef;
import dev.tutti.plan.json.JsonWriter;
import java.util.List;
import java.util.TreeSet;

/**
 * Writes the actual and the expected trace in the trace event format, which ui.perfetto.dev and
 * chrome://tracing open. Each rank is two processes, one for each trace, and each stream is a
 * thread. Actions and waits are complete events. Times are in microseconds with three decimals,
 * which is exact.
 */
final class TraceFile {

  private static final int NANO_DIGITS = 3;

  private final JsonWriter json;

  private TraceFile(JsonWriter json) {
    this.json = json;
  }

  /**
   * Writes two traces of the same plan.
   *
   * @throws java.io.UncheckedIOException if the target cannot be written
   */
  static void write(RunTrace ran, RunTrace expected, Appendable target) {
    JsonWriter json = new JsonWriter(target);
    json.open('{').name("displayTimeUnit").value("ns").name("traceEvents").open('[');
    TraceFile file = new TraceFile(json);
    file.write(ran, 0, "");
    file.write(expected, 1, ", expected");
    json.close(']', 0).close('}').finish();
  }

  /**
   * Writes one trace.
   *
   * @param kind 0 for the actual trace, 1 for the expected one; a rank's two traces are side by
   *     side
   * @param suffix the suffix of its processes' names
   */
  private void write(RunTrace trace, int kind, String suffix) {
    TreeSet<Integer> ranks = new TreeSet<>();
    TreeSet<Long> streams = new TreeSet<>();
    for (RunTrace.Action action : trace.actions()) {
      ActionRef ref = action.ref();
      ranks.add(ref.rank());
      streams.add((long) ref.rank() << Integer.SIZE | ref.stream());
    }
    for (int rank : ranks) {
      name("process_name", 2 * rank + kind, 0, "rank " + rank + suffix);
    }
    for (long stream : streams) {
      int number = (int) stream;
      name("thread_name", 2 * (int) (stream >> Integer.SIZE) + kind, number, "stream " + number);
    }
    trace.actions().forEach(action -> write(action, kind));
    trace.waits().forEach(wait -> write(wait, kind));
  }

  private void name(String what, int process, int thread, String name) {
    json.line(0).open('{').name("ph").value("M").name("name").value(what);
    json.name("pid").value(process).name("tid").value(thread);
    json.name("args").open('{').name("name").value(name).close('}').close('}');
  }

  private void write(RunTrace.Action action, int kind) {
    ActionRef ref = action.ref();
    begin(ref.text(), "data", 2 * ref.rank() + kind, ref.stream());
    times(action.fromNanos(), action.toNanos());
    json.name("args").open('{').name("source").value(ref.source());
    json.name("list").value(action.list()).name("thread").value(action.thread());
    json.close('}').close('}');
  }

  private void write(RunTrace.Wait wait, int kind) {
    List<ActionRef> awaits = wait.awaits();
    String first = awaits.getFirst().text();
    String name =
        awaits.size() == 1 ? first : Sentence.of("%s, and %d more", first, awaits.size() - 1);
    begin(name, "await", 2 * wait.rank() + kind, wait.stream());
    times(wait.fromNanos(), wait.toNanos());
    json.name("args").open('{').name("source").value(awaits.getFirst().source());
    json.name("awaits").open('[');
    awaits.forEach(await -> json.value(await.text()));
    json.close(']').close('}').close('}');
  }

  private void begin(String name, String category, int process, int thread) {
    json.line(0).open('{').name("ph").value("X").name("name").value(name);
    json.name("cat").value(category).name("pid").value(process).name("tid").value(thread);
  }

  private void times(long from, long to) {
    json.name("ts").decimal(from, NANO_DIGITS).name("dur").decimal(to - from, NANO_DIGITS);
  }
}
