package dev.tutti.host.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import dev.tutti.host.Errors;
import dev.tutti.host.Group;
import dev.tutti.host.pool.rules.Rules;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.sdk.topology.Topology;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtocolsTest {

  private static final CollectiveCall CALL =
      CollectiveCall.allReduce(DataType.INT32, ReduceOp.SUM, 8);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "direct | direct",
        "RDMA | rdma",
        "level0=direct,level1=rdma | direct,level1=rdma",
        "rdma, level0=direct | rdma,level0=direct",
        "level1=rdma,rdma | rdma",
      })
  void isReadAndWritten(String text, String label) {
    Protocols read = Protocols.parse(text);
    assertThat(read.label()).isEqualTo(label);
    assertThat(Protocols.parse(read.label())).isEqualTo(read);
  }

  @Test
  void whatIsWrongIsSaid() {
    assertThat(Errors.message(ErrorCode.UNKNOWN_NAME, () -> Protocols.parse("rdna")))
        .contains("rdma");
    assertThat(Errors.message(ErrorCode.UNKNOWN_NAME, () -> Protocols.parse("level9=rdma")))
        .contains("level0");
    assertThat(
            Errors.message(
                ErrorCode.INVALID_ARGUMENT, () -> Protocols.parse("level0=rdma,level0=direct")))
        .contains("gives two protocols for the same planes");
    Errors.message(ErrorCode.INVALID_ARGUMENT, () -> Protocols.parse("rdma,direct"));
    Errors.message(ErrorCode.UNKNOWN_NAME, () -> Protocols.parse(""));
  }

  @Test
  void executorsSeeThemByPlane() {
    Seeing seeing = new Seeing();
    try (Context context = Context.builder().algorithm("seeing", seeing).open();
        Group group = context.createGroup(Topology.nodes(2, 2))) {
      group.request(CALL).protocol(CommPlane.LEVEL1, Protocol.RDMA).plan();
      assertThat(seeing.last.protocol(CommPlane.LEVEL0)).isEqualTo(Protocol.DIRECT);
      assertThat(seeing.last.protocol(CommPlane.LEVEL1)).isEqualTo(Protocol.RDMA);
      assertThat(Protocols.of(seeing.last)).isEqualTo(Protocols.parse("level1=rdma"));
      assertThat(Protocols.parse("level1=rdma").in(CommInfo.of(0, group.topology())).protocol())
          .isEqualTo(Protocol.DIRECT);
      group.request(CALL).protocol(Protocol.RDMA).plan();
      assertThat(seeing.last.planeProtocols()).isEmpty();
      assertThat(group.request(CALL).protocol(CommPlane.LEVEL1, Protocol.RDMA).explain().request())
          .contains("graph, direct,level1=rdma");
      // Three requests, of which two are alike.
      assertThat(group.planCache().plans()).isEqualTo(2);
    }
  }

  @Test
  void ranksMustHaveTheSame() {
    try (Context context = Context.builder().algorithm("seeing", new Seeing()).open();
        Group group = context.createGroup(2)) {
      CallOptions options = CallOptions.defaults().withProtocol(CommPlane.LEVEL0, Protocol.RDMA);
      assertThat(
              Errors.message(
                  ErrorCode.CALL_MISMATCH,
                  () ->
                      group.run(
                          rank -> {
                            int[] data = new int[8];
                            rank.with(rank.rank() == 0 ? options : CallOptions.defaults())
                                .allReduce(data, data, ReduceOp.SUM);
                          })))
          .contains("differs from", "protocol", "direct,level0=rdma");
    }
  }

  @Test
  void rulesCanBeForPlanes(@TempDir Path directory) {
    Rules rules = Rules.parse("pin=two protocol.level1=rdma; avoid=two", "test");
    Path file = directory.resolve("rules.json");
    rules.write(file);
    for (Rules each : new Rules[] {rules, Rules.read(file)}) {
      try (Context context =
              Context.builder()
                  .algorithm("one", new Seeing())
                  .algorithm("two", new Seeing())
                  .rules(each)
                  .open();
          Group group = context.createGroup(Topology.nodes(2, 2))) {
        assertThat(group.request(CALL).explain().chosen().name()).isEqualTo("one");
        assertThat(
                group
                    .request(CALL)
                    .options(CallOptions.defaults().withProtocols(Protocols.parse("level1=rdma")))
                    .explain()
                    .chosen()
                    .name())
            .isEqualTo("two");
      }
    }
    assertThat(
            Errors.message(
                ErrorCode.UNKNOWN_NAME, () -> Rules.parse("pin=two protocol.level7=rdma", "test")))
        .contains("protocol.level1");
  }

  /** Copies, and remembers its last request. */
  private static final class Seeing extends CollExecutorBase<AllReduceParam> {
    private volatile CommInfo last = CommInfo.of(0, Topology.flat(1));

    @Override
    public AlgResourceRequest calcResRequest(AllReduceParam param) {
      last = param.comm();
      return AlgResourceRequest.none();
    }

    @Override
    public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
      if (!param.inPlace()) {
        resources.mainStream().copy(resources.paramOutputMem(), resources.paramInputMem());
      }
    }
  }
}
