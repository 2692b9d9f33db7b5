package dev.tutti.plugins.tree;

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
            BinomialBroadcast.class,
            BinomialGather.class,
            BinomialGatherV.class,
            BinomialReduce.class,
            BinomialScatter.class,
            BinomialScatterV.class,
            ChainBroadcast.class,
            ChainReduce.class,
            DisseminationBarrier.class,
            DoubleTreeAllReduce.class,
            DoubleTreeBroadcast.class,
            LinearBroadcast.class,
            LinearGather.class,
            LinearGatherV.class,
            LinearReduce.class,
            LinearScatter.class,
            LinearScatterV.class,
            RabenseifnerReduce.class,
            ScatterAllGatherBroadcast.class,
            TreeBarrier.class);
  }

  @Test
  void itsManifestNamesTheVersionOfTheBuild() throws IOException {
    try (InputStream manifest =
        PluginTest.class.getResourceAsStream("/META-INF/tutti/plugin.json")) {
      assertThat(manifest).isNotNull();
      assertThat(new String(manifest.readAllBytes(), StandardCharsets.UTF_8))
          .contains("\"id\": \"dev.tutti.tree\"")
          .containsPattern("\"version\": \"\\d+\\.\\d+\\.\\d+");
    }
  }
}
