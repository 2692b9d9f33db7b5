package dev.tutti.testkit.arch;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.BroadcastParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Everything that plugins may do: no rule may find anything here. */
@CollAlgorithm(name = "good", summary = "Uses everything that is allowed")
public final class GoodPlugin extends CollExecutorBase<AllReduceParam> {

  private static final List<String> NAMES = List.of("ring", "tree");
  private static final Map<String, Integer> SIZES = Map.copyOf(new java.util.HashMap<>());
  private static final String TEXT = "a constant";

  private final List<Integer> radices = List.of(2, 4);
  private final Step step = new Step(1, "first");

  enum Phase {
    SCATTER,
    GATHER
  }

  record Step(int number, String name) {}

  sealed interface Shape permits Line, Circle {}

  record Line(int length) implements Shape {}

  record Circle(int radius) implements Shape {}

  static int closedSwitch(Phase phase) {
    return switch (phase) {
      case SCATTER -> 1;
      case GATHER -> 2;
    };
  }

  static int closedPatterns(Shape shape) {
    return switch (shape) {
      case Line(int length) -> length;
      case Circle circle -> circle.radius();
    };
  }

  static int closedEnumOfTheSpi(WorkflowMode mode) {
    return switch (mode) {
      case GRAPH -> 1;
      case OP_BASE -> 2;
    };
  }

  static int openSwitch(DataType type) {
    return switch (type) {
      case FLOAT32 -> 4;
      case FLOAT64 -> 8;
      default -> type.size();
    };
  }

  static String openPatterns(OpParam param) {
    return switch (param) {
      case AllReduceParam p when p.count() > 3 -> "big";
      case BroadcastParam p -> "from " + p.root();
      case BarrierParam(CommInfo comm, String tag, AlgOptions _) -> tag + comm.rankSize();
      default -> "other";
    };
  }

  static long emptyDefault(ReduceOp op) {
    long[] seen = new long[1];
    switch (op) {
      case SUM -> seen[0]++;
      case PROD -> seen[0]--;
      default -> {}
    }
    return seen[0];
  }

  @Override
  public Support supports(AllReduceParam param) {
    return Support.when(param.count() > 0, "needs data: " + param.count() + TEXT);
  }

  @Override
  public AlgResourceRequest calcResRequest(AllReduceParam param) {
    assert param.count() >= 0;
    EnumMap<Phase, Integer> local = new EnumMap<>(Phase.class);
    local.put(Phase.GATHER, NAMES.size() + SIZES.size());
    List<Integer> numbers = new ArrayList<>(radices);
    numbers.sort(Integer::compare);
    Supplier<String> lazy = () -> String.format("%s %d", step.name(), numbers.size());
    String joined = IntStream.range(0, 3).mapToObj(i -> lazy.get()).collect(Collectors.joining());
    if (joined.isEmpty()) {
      throw new IllegalStateException(new RuntimeException(Math.floorMod(3, 2) + joined));
    }
    return AlgResourceRequest.none();
  }

  @Override
  public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
    resources.mainStream().copy(resources.paramOutputMem(), resources.paramInputMem());
  }
}
