package dev.tutti.plugin.signature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.plugin.signature.SignatureState.Kind;
import dev.tutti.sdk.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SignaturesTest {

  private static final byte[] HASH = new byte[32];

  @TempDir private Path directory;
  private KeyPair alice;
  private KeyPair bob;
  private TrustedKeys trust;

  @BeforeEach
  void makeKeys() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
    alice = generator.generateKeyPair();
    bob = generator.generateKeyPair();
    trust =
        TrustedKeys.read(
            file(
                "# who may\n\n"
                    + line("carol", generator.generateKeyPair())
                    + line("alice", alice)));
  }

  private static String line(String name, KeyPair keys) {
    return name + "  " + Base64.getEncoder().encodeToString(keys.getPublic().getEncoded()) + "\n";
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("trust"), text);
  }

  private static byte[] sign(KeyPair keys, byte[] hash) throws GeneralSecurityException {
    Signature signer = Signature.getInstance("Ed25519");
    signer.initSign(keys.getPrivate());
    signer.update(hash);
    return signer.sign();
  }

  private Kind kind(byte[] signature) {
    return Signatures.verify(HASH, signature, trust).kind();
  }

  @Test
  void theSignerIsNamed() throws Exception {
    assertThat(Signatures.verify(HASH, sign(alice, HASH), trust))
        .isEqualTo(new SignatureState(Kind.SIGNED, "alice"))
        .extracting(SignatureState::text)
        .isEqualTo("signed by alice");
  }

  @Test
  void base64IsTakenToo() throws Exception {
    byte[] text = Base64.getMimeEncoder().encode(sign(alice, HASH));
    assertThat(
            kind(
                (new String(text, StandardCharsets.US_ASCII) + "\n")
                    .getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo(Kind.SIGNED);
  }

  @Test
  void otherBytesOtherKeysAndNoiseAreWrong() throws Exception {
    byte[] other = HASH.clone();
    other[31] = 1;
    assertThat(kind(sign(alice, other))).isEqualTo(Kind.WRONG);
    assertThat(kind(sign(bob, HASH))).isEqualTo(Kind.WRONG);
    assertThat(kind(new byte[64])).isEqualTo(Kind.WRONG);
    assertThat(kind(new byte[0])).isEqualTo(Kind.WRONG);
    assertThat(kind(new byte[1000])).isEqualTo(Kind.WRONG);
    byte[] flipped = sign(alice, HASH);
    flipped[63] ^= (byte) 0x80;
    assertThat(kind(flipped)).isEqualTo(Kind.WRONG);
  }

  @Test
  void withoutSignatureOrWithoutKeysNothingIsClaimed() throws Exception {
    assertThat(kind(null)).isEqualTo(Kind.UNSIGNED);
    assertThat(Signatures.verify(HASH, sign(alice, HASH), TrustedKeys.none()).kind())
        .isEqualTo(Kind.UNCHECKED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alice| line 1: it must be a name and a key, without blanks in them",
        "alice a b| line 1: it must be a name and a key, without blanks in them",
        "alice AAAA| line 1: the key is not the base64 text of an Ed25519 public key (",
        "alice %%%| line 1: the key is not the base64 text of an Ed25519 public key (",
        "# nothing| names no key; add 'NAME KEY'",
      })
  void aWrongTrustFileIsRefused(String text, String message) throws IOException {
    Path file = file(text);
    assertThat(Errors.message(ErrorCode.PLUGIN_SIGNATURE, () -> TrustedKeys.read(file)))
        .contains(message);
  }

  @Test
  void aNameThatIsTakenAndAMissingFileAreRefused() throws IOException {
    Path twice = file(line("a", alice) + line("a", bob));
    assertThat(Errors.message(ErrorCode.PLUGIN_SIGNATURE, () -> TrustedKeys.read(twice)))
        .endsWith("line 2: the name 'a' is taken already");
    assertThat(
            Errors.message(
                ErrorCode.PLUGIN_SIGNATURE, () -> TrustedKeys.read(directory.resolve("none"))))
        .startsWith("the trust file " + directory.resolve("none") + " cannot be read (");
  }
}
