package dev.tutti.plugin.live;

import dev.tutti.base.idle.Clock;
import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.signature.SignatureFile;
import dev.tutti.plugin.signature.SignatureState;
import dev.tutti.plugin.signature.SignatureState.Kind;
import dev.tutti.plugin.signature.Signatures;
import dev.tutti.plugin.signature.TrustedKeys;
import dev.tutti.plugin.store.PluginStore;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The current trusted keys, and the signer of each content of the store. Follows changes of the
 * trust file. Changed under the lock of its owner, read by any thread.
 *
 * <p>A trust file that cannot be read neither withdraws nor adds keys: the keys read last still
 * apply to loaded plugins, and no other plugin is admitted. A file without keys withdraws all.
 */
final class Trust {

  private final @Nullable Path file;
  private final PluginStore store;
  private final News news;
  private final StableFiles stable;
  private final Map<String, Held> held = new ConcurrentHashMap<>();

  /** The contents whose signatures were reported as impossible to keep. */
  private final Set<String> unkept = new HashSet<>();

  private FileStamp stamp;
  private volatile TrustedKeys keys;
  private volatile String problem = "";
  private long revision;

  /**
   * Reads the trust file.
   *
   * @param file the file of trusted keys if every plugin must be signed, else null
   * @throws TuttiException with {@link ErrorCode#PLUGIN_SIGNATURE} if it cannot be used
   */
  Trust(@Nullable Path file, PluginStore store, News news, Clock clock, InstantSource time) {
    this.stable = new StableFiles(clock, time);
    this.file = file;
    this.store = store;
    this.news = news;
    this.stamp = file == null ? FileStamp.NONE : FileStamp.of(file);
    this.keys = file == null ? TrustedKeys.none() : TrustedKeys.read(file);
  }

  /** The signature of a content, and its state. */
  private record Held(byte @Nullable [] signature, SignatureState state) {}

  /** Whether every plugin must be signed. */
  boolean isRequired() {
    return file != null;
  }

  /** The file of trusted keys, or null if plugins need no signature. */
  @Nullable Path file() {
    return file;
  }

  /** A number that grows with each change of the keys or of a signature. */
  long revision() {
    return revision;
  }

  /**
   * Reads the trust file again if it has changed and is not being written.
   *
   * @return whether the file was stable
   */
  boolean look() {
    FileStamp now = file == null ? stamp : FileStamp.of(file);
    if (file == null || now.equals(stamp)) {
      return true;
    }
    if (!stable.isStable("", now)) {
      return false;
    }
    stamp = now;
    read(file);
    return true;
  }

  private void read(Path file) {
    try {
      keys = TrustedKeys.reread(file);
      problem = "";
      news.tell(
          keys.names().isEmpty()
              ? Sentence.of("the trust file %s no longer names a key", file)
              : Sentence.of(
                  "the trust file %s names %s now", file, String.join(", ", keys.names())));
    } catch (TuttiException e) {
      problem = String.valueOf(e.getMessage());
      news.tell(
          Sentence.of(
              "%s; the keys read last still apply to loaded plugins, and no other plugin is"
                  + " admitted; fix the file",
              problem));
    }
    held.clear();
    revision++;
  }

  /**
   * Sets the signature of a content from now on. If that cannot be written, the content keeps the
   * old signature, and the next call tries again.
   *
   * @param signature the contents of its signature file, or null if there is none
   */
  void sign(String sha256, byte @Nullable [] signature) {
    if (Arrays.equals(held(sha256).signature(), signature)) {
      return;
    }
    try {
      store.keepSignature(sha256, signature);
      held.remove(sha256);
      unkept.remove(sha256);
      revision++;
    } catch (TuttiException e) {
      if (unkept.add(sha256)) {
        news.tell("a signature cannot be kept: " + e.getMessage());
      }
    }
  }

  /** Drops contents that the store no longer has. */
  void forget(Collection<String> contents) {
    held.keySet().removeAll(contents);
    unkept.removeAll(contents);
  }

  private Held held(String sha256) {
    return Objects.requireNonNull(held.computeIfAbsent(sha256, this::read));
  }

  private Held read(String sha256) {
    byte @Nullable [] signature = store.signature(sha256);
    return new Held(signature, state(sha256, signature));
  }

  /** The state of the signature of a content in the store. */
  SignatureState state(String sha256) {
    return held(sha256).state();
  }

  /** The state of the signature in the file beside a jar. */
  SignatureState beside(Path jar, String sha256) {
    try {
      return state(sha256, SignatureFile.read(jar));
    } catch (IOException e) {
      return state(sha256, new byte[0]);
    }
  }

  /** The state of a signature for a content that need not be in the store. */
  SignatureState state(String sha256, byte @Nullable [] signature) {
    return Signatures.verify(HexFormat.of().parseHex(sha256), signature, keys);
  }

  /**
   * Why a content must not serve, as part of a sentence; empty if it may.
   *
   * @param isLoaded whether it was already admitted
   */
  String objection(String sha256, boolean isLoaded) {
    if (!isRequired() || sha256.isEmpty()) {
      return "";
    }
    SignatureState state = state(sha256);
    if (state.kind() != Kind.SIGNED) {
      return "is " + state.text();
    }
    return isLoaded || problem.isEmpty() ? "" : "waits, because " + problem;
  }

  /**
   * Refuses to admit plugins while the trust file cannot be read.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_SIGNATURE}
   */
  void requireReadable() {
    if (!problem.isEmpty()) {
      throw new TuttiException(
          ErrorCode.PLUGIN_SIGNATURE, "no plugin is admitted, because %s; fix the file", problem);
    }
  }
}
