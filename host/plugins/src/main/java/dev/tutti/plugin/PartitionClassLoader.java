package dev.tutti.plugin;

import dev.tutti.base.text.Sentence;
import dev.tutti.plugin.guard.Guard;
import dev.tutti.plugin.guard.GuardPolicy;
import dev.tutti.plugin.guard.GuardedLoader;
import dev.tutti.verifier.capability.Restriction;
import dev.tutti.verifier.gate.StopPoint;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/**
 * The class loader of one plugin, a strict partition: the SPI comes only from the host, the JDK
 * from the platform, and everything else only from the jar. From JDK modules other than the base, a
 * plugin sees only the types that it may use. The jar is held in memory until the loader is closed;
 * no file is open. A closed loader loads nothing. Thread-safe.
 */
final class PartitionClassLoader extends ClassLoader implements GuardedLoader, AutoCloseable {

  /** The package of the SPI, with its subpackages. */
  static final String SPI_PREFIX = "dev.tutti.sdk.";

  static {
    registerAsParallelCapable();
  }

  /** Changes the bytes of a class before it is defined. */
  @FunctionalInterface
  interface Weaving {
    byte[] weave(String internalName, byte[] classFile);
  }

  /** The content that a closed loader releases. */
  private record Content(PluginJar jar, Weaving weaving) {}

  private final GuardPolicy policy;
  private final ClassLoader spi;
  private final ProtectionDomain domain;
  private volatile @Nullable Content content;

  /**
   * A loader for a jar.
   *
   * @param policy the permissions of the plugin, with its id for messages
   * @param version the plugin's version
   * @param jar the jar
   * @param weaving puts guards and stop points into its classes
   * @param spi the loader of the SPI
   */
  PartitionClassLoader(
      GuardPolicy policy, String version, PluginJar jar, Weaving weaving, ClassLoader spi) {
    super(nameOf(policy.plugin(), version), ClassLoader.getPlatformClassLoader());
    this.policy = policy;
    this.spi = spi;
    this.content = new Content(jar, weaving);
    this.domain = domain(jar, this);
  }

  /** The name of the loader of a plugin's version. */
  static String nameOf(String plugin, String version) {
    return "plugin " + plugin + " " + version;
  }

  @Override
  public GuardPolicy guardPolicy() {
    return policy;
  }

  private static ProtectionDomain domain(PluginJar jar, ClassLoader loader) {
    try {
      CodeSource source = new CodeSource(jar.file().toUri().toURL(), (Certificate[]) null);
      return new ProtectionDomain(source, null, loader, null);
    } catch (MalformedURLException e) {
      throw JarEntries.refused("its path cannot be a URL (%s)", e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    open(name);
    if (name.startsWith(SPI_PREFIX)) {
      return spi.loadClass(name);
    }
    if (name.equals(StopPoint.NAME)) {
      return StopPoint.openTo(this);
    }
    if (name.equals(Guard.NAME)) {
      return Guard.openTo(this);
    }
    Class<?> found = super.loadClass(name, resolve);
    checkModule(found);
    return found;
  }

  /** Hides types of JDK modules other than the base, unless the plugin may use them. */
  private void checkModule(Class<?> found) throws ClassNotFoundException {
    Module module = found.getModule();
    if (module.isNamed() && !module.equals(Object.class.getModule())) {
      Restriction restriction = policy.restrictions().of(found.getName().replace('.', '/'));
      if (restriction != null && !restriction.isLifted(policy.granted())) {
        throw new ClassNotFoundException(
            Sentence.of(
                "plugin '%s' does not see %s of the module %s; %s",
                policy.plugin(), found.getName(), module.getName(), restriction.advice()));
      }
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    Content open = open(name);
    String internalName = name.replace('.', '/');
    byte[] bytes = open.jar().findClass(internalName);
    if (bytes == null) {
      throw new ClassNotFoundException(
          Sentence.of("plugin '%s' has no class %s", policy.plugin(), name));
    }
    byte[] woven = open.weaving().weave(internalName, bytes);
    return defineClass(name, woven, 0, woven.length, domain);
  }

  private Content open(String name) throws ClassNotFoundException {
    Content open = content;
    if (open == null) {
      throw new ClassNotFoundException(
          Sentence.of("plugin '%s' is closed and cannot load %s", policy.plugin(), name));
    }
    return open;
  }

  @Override
  public @Nullable URL getResource(String name) {
    return content == null ? null : super.getResource(name);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    return content == null ? Collections.emptyEnumeration() : super.getResources(name);
  }

  @Override
  protected @Nullable URL findResource(String name) {
    Content open = content;
    return open == null || !open.jar().has(name)
        ? null
        : HeldResource.url(policy.plugin(), open.jar(), name);
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    URL found = findResource(name);
    return found == null
        ? Collections.emptyEnumeration()
        : Collections.enumeration(Collections.singleton(found));
  }

  /** Releases the jar; loaded classes keep working. */
  @Override
  public void close() {
    content = null;
  }
}
