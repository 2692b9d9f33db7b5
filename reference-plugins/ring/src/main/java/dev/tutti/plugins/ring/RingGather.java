package dev.tutti.plugins.ring;

import dev.tutti.plugins.template.Blocks;
import dev.tutti.plugins.template.RingAllGather;
import dev.tutti.plugins.template.TemplateAllGather;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.param.OpParam;
import java.util.Optional;

/** What the two forms of the ring all-gather share: all of it. */
abstract class RingGather<P extends OpParam> extends TemplateAllGather<P> {

  RingGather() {
    super(new RingAllGather());
  }

  /** The largest block makes every hop, one after another, and nothing takes longer. */
  @Override
  public Optional<Cost> cost(P param) {
    double hops = param.comm().rankSize() - 1;
    return Optional.of(new Cost(hops * rounds(param), hops * Blocks.of(param).maxBytes(), 0));
  }
}
