package dev.tutti.host;

import dev.tutti.engine.Engine;
import dev.tutti.host.config.HostSettings;
import dev.tutti.host.config.ServedPlugins;
import dev.tutti.host.job.JobIdentity;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.live.Catalogue;
import dev.tutti.plugin.live.Generation;
import dev.tutti.sdk.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The facts that must be the same in all processes of a job, so that all processes handle a plan in
 * the same way.
 */
final class ProcessIdentity {

  /** One class of each jar that records or compiles plans. */
  private static final List<Class<?>> WITNESSES =
      List.of(Operation.class, GroupPlan.class, Engine.class, ProcessIdentity.class);

  private ProcessIdentity() {}

  /** The identity of this process. Watched plugins are not part of it: they come from rank 0. */
  static JobIdentity of(ServedPlugins served, HostSettings settings) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("jars of Tutti", jars());
    fields.put("way to load plugins", served.areWatched() ? "watched" : "loaded once");
    Catalogue catalogue = served.catalogues().current();
    List<Plugin> plugins = catalogue.plugins().plugins();
    Stream<String> files =
        served.areWatched() ? Stream.of() : plugins.stream().map(ProcessIdentity::line);
    // A jar is compared as a file, because each process may load other algorithms of it.
    Set<String> jars =
        plugins.stream()
            .filter(each -> isFile(each.jar()))
            .map(Plugin::id)
            .collect(Collectors.toSet());
    Stream<String> algorithms =
        catalogue.plugins().algorithms().stream()
            .filter(each -> !jars.contains(each.plugin()))
            .filter(each -> Generation.PERMANENT.equals(catalogue.generationOf(each)))
            .map(ProcessIdentity::line);
    fields.put(
        "plugins", Stream.concat(files, algorithms).sorted().collect(Collectors.joining("\n")));
    fields.put("size of staging buffers", String.valueOf(settings.cclBufferSize()));
    fields.put("determinism by default", settings.determinism().toString());
    return new JobIdentity(fields);
  }

  private static String line(Plugin plugin) {
    return plugin.id() + " " + plugin.version() + " " + digest(plugin.jar());
  }

  private static String line(Algorithm algorithm) {
    return algorithm.operation().label()
        + " "
        + algorithm.qualifiedName()
        + " "
        + algorithm.version();
  }

  private static String jars() {
    return WITNESSES.stream()
        .map(
            witness -> {
              Path jar = jar(witness);
              return jar == null ? "" : jar.getFileName() + " " + digest(jar);
            })
        .distinct()
        .collect(Collectors.joining("\n"));
  }

  private static @Nullable Path jar(Class<?> witness) {
    CodeSource source = witness.getProtectionDomain().getCodeSource();
    try {
      return source == null ? null : Path.of(source.getLocation().toURI());
    } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
      return null;
    }
  }

  private static boolean isFile(@Nullable Path jar) {
    return jar != null && Files.isRegularFile(jar);
  }

  /** The SHA-256 of a jar. A directory of classes, as in a development build, has none. */
  private static String digest(@Nullable Path jar) {
    if (jar == null || !isFile(jar)) {
      return "no jar";
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(jar)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
