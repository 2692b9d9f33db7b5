package dev.tutti.plugin.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Context;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Algorithms that accept almost none of the usual cases are checked on those that they accept. */
class FewCasesTest {

  @TempDir private Path directory;
  private Path plugins;

  @BeforeEach
  void makeDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
  }

  private List<String> newsOf(Class<?> provider) {
    List<String> news = new ArrayList<>();
    LiveJars.jar(plugins.resolve("pull.jar"), "1.0.0", provider);
    try (Context context =
        Context.builder()
            .watchPlugins(plugins, directory.resolve("state"))
            .pluginNews(news::add)
            .open()) {
      assertThat(context.plugins().algorithms().size() + news.size()).isPositive();
    }
    return news;
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        LiveSamples.ForMany.class,
        LiveSamples.ForOneGroup.class,
        LiveSamples.ForLongVectors.class
      })
  void whatIsRightIsAdmitted(Class<?> provider) {
    assertThat(newsOf(provider)).noneMatch(it -> it.contains("quarantine"));
    try (Context context =
        Context.builder().watchPlugins(plugins, directory.resolve("state")).open()) {
      assertThat(context.plugins().algorithms()).hasSize(1);
    }
  }

  @Test
  void whatIsWrongOnlyForManyRanksIsFound() {
    assertThat(newsOf(LiveSamples.WrongForMany.class)).anyMatch(it -> it.contains("SEM-1"));
  }

  @Test
  void whatNobodyCanCheckIsRefusedWithTheReason() {
    assertThat(newsOf(LiveSamples.ForNobody.class))
        .anyMatch(
            it ->
                it.contains("it takes none of")
                    && it.contains("not 997 ranks")
                    && it.contains("shapes"));
  }
}
