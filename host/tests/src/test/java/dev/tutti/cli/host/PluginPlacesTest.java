package dev.tutti.cli.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PluginPlacesTest {

  private static final Path USUAL = Path.of("/host/plugins");

  @Test
  void theStateIsBesideThePlugins() {
    assertThat(PluginPlaces.of(null, null, USUAL))
        .isEqualTo(new PluginPlaces(USUAL, Path.of("/host/plugins.state")));
    assertThat(PluginPlaces.of(Path.of("/my/jars"), null, USUAL))
        .isEqualTo(new PluginPlaces(Path.of("/my/jars"), Path.of("/my/jars.state")));
  }

  @Test
  void thePluginsAreBesideTheState() {
    assertThat(PluginPlaces.of(null, Path.of("/my/jars.state"), USUAL))
        .isEqualTo(new PluginPlaces(Path.of("/my/jars"), Path.of("/my/jars.state")));
  }

  @Test
  void bothCanBeAnywhere() {
    assertThat(PluginPlaces.of(Path.of("/a"), Path.of("/b"), USUAL))
        .isEqualTo(new PluginPlaces(Path.of("/a"), Path.of("/b")));
  }

  @Test
  void relativePathsAreMadeAbsolute() {
    assertThat(PluginPlaces.of(Path.of("x/../jars"), null, null).plugins())
        .isEqualTo(Path.of("jars").toAbsolutePath());
  }

  @Test
  void whatIsUnknownIsSaid() {
    assertThatThrownBy(() -> PluginPlaces.of(null, null, null))
        .isInstanceOf(TuttiException.class)
        .hasMessageStartingWith("no plugins directory is known");
    assertThatThrownBy(() -> PluginPlaces.of(null, Path.of("/memory"), USUAL))
        .isInstanceOf(TuttiException.class)
        .hasMessageContaining("name that too, with --plugins");
    assertThat(PluginPlaces.state(null, null, null)).isNull();
    assertThat(PluginPlaces.state(null, Path.of("/memory"), null)).isEqualTo(Path.of("/memory"));
  }
}
