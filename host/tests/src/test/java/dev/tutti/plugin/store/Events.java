package dev.tutti.plugin.store;

import dev.tutti.plugin.store.PluginEvent.Admitted;
import dev.tutti.plugin.store.PluginEvent.Discarded;
import dev.tutti.plugin.store.PluginEvent.Drained;
import dev.tutti.plugin.store.PluginEvent.Leaked;
import dev.tutti.plugin.store.PluginEvent.Pinned;
import dev.tutti.plugin.store.PluginEvent.Quarantined;
import dev.tutti.plugin.store.PluginEvent.Refused;
import dev.tutti.plugin.store.PluginEvent.Removed;
import dev.tutti.plugin.store.PluginEvent.RolledBack;
import dev.tutti.plugin.store.PluginEvent.Serving;
import dev.tutti.plugin.store.PluginEvent.Staged;
import dev.tutti.plugin.store.PluginEvent.Unloaded;
import dev.tutti.plugin.store.PluginEvent.Unpinned;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Events of invented plugins. */
final class Events {

  static final String HOST = "1.4.0";

  /** Texts that are hard to keep: scripts, controls, line ends, quotes, half surrogate pairs. */
  static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "прямой обмен",
          "環状 🧵",
          "\"quotes\\ {}\",\"sum\":\"00000000\"}",
          "line\nline\r\n\u2028\u0085\u0000\u001f",
          "\ud83e lone \udd9e",
          "\udd9e\ud83e");

  private Events() {}

  /** A clock that starts in 2026 and shows one second more each time. */
  static InstantSource clock() {
    long[] seconds = {Instant.parse("2026-01-01T00:00:00.000000001Z").getEpochSecond()};
    return () -> Instant.ofEpochSecond(seconds[0]++, 1);
  }

  /** One event of each kind. */
  static List<PluginEvent> each() {
    return List.of(
        new Staged("ring", "1.0", hash(1), "ring.jar", 1L << 40),
        new Admitted("ring", "1.0", hash(1), HOST),
        new Serving("ring", "1.0", hash(1), "ring.jar", null),
        new Staged("ring", "2.0", hash(2), "ring.jar", 7),
        new Quarantined("ring", "2.0", hash(2), "ring.jar", HOST, "TUTTI-409", "SEM-1: wrong"),
        new Serving("ring", "2.0", hash(2), "ring.jar", hash(1)),
        new RolledBack("ring", hash(2), hash(1), "1.0", "ring.jar", "it failed 3 calls", true),
        new RolledBack("ring", hash(1), null, "", "", "by hand", false),
        new Pinned("ring", "2.0"),
        new Unpinned("ring"),
        new Drained("ring", hash(1), 12, 0),
        new Unloaded("ring", hash(1)),
        new Leaked("ring", hash(2), List.of("thread 'timer'", "a kept exception")),
        new Refused("", "broken.jar", "TUTTI-401", "it is not a jar"),
        new Removed("ring", hash(1), "its file was deleted"),
        new Discarded("ring", hash(2)));
  }

  /** The hash of an invented content. */
  static String hash(long content) {
    return "%064x".formatted(content);
  }

  /** A random event of a few plugins and contents that makes sense after a state. */
  static PluginEvent random(Random random, PluginState state) {
    String plugin = List.of("", "direct", "ring").get(random.nextInt(3));
    List<String> known = new ArrayList<>(state.plugin(plugin).contents().keySet());
    if (known.isEmpty()) {
      return staged(plugin, random);
    }
    String content = known.get(random.nextInt(known.size()));
    String other = known.get(random.nextInt(known.size()));
    String text = TEXTS.get(random.nextInt(TEXTS.size()));
    return switch (random.nextInt(14)) {
      case 0 -> staged(plugin, random);
      case 1 -> new Admitted(plugin, "1", content, HOST);
      case 2 -> new Quarantined(plugin, "1", content, text, HOST, "TUTTI-409", text);
      case 3, 4 -> new Serving(plugin, "1", content, text, random.nextBoolean() ? other : null);
      case 5 -> new RolledBack(plugin, content, other, "1", text, text, random.nextBoolean());
      case 6 -> new RolledBack(plugin, content, null, "", "", text, random.nextBoolean());
      case 7 -> new Removed(plugin, content, text);
      case 8 -> new Pinned(plugin, text);
      case 9 -> new Unpinned(plugin);
      case 10 -> new Drained(plugin, content, random.nextInt(1000), 0);
      case 11 -> new Leaked(plugin, content, List.of(text, text));
      case 12 -> new Refused(plugin, text, "TUTTI-405", text);
      default -> new Discarded(plugin, content);
    };
  }

  private static Staged staged(String plugin, Random random) {
    int content = random.nextInt(6);
    return new Staged(plugin, "1." + content, hash(content + 16L * plugin.length()), "a.jar", 9);
  }
}
