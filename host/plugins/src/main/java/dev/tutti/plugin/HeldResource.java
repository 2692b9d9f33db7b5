package dev.tutti.plugin;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;

/**
 * Makes URLs of files inside a jar that is held in memory. They open no file, so nothing keeps a
 * descriptor or a lock, and they do not lead to the plugin's class loader.
 */
final class HeldResource {

  private static final String SCHEME = "tutti-plugin";

  private HeldResource() {}

  /** A URL whose stream gives the bytes of an entry. */
  static URL url(String plugin, PluginJar jar, String name) {
    try {
      return URL.of(new URI(SCHEME, plugin, "/" + name, null), new Handler(jar, name));
    } catch (URISyntaxException | MalformedURLException e) {
      throw new IllegalArgumentException("no URL for '" + name + "' of plugin " + plugin, e);
    }
  }

  private static final class Handler extends URLStreamHandler {
    private final PluginJar jar;
    private final String name;

    Handler(PluginJar jar, String name) {
      this.jar = jar;
      this.name = name;
    }

    @Override
    protected URLConnection openConnection(URL url) {
      return new Connection(url, jar, name);
    }
  }

  private static final class Connection extends URLConnection {
    private final PluginJar jar;
    private final String name;

    Connection(URL url, PluginJar jar, String name) {
      super(url);
      this.jar = jar;
      this.name = name;
    }

    @Override
    public void connect() {
      connected = true;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      byte[] bytes = jar.find(name);
      if (bytes == null) {
        throw new IOException("the jar has no entry '" + name + "'");
      }
      return new ByteArrayInputStream(bytes);
    }
  }
}
