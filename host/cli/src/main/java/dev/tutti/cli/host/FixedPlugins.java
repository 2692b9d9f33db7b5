package dev.tutti.cli.host;

import dev.tutti.base.text.Sentence;
import dev.tutti.host.Context;
import dev.tutti.host.status.AlgorithmUse;
import dev.tutti.plugin.Algorithm;
import dev.tutti.plugin.Plugin;
import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The plugins of a rank's process, which stay as long as its job: all ranks have the same. */
final class FixedPlugins implements PluginManager {

  private static final String REASON = "it was loaded when the job began";

  private final Context context;
  private final PluginPlaces places;
  private final Instant since = Instant.now();
  private final List<Known> known;

  /** A plugin, and the hash of its jar when it was loaded. */
  private record Known(Plugin plugin, String content) {}

  /** The plugins of a context that was just opened. */
  FixedPlugins(Context context, PluginPlaces places) {
    this.context = context;
    this.places = places;
    this.known =
        context.plugins().plugins().stream()
            .map(each -> new Known(each, content(each.jar())))
            .toList();
  }

  private static String content(@Nullable Path jar) {
    try {
      return jar == null
          ? ""
          : HexFormat.of()
              .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
    } catch (IOException | NoSuchAlgorithmException e) {
      return "";
    }
  }

  @Override
  public Path directory() {
    return places.plugins();
  }

  @Override
  public Path state() {
    return places.state();
  }

  @Override
  public List<PluginStatus> list() {
    List<AlgorithmUse> use = context.algorithmUse();
    return known.stream().map(each -> status(each, use)).toList();
  }

  private PluginStatus status(Known each, List<AlgorithmUse> all) {
    Plugin plugin = each.plugin();
    List<AlgorithmUse> use =
        all.stream().filter(one -> one.algorithm().startsWith(plugin.id() + ":")).toList();
    return new PluginStatus(
        plugin.id(),
        plugin.version(),
        each.content(),
        plugin.jar(),
        PluginStatus.State.SERVING,
        REASON,
        "",
        false,
        plugin.algorithms().stream().map(FixedPlugins::words).toList(),
        since,
        0,
        use.stream().mapToLong(AlgorithmUse::calls).sum(),
        use.stream().mapToLong(AlgorithmUse::failures).sum());
  }

  private static String words(Algorithm algorithm) {
    return algorithm.operation().label() + "/" + algorithm.name();
  }

  @Override
  public String why(String id) {
    for (Known each : known) {
      Path jar = each.plugin().jar();
      if (each.plugin().id().equals(id) || (jar != null && jar.endsWith(id))) {
        return Sentence.of(
            "%s %s (%s) serves, because %s; all ranks serve the same",
            each.plugin().id(), each.plugin().version(), jar, REASON);
      }
    }
    throw Names.unknown("plugin", id, known.stream().map(each -> each.plugin().id()).toList());
  }

  private TuttiException refused() {
    return new TuttiException(
        ErrorCode.UNSUPPORTED,
        "the plugins of a job stay as they were when its %d processes began; end it with 'tutti serve"
            + " --stop', change the directory, and serve again",
        context.rte().ranks());
  }

  @Override
  public List<String> rescan() {
    throw refused();
  }

  @Override
  public PluginStatus install(Path jar) {
    throw refused();
  }

  @Override
  public List<String> remove(String id) {
    throw refused();
  }

  @Override
  public PluginStatus rollback(String id) {
    throw refused();
  }

  @Override
  public PluginStatus pin(String id, String version) {
    throw refused();
  }

  @Override
  public PluginStatus unpin(String id) {
    throw refused();
  }

  @Override
  public PluginStatus verify(Path jar) {
    throw refused();
  }
}
