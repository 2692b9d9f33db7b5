package dev.tutti.host.capture;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.host.call.LayoutBlocks;
import dev.tutti.host.call.Protocols;
import dev.tutti.host.group.ChosenPlan;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.WorkflowMode;

/**
 * The description of a captured transfer that its source sends to the ranks that took no part in
 * it.
 *
 * @param call the transfer
 * @param options its options
 * @param chosen its plan
 */
record CallDescription(CollectiveCall call, CallOptions options, ChosenPlan chosen) {

  static CallDescription of(RankEntry entry) {
    return new CallDescription(entry.call(), entry.options(), ChosenPlan.of(entry.planned()));
  }

  void write(BodyWriter body) {
    body.text(call.dataType().name()).number(call.count());
    body.number(call.root()).number(call.destination());
    String algorithm = options.algorithm();
    WorkflowMode mode = options.mode();
    Determinism least = options.determinism();
    body.text(algorithm == null ? "" : algorithm).texts(options.parameters().values());
    body.text(mode == null ? "" : mode.name()).text(options.protocols().label());
    body.text(least == null ? "" : least.name()).text(options.tag());
    write(body, options.inputLayout());
    write(body, options.outputLayout());
    chosen.write(body);
  }

  static CallDescription read(BodyReader body) {
    DataType type = DataType.valueOf(body.text());
    CollectiveCall call =
        CollectiveCall.sendReceive(type, body.number(), body.count(), body.count());
    String algorithm = body.text();
    CallOptions options =
        CallOptions.defaults()
            .withAlgorithm(algorithm.isEmpty() ? null : algorithm)
            .withParameters(new AlgOptions(body.texts()));
    String mode = body.text();
    options =
        options
            .withMode(mode.isEmpty() ? null : WorkflowMode.valueOf(mode))
            .withProtocols(Protocols.parse(body.text()));
    String least = body.text();
    options =
        options
            .withDeterminism(least.isEmpty() ? null : Determinism.valueOf(least))
            .withTag(body.text())
            .withLayouts(layout(body), layout(body));
    return new CallDescription(call, options, ChosenPlan.read(body));
  }

  private static void write(BodyWriter body, Layout layout) {
    LayoutBlocks blocks = layout.blocks(1);
    body.number(layout.extent()).number(blocks.size());
    for (int block = 0; block < blocks.size(); block++) {
      body.number(blocks.length(block)).number(blocks.start(block));
    }
  }

  private static Layout layout(BodyReader body) {
    long extent = body.number();
    long[] lengths = new long[body.count()];
    long[] starts = new long[lengths.length];
    for (int block = 0; block < lengths.length; block++) {
      lengths[block] = body.number();
      starts[block] = body.number();
    }
    return Layout.indexed(lengths, starts).withExtent(extent);
  }
}
