package ${package};

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.testkit.arch.PluginRules;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class PluginTest {

  @Test
  void listsItsAlgorithmsAsServices() {
    assertThat(ServiceLoader.load(CollExecutorBase.class))
        .as("META-INF/services, which the annotation processor of sdk-api writes")
#if($operation == 'send-receive')
        .hasExactlyElementsOfTypes(${algorithmName}Receive.class, ${algorithmName}Send.class);
#else
        .hasExactlyElementsOfTypes(${algorithmName}.class);
#end
  }

  @Test
  void keepsToTheRulesForPlugins() throws URISyntaxException {
#if($operation == 'send-receive')
    ProtectionDomain plugin = ${algorithmName}Send.class.getProtectionDomain();
#else
    ProtectionDomain plugin = ${algorithmName}.class.getProtectionDomain();
#end
    Path classes = Path.of(plugin.getCodeSource().getLocation().toURI());
    assertThat(PluginRules.check(classes)).isEmpty();
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
