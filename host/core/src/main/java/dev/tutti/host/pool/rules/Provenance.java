package dev.tutti.host.pool.rules;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.SpiVersion;
import dev.tutti.sdk.Arguments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The machine and the software with which measurements were made. Immutable.
 *
 * @param created the day and time, as text
 * @param machine the model of the processors
 * @param processors the number of processors
 * @param workers threads of the engine
 * @param java the feature version of Java
 * @param spi the version of sdk-api
 * @param plugins the version of each measured plugin, by id
 */
public record Provenance(
    String created,
    String machine,
    int processors,
    int workers,
    int java,
    String spi,
    Map<String, String> plugins) {

  /** Takes a sorted copy. */
  public Provenance {
    Arguments.require(created, "created");
    Arguments.require(machine, "machine");
    Arguments.require(spi, "spi");
    Arguments.require(plugins, "plugins");
    plugins = Collections.unmodifiableMap(new TreeMap<>(plugins));
  }

  /**
   * This machine and this host, now.
   *
   * @param workers threads of the engine
   * @param plugins the version of each plugin, by id
   */
  public static Provenance here(int workers, Map<String, String> plugins) {
    Arguments.require(plugins, "plugins");
    return new Provenance(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        processor(),
        Runtime.getRuntime().availableProcessors(),
        workers,
        Runtime.version().feature(),
        SpiVersion.CURRENT,
        plugins);
  }

  /** The model that Linux reports; on other systems the architecture. */
  private static String processor() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElseGet(Provenance::architecture);
    } catch (IOException | UncheckedIOException e) {
      return architecture();
    }
  }

  private static String architecture() {
    return System.getProperty("os.arch", "unknown");
  }

  /** The differences that make these measurements invalid here; empty if there are none. */
  public List<String> differencesTo(Provenance here) {
    Arguments.require(here, "here");
    List<String> differences = new ArrayList<>();
    note(differences, "processor", machine, here.machine);
    note(differences, "number of processors", processors, here.processors);
    note(differences, "number of workers", workers, here.workers);
    note(differences, "Java version", java, here.java);
    note(differences, "SPI version", spi, here.spi);
    return differences;
  }

  private static void note(List<String> differences, String what, Object there, Object here) {
    if (!there.equals(here)) {
      differences.add(Sentence.of("%s %s, here %s", what, there, here));
    }
  }
}
