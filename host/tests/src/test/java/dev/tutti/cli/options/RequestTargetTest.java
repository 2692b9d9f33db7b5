package dev.tutti.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.TestAlgorithms;
import dev.tutti.host.Context;
import dev.tutti.host.Errors;
import dev.tutti.plugin.Algorithm;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestTargetTest {

  private final List<String> notes = new ArrayList<>();

  @Test
  void anOperationNeedsNoPlugins() {
    assertThat(RequestTarget.of("all-gather").known()).isEqualTo(RequestName.of("allgather"));
    assertThat(RequestTarget.of("allreduce/ring").known())
        .isEqualTo(RequestName.of("allreduce/ring"));
    assertThat(Errors.message(ErrorCode.UNKNOWN_NAME, () -> RequestTarget.of("alreduce/ring")))
        .startsWith("unknown operation 'alreduce'; did you mean 'allreduce'?");
  }

  @Test
  void aTargetNeedsTheAlgorithmsOfItsOperation() {
    assertThat(RequestTarget.of("bcast").operations()).containsExactly(Operation.BROADCAST);
    assertThat(RequestTarget.of("allreduce/x").operations()).containsExactly(Operation.ALL_REDUCE);
    for (String transfer : List.of("send", "recv", "sendreceive/x")) {
      assertThat(RequestTarget.of(transfer).operations())
          .containsExactlyInAnyOrder(Operation.SEND, Operation.RECEIVE);
    }
    assertThat(RequestTarget.of("ring").operations()).containsExactly(Operation.values());
  }

  @Test
  void anAlgorithmAloneGetsTheOperationThatItIsFor() {
    assertThat(among("star", plugins())).isEqualTo(RequestName.of("broadcast/star"));
    assertThat(among("embedded:star", plugins()))
        .isEqualTo(RequestName.of("broadcast/embedded:star"));
    assertThat(among("plain", plugins())).isEqualTo(RequestName.of("send/plain"));
    assertThat(notes).isEmpty();
  }

  @Test
  void ofSeveralOperationsTheFirstIsTakenAndNamed() {
    List<Algorithm> all = List.of(named(Operation.SCATTER), named(Operation.ALL_REDUCE));

    assertThat(among("star", all)).isEqualTo(RequestName.of("allreduce/star"));
    assertThat(notes)
        .containsExactly("star is an algorithm of allreduce, scatter; this is allreduce/star");
  }

  @Test
  void whatNoPluginHasIsRefusedWithTheNearName() {
    assertThat(Errors.message(ErrorCode.UNKNOWN_NAME, () -> among("sta", plugins())))
        .startsWith("unknown operation or algorithm 'sta'; did you mean 'star'?");
  }

  private RequestName among(String text, List<Algorithm> all) {
    return RequestTarget.of(text).among(all, notes::add);
  }

  private static List<Algorithm> plugins() {
    try (Context context = TestAlgorithms.addTo(Context.builder()).open()) {
      return context.plugins().algorithms();
    }
  }

  private static Algorithm named(Operation operation) {
    Algorithm star =
        plugins().stream().filter(each -> each.name().equals("star")).toList().getFirst();
    return new Algorithm(
        operation,
        "star",
        "test",
        "1",
        Algorithm.Description.NONE,
        star.determinism(),
        List.of(),
        new TestAlgorithms.StarBroadcast());
  }
}
