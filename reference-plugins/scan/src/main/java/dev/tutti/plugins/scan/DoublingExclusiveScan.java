package dev.tutti.plugins.scan;

import dev.tutti.sdk.CollAlgorithm;
import dev.tutti.sdk.Cost;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.param.ExclusiveScanParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;
import java.util.Optional;

/**
 * Recursive doubling exclusive scan: it takes the same steps as {@link DoublingScan}, but a rank
 * keeps two partial results. The one that it sends includes its own input; its output does not.
 *
 * <p>Source: W. D. Hillis, G. L. Steele, "Data parallel algorithms", Commun. ACM 29(12), 1986. Cost
 * for p ranks, a power of two, and n bytes: {@code log2(p)·(α + nβ + 2nγ) - 2nγ}; for other p, it
 * takes {@code ⌈log2 p⌉} messages, and as many reductions as for the next power of two, or one less
 * if p is at most three quarters of it.
 */
@CollAlgorithm(
    name = "recursive-doubling",
    summary = "Partial results go to the right, each time twice as far: the fewest steps",
    source = "Hillis, Steele: Data parallel algorithms, CACM 29(12), 1986",
    formula = "log2(p)·(α + nβ + 2nγ) - 2nγ")
public final class DoublingExclusiveScan extends NativeExecutorBase<ExclusiveScanParam> {

  private static List<DoublingStep> steps(ExclusiveScanParam param) {
    return DoublingStep.all(param.comm().rank(), param.comm().rankSize());
  }

  /** Whether a rank also sends in the step after this one. */
  private static boolean sendsAgain(DoublingStep step) {
    return step.rank() + 2 * step.distance() < step.ranks();
  }

  /**
   * Scratch memory for what this rank receives, and behind it for what it sends from the second
   * step on.
   */
  @Override
  protected long calcScratchMemSize(ExclusiveScanParam param) {
    long parts =
        steps(param).stream()
            .filter(DoublingStep::receives)
            .mapToLong(step -> sendsAgain(step) ? 2 : 1)
            .max()
            .orElse(0);
    return parts * maxCountPerRound(param) * param.dataType().size();
  }

  /**
   * Whether a rank sends its input: the first rank has nothing to add to it, and in the first step
   * no rank has.
   */
  private static boolean sendsInput(int sender, DoublingStep step) {
    return sender == 0 || step.distance() == 1;
  }

  @Override
  protected OpCommTransport calcCommInfo(ExclusiveScanParam param) {
    OpCommTransport.Builder links = DoublingStep.links(param.comm());
    for (DoublingStep step : steps(param)) {
      step.requestLinks(
          links, sentType(param, step.rank(), step), sentType(param, step.left(), step));
    }
    return links.build();
  }

  private static TransportMemType sentType(
      ExclusiveScanParam param, int sender, DoublingStep step) {
    return sendsInput(sender, step) ? inputMemType(param) : TransportMemType.SCRATCH;
  }

  @Override
  protected void kernelRun(ExclusiveScanParam param, ExecMem mem) {
    Stream stream = mem.resources().mainStream();
    SubCommInfo comm = mem.resources().subComm(CommPlane.COMBINED);
    DeviceMem held = mem.input();
    for (DoublingStep step : steps(param)) {
      TransportMemType leftType = sentType(param, step.left(), step);
      long leftOffset = leftType == TransportMemType.SCRATCH ? held.size() : mem.input().offset();
      step.exchange(stream, comm, held, mem.scratch(), leftType, leftOffset);
      if (step.receives()) {
        held = extend(param, mem, step, held);
      }
    }
  }

  /**
   * Combines the received part, as the first operand, with the part that this rank holds, and with
   * its output. In place, the input is read before it is overwritten.
   *
   * @return what this rank sends next
   */
  private static DeviceMem extend(
      ExclusiveScanParam param, ExecMem mem, DoublingStep step, DeviceMem held) {
    Stream stream = mem.resources().mainStream();
    DeviceMem before = DoublingStep.received(mem.scratch(), held.size());
    DeviceMem next = held;
    if (sendsAgain(step)) {
      next = mem.scratch().slice(held.size(), held.size());
      stream.reduceFrom(next, List.of(before, held), param.dataType(), param.reduceOp());
    }
    if (step.distance() == 1) {
      stream.copy(mem.output(), before);
    } else {
      stream.reduceFrom(
          mem.output(), List.of(before, mem.output()), param.dataType(), param.reduceOp());
    }
    return next;
  }

  /**
   * Only a single round has a closed form: several rounds overlap, because no rank combines in
   * every step.
   */
  @Override
  public Optional<Cost> cost(ExclusiveScanParam param) {
    if (rounds(param) > 1) {
      return Optional.empty();
    }
    double steps = steps(param).size();
    double bytes = param.inputBytes();
    return Optional.of(
        new Cost(
            steps * rounds(param), steps * bytes, reductions(param.comm().rankSize()) * bytes));
  }

  /**
   * The number of reductions on the longest chain: two in each step except the first and the last,
   * and one more if some rank that receives in the last step also sent in the step before.
   */
  private static int reductions(int ranks) {
    int steps = DoublingStep.all(0, ranks).size();
    return Math.max(0, 2 * steps - (4 * ranks > 3 << steps ? 2 : 3));
  }

  /** The operands are combined in the same tree for every count. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }
}
