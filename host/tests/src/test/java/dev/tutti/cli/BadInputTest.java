package dev.tutti.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.cli.CommandLineHarness.Outcome;
import dev.tutti.cli.host.Hosts;
import dev.tutti.host.Context;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BadInputTest {

  @TempDir private Path plugins;

  @Test
  void ranksOfOneOfSeveralProcessesNeedALauncher() {
    Outcome outcome = harness().call("bench", "--ranks-per-process", "2");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .startsWith(
            "tutti: [TUTTI-302] no MPI launcher has started this process; start it with mpirun or"
                + " srun");
  }

  /** Arguments, and the whole first line of the answer. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "run allreduce --ranks 0 => [TUTTI-104] --ranks must be 1 or more. Actual: 0",
        "run allreduce --ranks -3 => [TUTTI-104] --ranks must be 1 or more. Actual: -3",
        "run allreduce --ranks x => [TUTTI-101] --ranks: 'x' is not a whole number",
        "run allreduce --ranks 99999999999 => [TUTTI-101] --ranks: '99999999999' is too large; the"
            + " largest number is 2147483647",
        "run allreduce --seed 99999999999999999999 => [TUTTI-101] --seed: '99999999999999999999' is"
            + " too large; the largest number is 9223372036854775807",
        "run allreduce --ranks => [TUTTI-101] --ranks takes a value: --ranks=<n>",
        "run allreduce broadcast => [TUTTI-101] 'broadcast' is one argument too many; leave it out",
        "run allreduce --count 1 --count 2 => [TUTTI-101] --count is given more than once; give it"
            + " once",
        "run allreduce --ranks 3 --topology 8+4 => [TUTTI-101] --ranks and --topology contradict"
            + " each other: --ranks is 3, --topology 8+4 has 12 ranks; give one of them",
        "run allreduce --topology 8*4 => [TUTTI-101] --topology: '8*4'"
            + " is not a topology such as 8+4 (nodes), 8+8|8+4 (nodes in pods) or 2x(8+8)",
        "run allreduce --topology 8+0 => [TUTTI-104] a node must have at least one rank. Actual:"
            + " [8, 0]",
        "run allreduce --count -1 => [TUTTI-105] count must be 0 or more, and count elements of"
            + " float32 must fit in 63 bits. Actual: -1",
        "run allreduce --count 8589934592G => [TUTTI-101] --count:"
            + " '8589934592G' is too large; the largest number is 9223372036854775807",
        "run allreduce --deadline 99999999999s => [TUTTI-101] --deadline: '99999999999s' is too"
            + " large; the number of a time has at most nine digits",
        "run allreduce --topology 2x99999999999 => [TUTTI-104] a topology holds at most 16777216"
            + " ranks. Actual: 99999999999 in '2x99999999999'",
        "run allreduce --network . => [TUTTI-101] the network file . cannot be read: it is a"
            + " directory; give a file",
        "run allreduce --rules /dev/null => [TUTTI-110] the rules file /dev/null cannot be read: it"
            + " is a pipe, a socket or a device; give a file",
        "chart . => [TUTTI-101] the measurement file . cannot be read: it is a"
            + " directory; give a file",
        "run allreduce --count 4611686018427387904 => [TUTTI-105] count must be 0 or more, and"
            + " count elements of float32 must fit in 63 bits. Actual: 4611686018427387904",
        "run allreduce --bytes 10 => [TUTTI-105] --bytes must be a multiple of 4: one element of"
            + " float32. Actual: 10",
        "run allgather --bytes 20 => [TUTTI-105] --bytes must be a multiple of 16: 4 blocks of one"
            + " element of float32, one for each rank. Actual: 20",
        "run allreduce --bytes -4 => [TUTTI-105] --bytes must be 0 or more. Actual: -4",
        "run allreduce --bytes 12Q => [TUTTI-101] --bytes: '12Q' is not"
            + " a whole number with an optional suffix K, M or G (powers of 1024), or KB, MB or GB (of"
            + " 1000)",
        "run allreduce --bytes 8 --count 2 => [TUTTI-101] --count and --bytes exclude each other."
            + " Actual: --count 2, --bytes 8",
        "run allreduce --op band => [TUTTI-103] reduction band takes integer types only. Actual:"
            + " type=float32; use sum, prod, max or min, or an integer type",
        "run allreduce --type flot32 => [TUTTI-102] unknown data type 'flot32'; did you mean"
            + " 'float32'? (known: int8, int16, int32, int64, uint8, uint16, uint32, uint64,"
            + " float16, bfloat16, float32, float64)",
        "run allreduce --op summ => [TUTTI-102] unknown reduction 'summ'; did you mean 'sum'?"
            + " (known: sum, prod, max, min, band, bor, bxor, avg)",
        "run scan --op avg => [TUTTI-201] scan has no average; use --op sum, or an allreduce,"
            + " reduce or reducescatter",
        "verify gathering --op avg => [TUTTI-201] no algorithm computes averages: the host divides"
            + " the sum of any algorithm. Actual: --op avg; use --op sum",
        "simulate gathering --op AVG => [TUTTI-201] no algorithm computes averages: the host"
            + " divides the sum of any algorithm. Actual: --op AVG; use --op sum",
        "run allreduce --mode grph => [TUTTI-102] unknown workflow mode 'grph'; did you mean"
            + " 'graph'? (known: op-base, graph)",
        "run allreduce --protocol rmda => [TUTTI-102] unknown protocol 'rmda'; did you mean 'rdma'?"
            + " (known: direct, rdma)",
        "run allreduce --memory heep => [TUTTI-102] unknown kind of memory 'heep'; did you mean"
            + " 'heap'? (known: heap, native, registered)",
        "run allreduce --algorithm gatherin => [TUTTI-102] unknown allreduce algorithm 'gatherin';"
            + " did you mean 'gathering'? (known: forgetful, gathering, stuck, throwing)",
        "run allreduce/gathering -a stuck => [TUTTI-101] allreduce/gathering and --algorithm stuck both"
            + " say which algorithm; leave one out",
        "run allreduce -a gathering --param piece=2 => [TUTTI-102] unknown algorithm parameter"
            + " 'piece'; did you mean 'pieces'? (known: pieces)",
        "run allreduce -a gathering --param pieces=9 => [TUTTI-101] parameter 'pieces' must be 1 to"
            + " 8. Actual: 9",
        "run allreduce --root 0 => [TUTTI-101] allreduce does not take --root; leave it out",
        "run allreduce --src 0 => [TUTTI-101] allreduce does not take --src; leave it out",
        "run broadcast --op sum => [TUTTI-101] broadcast does not take --op; leave it out",
        "run broadcast --root 4 => [TUTTI-104] root must be 0 to 3. Actual: 4",
        "run send --dst 0 => [TUTTI-104] dstRank must be a rank other than this one. Actual: 0",
        "run allgather --in-place => [TUTTI-101] allgather does not take --in-place; leave it out",
        "run barrier --count 1 => [TUTTI-101] barrier does not take --count; leave it out",
        "run allreduce --iterations 0 => [TUTTI-101] --iterations must be 1 or more. Actual: 0",
        "run allreduce --deadline soon => [TUTTI-101] --deadline: 'soon'"
            + " is not a time such as 500ms, 1.5s or 2m (seconds without a unit)",
        "run allreduce --deadline 0s => [TUTTI-101] a deadline must be longer than zero. Actual:"
            + " PT0S",
        "run => [TUTTI-101] tutti run takes <operation>; name it",
        "ben allreduce => [TUTTI-102] unknown command 'ben'; did you mean 'bench'? (known: run,"
            + " bench, perf, tune, compare, lint, plan, chart, algorithms, explain, verify,"
            + " simulate, topo, serve, plugins, status, new, dev, completion, man, help)",
        "rnu allreduce => [TUTTI-102] unknown command 'rnu'; did you mean 'run'? (known: run,"
            + " bench, perf, tune, compare, lint, plan, chart, algorithms, explain, verify,"
            + " simulate, topo, serve, plugins, status, new, dev, completion, man, help)",
        "completion tcsh => [TUTTI-102] unknown shell 'tcsh'; did you mean 'bash'? (known: bash, zsh,"
            + " fish)",
        "completion => [TUTTI-101] tutti completion takes <shell>; name it",
        "man rnu => [TUTTI-102] unknown command 'rnu'; did you mean 'run'? (known: run,"
            + " bench, perf, tune, compare, lint, plan, chart, algorithms, explain, verify,"
            + " simulate, topo, serve, plugins, status, new, dev, completion, man, help)",
        "man plugins instal => [TUTTI-102] unknown command 'instal'; did you mean 'install'?"
            + " (known: list, why, verify, install, remove, rollback, pin, unpin, rescan)",
        "man run allreduce => [TUTTI-101] 'allreduce' is one argument too many; leave it out",
        "man run --output pages => [TUTTI-101] --output writes the pages of all commands; leave out"
            + " 'run'",
        "calibrate --budget 1s => [TUTTI-102] 'tutti calibrate' is now 'tutti tune --model'",
        "help rnu => [TUTTI-102] unknown command 'rnu'; did you mean 'run'? (known: run,"
            + " bench, perf, tune, compare, lint, plan, chart, algorithms, explain, verify,"
            + " simulate, topo, serve, plugins, status, new, dev, completion, man, help)",
        "help calibrate => [TUTTI-102] 'tutti calibrate' is now 'tutti tune --model'",
        "tune --model allreduce => [TUTTI-101] --model measures no algorithm; leave out"
            + " <operation>",
        "tune -n 2 --model => [TUTTI-101] --model measures no algorithm; leave out --ranks",
        "tune --model --rules r.json => [TUTTI-101] --model measures no algorithm; leave out"
            + " --rules",
        "tune --budget 0 => [TUTTI-101] --budget: '0' is too short a time to measure in; give a"
            + " longer one",
        "tune --model --budget 0s => [TUTTI-101] --budget: '0s' is too short a time to measure in;"
            + " give a longer one",
        "compare --budget 0ms => [TUTTI-101] --budget: '0ms' is too short a time to measure in;"
            + " give a longer one",
        "bench --seconds 0 => [TUTTI-101] --seconds: '0' is too short a time to measure in; give a"
            + " longer one",
        "bench --sizes 8 --min 4 => [TUTTI-101] --sizes excludes --min, --max and --factor",
        "bench --min 16 --max 8 => [TUTTI-101] --min and --max must satisfy 0 < min <= max. Actual:"
            + " min=16, max=8",
        "bench --factor 1 => [TUTTI-101] --factor must be 2 or more. Actual: 1",
        "bench --ranks 2 --topology 8+4 => [TUTTI-101] --ranks and --topology exclude each other",
        "tune --ranks 2 --topology 8+4 => [TUTTI-101] --ranks and --topology exclude each other",
        "compare -n 2 --topology 8+4 => [TUTTI-101] --ranks and --topology exclude each other",
        "compare --topology 8*4 => [TUTTI-101] --topology: '8*4'"
            + " is not a topology such as 8+4 (nodes), 8+8|8+4 (nodes in pods) or 2x(8+8)",
        "tune --model --topology 2 => [TUTTI-101] --model measures no algorithm; leave out"
            + " --topology",
        "perf --topology 8+0 => [TUTTI-104] a node must have at least one rank. Actual: [8, 0]",
        "perf all_reduce -g 3 --topology 8+4 => [TUTTI-101] -g and --topology contradict each"
            + " other: -g is 3, --topology 8+4 has 12 ranks; give one of them",
        "perf all_reduce -t 3 --topology 8+4 => [TUTTI-101] -t and --topology contradict each"
            + " other: -t is 3, --topology 8+4 has 12 ranks; give one of them",
        "compare --min 9 --max 8 => [TUTTI-101] --min and --max must satisfy 0 < min <= max. Actual:"
            + " min=9, max=8",
        "tune -b 8 --sizes 8 => [TUTTI-101] --sizes excludes --min, --max and --factor",
        "tune --factor 1 => [TUTTI-101] --factor must be 2 or more. Actual: 1",
        "bench --place inn => [TUTTI-102] unknown place 'inn'; did you mean 'in'? (known: out, in,"
            + " both)",
        "bench --callers thread => [TUTTI-102] unknown kind of callers 'thread'; did you mean"
            + " 'threads'? (known: one, threads, virtual)",
        "run allreduce --processes --ranks-per-process 2 => [TUTTI-101] --ranks-per-process is for"
            + " processes that mpirun or srun starts; leave it out, or --processes",
        "perf all_reduce --embedded --ranks-per-process 2 => [TUTTI-101] --ranks-per-process is"
            + " for processes that mpirun or srun starts; leave it out, or --embedded",
        "plan allreduce --rank 4 => [TUTTI-104] --rank must be 0 to 3. Actual: 4",
        "plan allreduce --rank 1 --format dot => [TUTTI-101] --rank goes with --format text only;"
            + " leave one out",
        "plan allreduce --format jsn => [TUTTI-102] unknown format 'jsn'; did you mean 'json'?"
            + " (known: text, json, dot, svg)",
      })
  void isAnsweredInOneLineWithCodeTwo(String arguments, String message) {
    Outcome outcome = harness().call(arguments.split(" "));

    assertThat(outcome.err().lines().findFirst()).contains("tutti: " + message);
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines().skip(1)).allMatch(line -> line.startsWith("Try 'tutti"));
  }

  @Test
  void anUnknownOptionIsListedWithTheNearOne() {
    Outcome outcome = harness().call("run", "allreduce", "--rnaks", "3");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-102] unknown option '--rnaks'; did you mean '--ranks'? (known: ")
        .endsWith("Try 'tutti run --help'." + System.lineSeparator());
  }

  /** Arguments with an option of another command or program, and its name in this command. */
  @ParameterizedTest
  @CsvSource({
    "run allreduce --datatype half, --datatype, --type",
    "run allreduce --dtype=half, --dtype, --type",
    "run allreduce --size 8, --size, --bytes",
    "run allreduce -g 4, -g, --ranks",
    "run allreduce -g4, -g, --ranks",
    "run allreduce --iters 4, --iters, --iterations",
    "run allreduce --nodes 2x4, --nodes, --topology",
    "bench --minbytes 8, --minbytes, --min",
    "bench --size 8, --size, --sizes",
    "verify gathering --bytes 8, --bytes, --count",
    "perf allreduce --ranks 4, --ranks, --ngpus",
    "perf allreduce --type half, --type, --datatype",
    "plan allreduce --out plan.json, --out, --output"
  })
  void anOptionThatHasAnotherNameHereIsToldByIt(String arguments, String asked, String here) {
    Outcome outcome = harness().call(arguments.split(" "));

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith(
            "tutti: [TUTTI-102] unknown option '" + asked + "'; it is called " + here + " here");
  }

  /** Its value would be taken for the operation. */
  @ParameterizedTest
  @ValueSource(strings = {"run -z 8", "bench -z 8", "run --byte 8", "run --byte=8 x"})
  void anUnknownOptionIsToldBeforeWhatFollowsIt(String arguments) {
    Outcome outcome = harness().call(arguments.split(" "));

    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-102] unknown option '-")
        .doesNotContain("operation");
    assertThat(outcome.exitCode()).isEqualTo(2);
  }

  @Test
  void anUnknownOperationIsListedWithTheNearOne() {
    Outcome outcome = harness().call("run", "allreduc");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith(
            "tutti: [TUTTI-102] unknown operation or algorithm 'allreduc'; did you mean 'allreduce'?"
                + " (known: ")
        .contains("sendreceive", "gathering");
  }

  @Test
  void whatNoAlgorithmSupportsIsExplained() {
    Outcome outcome = harness().call("run", "allreduce", "-a", "gathering", "--protocol", "rdma");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).startsWith("tutti: [TUTTI-201] ").contains("needs direct links");
  }

  @Test
  void aMissingPluginsDirectoryIsAnEnvironmentProblem() {
    Path missing = plugins.resolve("nowhere");

    Outcome outcome = harness().call("algorithms", "--plugins", missing.toString());

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err())
        .startsWith("tutti: [TUTTI-401] ")
        .contains(missing.toString())
        .hasLineCount(1);
  }

  @Test
  void noPluginsDirectoryAtAllIsAnEnvironmentProblem() {
    Hosts hosts = new Hosts(List.of(), Context::builder);

    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> hosts.builder(List.of())))
        .hasMessage(
            "no plugins directory is known; name one with --plugins, or start with the script"
                + " tutti");
  }

  @Test
  void moreMemoryThanThereIsIsRefused() {
    Outcome outcome = harness().call("run", "allreduce", "-a", "gathering", "--bytes", "65536G");

    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(outcome.err()).startsWith("tutti: [TUTTI-306] ").hasLineCount(1);
  }

  private CommandLineHarness harness() {
    return CommandLineHarness.withTestAlgorithms(plugins);
  }
}
