package dev.tutti.plugin.signature;

import dev.tutti.plugin.signature.SignatureState.Kind;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks Ed25519 signatures (RFC 8032) of jars. The 32 bytes of the jar's SHA-256 are signed. A
 * signature has 64 bytes, given in binary or as base64 text.
 */
public final class Signatures {

  static final String ALGORITHM = "Ed25519";

  private static final int SIGNATURE_BYTES = 64;

  private Signatures() {}

  /**
   * Looks for the trusted key that made a signature.
   *
   * @param sha256 the hash of the jar
   * @param signature the contents of the signature file, or null if there is none
   * @param trust the trusted keys
   */
  public static SignatureState verify(
      byte[] sha256, byte @Nullable [] signature, TrustedKeys trust) {
    if (signature == null) {
      return SignatureState.without(Kind.UNSIGNED);
    }
    if (!trust.isGiven()) {
      return SignatureState.without(Kind.UNCHECKED);
    }
    byte @Nullable [] raw = raw(signature);
    if (raw != null) {
      for (Map.Entry<String, PublicKey> key : trust.keys().entrySet()) {
        if (isMadeBy(key.getValue(), sha256, raw)) {
          return new SignatureState(Kind.SIGNED, key.getKey());
        }
      }
    }
    return SignatureState.without(Kind.WRONG);
  }

  private static byte @Nullable [] raw(byte[] signature) {
    if (signature.length == SIGNATURE_BYTES) {
      return signature;
    }
    try {
      byte[] decoded =
          Base64.getMimeDecoder().decode(new String(signature, StandardCharsets.US_ASCII).strip());
      return decoded.length == SIGNATURE_BYTES ? decoded : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isMadeBy(PublicKey key, byte[] sha256, byte[] raw) {
    try {
      Signature verifier = Signature.getInstance(ALGORITHM);
      verifier.initVerify(key);
      verifier.update(sha256);
      return verifier.verify(raw);
    } catch (GeneralSecurityException e) {
      return false; // A signature whose numbers are out of range was not made by this key.
    }
  }
}
