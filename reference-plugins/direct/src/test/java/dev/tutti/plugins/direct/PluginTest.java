package dev.tutti.plugins.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.CollExecutorBase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class PluginTest {

  @Test
  void offersItsAlgorithmsAsServices() {
    assertThat(ServiceLoader.load(CollExecutorBase.class))
        .hasExactlyElementsOfTypes(
            DirectAllGather.class,
            DirectAllGatherV.class,
            DirectAllReduce.class,
            DirectExclusiveScan.class,
            DirectReduce.class,
            DirectReduceScatter.class,
            DirectReduceScatterV.class,
            DirectScan.class);
  }

  @Test
  void itsManifestNamesTheVersionOfTheBuild() throws IOException {
    try (InputStream manifest =
        PluginTest.class.getResourceAsStream("/META-INF/tutti/plugin.json")) {
      assertThat(manifest).isNotNull();
      assertThat(new String(manifest.readAllBytes(), StandardCharsets.UTF_8))
          .contains("\"id\": \"dev.tutti.direct\"")
          .containsPattern("\"version\": \"\\d+\\.\\d+\\.\\d+");
    }
  }
}
