package dev.tutti.host.live;

import dev.tutti.host.plugin.PluginManifest;
import dev.tutti.host.plugin.PluginProblem;
import dev.tutti.host.plugin.PluginReport;
import dev.tutti.host.plugin.store.PluginEvent;
import dev.tutti.host.plugin.store.PluginStore;
import dev.tutti.host.plugin.store.PresentJar;
import dev.tutti.host.plugin.store.StageResult;
import dev.tutti.host.text.Sentence;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes the files of the plugins directory into the store: each new content is copied once and
 * never read from the directory again. Not thread-safe.
 */
final class Intake {

  /** A file that cannot be read as a jar may be half copied as long as it is so young. */
  private static final long YOUNG_MILLIS = 5_000;

  private static final String WRITTEN = "is still being written";

  private final PluginStore store;
  private final Path directory;
  private final Examiner examiner;
  private final News news;
  private final Map<String, Known> files = new HashMap<>();

  /** The files whose signatures were told to be of no use. */
  private final Set<String> noted = new HashSet<>();

  private record Known(
      PluginsDirectory.Stamp stamp, PresentJar jar, @Nullable PluginProblem refusal) {}

  /**
   * What the files hold.
   *
   * @param jars each file
   * @param refused why some of them cannot even be said to hold a plugin
   * @param isSettled whether none of them may become readable by itself
   */
  record Contents(List<PresentJar> jars, List<PluginProblem> refused, boolean isSettled) {}

  Intake(PluginStore store, Path directory, Examiner examiner, News news) {
    this.store = store;
    this.news = news;
    this.directory = directory;
    this.examiner = examiner;
  }

  /** Takes in what is new. */
  Contents take(PluginsDirectory.Look look) {
    boolean isSettled = look.isSettled();
    files.keySet().retainAll(look.names());
    for (Map.Entry<String, PluginsDirectory.Stamp> each : look.files().entrySet()) {
      Known known = files.get(each.getKey());
      if (known == null || !known.stamp().equals(each.getValue())) {
        isSettled &= take(each.getKey(), each.getValue());
      }
    }
    for (String name : look.names()) {
      // It stands for what it held, or it could be taken for deleted.
      files.computeIfAbsent(
          name,
          file ->
              new Known(PluginsDirectory.Stamp.NONE, unread(file, Instant.EPOCH, WRITTEN), null));
    }
    return new Contents(
        files.values().stream().map(Known::jar).toList(),
        files.values().stream().map(Known::refusal).flatMap(Stream::ofNullable).toList(),
        isSettled);
  }

  /** Has everything that was refused taken in again. */
  void forgetRefused() {
    files.values().removeIf(known -> known.jar().sha256().isEmpty());
  }

  /** Whether the file is done with, for good or ill. */
  private boolean take(String file, PluginsDirectory.Stamp stamp) {
    Instant modified = Instant.ofEpochMilli(stamp.modifiedMillis());
    StageResult staged;
    try {
      staged = store.stage(directory.resolve(file));
    } catch (TuttiException e) {
      String problem = String.valueOf(e.getMessage());
      store.record(new PluginEvent.Refused("", file, e.code().id(), problem));
      news.tell(Sentence.of("%s is not taken in: [%s] %s", file, e.code().id(), problem));
      files.put(
          file,
          new Known(stamp, unread(file, modified, problem), refusal(file, e.code(), problem)));
      return true;
    }
    return switch (staged) {
      case StageResult.Changing changing -> again(file, modified, changing.reason());
      case StageResult.Stored stored -> read(file, stamp, modified, stored);
    };
  }

  private boolean read(
      String file, PluginsDirectory.Stamp stamp, Instant modified, StageResult.Stored stored) {
    String sha256 = stored.sha256();
    Path path = directory.resolve(file);
    try {
      PluginReport report = examiner.identify(path);
      PluginManifest manifest = Objects.requireNonNull(report.manifest(), "checked");
      if (!report.sha256().equals(sha256)) {
        return again(file, modified, "was written while it was read");
      }
      if (store.state().plugin(manifest.id()).content(sha256).isEmpty()) {
        store.record(
            new PluginEvent.Staged(
                manifest.id(), manifest.version(), sha256, file, stored.bytes()));
      }
      PresentJar jar =
          new PresentJar(file, sha256, manifest.id(), manifest.version(), "", modified);
      files.put(file, new Known(stamp, jar, null));
      noteSignature(file);
      return true;
    } catch (TuttiException e) {
      return refuse(file, stamp, stored, e);
    }
  }

  /** A signature that nobody looks at must not be taken for one that was found good. */
  private void noteSignature(String file) {
    if (!examiner.checksSignatures()
        && Files.exists(directory.resolve(file + ".sig"))
        && noted.add(file)) {
      news.tell(file + " has a signature, which is not checked: the host was given no trust file");
    }
  }

  /** Has the next look take the file in again. */
  private boolean again(String file, Instant modified, String problem) {
    files.put(file, new Known(PluginsDirectory.Stamp.NONE, unread(file, modified, problem), null));
    return false;
  }

  private boolean refuse(
      String file,
      PluginsDirectory.Stamp stamp,
      StageResult.Stored stored,
      TuttiException refusal) {
    Instant modified = Instant.ofEpochMilli(stamp.modifiedMillis());
    String problem = String.valueOf(refusal.getMessage());
    if (refusal.code() == ErrorCode.PLUGIN_UNREADABLE && isYoung(stamp)) {
      return again(file, modified, problem);
    }
    files.put(
        file,
        new Known(stamp, unread(file, modified, problem), refusal(file, refusal.code(), problem)));
    if (refusal.code() == ErrorCode.PLUGIN_SIGNATURE) {
      // The content may be fine; its signature may come or change beside it.
      store.record(new PluginEvent.Refused("", file, refusal.code().id(), problem));
    } else if (store.state().plugin("").content(stored.sha256()).isEmpty()) {
      store.record(new PluginEvent.Staged("", "", stored.sha256(), file, stored.bytes()));
      store.record(
          new PluginEvent.Quarantined(
              "", "", stored.sha256(), file, HostVersion.CURRENT, refusal.code().id(), problem));
    }
    news.tell(
        Sentence.of(
            "%s is refused: [%s] %s", file, refusal.code().id(), Sentence.firstLine(problem)));
    return true;
  }

  /** A time to come says nothing of the age; when the copy goes on, the file is taken in again. */
  private static boolean isYoung(PluginsDirectory.Stamp stamp) {
    long age = System.currentTimeMillis() - stamp.modifiedMillis();
    return age >= 0 && age < YOUNG_MILLIS;
  }

  private PluginProblem refusal(String file, ErrorCode code, String problem) {
    return new PluginProblem(directory.resolve(file), "", code, problem);
  }

  private static PresentJar unread(String file, Instant modified, String problem) {
    return new PresentJar(file, "", "", "", problem, modified);
  }
}
