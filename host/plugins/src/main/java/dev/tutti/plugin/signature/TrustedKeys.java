package dev.tutti.plugin.signature;

import dev.tutti.plugin.file.BoundedFile;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The public keys whose signatures are trusted, by name. Immutable.
 *
 * <p>A trust file has a line for each key: a name, blanks, and the key as the base64 text between
 * the marks of its PEM file. Empty lines and lines that start with a number sign are ignored.
 */
public final class TrustedKeys {

  private static final int MAX_BYTES = 1 << 20;

  private final Map<String, PublicKey> keys;
  private final boolean isGiven;

  private TrustedKeys(Map<String, PublicKey> keys, boolean isGiven) {
    this.keys = keys;
    this.isGiven = isGiven;
  }

  /** No keys and no trust file; signatures are not checked. */
  public static TrustedKeys none() {
    return new TrustedKeys(Map.of(), false);
  }

  /**
   * Reads a trust file.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_SIGNATURE} if it cannot be read, has no
   *     key, or has a wrong line
   */
  public static TrustedKeys read(Path file) {
    TrustedKeys keys = reread(file);
    if (keys.keys.isEmpty()) {
      throw new TuttiException(
          ErrorCode.PLUGIN_SIGNATURE, "the trust file %s names no key; add 'NAME KEY'", file);
    }
    return keys;
  }

  /**
   * Reads a trust file again. A file without keys withdraws all keys.
   *
   * @throws TuttiException with {@link ErrorCode#PLUGIN_SIGNATURE} if it cannot be read, or has a
   *     line that is wrong
   */
  public static TrustedKeys reread(Path file) {
    List<String> lines = lines(file);
    Map<String, PublicKey> keys = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        add(line, file + ", line " + (i + 1), keys);
      }
    }
    return new TrustedKeys(keys, true);
  }

  private static List<String> lines(Path file) {
    try {
      return new String(BoundedFile.read(file, MAX_BYTES), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new TuttiException(
          ErrorCode.PLUGIN_SIGNATURE, e, "the trust file %s cannot be read (%s)", file, e);
    }
  }

  private static void add(String line, String where, Map<String, PublicKey> keys) {
    String[] words = line.split("\\s+", -1);
    if (words.length != 2) {
      throw wrong(where, "it must be a name and a key, without blanks in them");
    }
    if (keys.containsKey(words[0])) {
      throw wrong(where, "the name '" + words[0] + "' is taken already");
    }
    try {
      byte[] encoded = Base64.getDecoder().decode(words[1]);
      keys.put(
          words[0],
          KeyFactory.getInstance(Signatures.ALGORITHM)
              .generatePublic(new X509EncodedKeySpec(encoded)));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw wrong(
          where,
          "the key is not the base64 text of an Ed25519 public key (" + e.getMessage() + ")");
    }
  }

  private static TuttiException wrong(String where, String how) {
    return new TuttiException(ErrorCode.PLUGIN_SIGNATURE, "the trust file %s: %s", where, how);
  }

  /** Whether there is a trust file; signatures are checked then, even if it has no keys. */
  boolean isGiven() {
    return isGiven;
  }

  /** The names of the keys, in the order of the file. */
  public List<String> names() {
    return List.copyOf(keys.keySet());
  }

  /** The keys by name, in the order of the file. */
  Map<String, PublicKey> keys() {
    return keys;
  }
}
