package dev.tutti.plugins.circulant;

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
            CirculantAllGather.class,
            CirculantAllGatherV.class,
            CirculantAllReduce.class,
            CirculantBroadcast.class,
            CirculantReduceScatter.class,
            CirculantReduceScatterV.class);
  }

  @Test
  void itsManifestNamesTheVersionOfTheBuild() throws IOException {
    try (InputStream manifest =
        PluginTest.class.getResourceAsStream("/META-INF/tutti/plugin.json")) {
      assertThat(manifest).isNotNull();
      assertThat(new String(manifest.readAllBytes(), StandardCharsets.UTF_8))
          .contains("\"id\": \"dev.tutti.circulant\"")
          .containsPattern("\"version\": \"\\d+\\.\\d+\\.\\d+");
    }
  }
}
