package dev.tutti.plugin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Builds plugin jars from source text, right ones and wrong ones. */
public final class PluginJars {

  private static final String MANIFEST =
      """
      {"id": "%s", "version": "1.2.3", "sdk": "%s", "provider": "tests", "license": "MIT",
       "summary": "made in a test", "capabilities": []}
      """;

  private final Map<String, byte[]> entries = new TreeMap<>();
  private final Map<String, String> sources = new LinkedHashMap<>();
  private final List<String> providers = new ArrayList<>();

  /** A jar with a manifest. */
  public static PluginJars plugin(String id) {
    return new PluginJars().manifest(MANIFEST.formatted(id, "[0.1,1.0)"));
  }

  /** A version of a plugin. */
  static PluginJars pluginOf(String id, String version) {
    return new PluginJars().manifest(MANIFEST.formatted(id, "[0.1,1.0)").replace("1.2.3", version));
  }

  /** A jar without anything. */
  public static PluginJars bare() {
    return new PluginJars().entry("readme.txt", "no plugin");
  }

  /** A jar with a manifest that asks for other SPI versions. */
  static PluginJars pluginFor(String id, String sdk) {
    return new PluginJars().manifest(MANIFEST.formatted(id, sdk));
  }

  /** A jar with a manifest that asks for capabilities, given as the elements of a JSON list. */
  public static PluginJars pluginAsking(String id, String capabilities) {
    return new PluginJars()
        .manifest(
            MANIFEST
                .formatted(id, "[0.1,1.0)")
                .replace("\"capabilities\": []", "\"capabilities\": [" + capabilities + "]"));
  }

  PluginJars manifest(String json) {
    return entry(PluginManifest.PATH, json);
  }

  PluginJars entry(String name, String text) {
    entries.put(name, text.getBytes(StandardCharsets.UTF_8));
    return this;
  }

  PluginJars without(String name) {
    entries.remove(name);
    return this;
  }

  /** Adds a class in package {@code p} to the jar and to the services file. */
  public PluginJars provider(String simpleName, String source) {
    providers.add("p." + simpleName);
    return source(simpleName, source);
  }

  PluginJars provided(String line) {
    providers.add(line);
    return this;
  }

  /** Adds a class in package {@code p}. */
  public PluginJars source(String simpleName, String source) {
    sources.put("p." + simpleName, source);
    return this;
  }

  /** A class that is compiled against but does not come into the jar. */
  PluginJars missing(String simpleName, String source) {
    sources.put("missing:p." + simpleName, source);
    return this;
  }

  /** Adds an all-reduce executor that emits nothing. */
  public PluginJars allReduce(String className, String name) {
    return provider(className, allReduceSource(className, name, ""));
  }

  /** The source of an all-reduce executor. */
  public static String allReduceSource(String className, String name, String members) {
    return """
    package p;
    @dev.tutti.sdk.CollAlgorithm(name = "%s", summary = "nothing")
    public class %s extends dev.tutti.sdk.CollExecutorBase<dev.tutti.sdk.param.AllReduceParam> {
      @Override public dev.tutti.sdk.resource.AlgResourceRequest calcResRequest(
          dev.tutti.sdk.param.AllReduceParam param) {
        return dev.tutti.sdk.resource.AlgResourceRequest.none();
      }
      @Override public void orchestrate(dev.tutti.sdk.param.AllReduceParam param,
          dev.tutti.sdk.resource.AlgResourceResponse resources) {}
      %s
    }
    """
        .formatted(name, className, members);
  }

  /** Writes the jar. */
  public Path write(Path directory, String fileName) {
    compile();
    if (!providers.isEmpty()) {
      entry(PluginJar.SERVICES, "# generated\n" + String.join("\n", providers) + "\n");
    }
    Path file = directory.resolve(fileName);
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, byte[]> each : entries.entrySet()) {
        jar.putNextEntry(new JarEntry(each.getKey()));
        jar.write(each.getValue());
        jar.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  /** Makes a class look as if a newer javac had compiled it. */
  PluginJars compiledForJava(int feature, String simpleName) {
    compile();
    byte[] bytes = entries.get("p/" + simpleName + ".class");
    bytes[7] = (byte) (feature + 44);
    return this;
  }

  /** Damages the bytes of a class. */
  PluginJars damaged(String simpleName) {
    compile();
    byte[] bytes = entries.get("p/" + simpleName + ".class");
    bytes[0] = 0;
    return this;
  }

  /** Makes a class refer to another class, whose name is as long as that in the source. */
  PluginJars referringTo(String simpleName, String inSource, String inJar) {
    compile();
    entries.computeIfPresent(
        "p/" + simpleName + ".class",
        (_, bytes) ->
            new String(bytes, StandardCharsets.ISO_8859_1)
                .replace("p/" + inSource, "p/" + inJar)
                .getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  /** A cache of compiled classes: most tests need the same good plugin. */
  private static final Map<Map<String, String>, Map<String, byte[]>> COMPILED =
      new ConcurrentHashMap<>();

  private void compile() {
    if (sources.isEmpty()) {
      return;
    }
    COMPILED
        .computeIfAbsent(Map.copyOf(sources), PluginJars::compileAll)
        .forEach(
            (name, bytes) -> {
              if (!sources.containsKey("missing:" + name)) {
                entries.put(name.replace('.', '/') + ".class", bytes.clone());
              }
            });
    sources.clear();
  }

  /** Compiles the sources of several jars at once, which takes as long as for one. */
  public static void compileTogether(Collection<PluginJars> jars) {
    Map<String, String> all = new LinkedHashMap<>();
    jars.forEach(jar -> all.putAll(jar.sources));
    Map<String, byte[]> classes = compileAll(all);
    for (PluginJars jar : jars) {
      classes.forEach(
          (name, bytes) -> {
            if (jar.sources.containsKey(name.replaceFirst("\\$.*", ""))) {
              jar.entries.put(name.replace('.', '/') + ".class", bytes.clone());
            }
          });
      jar.sources.clear();
    }
  }

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Keeps the jars of the class path open: to open them takes longer than to compile. */
  private static final StandardJavaFileManager CLASS_PATH =
      COMPILER.getStandardFileManager(null, null, null);

  /** Compiles sources against the class path of this test. */
  public static synchronized Map<String, byte[]> compileAll(Map<String, String> sources) {
    Map<String, byte[]> classes = new TreeMap<>();
    List<JavaFileObject> units = new ArrayList<>();
    sources.forEach((name, text) -> units.add(new Source(name.replace("missing:", ""), text)));
    JavaFileManager files =
        new ForwardingJavaFileManager<>(CLASS_PATH) {
          @Override
          public JavaFileObject getJavaFileForOutput(
              Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new Compiled(className, classes);
          }
        };
    List<String> options =
        List.of("-proc:none", "-classpath", System.getProperty("java.class.path"));
    if (!COMPILER.getTask(null, files, null, options, null, units).call()) {
      throw new IllegalArgumentException("the sources of the test do not compile");
    }
    return classes;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Compiled extends SimpleJavaFileObject {
    private final String name;
    private final Map<String, byte[]> classes;

    Compiled(String name, Map<String, byte[]> classes) {
      super(URI.create("memory:///" + name.replace('.', '/') + ".class"), Kind.CLASS);
      this.name = name;
      this.classes = classes;
    }

    @Override
    public OutputStream openOutputStream() {
      return new ByteArrayOutputStream() {
        @Override
        public void close() {
          classes.put(name, toByteArray());
        }
      };
    }
  }
}
