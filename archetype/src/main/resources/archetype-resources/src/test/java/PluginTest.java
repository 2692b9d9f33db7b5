package ${package};

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.CollExecutorBase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class PluginTest {

  @Test
  void offersItsAlgorithmAsAService() {
    assertThat(ServiceLoader.load(CollExecutorBase.class))
        .as("META-INF/services, which the annotation processor of sdk-api writes")
        .hasExactlyElementsOfTypes(${algorithmName}.class);
  }

  @Test
  void itsManifestNamesTheVersionOfTheBuild() throws IOException {
    try (InputStream manifest =
        PluginTest.class.getResourceAsStream("/META-INF/tutti/plugin.json")) {
      assertThat(manifest).isNotNull();
      assertThat(new String(manifest.readAllBytes(), StandardCharsets.UTF_8))
          .containsPattern("\"version\": \"\\d+");
    }
  }
}
