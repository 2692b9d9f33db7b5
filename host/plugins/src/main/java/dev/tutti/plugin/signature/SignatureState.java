package dev.tutti.plugin.signature;

/**
 * What is known about the signature of a jar.
 *
 * @param kind whether it is good
 * @param signer the name of the trusted key that made it; empty unless it is good
 */
public record SignatureState(Kind kind, String signer) {

  /** The cases. */
  public enum Kind {
    /** A trusted key made it for exactly these bytes. */
    SIGNED,
    /** There is none. */
    UNSIGNED,
    /** There is one, and no trust file to compare it with. */
    UNCHECKED,
    /** It is not one of any trusted key for these bytes. */
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
