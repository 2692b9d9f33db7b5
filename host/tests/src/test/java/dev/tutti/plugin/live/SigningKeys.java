package dev.tutti.plugin.live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.Base64;

/** A signer of jars. */
record SigningKeys(String name, KeyPair keys) {

  static SigningKeys of(String name) {
    try {
      return new SigningKeys(name, KeyPairGenerator.getInstance("Ed25519").generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The line of a trust file. */
  String line() {
    return name + " " + Base64.getEncoder().encodeToString(keys.getPublic().getEncoded()) + "\n";
  }

  /** Signs a jar, into the file beside it. */
  Path sign(Path jar) throws IOException {
    return Files.write(jar.resolveSibling(jar.getFileName() + ".sig"), signature(jar));
  }

  byte[] signature(Path jar) throws IOException {
    try {
      Signature signer = Signature.getInstance("Ed25519");
      signer.initSign(keys.getPrivate());
      signer.update(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(jar)));
      return signer.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
