package dev.tutti.plugin.store;

import dev.tutti.plugin.store.PluginEvent.Admitted;
import dev.tutti.plugin.store.PluginEvent.Discarded;
import dev.tutti.plugin.store.PluginEvent.Pinned;
import dev.tutti.plugin.store.PluginEvent.Refused;
import dev.tutti.plugin.store.PluginEvent.RolledBack;
import dev.tutti.plugin.store.PluginEvent.Serving;
import dev.tutti.plugin.store.PluginEvent.Staged;
import dev.tutti.plugin.store.PluginEvent.Unpinned;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;

/**
 * The endless script of a host's changes of its state: version after version of one plugin is
 * staged, admitted, served, pinned, rolled back, served again, and the last but one is swept. Each
 * step follows from the state, so that the number of the last step determines the state.
 */
final class CrashScript {

  private static final String PLUGIN = "ring";
  private static final String FILE = "ring.jar";
  private static final String LONG = "long ".repeat(3000);
  private static final int STEPS = 8;

  private CrashScript() {}

  /** The state after a total number of steps, starting from another state. */
  static PluginState advance(PluginState from, long steps) {
    PluginState state = from;
    while (state.sequence() < steps) {
      state = state.with(new JournalEntry(state.sequence() + 1, Instant.EPOCH, next(state)));
    }
    return state;
  }

  private static PluginEvent next(PluginState state) {
    int content = content(state);
    String version = content + ".0";
    String before = content == 0 ? null : sha256(content - 1);
    return switch ((int) (state.sequence() % STEPS)) {
      case 0 -> new Staged(PLUGIN, version, sha256(content), FILE, jar(content).length);
      case 1 -> new Admitted(PLUGIN, version, sha256(content), "1.0");
      case 3 -> new Pinned(PLUGIN, version);
      case 4 -> new Unpinned(PLUGIN);
      case 5 ->
          new RolledBack(PLUGIN, sha256(content), before, (content - 1) + ".0", FILE, LONG, true);
      case 7 ->
          content < 2
              ? new Refused(PLUGIN, FILE, "TUTTI-401", LONG)
              : new Discarded(PLUGIN, sha256(content - 2));
      default -> new Serving(PLUGIN, version, sha256(content), FILE, before);
    };
  }

  /** Does the next step. */
  static void go(PluginStore store, Path directory) throws IOException {
    PluginEvent event = next(store.state());
    if (event instanceof Staged staged) {
      Path jar = Files.write(directory.resolve(FILE), jar(content(store.state())));
      StageResult result = store.stage(jar);
      if (!(result instanceof StageResult.Stored stored)
          || !stored.sha256().equals(staged.sha256())) {
        throw new AssertionError(result);
      }
    }
    if (event instanceof Discarded discarded) {
      if (!store.sweep(Set.of()).equals(Set.of(discarded.sha256()))) {
        throw new AssertionError(event);
      }
    } else {
      store.record(event);
    }
  }

  private static int content(PluginState state) {
    return (int) (state.sequence() / STEPS);
  }

  private static byte[] jar(int content) {
    return ("content " + content).repeat(8_000).getBytes(StandardCharsets.UTF_8);
  }

  private static String sha256(int content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(jar(content)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
