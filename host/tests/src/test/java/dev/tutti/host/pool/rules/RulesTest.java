package dev.tutti.host.pool.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tutti.host.Errors;
import dev.tutti.sdk.AlgOptions;
import dev.tutti.sdk.CommInfo;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.Protocol;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.WorkflowMode;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.BarrierParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.topology.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RulesTest {

  private static final CommInfo COMM = CommInfo.of(0, Topology.flat(4));
  private static final OpParam SUM_OF_4_KIB =
      new AllReduceParam(COMM, DataType.FLOAT32, ReduceOp.SUM, 1024);

  @TempDir private Path directory;

  private static boolean matches(String conditions, OpParam param) {
    return Rules.parse("pin=ring " + conditions, "test")
        .rules()
        .getFirst()
        .condition()
        .matches(param);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "operation=allreduce | operation=all-gather,reduce",
        "bytes=4K | bytes=4097..",
        "bytes=1K..1M | bytes=..4095",
        "ranks=..4 | ranks=5..",
        "nodes=1 | nodes=2..",
        "type=float64,float32 | type=int8",
        "reduction=sum | reduction=max",
        "topology=4 | topology=2+2",
        "determinism=none | determinism=same-ranks",
        "mode=graph | mode=op-base",
        "protocol=direct | protocol=rdma"
      })
  void everyConditionIsMetOrNot(String met, String missed) {
    assertThat(matches(met, SUM_OF_4_KIB)).isTrue();
    assertThat(matches(missed, SUM_OF_4_KIB)).isFalse();
  }

  /** Conditions on properties that a request does not have are not met. */
  @Test
  void aBarrierHasNeitherTypeNorReduction() {
    OpParam barrier = new BarrierParam(COMM);
    assertThat(matches("operation=barrier", barrier)).isTrue();
    assertThat(matches("type=int8", barrier)).isFalse();
    assertThat(matches("reduction=sum", barrier)).isFalse();
  }

  @Test
  void aLineHoldsRulesWithParameters() {
    Rules rules =
        Rules.parse(
            " prefer=ring,a:tree  ranks=2..8 parameters.segment=64K ;; deny=bruck; ",
            "TUTTI_RULES");
    assertThat(rules.rules()).hasSize(2);
    ChoiceRule first = rules.rules().getFirst();
    assertThat(first.kind()).isEqualTo(RuleKind.PREFER);
    assertThat(first.algorithms()).containsExactly("ring", "a:tree");
    assertThat(first.parameters().values()).containsExactly(Map.entry("segment", "64K"));
    assertThat(first.condition().ranks()).isEqualTo(new Range(2, 8));
    assertThat(rules.rules().getLast()).hasToString("TUTTI_RULES, rule 2 denies bruck");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pin=ring byte=4 | UNKNOWN_NAME | unknown field of a rule 'byte'; did you mean 'bytes'?",
        "pin=ring operation=alreduce | UNKNOWN_NAME | did you mean 'allreduce'?",
        "pin=ring type=float | UNKNOWN_NAME | unknown data type 'float'",
        "pin=ring bytes=4.. ranks=x | INVALID_RULES | 'x' is not a range",
        "pin=ring bytes=5..4 | INVALID_RULES | a range must satisfy 0 <= least <= greatest",
        "pin=ring bytes=4,5 | INVALID_RULES | 'bytes' must be one range",
        "pin=ring bytes= | INVALID_RULES | 'bytes' must have a value",
        "pin=ring pin=tree | INVALID_RULES | 'pin' is given twice",
        "pin=ring deny=tree | INVALID_RULES | exactly one of pin, prefer, avoid, deny. Actual: pin,"
            + " deny",
        "bytes=4 | INVALID_RULES | exactly one of pin, prefer, avoid, deny. Actual: none",
        "pin=ring bytes | INVALID_RULES | 'bytes' is not a field; write name=value",
        "deny=ring parameters.segment=4 | INVALID_RULES | only pin and prefer take parameters",
        "pin=ring topology=4+ | INVALID_ARGUMENT | topology"
      })
  void whatIsWrongInALineIsTold(String line, ErrorCode code, String message) {
    assertThat(Errors.message(code, () -> Rules.parse(line, "here")))
        .startsWith("here, rule 1: ")
        .contains(message);
  }

  @Test
  void allProblemsAreToldAtOnce() {
    assertThat(
            Errors.message(
                ErrorCode.INVALID_RULES, () -> Rules.parse("pin=a bytes=x; deny=b; avoid", "here")))
        .contains("here, rule 1: 'x' is not a range")
        .contains("; here, rule 3: 'avoid' is not a field");
  }

  private Path file(String json) throws IOException {
    return Files.writeString(directory.resolve("rules.json"), json);
  }

  private static final String PROVENANCE =
      """
      "provenance": {"created": "2026-01-02T03:04:05Z", "machine": "a processor", "processors": 2,
        "workers": 2, "java": 25, "spi": "0.1.0", "plugins": {"a": "1"}},
      """;

  @Test
  void aFileHoldsRulesAndMeasurements() throws IOException {
    Rules rules =
        Rules.read(
            file(
                """
                {"format": "tutti-rules 1",
                %s
                "rules": [
                  {"pin": "ring", "operation": ["allreduce", "reduce"], "bytes": "1M..", "nodes": 1,
                   "parameters": {"segment": 65536, "fast": true}},
                  {"deny": ["bruck", "a:tree"]}
                ],
                "measurements": [
                  {"operation": "allreduce", "ranks": 4, "inPlace": false, "algorithm": "a:ring",
                   "version": "1", "parameters": {"segment": "4K"}, "hopNanos": 57,
                   "micros": {"8": 0.5, "64": 2}}
                ]}
                """
                    .formatted(PROVENANCE)));
    ChoiceRule pin = rules.rules().getFirst();
    assertThat(pin.origin()).isEqualTo("rules.json:6");
    assertThat(pin.condition().operations())
        .containsExactlyInAnyOrder(Operation.ALL_REDUCE, Operation.REDUCE);
    assertThat(pin.parameters().values())
        .containsExactly(Map.entry("fast", "true"), Map.entry("segment", "65536"));
    assertThat(rules.rules().getLast().origin()).isEqualTo("rules.json:8");
    assertThat(rules.provenance()).isNotNull();
    assertThat(rules.profile().series())
        .containsExactly(
            new Series(
                Operation.ALL_REDUCE,
                4,
                false,
                "a:ring",
                "1",
                AlgOptions.none().with("segment", "4K"),
                57,
                new TreeMap<>(Map.of(8L, 0.5, 64L, 2.0))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | INVALID_RULES | a file of rules must have a field 'format'",
        "[] | INVALID_RULES | a file of rules must be an object. Actual: a list",
        "{\"format\": 1} | INVALID_RULES | 'format' must be a string. Actual: 1",
        "{\"format\": \"tutti-rules 2\"} | INVALID_RULES | 'format' must be 'tutti-rules 1'",
        "{\"format\": \"tutti-rules 1\", \"rule\": []} | UNKNOWN_NAME | did you mean 'rules'?",
        "{\"format\": \"tutti-rules 1\", \"rules\": 4} | INVALID_RULES | 'rules' must be a list",
        "{\"format\": \"tutti-rules 1\", \"rules\": [4]} | INVALID_RULES | rules.json:1: a rule"
            + " must be an object",
        "{\"format\": \"tutti-rules 1\", \"rules\": [{\"pin\": {}}]} | INVALID_RULES | 'pin' must"
            + " be a string or a list",
        "{\"format\": \"tutti-rules 1\", \"rules\": [{\"pin\": []}]} | INVALID_RULES | 'pin' must"
            + " have a value",
        "{\"format\": \"tutti-rules 1\", \"rules\": [{\"pin\": \"a\", \"pin\": \"b\"}]} |"
            + " INVALID_RULES | rules.json is not valid JSON",
        "{\"format\": \"tutti-rules 1\", \"rules\": [{\"pin\": \"a\", \"parameters\": {\"x\":"
            + " []}}]} | INVALID_RULES | 'x' of 'parameters' must be a plain value",
        "{\"format\": \"tutti-rules 1\", \"measurements\": [{}]} | INVALID_RULES | a measurement"
            + " must have a field 'operation'",
        "{\"format\": \"tutti-rules 1\", \"provenance\": {\"created\": \"\"}} | INVALID_RULES |"
            + " 'provenance' must have a field 'machine'",
        "{\"format\": \"tutti-rules 1\", \"rules\": [ | INVALID_RULES | rules.json is not valid"
            + " JSON",
        "`` | INVALID_RULES | rules.json must hold one JSON object and nothing else. Actual: it is"
            + " empty"
      })
  void whatIsWrongInAFileIsTold(String json, ErrorCode code, String message) throws IOException {
    Path file = file(json == null ? "" : json);
    assertThat(Errors.message(code, () -> Rules.read(file))).contains(message);
  }

  @Test
  void aFileThatIsNoTextOrNotThereIsRefused() throws IOException {
    Path missing = directory.resolve("missing.json");
    assertThat(Errors.message(ErrorCode.INVALID_RULES, () -> Rules.read(missing)))
        .isEqualTo(
            "the rules file " + missing + " cannot be read: there is no such file; check the path");
    Path noise = Files.write(directory.resolve("noise.json"), new byte[] {0, -1, 7, 123});
    assertThat(Errors.message(ErrorCode.INVALID_RULES, () -> Rules.read(noise)))
        .startsWith("noise.json is not valid JSON at line 1, column 1");
    assertThat(Errors.message(ErrorCode.INVALID_RULES, () -> Rules.read(directory)))
        .isEqualTo(
            "the rules file " + directory + " cannot be read: it is a directory; give a file");
  }

  private String measured(String fields) {
    return "{\"format\": \"tutti-rules 1\", %s \"measurements\": [{%s}]}"
        .formatted(PROVENANCE, fields);
  }

  @Test
  void measurementsAreReadStrictly() throws IOException {
    String start =
        "\"operation\": \"reduce\", \"ranks\": 2, \"inPlace\": false, \"algorithm\": \"a:b\","
            + " \"version\": \"1\", ";
    for (String micros :
        List.of("{}", "{\"8\": 0}", "{\"8\": -1}", "{\"-8\": 1}", "{\"8\": \"x\"}", "{\"x\": 1}")) {
      Path wrong = file(measured(start + "\"micros\": " + micros));
      assertThat(Errors.message(ErrorCode.INVALID_RULES, () -> Rules.read(wrong)))
          .as(micros)
          .startsWith("rules.json:");
    }
    Path without =
        file(
            "{\"format\": \"tutti-rules 1\", \"measurements\": [{"
                + start
                + "\"micros\": {\"8\": 1}}]}");
    assertThat(Errors.message(ErrorCode.INVALID_RULES, () -> Rules.read(without)))
        .isEqualTo("rules.json: measurements need a provenance");
    Path unknown = file(measured(start + "\"micro\": {}, \"micros\": {\"8\": 1}"));
    assertThat(Errors.message(ErrorCode.UNKNOWN_NAME, () -> Rules.read(unknown)))
        .contains("unknown field of a measurement 'micro'; did you mean 'micros'?");
    Path ranks = file(measured(start.replace("2", "\"2\"") + "\"micros\": {\"8\": 1}"));
    assertThat(Errors.message(ErrorCode.INVALID_RULES, () -> Rules.read(ranks)))
        .contains("'ranks' must be a whole number. Actual: a string");
    Path place = file(measured(start.replace("false", "0") + "\"micros\": {\"8\": 1}"));
    assertThat(Errors.message(ErrorCode.INVALID_RULES, () -> Rules.read(place)))
        .contains("'inPlace' must be true or false. Actual: 0");
  }

  @Test
  void measuredTimesAreInterpolated() {
    TimesBySize times = new TimesBySize(new TreeMap<>(Map.of(100L, 1.0, 400L, 4.0, 800L, 4.0)));
    assertThat(times.seconds(1)).isCloseTo(1e-6, within(1e-12));
    assertThat(times.seconds(100)).isCloseTo(1e-6, within(1e-12));
    assertThat(times.seconds(200)).isCloseTo(2e-6, within(1e-12));
    assertThat(times.seconds(500)).isCloseTo(4e-6, within(1e-12));
    assertThat(times.seconds(1600)).isCloseTo(8e-6, within(1e-12));
  }

  @Test
  void conditionsCoverNarrowerOnes() {
    RuleCondition wide = condition("operation=reduce,allreduce bytes=1K..");
    assertThat(wide.covers(condition("operation=reduce bytes=4K..1M type=int8"))).isTrue();
    assertThat(wide.covers(condition("operation=reduce bytes=1..1M"))).isFalse();
    assertThat(wide.covers(condition("bytes=4K..1M"))).isFalse();
    assertThat(RuleCondition.ALWAYS.covers(wide)).isTrue();
    assertThat(wide.covers(RuleCondition.ALWAYS)).isFalse();
  }

  private static RuleCondition condition(String text) {
    return Rules.parse("pin=x " + text, "test").rules().getFirst().condition();
  }

  @Test
  void anotherMachineIsTold() {
    Provenance there = new Provenance("then", "a processor", 2, 2, 25, "0.1.0", Map.of("a", "1"));
    assertThat(there.differencesTo(there)).isEmpty();
    assertThat(
            there.differencesTo(
                new Provenance("now", "another", 4, 3, 26, "0.2.0", Map.of("a", "2"))))
        .containsExactly(
            "processor a processor, here another",
            "number of processors 2, here 4",
            "number of workers 2, here 3",
            "Java version 25, here 26",
            "SPI version 0.1.0, here 0.2.0");
  }

  @Test
  void requestsOfEveryModeAndProtocolHaveOneRule() {
    OpParam strict =
        SUM_OF_4_KIB.withComm(
            COMM.withDeterminism(Determinism.SAME_RANKS)
                .withMode(WorkflowMode.OP_BASE)
                .withProtocol(Protocol.RDMA));
    assertThat(matches("determinism=same-ranks mode=op-base protocol=rdma", strict)).isTrue();
  }
}
