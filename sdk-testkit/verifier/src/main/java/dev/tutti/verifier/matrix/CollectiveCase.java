package dev.tutti.verifier.matrix;

import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One case in which an algorithm is checked: an operation on a group. Immutable. It can be written
 * as a {@link #token()} and read back.
 *
 * @param operation the operation
 * @param comm the group as rank 0 sees it
 * @param count the elements of the vector, or of each rank's block; the V forms derive the counts
 *     of different blocks from it ({@link CaseParams})
 * @param dataType the element type
 * @param reduceOp the reduction, for operations that reduce; SUM for the others
 * @param root the root, or the sender of a transfer, whose receiver is the next rank; 0 for
 *     operations that have neither
 * @param inPlace whether input and output are one memory, for operations that support both
 * @param options values for the algorithm's parameters
 * @param seed chooses test data and schedules; with an even seed, no block of the V forms is empty
 */
public record CollectiveCase(
    Operation operation,
    CommInfo comm,
    long count,
    DataType dataType,
    ReduceOp reduceOp,
    int root,
    boolean inPlace,
    AlgOptions options,
    long seed) {

  private static final long MAX_BUFFER_BYTES = 1L << 48;

  /** Checks the ranges, and sets defaults for fields that the operation does not use. */
  public CollectiveCase {
    if (!Traits.hasData(operation)) {
      count = 0;
      dataType = DataType.FLOAT32;
    }
    reduceOp = Traits.reduces(operation) ? reduceOp : ReduceOp.SUM;
    root = Traits.hasRoot(operation) || Traits.isTransfer(operation) ? root : 0;
    inPlace &= Traits.canBeInPlace(operation);
    if (count < 0) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT, "the count of a case must be 0 or more. Actual: %d", count);
    }
    requireAddressable(operation, comm, count, dataType);
    if (root < 0 || root >= comm.rankSize()) {
      throw new TuttiException(
          ErrorCode.INVALID_RANK,
          "the root of a case must be 0 to %d. Actual: %d",
          comm.rankSize() - 1,
          root);
    }
    if (Traits.reduces(operation)) {
      reduceOp.requireSupports(dataType);
    }
    comm = comm.withRank(0);
  }

  private static void requireAddressable(
      Operation operation, CommInfo comm, long count, DataType type) {
    long blocks = Traits.hasBlocks(operation) ? comm.rankSize() : 1;
    long longest = Traits.isVForm(operation) ? 2 : 1;
    long most = MAX_BUFFER_BYTES / (blocks * longest * type.size());
    if (count > most) {
      throw new TuttiException(
          ErrorCode.INVALID_COUNT,
          "a buffer of a case must have at most %d bytes, which a process can address, so %s of %s"
              + " in a group of %d takes at most %d elements. Actual: %d",
          MAX_BUFFER_BYTES,
          operation.label(),
          type.label(),
          comm.rankSize(),
          most,
          count);
    }
  }

  /** 1,000 elements of float32, SUM, root 0, on a group in GRAPH mode over DIRECT links. */
  public static CollectiveCase of(Operation operation, Topology topology) {
    return new CollectiveCase(
        operation,
        CommInfo.of(0, topology),
        1000,
        DataType.FLOAT32,
        ReduceOp.SUM,
        0,
        false,
        AlgOptions.none(),
        1);
  }

  /**
   * The case of a request, or null if no case describes it: transfers, V forms and batches have
   * their own counts.
   */
  public static @Nullable CollectiveCase of(OpParam param, long seed) {
    return CaseParams.caseOf(param, seed);
  }

  /** The requests of all ranks; null for ranks that take no part. */
  public List<@Nullable OpParam> params() {
    return CaseParams.of(this);
  }

  /**
   * The number of rounds in OP_BASE mode, which cuts the data to fit the CCL buffers; 0 in GRAPH
   * mode or without data.
   */
  public long rounds() {
    return comm.mode() == WorkflowMode.GRAPH || count == 0
        ? 0
        : Math.ceilDiv(longestBlock(), countPerRound());
  }

  /**
   * The number of elements in the longest block of any rank; blocks of the V forms can be longer
   * than the count.
   */
  public long longestBlock() {
    return count == 0 ? 0 : withMode(WorkflowMode.GRAPH).longestRound();
  }

  /**
   * The most elements of each block that fit in the CCL buffers, and so in one round of OP_BASE.
   */
  public long countPerRound() {
    return withMode(WorkflowMode.OP_BASE).withCount(comm.cclBufferSize()).longestRound();
  }

  /** A batch has no blocks, so its longest message counts as a vector. */
  private long longestRound() {
    CollectiveCase known =
        operation == Operation.BATCH_SEND_RECV
            ? of(Operation.ALL_REDUCE, topology())
                .withComm(comm)
                .withCount(count)
                .withDataType(dataType)
            : this;
    return Rounds.longest(CaseParams.first(known));
  }

  /** The bytes that one element of each block takes in a CCL buffer. */
  long bytesPerElement() {
    return (Traits.hasBlocks(operation) ? comm.rankSize() : 1L) * dataType.size();
  }

  /** The topology of the group. */
  public Topology topology() {
    return comm.topology();
  }

  /**
   * The same case in another group. If the root is outside the group, the last rank becomes the
   * root.
   */
  public CollectiveCase withComm(CommInfo newComm) {
    return new CollectiveCase(
        operation,
        newComm,
        count,
        dataType,
        reduceOp,
        Math.min(root, newComm.rankSize() - 1),
        inPlace,
        options,
        seed);
  }

  /**
   * The same case on other ranks. If the root is outside the group, the last rank becomes the root.
   */
  public CollectiveCase withTopology(Topology topology) {
    return withComm(
        new CommInfo(
            0,
            topology,
            comm.mode(),
            comm.protocol(),
            comm.determinism(),
            comm.cclBufferSize(),
            comm.planeProtocols()));
  }

  /** The same case with another count. */
  public CollectiveCase withCount(long newCount) {
    return new CollectiveCase(
        operation, comm, newCount, dataType, reduceOp, root, inPlace, options, seed);
  }

  /** The same case with another element type. */
  public CollectiveCase withDataType(DataType type) {
    return new CollectiveCase(operation, comm, count, type, reduceOp, root, inPlace, options, seed);
  }

  /** The same case with another element type and reduction. */
  public CollectiveCase withReduction(DataType type, ReduceOp op) {
    return new CollectiveCase(operation, comm, count, type, op, root, inPlace, options, seed);
  }

  /** The same case with another root. */
  public CollectiveCase withRoot(int newRoot) {
    return new CollectiveCase(
        operation, comm, count, dataType, reduceOp, newRoot, inPlace, options, seed);
  }

  /** The same case in place or out of place. */
  public CollectiveCase withInPlace(boolean isWanted) {
    return new CollectiveCase(
        operation, comm, count, dataType, reduceOp, root, isWanted, options, seed);
  }

  /** The same case over another protocol. */
  public CollectiveCase withProtocol(Protocol protocol) {
    return withComm(comm.withProtocol(protocol));
  }

  /** The same case in another workflow mode. */
  public CollectiveCase withMode(WorkflowMode mode) {
    return withComm(comm.withMode(mode));
  }

  /** The same case with CCL buffers of another size in bytes. */
  public CollectiveCase withCclBufferSize(long bytes) {
    return withComm(comm.withCclBufferSize(bytes));
  }

  /** The same case with other values for the algorithm's parameters. */
  public CollectiveCase withOptions(AlgOptions newOptions) {
    return new CollectiveCase(
        operation, comm, count, dataType, reduceOp, root, inPlace, newOptions, seed);
  }

  /** The same case with other data and schedules. */
  public CollectiveCase withSeed(long newSeed) {
    return new CollectiveCase(
        operation, comm, count, dataType, reduceOp, root, inPlace, options, newSeed);
  }

  /**
   * The whole case as one line without blanks, for example {@code
   * allreduce;ranks=8+4;count=7;type=float32;op=sum;protocol=rdma;mode=op-base}. Fields with their
   * default are left out.
   */
  public String token() {
    return CaseToken.write(this);
  }

  /**
   * Reads a {@link #token()}.
   *
   * @throws TuttiException with {@link ErrorCode#UNKNOWN_NAME} or {@link
   *     ErrorCode#INVALID_ARGUMENT} if it is not a token
   */
  public static CollectiveCase parse(String token) {
    return CaseToken.read(token);
  }

  /** The case as text, for example {@code "allreduce ranks=8+4 count=7 float32 sum rdma"}. */
  @Override
  public String toString() {
    return CaseToken.describe(this);
  }

  /**
   * An order in which the first failure is the easiest to explain: first few ranks, then few
   * elements, then GRAPH mode, then the DIRECT protocol.
   */
  public static Comparator<CollectiveCase> plainestFirst() {
    return Comparator.comparingInt((CollectiveCase each) -> each.comm().rankSize())
        .thenComparingLong(CollectiveCase::count)
        .thenComparing(each -> each.comm().mode() != WorkflowMode.GRAPH)
        .thenComparing(each -> each.comm().protocol() != Protocol.DIRECT);
  }
}
