package dev.tutti.cli.request;

import dev.tutti.cli.options.MeasurementOptions;
import dev.tutti.cli.options.MemoryKind;
import dev.tutti.cli.options.OperationName;
import dev.tutti.cli.options.OperationSpec;
import dev.tutti.cli.options.UniformCalls;
import dev.tutti.engine.kernel.Kernels;
import dev.tutti.engine.trace.RunTrace;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.RankRequest;
import dev.tutti.host.Request;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.OpParam;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a group with its buffers, and a check of its results. Either one request of the
 * whole group runs it, or each rank makes a blocking call.
 */
public final class CheckedRequest implements AutoCloseable {

  private final Group group;
  private final OperationSpec spec;

  /** Whether other processes cannot reach the buffers. */
  private final boolean isPrivate;

  private final List<@Nullable OpParam> params;
  private final RankBuffers buffers;
  private final @Nullable ResultCheck check;

  /** The request; null until it is needed. */
  private @Nullable Request request;

  /**
   * The algorithm and options of the last run by this process's ranks; null before that run, and if
   * all ranks are in this process, unless the algorithm has another name in reports.
   */
  private @Nullable RanWith ran;

  /** Allocates the buffers. */
  public CheckedRequest(
      Context context, Group group, OperationSpec spec, MeasurementOptions options) {
    this.group = group;
    this.spec = spec;
    this.isPrivate = options.memory() != MemoryKind.REGISTERED;
    params = UniformCalls.params(spec.call(), spec.topology(), spec.isInPlace());
    buffers =
        new RankBuffers(context, options.memory(), params, spec.isInPlace(), options.isVerified());
    check =
        options.isVerified() ? new ResultCheck(params, buffers, spec.options().averages()) : null;
  }

  /** The request of the whole group, which is built at the first call. */
  public Request request() {
    if (request == null) {
      request = spec.request(group).buffers(buffers.inputs(), buffers.outputs()).build();
    }
    return request;
  }

  /** The group of the operation. */
  public Group group() {
    return group;
  }

  /** The algorithm and options of the last run; those of the request if there is none. */
  public RanWith ran() {
    RanWith known = ran;
    return known == null ? RanWith.of(request()) : known;
  }

  /** Reports name another algorithm from now on: the one that stands for the file of a plan. */
  public void reportAs(Algorithm algorithm) {
    ran = RanWith.of(request()).with(algorithm);
  }

  /**
   * A call that runs the operation once for the ranks of this process, while other processes run it
   * for theirs; null if no rank of this process takes part.
   */
  public @Nullable Runnable ownCall() {
    List<Integer> taking =
        IntStream.of(group.localRanks()).filter(rank -> params.get(rank) != null).boxed().toList();
    if (taking.size() == 1) {
      return blockingCall(group.rank(taking.getFirst()));
    }
    List<RankRequest> requests = taking.stream().map(this::requestOf).toList();
    return requests.isEmpty()
        ? null
        : () -> {
          requests.forEach(RankRequest::start);
          requests.forEach(RankRequest::await);
        };
  }

  private RankRequest requestOf(int rank) {
    RankHandle handle = group.rank(rank).with(spec.options());
    return handle.requests().of(spec.call(), buffers.inputs()[rank], buffers.outputs()[rank]);
  }

  /**
   * Runs the operation once for the ranks of this process, and records its algorithm and options.
   */
  public void runAsRanks() {
    List<RankRequest> started = new ArrayList<>();
    for (int own : group.localRanks()) {
      if (params.get(own) != null) {
        started.add(requestOf(own).start());
      }
    }
    started.forEach(RankRequest::await);
    if (!started.isEmpty()) {
      noteWith(started.getFirst());
    }
  }

  private void noteWith(RankRequest once) {
    once.algorithm()
        .ifPresent(
            algorithm ->
                ran =
                    new RanWith(
                        spec.call(),
                        algorithm,
                        spec.options().withMode(once.mode().orElse(null)),
                        spec.isInPlace(),
                        isPrivate));
  }

  /**
   * The blocking call of each rank, for a thread of the rank; null if the rank takes no part, or is
   * in another process.
   */
  public List<@Nullable Runnable> blockingCalls() {
    @Nullable Runnable[] calls = new Runnable[ranks()];
    for (int rank : group.localRanks()) {
      calls[rank] = params.get(rank) == null ? null : blockingCall(group.rank(rank));
    }
    return Arrays.asList(calls);
  }

  /**
   * The same calls, each of which traces the operation.
   *
   * @param traces gets the trace of each operation, on any thread
   */
  public List<@Nullable Runnable> tracedCalls(Consumer<RunTrace> traces) {
    @Nullable Runnable[] calls = new Runnable[ranks()];
    for (int rank : group.localRanks()) {
      calls[rank] = params.get(rank) == null ? null : tracedCall(rank, traces);
    }
    return Arrays.asList(calls);
  }

  private Runnable tracedCall(int rank, Consumer<RunTrace> traces) {
    RankRequest own = requestOf(rank);
    boolean isFirst = rank == firstRank();
    return () -> {
      CompletionStage<RunTrace> trace = own.trace();
      own.await();
      if (isFirst) {
        trace.thenAccept(traces);
      }
    };
  }

  private Runnable blockingCall(RankHandle handle) {
    RankHandle rank = handle.with(spec.options());
    MemorySegment input = buffers.inputs()[rank.rank()];
    MemorySegment output = buffers.outputs()[rank.rank()];
    return () -> rank.run(spec.call(), input, output);
  }

  public RankBuffers buffers() {
    return buffers;
  }

  /** Waits until the kernel of the reduction is compiled, but at most for {@code longest}. */
  public void warmKernel(Duration longest) {
    ReduceOp op = spec.call().reduceOp();
    if (op != null) {
      Kernels.warm(spec.call().dataType(), op, longest);
    }
  }

  /** If checks were requested, runs the request once on seeded data and compares all results. */
  public void verify(long seed) {
    verify(request()::run, seed);
  }

  /**
   * The same for another way to run the operation once.
   *
   * @param run returns when every rank has its result
   */
  public void verify(Runnable run, long seed) {
    if (check != null) {
      check.run(run, this, seed);
    }
  }

  /**
   * If checks were requested, runs once and counts the wrong elements of this process; otherwise 0.
   */
  long countWrong(Runnable run, long seed) {
    return check == null ? 0 : check.count(run, this, seed);
  }

  /** The first rank that takes part. */
  public int firstRank() {
    int rank = 0;
    while (params.get(rank) == null) {
      rank++;
    }
    return rank;
  }

  /** The longest time of a run; null for the default. */
  @Nullable Duration deadline() {
    return spec.options().deadline();
  }

  /** The number of ranks. */
  public int ranks() {
    return params.size();
  }

  /** The operation by its requested name. */
  public OperationName name() {
    return spec.name();
  }

  /** The count, for one block if the operation has blocks; 0 without data. */
  public long count() {
    long elements = bytes() / ran().call().dataType().size();
    return name().countsWholeVector() ? elements : elements / ranks();
  }

  /** The bytes of the full vector of one rank. */
  public long bytes() {
    return UniformCalls.messageBytes(params);
  }

  /** Whether results are compared with independently computed ones. */
  public boolean isVerified() {
    return check != null;
  }

  @Override
  public void close() {
    try (buffers) {
      if (request != null) {
        request.close();
      }
    }
  }
}
