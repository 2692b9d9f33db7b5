package dev.tutti.host.plugin;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * The class loader of one plugin, a strict partition: the SPI comes from the host and from nowhere
 * else, the JDK from the platform, everything else from the jar and from nowhere else. Once closed
 * it loads nothing any more. Thread-safe.
 */
final class PartitionClassLoader extends URLClassLoader {

  /** The package of the SPI, with its subpackages. */
  static final String SPI_PREFIX = "dev.tutti.sdk.";

  static {
    registerAsParallelCapable();
  }

  private final String plugin;
  private final ClassLoader spi;
  private volatile boolean isClosed;

  /**
   * A loader for a jar.
   *
   * @param plugin the plugin's id, for messages
   * @param jar the jar
   * @param spi the loader of the SPI
   */
  PartitionClassLoader(String plugin, URL jar, ClassLoader spi) {
    super("plugin " + plugin, new URL[] {jar}, ClassLoader.getPlatformClassLoader());
    this.plugin = plugin;
    this.spi = spi;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (isClosed) {
      throw new ClassNotFoundException(
          "plugin '%s' is closed and cannot load %s".formatted(plugin, name));
    }
    return name.startsWith(SPI_PREFIX) ? spi.loadClass(name) : super.loadClass(name, resolve);
  }

  @Override
  public void close() throws IOException {
    isClosed = true;
    super.close();
  }
}
