package dev.tutti.plugin.live;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.PluginManifest;
import dev.tutti.plugin.PluginProblem;
import dev.tutti.plugin.PluginReport;
import dev.tutti.plugin.signature.SignatureFile;
import dev.tutti.plugin.signature.SignatureState;
import dev.tutti.plugin.signature.SignatureState.Kind;
import dev.tutti.plugin.store.PluginEvent;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.plugin.store.PresentJar;
import dev.tutti.plugin.store.StageResult;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Copies the files of the plugins directory into the store, with their signatures. Each new content
 * is copied once, when it is known to be a plugin, and serves from that copy. A file is opened
 * again only when its size or one of its times has changed. Not thread-safe.
 */
final class JarStaging {

  /**
   * Up to this age, a file that cannot be read as a jar may be incomplete, and a signature that
   * does not match may have arrived before its jar.
   */
  private static final Duration YOUNG = Duration.ofSeconds(5);

  private static final String WRITTEN = "is still being written";

  private final PluginStore store;
  private final Path directory;
  private final Examiner examiner;
  private final Trust trust;
  private final News news;
  private final InstantSource time;
  private final Map<String, Known> files = new HashMap<>();

  /** The files whose signatures were reported as useless. */
  private final Set<String> noted = new HashSet<>();

  /**
   * The result for a file.
   *
   * @param signature the contents of its signature file, or null
   * @param awaited the stamp of a file that is too young to be judged, or null if there is none
   */
  private record Known(
      FileStamp stamp,
      PresentJar jar,
      byte @Nullable [] signature,
      @Nullable PluginProblem refusal,
      @Nullable FileStamp awaited) {

    boolean isWaiting() {
      return awaited != null;
    }

    /** Whether the wait for the file to become complete is over. */
    boolean isOver(Instant now) {
      return awaited != null && !awaited.isYoungerThan(YOUNG, now);
    }
  }

  /**
   * The contents of the files.
   *
   * @param jars the files
   * @param refused the problems of files that cannot be identified as plugins
   * @param isSettled whether no file may still become readable
   */
  record Contents(List<PresentJar> jars, List<PluginProblem> refused, boolean isSettled) {}

  JarStaging(
      PluginStore store,
      Path directory,
      Examiner examiner,
      Trust trust,
      News news,
      InstantSource time) {
    this.store = store;
    this.directory = directory;
    this.examiner = examiner;
    this.trust = trust;
    this.news = news;
    this.time = time;
  }

  /** Takes new and changed files. */
  Contents take(PluginsDirectory.Look look) {
    boolean isSettled = look.isSettled();
    files.keySet().retainAll(look.names());
    noted.retainAll(look.names());
    for (Map.Entry<String, FileStamp> each : look.files().entrySet()) {
      Known known = files.get(each.getKey());
      if (known == null || !known.stamp().equals(each.getValue()) || known.isOver(time.instant())) {
        known = take(each.getKey(), each.getValue());
        files.put(each.getKey(), known);
      }
      isSettled &= !known.isWaiting();
    }
    for (String name : look.names()) {
      // The file keeps its last content; otherwise it would count as deleted.
      files.computeIfAbsent(name, file -> waiting(file, FileStamp.NONE, WRITTEN));
    }
    keepSignatures();
    return new Contents(
        files.values().stream().map(Known::jar).toList(),
        files.values().stream().map(Known::refusal).flatMap(Stream::ofNullable).toList(),
        isSettled);
  }

  /** Makes the next scan read all refused files again. */
  void forgetRefused() {
    files.values().removeIf(known -> known.jar().sha256().isEmpty());
  }

  private Known take(String file, FileStamp stamp) {
    Path path = directory.resolve(file);
    if (!stamp.problem().isEmpty()) {
      return refused(
          file,
          stamp,
          "is not admitted",
          new TuttiException(ErrorCode.PLUGIN_UNREADABLE, "%s", stamp.problem()));
    }
    PluginReport report;
    try {
      report = examiner.identify(path);
    } catch (TuttiException e) {
      return e.code() == ErrorCode.PLUGIN_UNREADABLE && stamp.isYoungerThan(YOUNG, time.instant())
          ? waiting(file, stamp, String.valueOf(e.getMessage()))
          : refused(file, stamp, "is refused", e);
    } catch (RuntimeException | StackOverflowError e) {
      // Whatever error a file causes, the other files are still read.
      return refused(
          file,
          stamp,
          "is refused",
          new TuttiException(ErrorCode.PLUGIN_UNREADABLE, e, "it cannot be read (%s)", e));
    }
    try {
      return stage(file, stamp, report);
    } catch (TuttiException e) {
      return refused(file, stamp, "is not admitted", e);
    }
  }

  private Known stage(String file, FileStamp stamp, PluginReport report) {
    PluginManifest manifest = Objects.requireNonNull(report.manifest(), "checked");
    String sha256 = report.sha256();
    if (store.find(sha256).isEmpty()) {
      switch (store.stage(directory.resolve(file))) {
        case StageResult.Changing changing -> {
          return waiting(file, FileStamp.NONE, changing.reason());
        }
        case StageResult.Stored stored -> {
          if (!stored.sha256().equals(sha256)) {
            return waiting(file, FileStamp.NONE, "was written while it was read");
          }
        }
      }
    }
    if (store.state().plugin(manifest.id()).content(sha256).isEmpty()) {
      store.record(
          new PluginEvent.Staged(
              manifest.id(), manifest.version(), sha256, file, Math.max(0, stamp.size())));
    }
    return signed(file, stamp, manifest, sha256);
  }

  private Known signed(String file, FileStamp stamp, PluginManifest manifest, String sha256) {
    Instant modified = Instant.ofEpochMilli(stamp.modifiedMillis());
    Path path = directory.resolve(file);
    byte @Nullable [] signature;
    String problem = "";
    try {
      signature = SignatureFile.read(path);
    } catch (IOException e) {
      signature = new byte[0];
      problem = Sentence.of("its signature cannot be read (%s)", e.getMessage());
    }
    SignatureState state = trust.state(sha256, signature);
    if (!trust.isRequired()) {
      note(file, signature != null);
    } else if (state.kind() != Kind.SIGNED) {
      FileStamp signed = FileStamp.of(SignatureFile.beside(path));
      if (state.kind() == Kind.WRONG && signed.isYoungerThan(YOUNG, time.instant())) {
        return waiting(file, stamp, signed, "is " + state.text());
      }
      tell(
          file,
          "is refused",
          ErrorCode.PLUGIN_SIGNATURE,
          Sentence.of(
              "%s; sign the SHA-256 of the jar with a key of the trust file, into %s",
              problem.isEmpty() ? "it is " + state.text() : problem,
              SignatureFile.beside(path).getFileName()));
    }
    PresentJar jar = new PresentJar(file, sha256, manifest.id(), manifest.version(), "", modified);
    return new Known(stamp, jar, signature, null, null);
  }

  /** Reports that a signature is not checked, so that users do not believe that it is valid. */
  private void note(String file, boolean hasSignature) {
    if (hasSignature && noted.add(file)) {
      news.tell(file + " has a signature that is not checked, because the host has no trust file");
    }
  }

  /**
   * Makes the store keep the signatures of the files; if two files have the same content, a valid
   * signature takes precedence.
   */
  private void keepSignatures() {
    Map<String, byte @Nullable []> signatures = new HashMap<>();
    for (Known known : files.values()) {
      String sha256 = known.jar().sha256();
      byte @Nullable [] before = signatures.get(sha256);
      if (!sha256.isEmpty()
          && (before == null || trust.state(sha256, before).kind() != Kind.SIGNED)) {
        signatures.put(sha256, known.signature() == null ? before : known.signature());
      }
    }
    signatures.forEach(trust::sign);
  }

  /** Makes a later scan take the file again when it has changed or is old enough. */
  private static Known waiting(String file, FileStamp stamp, String problem) {
    return waiting(file, stamp, stamp, problem);
  }

  private static Known waiting(String file, FileStamp stamp, FileStamp awaited, String problem) {
    Instant modified = Instant.ofEpochMilli(stamp.modifiedMillis());
    return new Known(stamp, unread(file, modified, problem), null, null, awaited);
  }

  private Known refused(String file, FileStamp stamp, String verb, TuttiException refusal) {
    Instant modified = Instant.ofEpochMilli(stamp.modifiedMillis());
    String problem = String.valueOf(refusal.getMessage());
    tell(file, verb, refusal.code(), problem);
    return new Known(
        stamp,
        unread(file, modified, problem),
        null,
        new PluginProblem(directory.resolve(file), "", refusal.code(), problem),
        null);
  }

  /** Reports that a file is refused, and records it unless that is known. */
  private void tell(String file, String verb, ErrorCode code, String problem) {
    PluginEvent event = new PluginEvent.Refused("", file, code.id(), problem);
    if (store.state().plugin("").history().stream().noneMatch(it -> it.event().equals(event))) {
      store.record(event);
    }
    news.tell(Sentence.of("%s %s: [%s] %s", file, verb, code.id(), Sentence.firstLine(problem)));
  }

  private static PresentJar unread(String file, Instant modified, String problem) {
    return new PresentJar(file, "", "", "", problem, modified);
  }
}
