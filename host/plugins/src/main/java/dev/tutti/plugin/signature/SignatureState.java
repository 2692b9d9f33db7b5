package dev.tutti.plugin.signature;

/**
 * The state of a jar's signature.
 *
 * @param kind whether it is valid
 * @param signer the name of the trusted key that made it; empty unless it is valid
 */
public record SignatureState(Kind kind, String signer) {

  /** The possible states. */
  public enum Kind {
    /** A trusted key made it for exactly these bytes. */
    SIGNED,
    /** There is no signature. */
    UNSIGNED,
    /** There is a signature, but no trust file to check it. */
    UNCHECKED,
    /** No trusted key made it for these bytes. */
    WRONG
  }

  static SignatureState without(Kind kind) {
    return new SignatureState(kind, "");
  }

  /** The state in words. */
  public String text() {
    return switch (kind) {
      case SIGNED -> "signed by " + signer;
      case UNSIGNED -> "not signed";
      case UNCHECKED -> "signed, but there is no trust file to check it with";
      case WRONG -> "not signed by a trusted key, or signed for other bytes";
    };
  }
}
