package dev.tutti.cli.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.TestAlgorithms;
import dev.tutti.cli.options.OperationName;
import dev.tutti.host.Context;
import dev.tutti.plugin.Algorithm;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlgorithmNamesTest {

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "plain => send plain, receive plain",
        "send/plain => send plain",
        "receive/plain => receive plain",
        "sendreceive/plain => send plain, receive plain",
        "embedded:plain => send plain, receive plain",
        "send/embedded:plain => send plain",
        "broadcast => allreduce broadcast",
        "Broad-Cast => broadcast star",
        "sendreceive/embedded:plain => send plain, receive plain",
        "allreduce => allreduce broadcast, allreduce gathering",
        "gathering => allreduce gathering",
      })
  void aNameMeansEveryAlgorithmThatHasIt(String name, String expected) {
    assertThat(select(name, null)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "send,send plain",
    "receive,receive plain",
    "sendreceive,'send plain, receive plain'"
  })
  void anOperationNarrowsTheSelection(String operation, String expected) {
    assertThat(select("plain", operation)).isEqualTo(expected);
  }

  private static String select(String name, @Nullable String operation) {
    try (Context context =
        Context.builder()
            .algorithm(new TestAlgorithms.Gathering())
            // Named like an operation: then the algorithm is meant.
            .algorithm("broadcast", new TestAlgorithms.Forgetful())
            .algorithm(new TestAlgorithms.StarBroadcast())
            .algorithm(new TestAlgorithms.PlainSend())
            .algorithm(new TestAlgorithms.PlainReceive())
            .open()) {
      List<Algorithm> found =
          AlgorithmNames.select(
              context.plugins().algorithms(),
              List.of(name),
              operation == null ? null : OperationName.of(operation));
      return String.join(
          ", ", found.stream().map(each -> each.operation() + " " + each.name()).toList());
    }
  }
}
