package dev.tutti.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ManifestReaderTest {

  private final ManifestReader reader = new ManifestReader();

  private PluginManifest read(String json) {
    return reader.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void readsAllFields() {
    assertThat(
            read(
                "{'id': 'ring-2', 'version': '1.0-rc1', 'sdk': '[0.1,)', 'provider': 'p',"
                    + " 'license': 'l', 'summary': 's', 'capabilities': ['threads', 'clock']}"))
        .isEqualTo(
            new PluginManifest(
                "ring-2", "1.0-rc1", "[0.1,)", "p", "l", "s", List.of("threads", "clock")));
  }

  @Test
  void needsOnlyIdVersionAndSdk() {
    assertThat(read("{'id': 'a', 'version': '1', 'sdk': '[0.1,1.0)'}"))
        .isEqualTo(new PluginManifest("a", "1", "[0.1,1.0)", "", "", "", List.of()));
  }

  @Test
  void reportsAllProblemsAtOnce() {
    assertThat(
            Errors.message(
                ErrorCode.PLUGIN_MANIFEST,
                () ->
                    read(
                        "{'id': 7, 'sdk': '', 'licence': 'MIT', 'summary': ['x'], 'capabilities':"
                            + " 'all'}")))
        .isEqualTo(
            "META-INF/tutti/plugin.json is wrong: unknown field 'licence'; known: id, version, sdk,"
                + " provider, license, summary, capabilities; field 'id' must be a string. Actual:"
                + " 7; field 'version' is missing; field 'sdk' must not be empty; field 'summary'"
                + " must be a string. Actual: a list; field 'capabilities' must be a list of"
                + " strings. Actual: a string");
  }

  @Test
  void refusesCapabilitiesThatDoNotExist() {
    assertThat(
            Errors.message(
                ErrorCode.PLUGIN_MANIFEST,
                () ->
                    read(
                        "{'id': 'a', 'version': '1', 'sdk': '[0.1,1.0)', 'capabilities':"
                            + " ['threads', 'exit']}")))
        .isEqualTo(
            "META-INF/tutti/plugin.json is wrong: unknown capability 'exit'; known: threads, files,"
                + " network, processes, native, reflection, environment, clock, random, console,"
                + " mutable-statics");
  }

  @Test
  void refusesCapabilitiesThatAreNoTexts() {
    assertThat(
            Errors.message(
                ErrorCode.PLUGIN_MANIFEST,
                () -> read("{'id': 'a', 'version': '1', 'sdk': '[0.1,)', 'capabilities': [true]}")))
        .endsWith("field 'capabilities' must be a list of strings. Actual: true in it");
  }

  @Test
  void reportsWrongValues() {
    assertThat(
            Errors.message(
                ErrorCode.PLUGIN_MANIFEST,
                () -> read("{'id': 'Ring', 'version': 'new', 'sdk': '0.1'}")))
        .isEqualTo(
            "META-INF/tutti/plugin.json is wrong: 'id' must match [a-z][a-z0-9.-]{0,63}. Actual:"
                + " 'Ring'; 'version': a version must look like 1.2.3 or 1.2.3-rc1. Actual: 'new';"
                + " 'sdk': a version range must look like [0.1,1.0). Actual: '0.1'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'id': 'a'",
        "{'id': 'a', 'id': 'b'}",
        "{} {}",
        "{id: 'a'}",
        "[",
        "''{",
      })
  void reportsWhereJsonIsBroken(String json) {
    assertThat(Errors.message(ErrorCode.PLUGIN_MANIFEST, () -> read(json)))
        .startsWith("META-INF/tutti/plugin.json ");
  }

  @Test
  void namesLineAndColumn() {
    assertThat(Errors.message(ErrorCode.PLUGIN_MANIFEST, () -> read("{\n  'id': oops}")))
        .startsWith("META-INF/tutti/plugin.json is not valid JSON at line 2, column ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"[]|a list", "null|null", "3|3"})
  void needsAnObject(String json, String actual) {
    assertThat(Errors.message(ErrorCode.PLUGIN_MANIFEST, () -> read(json)))
        .isEqualTo(
            "META-INF/tutti/plugin.json is wrong: it must be a JSON object. Actual: " + actual);
  }

  @Test
  void refusesAnEmptyFile() {
    Errors.message(ErrorCode.PLUGIN_MANIFEST, () -> read(""));
  }
}
