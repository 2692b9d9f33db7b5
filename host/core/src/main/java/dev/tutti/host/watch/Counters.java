package dev.tutti.host.watch;

import dev.tutti.host.status.AlgorithmUse;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the use of algorithms. Thread-safe. */
public final class Counters {

  private final ConcurrentMap<Key, Totals> all = new ConcurrentHashMap<>();

  private record Key(String operation, String algorithm) {}

  private record Totals(
      LongAdder calls, LongAdder bytes, LongAdder nanos, LongAdder waited, LongAdder failures) {

    static Totals ofNothing() {
      return new Totals(
          new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
    }
  }

  /** Counts runs. */
  public void ran(String operation, String algorithm, long calls, long bytes, long nanos) {
    if (calls > 0) {
      Totals totals = totals(operation, algorithm);
      totals.calls.add(calls);
      totals.bytes.add(bytes);
      totals.nanos.add(nanos);
    }
  }

  /** Counts the time that a rank waited for others. */
  public void waited(String operation, String algorithm, long nanos) {
    totals(operation, algorithm).waited.add(nanos);
  }

  /** Counts a run that failed. */
  public void failed(String operation, String algorithm) {
    totals(operation, algorithm).failures.increment();
  }

  private Totals totals(String operation, String algorithm) {
    return all.computeIfAbsent(new Key(operation, algorithm), key -> Totals.ofNothing());
  }

  /** A copy of the counts. */
  public Counters copy() {
    Counters copy = new Counters();
    for (AlgorithmUse each : read()) {
      Totals totals = copy.totals(each.operation(), each.algorithm());
      totals.calls.add(each.calls());
      totals.bytes.add(each.bytes());
      totals.nanos.add(each.nanos());
      totals.waited.add(each.waitedNanos());
      totals.failures.add(each.failures());
    }
    return copy;
  }

  /** The counts, by operation and algorithm. */
  public List<AlgorithmUse> read() {
    return all.entrySet().stream()
        .map(entry -> use(entry.getKey(), entry.getValue()))
        .sorted(
            Comparator.comparing(AlgorithmUse::operation).thenComparing(AlgorithmUse::algorithm))
        .toList();
  }

  private static AlgorithmUse use(Key key, Totals totals) {
    return new AlgorithmUse(
        key.operation(),
        key.algorithm(),
        totals.calls.sum(),
        totals.bytes.sum(),
        totals.nanos.sum(),
        totals.waited.sum(),
        totals.failures.sum());
  }
}
