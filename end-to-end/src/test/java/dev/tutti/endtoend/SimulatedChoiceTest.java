package dev.tutti.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An operation is simulated with the algorithm of Tutti's own that a run takes. */
class SimulatedChoiceTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "allreduce, 8, 1M",
    "allreduce, 4+4+4, 64K",
    "allreduce, 8+8|8+8, 16M",
    "allreduce, 4+4+4+4|4+4+4+4, 16M",
    "reducescatter, 4+4, 4M",
    "allgather, 12, 48",
    "allgatherv, 4+4|4+4, 1M",
    "broadcast, 8+8, 1M",
    "alltoall, 4+4, 1M",
    "scan, 7, 4K",
    "exclusivescan, 2+2, 4M"
  })
  void anOperationMeansTheAlgorithmThatARunTakes(String operation, String topology, String bytes)
      throws Exception {
    String[] request = {operation, "--topology", topology, "--bytes", bytes, "--json"};
    List<JsonNode> simulated = rows("simulate", request);
    List<String> chosen =
        rows("explain", request).stream()
            .filter(row -> row.get("isChosen").asBoolean())
            .map(row -> row.get("algorithm").asString())
            .toList();

    assertThat(chosen).hasSize(1);
    assertThat(simulated).extracting(row -> row.get("algorithm").asString()).isEqualTo(chosen);
  }

  private List<JsonNode> rows(String name, String[] request) throws Exception {
    List<String> words = new ArrayList<>(List.of(name));
    words.addAll(List.of(request));
    words.addAll(List.of("--plugins", Tutti.DISTRIBUTION.resolve("plugins").toString()));
    return CommandHere.succeed(directory, words.toArray(String[]::new))
        .lines()
        .filter(line -> line.startsWith("{"))
        .map(JsonMapper.shared()::readTree)
        .toList();
  }
}
