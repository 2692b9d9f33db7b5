package dev.tutti.plugins.custom;

import dev.tutti.sdk.AlgParameter;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.topology.CommPlane;
import java.util.Set;

/**
 * Decides which requests the algorithm supports. It uses only values that are equal on all ranks,
 * so all ranks support a request or none does. Another algorithm runs refused requests.
 */
final class Admission {

  static final AlgParameter<Long> MAX_BYTES =
      AlgParameter.integer(
          "max-bytes", "vectors of this many bytes or more are refused", 8L << 20, 0, 1L << 40);

  private static final Set<Integer> RANKS = Set.of(2, 4, 6, 8);
  private static final Set<DataType> TYPES =
      Set.of(DataType.FLOAT32, DataType.FLOAT16, DataType.BFLOAT16);

  private Admission() {}

  /** The first reason to refuse a request; supported if there is none. */
  static Support of(AllReduceParam param) {
    return group(param).and(vector(param));
  }

  private static Support group(AllReduceParam param) {
    int ranks = param.comm().rankSize();
    int nodes = param.comm().topology().nodeCount();
    Protocol protocol = param.comm().protocol(CommPlane.LEVEL0);
    return require(RANKS.contains(ranks), "needs 2, 4, 6 or 8 ranks", ranks)
        .and(require(nodes == 1, "needs all ranks on one node", nodes + " nodes"))
        .and(
            require(
                protocol == Protocol.DIRECT,
                "needs direct links between all ranks, to load from peers",
                protocol.label()));
  }

  private static Support vector(AllReduceParam param) {
    long bytes = param.messageBytes();
    long maxBytes = MAX_BYTES.in(param.options());
    return require(
            TYPES.contains(param.dataType()),
            "takes float32, float16 and bfloat16",
            param.dataType())
        .and(require(Packs.areWhole(bytes), "needs a multiple of 16 bytes", bytes))
        .and(require(bytes < maxBytes, "takes fewer than %d bytes".formatted(maxBytes), bytes))
        .and(
            Support.when(
                !param.inPlace(), "needs separate buffers: peers load the input to the end"));
  }

  private static Support require(boolean condition, String rule, Object actual) {
    return Support.when(condition, rule + ". Actual: " + actual);
  }
}
