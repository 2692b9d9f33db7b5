package ${package};

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.testkit.arch.PluginRules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class PluginTest {

  @Test
  void offersWhatItHasAsServices() {
    assertThat(ServiceLoader.load(CollExecutorBase.class))
        .as("META-INF/services, which the annotation processor of sdk-api writes")
#if($operation == 'send-receive')
        .hasExactlyElementsOfTypes(${algorithmName}Receive.class, ${algorithmName}Send.class);
#else
        .hasExactlyElementsOfTypes(${algorithmName}.class);
#end
  }

  @Test
  void keepsToTheRulesForPlugins() {
    assertThat(PluginRules.check(Path.of("target/classes"))).isEmpty();
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
