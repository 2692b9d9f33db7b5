package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.tutti.engine.machine.MachineModel;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.sdk.resource.SubCommInfo;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two ranks in two lists: no copy is spared that the other list could miss. */
class ForwardingListsTest {

  private static final long COUNT = 1 << 18;
  private static final int DONE = Link.FIN_ACK;

  /** The resources of one of the two ranks. */
  private record Side(Stream stream, Link link, AlgResourceResponse resources) {

    DeviceMem in() {
      return resources.paramInputMem();
    }

    DeviceMem out() {
      return resources.paramOutputMem();
    }

    /** One of two parts of the scratch memory. */
    DeviceMem tmp(int part) {
      return half(resources.mem(TransportMemType.SCRATCH), part);
    }

    DeviceMem peersTmp(int part) {
      return half(link.remote(TransportMemType.SCRATCH), part);
    }

    private static DeviceMem half(DeviceMem all, int part) {
      return all.slice(part * all.size() / 2, all.size() / 2);
    }

    Side read(DeviceMem dst, DeviceMem src) {
      link.read(stream, dst, src);
      return this;
    }

    Side copy(DeviceMem dst, DeviceMem src) {
      stream.copy(dst, src);
      return this;
    }

    Side sum(DeviceMem dst, DeviceMem... sources) {
      stream.reduceFrom(dst, List.of(sources), DataType.INT32, ReduceOp.SUM);
      return this;
    }

    Side post() {
      link.post(stream, Link.FIN);
      return this;
    }

    Side await() {
      link.await(stream, Link.FIN);
      return this;
    }
  }

  private static final class Pair extends TestExecutors.MeshExecutor {
    private final List<Consumer<Side>> sides;

    Pair(Consumer<Side> first, Consumer<Side> second) {
      super(0);
      this.sides = List.of(first, second);
    }

    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      return AlgResourceRequest.of(
              OpCommTransport.mesh(
                  param.comm(),
                  CommPlane.COMBINED,
                  TransportMemType.SCRATCH,
                  TransportMemType.SCRATCH))
          .withScratchMemSize(2 * param.count() * Integer.BYTES);
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
      Stream main = resources.mainStream();
      meet(comm, main, Link.READY);
      int rank = comm.localRank();
      sides.get(rank).accept(new Side(main, comm.link(1 - rank), resources));
      meet(comm, main, DONE);
    }
  }

  private static Arguments pair(
      String name, int tasks, Consumer<Side> first, Consumer<Side> second) {
    return argumentSet(name, tasks, first, second);
  }

  static java.util.stream.Stream<Arguments> pairs() {
    return java.util.stream.Stream.of(
        pair(
            "what the other list reads when it is told at once",
            4,
            s ->
                s.sum(s.out(), s.in(), s.in())
                    .sum(s.tmp(0), s.in(), s.out())
                    .post()
                    .copy(s.out(), s.tmp(0)),
            s -> s.await().read(s.out(), s.peersTmp(0))),
        pair(
            "what the other list reads when it is told later",
            4,
            s ->
                s.sum(s.out(), s.in(), s.in())
                    .sum(s.tmp(0), s.in(), s.out())
                    .copy(s.out(), s.tmp(0))
                    .post(),
            s -> s.await().read(s.out(), s.peersTmp(0))),
        pair(
            "what the other list may overwrite when it is told at once",
            5,
            s -> s.await().read(s.tmp(0), s.peersTmp(0)).post().sum(s.out(), s.in(), s.tmp(0)),
            ForwardingListsTest::offerAndOverwrite),
        pair(
            "what the other list may overwrite only after it was read",
            4,
            s -> s.await().read(s.tmp(0), s.peersTmp(0)).sum(s.out(), s.in(), s.tmp(0)).post(),
            ForwardingListsTest::offerAndOverwrite),
        pair(
            "what the other list reads instead of a copy of its own",
            4,
            s -> s.await().read(s.tmp(0), s.peersTmp(0)).sum(s.out(), s.in(), s.tmp(0)).post(),
            s ->
                s.sum(s.out(), s.in(), s.in())
                    .sum(s.tmp(0), s.in(), s.out())
                    .copy(s.out(), s.tmp(0))
                    .post()
                    .await()),
        pair(
            "what the other list still reads from the destination",
            5,
            s ->
                s.copy(s.tmp(1), s.in())
                    .post()
                    .sum(s.tmp(0), s.in(), s.in())
                    .await()
                    .copy(s.tmp(1), s.tmp(0))
                    .sum(s.tmp(0), s.in(), s.in()),
            s -> s.await().read(s.out(), s.peersTmp(1)).post()));
  }

  /** Lets the other rank read from scratch memory, and uses it again when that says so. */
  private static void offerAndOverwrite(Side side) {
    side.sum(side.tmp(0), side.in(), side.in())
        .post()
        .await()
        .sum(side.tmp(0), side.in(), side.in(), side.in())
        .sum(side.out(), side.tmp(0), side.in());
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void nobodyCanTell(int tasks, Consumer<Side> first, Consumer<Side> second) {
    GroupPlan plan =
        new PlanRecorder().record("pair", new Pair(first, second), AllReduceCase.param(2, COUNT));
    try (Engine engine = new Engine(new EngineConfig(2, 0, 0, 0, Long.MAX_VALUE));
        AllReduceCase work = new AllReduceCase(plan, COUNT).fill(1)) {
      CompiledPlan compiled =
          engine.compile(plan, CompileOptions.defaults().withMode(CompileOptions.Mode.STATIC));
      assertThat(compiled.listCount()).isEqualTo(2);
      assertThat(compiled.estimate(MachineModel.defaults()).tasks()).isEqualTo(tasks);
      PlanInterpreter interpreter = new PlanInterpreter(plan);
      GroupMemory expected = interpreter.allocate();
      for (int rank = 0; rank < 2; rank++) {
        expected.input(rank).copyFrom(work.input(rank));
        expected.output(rank).copyFrom(work.output(rank));
      }
      assertThat(interpreter.run(1, expected).findings()).isEmpty();
      engine.bind(compiled, work.memory()).run(10_000_000_000L);
      for (int rank = 0; rank < 2; rank++) {
        assertThat(work.output(rank).mismatch(expected.output(rank))).isEqualTo(-1);
      }
    }
  }
}
