package dev.tutti.host.plugin;

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
 * The class loader of one plugin, a strict partition: the SPI comes from the host and from nowhere
 * else, the JDK from the platform, everything else from the jar and from nowhere else. The jar is
 * held in memory until the loader is closed; no file is open. Once closed it loads nothing any
 * more. Thread-safe.
 */
final class PartitionClassLoader extends ClassLoader implements AutoCloseable {

  /** The package of the SPI, with its subpackages. */
  static final String SPI_PREFIX = "dev.tutti.sdk.";

  static {
    registerAsParallelCapable();
  }

  private final String plugin;
  private final ClassLoader spi;
  private final ProtectionDomain domain;
  private volatile @Nullable PluginJar jar;

  /**
   * A loader for a jar.
   *
   * @param plugin the plugin's id, for messages
   * @param jar the jar
   * @param spi the loader of the SPI
   */
  PartitionClassLoader(String plugin, PluginJar jar, ClassLoader spi) {
    super("plugin " + plugin, ClassLoader.getPlatformClassLoader());
    this.plugin = plugin;
    this.spi = spi;
    this.jar = jar;
    this.domain = domain(jar, this);
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
    return name.startsWith(SPI_PREFIX) ? spi.loadClass(name) : super.loadClass(name, resolve);
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = open(name).findClass(name.replace('.', '/'));
    if (bytes == null) {
      throw new ClassNotFoundException("plugin '%s' has no class %s".formatted(plugin, name));
    }
    return defineClass(name, bytes, 0, bytes.length, domain);
  }

  private PluginJar open(String name) throws ClassNotFoundException {
    PluginJar open = jar;
    if (open == null) {
      throw new ClassNotFoundException(
          "plugin '%s' is closed and cannot load %s".formatted(plugin, name));
    }
    return open;
  }

  @Override
  public @Nullable URL getResource(String name) {
    return jar == null ? null : super.getResource(name);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    return jar == null ? Collections.emptyEnumeration() : super.getResources(name);
  }

  @Override
  protected @Nullable URL findResource(String name) {
    PluginJar open = jar;
    return open == null || !open.has(name) ? null : HeldResource.url(plugin, open, name);
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    URL found = findResource(name);
    return found == null
        ? Collections.emptyEnumeration()
        : Collections.enumeration(Collections.singleton(found));
  }

  /** Lets the jar go; classes that were loaded keep working. */
  @Override
  public void close() {
    jar = null;
  }
}
