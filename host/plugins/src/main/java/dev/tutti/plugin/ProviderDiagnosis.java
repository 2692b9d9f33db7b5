package dev.tutti.plugin;

import dev.tutti.base.text.Sentence;
import dev.tutti.sdk.CollExecutorBase;
import dev.tutti.verifier.gate.PluginFailure;
import dev.tutti.verifier.gate.PluginText;
import java.lang.reflect.Modifier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Explains in one sentence why a class cannot be a provider, and what to do about it. */
enum ProviderDiagnosis {
  /** For a provider in a jar that the host loads. */
  IN_JAR("in the jar", "neither in the jar nor in the SPI; put it into the jar"),
  /** For a provider on the class path or module path of the application. */
  ON_PATH("on the class path", "not on the class path; depend on the jar that has it");

  private static final Pattern CLASS_FILE = Pattern.compile("class file version (\\d{1,5})");
  private static final int JAVA_1_CLASS_FILE = 44;

  private final String place;
  private final String missing;

  ProviderDiagnosis(String place, String missing) {
    this.place = place;
    this.missing = missing;
  }

  /**
   * Checks a provider class without running any of its code.
   *
   * @return the problem, or null if there is none
   */
  @Nullable String ofClass(String name, ClassLoader loader) {
    try {
      return ofType(Class.forName(name, false, loader));
    } catch (ClassNotFoundException e) {
      return notFound(name);
    } catch (LinkageError e) {
      return ofError(name, e);
    }
  }

  /** The problem of a provider whose class is missing. */
  String notFound(String name) {
    return name
        + " is named in "
        + PluginJar.SERVICES
        + " but is not "
        + place
        + "; build the jar again, or remove the line";
  }

  private @Nullable String ofType(Class<?> type) {
    String name = type.getName();
    if (!CollExecutorBase.class.isAssignableFrom(type)) {
      return name + " is not an executor; it must extend CollExecutorBase";
    }
    if (Modifier.isAbstract(type.getModifiers())) {
      return isAbstract(name);
    }
    if (type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
      return name + " is an inner class; make it static, or move it to its own file";
    }
    if (!isAccessible(type)) {
      return name + " is not public, or is inside a class that is not; make it public";
    }
    try {
      return Modifier.isPublic(type.getConstructor().getModifiers()) ? null : noConstructor(name);
    } catch (NoSuchMethodException e) {
      return noConstructor(name);
    } catch (LinkageError e) {
      return ofError(name, e);
    }
  }

  private static String noConstructor(String name) {
    return name + " has no public constructor without parameters; add one";
  }

  private static String isAbstract(String name) {
    return name + " is abstract; name a concrete subclass instead";
  }

  private static boolean isAccessible(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getEnclosingClass()) {
      if (!Modifier.isPublic(at.getModifiers())) {
        return false;
      }
    }
    return true;
  }

  /**
   * The problem behind a throwable from loading or creating a provider. The throwable's methods can
   * be plugin code, so call this within the limited call that it ends.
   */
  String ofError(String name, Throwable thrown) {
    return PluginText.cut(textOf(name, thrown));
  }

  private String textOf(String name, Throwable thrown) {
    return switch (thrown) {
      case UnsupportedClassVersionError e -> ofVersion(name, e);
      case NoClassDefFoundError e -> ofMissing(name, e);
      case ClassFormatError e ->
          name + " is not a valid class file (" + e.getMessage() + "); build the jar again";
      case ExceptionInInitializerError e ->
          Sentence.of(
              "the static initialiser of %s threw %s; executors need none",
              name, PluginFailure.of(e.getCause() == null ? e : e.getCause()));
      case LinkageError e ->
          Sentence.of(
              "%s does not fit this host or its own jar (%s); rebuild the plugin against sdk-api %s",
              name, PluginFailure.of(e), SpiVersion.CURRENT);
      case InstantiationException e -> isAbstract(name);
      default ->
          Sentence.of(
              "the constructor of %s threw %s; it must do nothing", name, PluginFailure.of(thrown));
    };
  }

  private String ofMissing(String name, NoClassDefFoundError e) {
    if (e.getCause() instanceof ExceptionInInitializerError) {
      return Sentence.of("%s cannot be initialised: %s", name, e.getMessage());
    }
    return Sentence.of(
        "%s needs the class %s, which is %s",
        name, String.valueOf(e.getMessage()).replace('/', '.'), missing);
  }

  private static String ofVersion(String name, UnsupportedClassVersionError e) {
    int host = Runtime.version().feature();
    Matcher matcher = CLASS_FILE.matcher(String.valueOf(e.getMessage()));
    String compiled =
        matcher.find()
            ? "Java " + (Integer.parseInt(matcher.group(1)) - JAVA_1_CLASS_FILE)
            : "a newer Java";
    return Sentence.of(
        "%s is compiled for %s, but the host runs on Java %d; compile the plugin with --release %d",
        name, compiled, host, host);
  }
}
