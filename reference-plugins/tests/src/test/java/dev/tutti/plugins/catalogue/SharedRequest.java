package dev.tutti.plugins.catalogue;

import dev.tutti.sdk.param.AllToAllVParam;
import dev.tutti.sdk.param.BatchSendRecvParam;
import dev.tutti.sdk.param.BatchSendRecvParam.Item;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.verifier.matrix.CollectiveCase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** Requests that are the same on all ranks but for the rank, as a step of a sequence needs them. */
final class SharedRequest {

  private SharedRequest() {}

  /** The request of a case; of a batch, and of an all-to-all-v, all messages are of one size. */
  static OpParam of(CollectiveCase c) {
    return switch (c.operation()) {
      case ALL_TO_ALL_V -> allToAllV(c);
      case BATCH_SEND_RECV -> batch(c);
      default -> Objects.requireNonNull(c.params().getFirst());
    };
  }

  private static AllToAllVParam allToAllV(CollectiveCase c) {
    int ranks = c.comm().rankSize();
    List<Long> counts = Collections.nCopies(ranks, c.count());
    return new AllToAllVParam(
        c.comm(),
        "",
        c.options(),
        c.dataType(),
        counts,
        counts,
        ranks * ranks * c.count(),
        c.count());
  }

  /** From every rank to every rank. */
  private static BatchSendRecvParam batch(CollectiveCase c) {
    List<Item> items = new ArrayList<>();
    for (int peer = 0; peer < c.comm().rankSize(); peer++) {
      items.add(new Item(true, peer, c.count()));
      items.add(new Item(false, peer, c.count()));
    }
    return new BatchSendRecvParam(c.comm(), "", c.options(), c.dataType(), items, c.count());
  }
}
