package dev.tutti.testkit.junit;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.AllGatherParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.topology.CommPlane;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * All-gathers that read from their peers in one of two orders, both correct. The order depends on
 * something that no plan may depend on. It never changes while one process makes its calls in one
 * order.
 */
final class ImpureExecutors {

  private ImpureExecutors() {}

  /** Reads upwards or downwards. */
  abstract static class Gather extends NativeExecutorBase<AllGatherParam> {

    abstract boolean isUpwards(AllGatherParam param);

    @Override
    protected OpCommTransport calcCommInfo(AllGatherParam param) {
      return OpCommTransport.mesh(
          param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
    }

    @Override
    protected void kernelRun(AllGatherParam param, ExecMem mem) {
      SubCommInfo all = mem.resources().subComm(CommPlane.COMBINED);
      Stream main = mem.resources().mainStream();
      int rank = all.localRank();
      int ranks = all.localRankSize();
      main.copy(mem.outputBlock(rank), mem.input());
      exchange(all, main, Link.READY);
      int direction = isUpwards(param) ? 1 : ranks - 1;
      for (int step = 1; step < ranks; step++) {
        Link owner = all.link((rank + step * direction) % ranks);
        owner.read(main, mem.outputBlock(owner.remoteUserRank()), owner.remote(mem.input()));
      }
      exchange(all, main, Link.FIN);
    }

    private static void exchange(SubCommInfo all, Stream main, int notify) {
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((all.localRank() + step) % all.localRankSize()).post(main, notify);
      }
      for (int step = 1; step < all.localRankSize(); step++) {
        all.link((all.localRank() + step) % all.localRankSize()).await(main, notify);
      }
    }
  }

  /** Depends on nothing but its arguments. */
  static final class Pure extends Gather {
    @Override
    boolean isUpwards(AllGatherParam param) {
      return param.messageBytes() % 2 == 0;
    }
  }

  /** The order of constants of the SPI in a hash table. */
  static final class OrderOfSpiEnum extends Gather {
    @Override
    boolean isUpwards(AllGatherParam param) {
      Map<DataType, String> table = new HashMap<>();
      table.put(DataType.INT32, "");
      table.put(DataType.FLOAT32, "");
      return table.keySet().iterator().next() == DataType.INT32;
    }
  }

  private enum Way {
    UP,
    DOWN
  }

  /** The order of constants of its own. */
  static final class OrderOfOwnEnum extends Gather {
    @Override
    boolean isUpwards(AllGatherParam param) {
      Map<Way, String> table = new HashMap<>();
      table.put(Way.UP, "");
      table.put(Way.DOWN, "");
      return table.keySet().iterator().next() == Way.UP;
    }
  }

  /** Its own hash code. */
  static final class HashOfItself extends Gather {
    @Override
    boolean isUpwards(AllGatherParam param) {
      return System.identityHashCode(this) % 2 == 0;
    }
  }

  /** The order of a set, which each process chooses anew. */
  static final class OrderOfSet extends Gather {
    @Override
    boolean isUpwards(AllGatherParam param) {
      return Set.of("up", "down").iterator().next().equals("up");
    }
  }

  /** Which of two neighbours comes first in a larger map. */
  static final class OrderOfMap extends Gather {
    @Override
    boolean isUpwards(AllGatherParam param) {
      List<String> keys = List.copyOf(Map.of("a", 1, "b", 2, "c", 3, "d", 4).keySet());
      return keys.indexOf("a") < keys.indexOf("b");
    }
  }

  /** The rank of the first call. */
  static final class FirstAsker extends Gather {
    private static final Map<Long, Integer> FIRST = new ConcurrentHashMap<>();

    @Override
    boolean isUpwards(AllGatherParam param) {
      return FIRST.computeIfAbsent(param.messageBytes(), count -> param.comm().rank()) == 0;
    }
  }

  /** A field between two calls for one request. */
  static final class FieldOfRequest extends Gather {
    private long count;

    @Override
    public AlgResourceRequest calcResRequest(AllGatherParam param) {
      count = param.messageBytes();
      return super.calcResRequest(param);
    }

    @Override
    boolean isUpwards(AllGatherParam param) {
      return count == param.messageBytes();
    }
  }

  /** A field within one call, which is correct as long as there is no concurrent call. */
  static final class FieldOfOneQuestion extends Gather {
    private long count;

    @Override
    public void orchestrate(AllGatherParam param, AlgResourceResponse resources) {
      count = param.messageBytes();
      super.orchestrate(param, resources);
      if (count != param.messageBytes()) {
        resources.mainStream().copy(resources.paramOutputMem(), resources.paramOutputMem());
      }
    }

    @Override
    boolean isUpwards(AllGatherParam param) {
      return true;
    }
  }

  /** The first request of the process. */
  static final class FirstRequest extends Gather {
    private static final List<Integer> FIRST = new CopyOnWriteArrayList<>();

    @Override
    boolean isUpwards(AllGatherParam param) {
      FIRST.add(param.comm().rankSize());
      return FIRST.getFirst() == param.comm().rankSize();
    }
  }

  /** The machine. */
  static final class Machine extends Gather {
    @Override
    boolean isUpwards(AllGatherParam param) {
      return Runtime.getRuntime().availableProcessors() % 2 == 0;
    }
  }

  /** Language and time zone. */
  static final class Place extends Gather {
    @Override
    boolean isUpwards(AllGatherParam param) {
      return "title".toUpperCase(Locale.getDefault()).equals("TITLE")
          && TimeZone.getDefault().getRawOffset() < 12 * 3_600_000;
    }
  }

  /** Cannot be instantiated from its class alone. */
  static final class Unmakeable extends Gather {
    private final boolean isUpwards;

    Unmakeable(boolean isUpwards) {
      this.isUpwards = isUpwards;
    }

    @Override
    boolean isUpwards(AllGatherParam param) {
      return isUpwards;
    }
  }

  /** Ends the process if its language is Turkish. */
  static final class Ends extends Gather {
    @Override
    boolean isUpwards(AllGatherParam param) {
      if (Locale.getDefault().getLanguage().equals("tr")) {
        Runtime.getRuntime().halt(9);
      }
      return true;
    }
  }
}
