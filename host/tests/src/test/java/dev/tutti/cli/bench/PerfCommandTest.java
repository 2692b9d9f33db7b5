package dev.tutti.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness;
import dev.tutti.cli.CommandLineHarness.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PerfCommandTest {

  private static final String TIMES = " +[0-9.]+ +[0-9.]+ +[0-9.]+ +";

  @TempDir private Path plugins;
  private CommandLineHarness tutti;

  @BeforeEach
  void openTestAlgorithms() {
    tutti = CommandLineHarness.withTestAlgorithms(plugins);
  }

  /** A command with few runs. */
  private Outcome perf(String arguments) {
    return tutti.call(("perf " + arguments + " -n 3 -w 1").split(" "));
  }

  @Test
  void theTableIsThatOfNcclTests() {
    Outcome outcome = perf("all_reduce/gathering -b 8 -e 4K -f 32 -g 2");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
    List<String> lines = outcome.lines();
    assertThat(lines.subList(1, 8))
        .containsExactly(
            "# nThread 1 nGpus 2 minBytes 8 maxBytes 4096 step: 32(factor) warmup iters: 1 iters: 3"
                + " agg iters: 1 validation: 1 graph: 0",
            "#",
            "# Using 2 ranks, callers one",
            "#",
            "#                                                              out-of-place"
                + "                       in-place",
            "#       size         count      type   redop    root     time   algbw   busbw  #wrong"
                + "     time   algbw   busbw  #wrong",
            "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)        "
                + "     (us)  (GB/s)  (GB/s)");
    String first = " {11}8 {13}2     float     sum      -1";
    String second = " {9}256 {12}64     float     sum      -1";
    assertThat(lines.get(8)).matches(first + TIMES + "0" + TIMES + "0");
    assertThat(lines.get(9)).matches(second + TIMES + "0" + TIMES + "0");
    assertThat(lines.subList(10, 13))
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("# Out of bounds values : 0 OK"),
            line -> assertThat(line).matches("# Avg bus bandwidth    : [0-9.E-]+"),
            line -> assertThat(line).isEqualTo("#"));
  }

  @Test
  void aTopologyGivesTheRanks() {
    assertThat(perf("broadcast -b 8 -e 8 --topology 2+1").lines())
        .contains("# Using 3 ranks, callers one");
    assertThat(perf("broadcast -b 8 -e 8 --topology 2+1 -t 3").lines())
        .contains("# Using 3 ranks, callers threads");
    assertThat(perf("broadcast -b 8 -e 8 --topology found -g 3").lines())
        .contains("# Using 3 ranks, callers one");
  }

  /** Two ranks with 16 elements, all wrong; in both forms. */
  @Test
  void wrongElementsAreCountedAndFailTheCommand() {
    Outcome outcome = perf("all_reduce/forgetful -b 64 -e 64 -g 2 -c 3");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.lines())
        .anyMatch(line -> line.matches(" +64 +16 .*" + TIMES + "32" + TIMES + "32"))
        .contains("# Out of bounds values : 64 FAILED");
  }

  @Test
  void nothingIsComparedUnlessItIsWanted() {
    Outcome outcome = perf("all_reduce/forgetful -b 64 -e 64 -g 2 -c 0");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines())
        .anyMatch(line -> line.matches(" +64 +16 .*" + TIMES + "N/A" + TIMES + "N/A"))
        .contains("# Out of bounds values : N/A");
  }

  @Test
  void eachRankMayHaveAThread() {
    Outcome outcome = perf("broadcast -b 8 -e 16 -i 4 -t 3 -r all");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines()).contains("# Using 3 ranks, callers threads");
    assertThat(column(0, outcome))
        .containsExactly("8", "12", "16", "8", "12", "16", "8", "12", "16");
    assertThat(column(4, outcome)).containsExactly("0", "0", "0", "1", "1", "1", "2", "2", "2");
  }

  @Test
  void averagesAreComparedWithAverages() {
    Outcome outcome = perf("all_reduce/gathering -b 4K -e 4K -g 3 -d int8 -o avg");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.lines())
        .anyMatch(line -> line.matches(".* int8 +avg +-1" + TIMES + "0" + TIMES + "0"));
  }

  @Test
  void allTypesTakeTurns() {
    assertThat(column(2, perf("broadcast -b 8 -e 8 -g 2 -d all")))
        .containsExactly(
            "int8",
            "int16",
            "int32",
            "int64",
            "uint8",
            "uint16",
            "uint32",
            "uint64",
            "half",
            "bfloat16",
            "float",
            "double");
  }

  private static List<String> column(int column, Outcome outcome) {
    return outcome.lines().stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.trim().split(" +")[column])
        .toList();
  }

  @Test
  void whatHasNoFormInPlaceHasNoNumbersThere() throws IOException {
    Path file = plugins.resolve("rows.csv");

    assertThat(perf("send -b 8 -e 8 -g 2 --csv " + file).lines())
        .anyMatch(line -> line.matches(".* none +-1" + TIMES + "0 +N/A +N/A +N/A +N/A"));
    assertThat(Files.readAllLines(file))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "operation,ranks,size,count,type,redop,root,outOfPlaceMicros,"
                            + "outOfPlaceAlgbwGBps,outOfPlaceBusbwGBps,outOfPlaceWrong,"
                            + "inPlaceMicros,inPlaceAlgbwGBps,inPlaceBusbwGBps,inPlaceWrong"),
            line -> assertThat(line).matches("send,2,8,2,float,none,-1,[^,]+,[^,]+,[^,]+,0,,,,"));
  }

  /** Its transfer is a ring, which these algorithms do not have. */
  @ParameterizedTest
  @CsvSource({
    "sendrecv, batchsendrecv",
    "sendrecv/ring, batchsendrecv",
    "all_gather, allgather",
    "reduce_scatter, reducescatter",
    "alltoall, alltoall",
    "gather, gather",
    "scatter, scatter",
    "reduce, reduce"
  })
  void operationsHaveTheNamesOfNcclTests(String name, String operation) {
    assertThat(perf(name + " -b 64 -e 64").err()).startsWith("tutti: [TUTTI-").contains(operation);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "all_reduce -m 2",
        "-m 2 all_reduce",
        "all_reduce --agg_iters=2",
        "all_reduce -m2"
      })
  void whatMeansNothingHereIsRefusedWithTheReason(String arguments) {
    Outcome outcome = perf(arguments);

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith(
            "tutti: [TUTTI-201] -m (--agg_iters) of nccl-tests means nothing here: this command"
                + " waits for each operation; 'tutti bench' also measures them back to back; leave"
                + " it out");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-b 2K -e 1K | -b and -e must satisfy 0 < b <= e. Actual: b=2048, e=1024",
        "-i 1K -f 2 | -i and -f exclude each other; give one of them",
        "-i 0 | -i must be 1 or more. Actual: 0",
        "-f 1 | -f must be 2 or more. Actual: 1",
        "-c -1 | -c must be 0 or more. Actual: -1",
        "-T 0 | -T must be 1 or more. Actual: 0",
        "-g 0 | -g and -t must be 1 or more. Actual: 0",
        "-g 2 -t 3 | one thread calls all ranks, or each rank has one; give -g or -t. Actual: -g 2,"
            + " -t 3",
        "-r 1 | allreduce does not take --root; leave it out",
        "-o mulsum | unknown reduction 'mulsum'",
        "-q 1 | unknown option '-q'"
      })
  void wrongValuesAreRefused(String arguments, String message) {
    Outcome outcome = perf("all_reduce " + arguments);

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains("] " + message);
  }
}
