package dev.tutti.host.soak;

import static dev.tutti.host.soak.Calls.expect;
import static dev.tutti.host.soak.Calls.require;

import dev.tutti.plugin.PluginManager;
import dev.tutti.plugin.PluginStatus;
import dev.tutti.plugin.PluginStatus.State;
import dev.tutti.plugin.live.LiveJars;
import dev.tutti.plugin.live.LiveSamples;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Random;

/** New versions of a plugin, right and wrong ones, broken files, rollbacks, pins and removals. */
final class Swaps implements Soak.Actor {

  private static final State[] SERVED_OR_TAKEN_BACK = {
    State.SERVING, State.DRAINING, State.UNLOADING, State.ROLLED_BACK
  };

  private final PluginManager manager;
  private final Path workshop;
  private int number;

  /**
   * An actor that changes plugins.
   *
   * @param workshop a directory for jars that are being made
   */
  Swaps(PluginManager manager, Path workshop) {
    this.manager = manager;
    this.workshop = workshop;
  }

  @Override
  public void turn(Random random) throws IOException {
    switch (random.nextInt(8)) {
      case 0 -> {
        serve(LiveSamples.Wrong.class, State.QUARANTINED);
        serve(LiveSamples.Right.class, State.SERVING);
      }
      case 1 -> {
        Path broken = Files.write(workshop.resolve("part"), new byte[] {'P', 'K', 3, 4, 7});
        drop(broken, "broken.jar");
        manager.rescan();
        require(stateOf("", "") == State.QUARANTINED, "a broken jar is not refused");
        Files.delete(manager.directory().resolve("broken.jar"));
        manager.rescan();
      }
      case 2 -> rollBack();
      case 3 -> {
        serve(LiveSamples.Right.class, State.SERVING);
        manager.remove(LiveJars.ID);
        require(!isServing(), "it serves, and was removed");
      }
      // Admitted, and wrong for long vectors: taken back at the first of them, or not asked at all.
      case 4 -> {
        serve(LiveSamples.WrongWhenLarge.class, SERVED_OR_TAKEN_BACK);
        serve(LiveSamples.Right.class, State.SERVING);
      }
      case 5 -> {
        serve(LiveSamples.ThrowsWhenLarge.class, SERVED_OR_TAKEN_BACK);
        serve(LiveSamples.Right.class, State.SERVING);
      }
      default -> serve(LiveSamples.Right.class, State.SERVING);
    }
  }

  private void rollBack() {
    try {
      manager.rollback(LiveJars.ID);
    } catch (TuttiException e) {
      expect(e, ErrorCode.PLUGIN_STATE, ErrorCode.UNKNOWN_NAME);
    }
  }

  private void serve(Class<?> provider, State... expected) throws IOException {
    number++;
    String version = "1.0." + number;
    drop(LiveJars.jar(workshop.resolve("part"), version, provider), "pull.jar");
    manager.rescan();
    State state = stateOf(LiveJars.ID, version);
    require(
        List.of(expected).contains(state),
        "%s of %s is %s: %s"
            .formatted(version, provider.getSimpleName(), state, manager.why(LiveJars.ID)));
  }

  private void drop(Path jar, String name) throws IOException {
    Files.move(
        jar,
        manager.directory().resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private State stateOf(String id, String version) {
    return manager.list().stream()
        .filter(each -> each.id().equals(id) && each.version().equals(version))
        .map(PluginStatus::state)
        .findFirst()
        .orElseThrow(() -> new AssertionError("%s %s is not listed".formatted(id, version)));
  }

  private boolean isServing() {
    return manager.list().stream()
        .anyMatch(each -> each.id().equals(LiveJars.ID) && each.state() == State.SERVING);
  }
}
