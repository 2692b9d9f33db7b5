package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What newcomers get wrong first. The tests that the archetype has generated, and which {@code
 * ./mvnw verify} runs, name each mistake, and the line where there is one.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FirstMistakesTest {

  private static final GeneratedPlugin RING = new GeneratedPlugin("all-gather/project/g", "1.0.0");

  private static final String SOURCE = "G.java";

  @TempDir private Path directory;

  /** A mistake in the generated all-gather around a ring. */
  enum Mistake {
    WRONG_NEIGHBOUR(
        "Link right = comm.right();",
        "Link right = comm.left();",
        "right.rxAck",
        "SYN-1 deadlock: rank 0 stream 0 'await READY from rank 2'"),
    FORGOTTEN_AWAIT("right.rxAck(stream);", "", "left.txAck", "SYN-3 notify left over"),
    WRONG_SLICE_OF_THE_LAST_RANK(
        "mem.outputBlock(comm.localRank())",
        "mem.outputBlock(Math.min(comm.localRank(), Math.max(0, ranks - 2)))",
        "right.txAsync, left.rxAsync",
        "rank 1's param-output, which nothing has written before"),
    LINK_NOT_REQUESTED(
        "OpCommTransport.ring(param.comm(), CommPlane.COMBINED, output, output)",
        "OpCommTransport.pairs(param.comm(), CommPlane.COMBINED, output, output, 0)",
        "OpCommTransport.pairs",
        "but rank 0 does not ask for the reverse"),
    SCRATCH_TOO_SMALL(
        "int ranks = comm.localRankSize();",
        "int ranks = comm.localRankSize();"
            + " stream.copy(mem.scratch().slice(0, 8), mem.scratch().slice(8, 8));",
        "mem.scratch()",
        "has 0 bytes of scratch memory here; ask for it in calcScratchMemSize"),
    SUPPORTS_THAT_LIES(
        "int ranks = comm.localRankSize();",
        "int ranks = comm.localRankSize();"
            + " if (ranks == 3) throw new IllegalStateException(\"only powers of two\");",
        "only powers of two",
        "only powers of two"),
    SUPPORTS_THAT_DIFFERS(
        "  @Override\n  protected OpCommTransport",
        "  @Override\n  public dev.tutti.sdk.Support supports(AllGatherParam param) {"
            + " return param.comm().rank() == 1 ? dev.tutti.sdk.Support.no(\"rank 1 is busy\")"
            + " : dev.tutti.sdk.Support.yes(); }\n\n  @Override\n  protected OpCommTransport",
        "",
        "supports must be the same on every rank. Actual: rank 0 says yes, rank 1 says no");

    private final String right;
    private final String wrong;

    /** Is in the line that the message names, or one of several is; empty if it names none. */
    final String line;

    /** Is in the message. */
    final String message;

    Mistake(String right, String wrong, String line, String message) {
      this.right = right;
      this.wrong = wrong;
      this.line = line;
      this.message = message;
    }

    String changed(String source) {
      return source.replace(right, wrong);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMistakeIsNamedWithItsLine(Mistake mistake) throws Exception {
    String source = RING.changed(mistake::changed);

    List<String> messages =
        GeneratedTests.failures(RING, RING.classes(directory, source, "-proc:full"), "a.b.GTest");

    assertThat(messages.getFirst()).contains(mistake.message);
    if (!mistake.line.isEmpty()) {
      assertThat(Stream.of(mistake.line.split(", ")))
          .anySatisfy(
              line ->
                  assertThat(messages.getFirst()).contains(SOURCE + ":" + lineOf(line, source)));
    }
  }

  private static int lineOf(String text, String source) {
    return (int) source.substring(0, source.indexOf(text)).lines().count();
  }

  @Test
  void aMissingServicesEntryIsNamed() throws Exception {
    Path classes = RING.classes(directory, RING.changed(source -> source + "\n"), "-proc:none");

    assertThat(GeneratedTests.failures(RING, classes, "a.b.PluginTest"))
        .anySatisfy(
            message ->
                assertThat(message)
                    .contains("META-INF/services, which the annotation processor of sdk-api writes")
                    .contains("a.b.G"));
  }
}
