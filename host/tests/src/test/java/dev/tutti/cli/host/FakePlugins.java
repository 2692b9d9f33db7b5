package dev.tutti.cli.host;

import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.Names;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Plugins that exist only in the memory of a test: one that serves, one that was refused. */
public final class FakePlugins implements PluginManager {

  private static final Instant SINCE = Instant.parse("2026-01-02T03:04:05Z");

  private final PluginPlaces places;
  private final Consumer<String> news;
  private final List<PluginStatus> versions = new ArrayList<>();

  public FakePlugins(PluginPlaces places, Consumer<String> news) {
    this.places = places;
    this.news = news;
    versions.add(status("org.example.ring", "1.0", State.SERVING, "the newest version", false));
    versions.add(
        new PluginStatus(
            "",
            "",
            "cd".repeat(32),
            null,
            State.QUARANTINED,
            "it is no jar, which is said in a sentence of more than sixty characters",
            "",
            false,
            List.of(),
            SINCE,
            0,
            0,
            0));
  }

  private PluginStatus status(
      String id, String version, State state, String reason, boolean isPinned) {
    return new PluginStatus(
        id,
        version,
        "ab".repeat(32),
        places.plugins().resolve("ring-" + version + ".jar"),
        state,
        reason,
        "not signed",
        isPinned,
        List.of("allreduce/ring", "allgather/ring", "broadcast/ring"),
        SINCE,
        3,
        1000,
        1);
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
  public synchronized List<PluginStatus> list() {
    return List.copyOf(versions);
  }

  private PluginStatus find(String id) {
    return versions.stream()
        .filter(each -> each.id().equals(id))
        .findFirst()
        .orElseThrow(() -> Names.unknown("plugin", id, List.of("org.example.ring")));
  }

  private PluginStatus replace(PluginStatus status) {
    versions.set(0, status);
    news.accept(status.id() + " " + status.version() + " serves: " + status.reason());
    return status;
  }

  @Override
  public synchronized String why(String id) {
    return find(id).reason() + ", says the test.";
  }

  @Override
  public List<String> rescan() {
    return List.of();
  }

  @Override
  public synchronized PluginStatus install(Path jar) {
    requireGood(jar);
    return replace(status("org.example.ring", "1.1", State.SERVING, "installed", false));
  }

  @Override
  public synchronized List<String> remove(String id) {
    versions.remove(find(id));
    return List.of(id + " no longer serves", "ring-1.0.jar is deleted");
  }

  @Override
  public synchronized PluginStatus rollback(String id) {
    find(id);
    throw new TuttiException(ErrorCode.PLUGIN_STATE, "nothing was served before %s", id);
  }

  @Override
  public synchronized PluginStatus pin(String id, String version) {
    find(id);
    return replace(status(id, version, State.SERVING, "pinned", true));
  }

  @Override
  public synchronized PluginStatus unpin(String id) {
    find(id);
    return replace(status(id, "1.0", State.SERVING, "the newest version", false));
  }

  @Override
  public PluginStatus verify(Path jar) {
    requireGood(jar);
    return status("org.example.ring", "1.1", State.STANDBY, "would be admitted", false);
  }

  private static void requireGood(Path jar) {
    if (!jar.endsWith("good.jar")) {
      throw new TuttiException(ErrorCode.PLUGIN_REJECTED, "%s breaks rule SYN-1", jar);
    }
  }
}
