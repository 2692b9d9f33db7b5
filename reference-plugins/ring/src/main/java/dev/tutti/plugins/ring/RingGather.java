package dev.tutti.plugins.ring;

import dev.tutti.plugins.template.Blocks;
import dev.tutti.plugins.template.RingAllGather;
import dev.tutti.plugins.template.TemplateAllGather;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.param.OpParam;
import java.util.Optional;

/** The common implementation of both forms of the ring all-gather. */
abstract class RingGather<P extends OpParam> extends TemplateAllGather<P> {

  RingGather() {
    super(new RingAllGather());
  }

  /** The largest block takes longest: it makes all hops, one after another. */
  @Override
  public Optional<Cost> cost(P param) {
    double hops = param.comm().rankSize() - 1;
    return Optional.of(new Cost(hops * rounds(param), hops * Blocks.of(param).maxBytes(), 0));
  }
}
