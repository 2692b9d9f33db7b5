package dev.tutti.cli.tune;

import dev.tutti.base.text.Sentence;
import dev.tutti.cli.chart.ChartPoint;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.OperationSpec;
import dev.tutti.cli.options.UniformCalls;
import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.topology.Topology;

/**
 * One request whose algorithms are measured.
 *
 * @param name the operation
 * @param topology the ranks and their places
 * @param count the count, as the operation's parameter record defines it
 * @param isInPlace whether input and output are the same memory
 */
record SweepPoint(OperationName name, Topology topology, long count, boolean isInPlace) {

  OperationSpec spec() {
    int ranks = topology.rankSize();
    CollectiveCall call =
        name.isTransfer()
            ? CollectiveCall.sendReceive(SweepOptions.TYPE, count, 0, 1 % ranks)
            : UniformCalls.of(name.operation(), ranks, SweepOptions.TYPE, ReduceOp.SUM, count, 0);
    return new OperationSpec(name, topology, call, CallOptions.defaults(), isInPlace);
  }

  /** The message size for the choice of an algorithm, in bytes. */
  long bytes() {
    return UniformCalls.messageBytes(UniformCalls.params(spec().call(), topology, isInPlace));
  }

  /** A time of this request for a chart. */
  ChartPoint point(String algorithm, double micros, double least, double most, int hopNanos) {
    return new ChartPoint(
        name, topology.rankSize(), isInPlace, algorithm, bytes(), micros, least, most, hopNanos);
  }

  @Override
  public String toString() {
    return Sentence.of(
        "%s, %d ranks, count %d, %s",
        name.label(), topology.rankSize(), count, isInPlace ? "in place" : "out of place");
  }
}
