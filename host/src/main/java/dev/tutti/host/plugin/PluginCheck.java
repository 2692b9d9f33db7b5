package dev.tutti.host.plugin;

import dev.tutti.host.plugin.guard.Restrictions;
import dev.tutti.host.plugin.link.LinkReport;
import dev.tutti.host.plugin.signature.SignatureState;
import dev.tutti.host.plugin.signature.SignatureState.Kind;
import dev.tutti.host.plugin.signature.Signatures;
import dev.tutti.host.plugin.signature.TrustedKeys;
import dev.tutti.host.text.Sentence;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks jars without loading anything of them: the zip file, the manifest, the signature, the
 * references of the class files. What it knows of the host's classes is kept for the next jar.
 * Immutable and thread-safe.
 */
public final class PluginCheck {

  private static final String SIGNATURE_SUFFIX = ".sig";

  private final JarChecks checks;
  private final TrustedKeys trust;
  private final boolean requiresSignature;

  private PluginCheck(JarChecks checks, TrustedKeys trust, boolean requiresSignature) {
    this.checks = checks;
    this.trust = trust;
    this.requiresSignature = requiresSignature;
  }

  /** A check that takes jars with any signature and without one. */
  public static PluginCheck create() {
    return new PluginCheck(new JarChecks(new Restrictions()), TrustedKeys.none(), false);
  }

  /**
   * The same check with keys. A signature that none of them made for the jar is a problem; no
   * signature is not.
   *
   * @param trustFile a line for each key: a name and the base64 text of an Ed25519 public key
   * @throws TuttiException with {@link ErrorCode#PLUGIN_SIGNATURE} if the file is missing or wrong
   */
  public PluginCheck trusting(Path trustFile) {
    return new PluginCheck(checks, TrustedKeys.read(trustFile), requiresSignature);
  }

  /** The same check, for which a jar without a signature of a trusted key is a problem. */
  public PluginCheck requireSigned() {
    return new PluginCheck(checks, trust, true);
  }

  /**
   * Checks a jar, and the signature in the file beside it whose name has {@code .sig} at its end.
   *
   * @return what is known, with every problem; nothing that is wrong with the jar is thrown
   */
  public PluginReport check(Path file) {
    return check(file, true);
  }

  /**
   * Reads what a jar says it is, and whether its bytes and its signature are sound. For jars that
   * are loaded next, which looks at everything else.
   */
  public PluginReport identify(Path file) {
    return check(file, false);
  }

  private PluginReport check(Path file, boolean isLinked) {
    PluginJar jar;
    try {
      jar = PluginJar.read(file);
      jar.checkData();
    } catch (TuttiException e) {
      return new PluginReport(
          file, "", null, "not checked", Optional.empty(), List.of(problem(file, "", e)));
    }
    List<PluginProblem> problems = new ArrayList<>();
    PluginManifest manifest = manifest(jar, problems);
    SignatureState signature = signature(jar, manifest, problems);
    if (isLinked) {
      addProblems(jar, manifest, problems);
    }
    return new PluginReport(
        file,
        jar.sha256(),
        manifest,
        signature.text(),
        signature.kind() == Kind.SIGNED ? Optional.of(signature.signer()) : Optional.empty(),
        problems);
  }

  private @Nullable PluginManifest manifest(PluginJar jar, List<PluginProblem> problems) {
    try {
      return checks.manifest(jar);
    } catch (TuttiException e) {
      problems.add(problem(jar.file(), "", e));
      return null;
    }
  }

  private void addProblems(
      PluginJar jar, @Nullable PluginManifest manifest, List<PluginProblem> problems) {
    String id = id(manifest);
    try {
      checks.checkNoSpiClasses(jar);
    } catch (TuttiException e) {
      problems.add(problem(jar.file(), id, e));
    }
    addProviderProblems(jar, id, problems);
    if (manifest == null) {
      return;
    }
    try {
      checks.checkSpiVersion(manifest);
    } catch (TuttiException e) {
      problems.add(problem(jar.file(), id, e));
    }
    LinkReport links = checks.link(jar, manifest);
    if (!links.isClean()) {
      problems.add(new PluginProblem(jar.file(), id, ErrorCode.PLUGIN_LINK, links.message()));
    }
  }

  private static void addProviderProblems(PluginJar jar, String id, List<PluginProblem> problems) {
    List<String> providers = jar.providers();
    if (providers == null || providers.isEmpty()) {
      problems.add(
          new PluginProblem(
              jar.file(), id, ErrorCode.PLUGIN_PROVIDER, JarChecks.noProvider(providers != null)));
      return;
    }
    for (String name : providers) {
      if (jar.findClass(name.replace('.', '/')) == null) {
        problems.add(
            new PluginProblem(
                jar.file(), id, ErrorCode.PLUGIN_PROVIDER, ProviderDiagnosis.notInJar(name)));
      }
    }
  }

  private SignatureState signature(
      PluginJar jar, @Nullable PluginManifest manifest, List<PluginProblem> problems) {
    SignatureState state;
    try {
      state = Signatures.verify(jar.digest(), signatureOf(jar.file()), trust);
    } catch (IOException e) {
      problems.add(unsigned(jar, manifest, "its signature cannot be read (" + e + ")"));
      return new SignatureState(Kind.WRONG, "");
    }
    boolean isRefused =
        state.kind() == Kind.WRONG || (requiresSignature && state.kind() != Kind.SIGNED);
    if (isRefused) {
      problems.add(unsigned(jar, manifest, "it is " + state.text()));
    }
    return state;
  }

  private static byte @Nullable [] signatureOf(Path jar) throws IOException {
    try {
      return Files.readAllBytes(jar.resolveSibling(jar.getFileName() + SIGNATURE_SUFFIX));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static PluginProblem unsigned(
      PluginJar jar, @Nullable PluginManifest manifest, String how) {
    return new PluginProblem(
        jar.file(),
        id(manifest),
        ErrorCode.PLUGIN_SIGNATURE,
        Sentence.of(
            "%s; sign the SHA-256 of the jar with a key of the trust file, into %s%s",
            how, jar.file().getFileName(), SIGNATURE_SUFFIX));
  }

  private static String id(@Nullable PluginManifest manifest) {
    return manifest == null ? "" : manifest.id();
  }

  private static PluginProblem problem(Path file, String id, TuttiException e) {
    return new PluginProblem(file, id, e.code(), String.valueOf(e.getMessage()));
  }
}
