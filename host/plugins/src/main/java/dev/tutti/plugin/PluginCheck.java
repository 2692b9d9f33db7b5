package dev.tutti.plugin;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.link.LinkReport;
import dev.tutti.plugin.signature.SignatureFile;
import dev.tutti.plugin.signature.SignatureState;
import dev.tutti.plugin.signature.SignatureState.Kind;
import dev.tutti.plugin.signature.Signatures;
import dev.tutti.plugin.signature.TrustedKeys;
import dev.tutti.sdk.Arguments;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.verifier.capability.Restrictions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks jars without loading any of their classes: the zip file, the manifest, the signature, and
 * the references of the class files. Keeps its knowledge of the host's classes for the next jar.
 * Immutable and thread-safe.
 */
public final class PluginCheck {

  private static final String NOT_CHECKED = "not checked";

  private final JarChecks checks;
  private final TrustedKeys trust;
  private final boolean requiresSignature;

  private PluginCheck(JarChecks checks, TrustedKeys trust, boolean requiresSignature) {
    this.checks = checks;
    this.trust = trust;
    this.requiresSignature = requiresSignature;
  }

  /** A check that accepts jars with any signature or none. */
  public static PluginCheck create() {
    return new PluginCheck(new JarChecks(new Restrictions()), TrustedKeys.none(), false);
  }

  /**
   * The same check with trusted keys. A signature that none of the keys made for the jar is a
   * problem; a missing signature is not.
   *
   * @param trustFile a line for each key: a name and the base64 text of an Ed25519 public key
   * @throws TuttiException with {@link ErrorCode#PLUGIN_SIGNATURE} if the file is missing or wrong
   */
  public PluginCheck trusting(Path trustFile) {
    Arguments.require(trustFile, "trustFile");

    return new PluginCheck(checks, TrustedKeys.read(trustFile), requiresSignature);
  }

  /** The same check, but a jar without a signature of a trusted key is a problem. */
  public PluginCheck requireSigned() {
    return new PluginCheck(checks, trust, true);
  }

  /**
   * Checks a jar, and its signature in the file beside it with the suffix {@code .sig}.
   *
   * @return the result, with every problem; problems of the jar are not thrown
   */
  public PluginReport check(Path file) {
    Arguments.require(file, "file");

    List<PluginProblem> problems = new ArrayList<>();
    PluginJar jar = read(file, problems);
    if (jar == null) {
      return new PluginReport(file, "", null, NOT_CHECKED, Optional.empty(), problems);
    }
    PluginManifest manifest = manifest(jar, problems);
    SignatureState signature = signature(jar, manifest, problems);
    addProblems(jar, manifest, problems);
    return new PluginReport(
        file,
        jar.sha256(),
        manifest,
        signature.text(),
        signature.kind() == Kind.SIGNED ? Optional.of(signature.signer()) : Optional.empty(),
        problems);
  }

  /**
   * Reads the manifest of a jar and checks that its bytes are not damaged. Meant for jars that are
   * loaded next: loading checks everything else, except the signature, which the caller checks.
   */
  public PluginReport identify(Path file) {
    Arguments.require(file, "file");

    List<PluginProblem> problems = new ArrayList<>();
    PluginJar jar = read(file, problems);
    PluginManifest manifest = jar == null ? null : manifest(jar, problems);
    String sha256 = jar == null ? "" : jar.sha256();
    return new PluginReport(file, sha256, manifest, NOT_CHECKED, Optional.empty(), problems);
  }

  private static @Nullable PluginJar read(Path file, List<PluginProblem> problems) {
    try {
      PluginJar jar = PluginJar.read(file);
      jar.checkData();
      return jar;
    } catch (TuttiException e) {
      problems.add(problem(file, "", e));
      return null;
    }
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
    try {
      addProviderProblems(jar, id, problems);
    } catch (TuttiException e) {
      problems.add(problem(jar.file(), id, e));
      return;
    }
    if (manifest == null) {
      return;
    }
    try {
      JarChecks.checkSpiVersion(manifest);
    } catch (TuttiException e) {
      problems.add(problem(jar.file(), id, e));
    }
    try {
      LinkReport links = checks.link(jar, manifest);
      if (!links.isClean()) {
        problems.add(new PluginProblem(jar.file(), id, ErrorCode.PLUGIN_LINK, links.message()));
      }
    } catch (TuttiException e) {
      problems.add(problem(jar.file(), id, e));
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
                jar.file(),
                id,
                ErrorCode.PLUGIN_PROVIDER,
                ProviderDiagnosis.IN_JAR.notFound(name)));
      }
    }
  }

  private SignatureState signature(
      PluginJar jar, @Nullable PluginManifest manifest, List<PluginProblem> problems) {
    SignatureState state;
    try {
      state = Signatures.verify(jar.digest(), SignatureFile.read(jar.file()), trust);
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

  private static PluginProblem unsigned(
      PluginJar jar, @Nullable PluginManifest manifest, String how) {
    return new PluginProblem(
        jar.file(),
        id(manifest),
        ErrorCode.PLUGIN_SIGNATURE,
        Sentence.of(
            "%s; sign the SHA-256 of the jar with a key of the trust file, into %s%s",
            how, jar.file().getFileName(), SignatureFile.SUFFIX));
  }

  private static String id(@Nullable PluginManifest manifest) {
    return manifest == null ? "" : manifest.id();
  }

  private static PluginProblem problem(Path file, String id, TuttiException e) {
    return new PluginProblem(file, id, e.code(), String.valueOf(e.getMessage()));
  }
}
