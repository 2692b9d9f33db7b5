package dev.tutti.plugin.live;

import dev.tutti.plugin.PluginJars;
import dev.tutti.testkit.plugin.TestPlugins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * Jars of a plugin that is compiled from source: an all-reduce of two classes, of which the second
 * is bundled as a library would be.
 */
public final class PullJar {

  /** The executor. */
  private static final String PROVIDER = "org.example.pull.Pull";

  /** The library that it needs. */
  public static final String LIBRARY = "org.example.pull.Barriers";

  private static final String PROVIDER_SOURCE =
      """
      package org.example.pull;

      import dev.tutti.sdk.*;
      import dev.tutti.sdk.param.AllReduceParam;
      import dev.tutti.sdk.resource.*;
      import dev.tutti.sdk.topology.CommPlane;
      import java.util.ArrayList;
      import java.util.List;

      @CollAlgorithm(name = "pull", summary = "Every rank reduces the inputs of all.")
      public final class Pull extends CollExecutorBase<AllReduceParam> {

        @Override
        public Support supports(AllReduceParam param) {
          return param.comm().protocol() == Protocol.DIRECT
                  && param.comm().mode() == WorkflowMode.GRAPH
              ? Support.yes()
              : Support.no("peers must be able to read each other's memory");
        }

        @Override
        public AlgResourceRequest calcResRequest(AllReduceParam param) {
          check(param);
          OpCommTransport mesh =
              OpCommTransport.mesh(
                  param.comm(),
                  CommPlane.COMBINED,
                  TransportMemType.PARAM_INPUT,
                  TransportMemType.PARAM_OUTPUT);
          return AlgResourceRequest.of(mesh).withScratchMemSize(param.outputBytes());
        }

        private static void check(AllReduceParam param) {}

        @Override
        public void orchestrate(AllReduceParam param, AlgResourceResponse resources) {
          SubCommInfo comm = resources.subComm(CommPlane.COMBINED);
          Stream stream = resources.mainStream();
          DeviceMem scratch = resources.scratchMem();
          Barriers.pass(comm, stream, Link.READY);
          List<DeviceMem> sources = new ArrayList<>();
          for (int rank = 0; rank < comm.localRankSize(); rank++) {
            DeviceMem input =
                rank == comm.localRank()
                    ? resources.paramInputMem()
                    : comm.link(rank).remote(TransportMemType.PARAM_INPUT);
            sources.add(input.slice(0, scratch.size()));
          }
          if (sources.size() == 1) {
            stream.copy(scratch, sources.getFirst());
          } else {
            stream.reduceFrom(scratch, sources, param.dataType(), param.reduceOp());
          }
          Barriers.pass(comm, stream, Link.FIN);
          stream.copy(resources.paramOutputMem(), scratch);
        }
      }
      """;

  private static final String LIBRARY_SOURCE =
      """
      package org.example.pull;

      import dev.tutti.sdk.resource.*;

      final class Barriers {
        static void pass(SubCommInfo comm, Stream stream, int notify) {
          for (int peer = 0; peer < comm.localRankSize(); peer++) {
            if (peer != comm.localRank()) {
              comm.link(peer).post(stream, notify);
            }
          }
          for (int peer = 0; peer < comm.localRankSize(); peer++) {
            if (peer != comm.localRank()) {
              comm.link(peer).await(stream, notify);
            }
          }
        }
      }
      """;

  private final String id;
  private final String version;
  private final Map<String, String> sources = new TreeMap<>();
  private final Set<String> missing = new HashSet<>();
  private String capabilities = "";

  private PullJar(String id, String version) {
    this.id = id;
    this.version = version;
    sources.put(PROVIDER, PROVIDER_SOURCE);
    sources.put(LIBRARY, LIBRARY_SOURCE);
  }

  /** A plugin that is right. */
  public static PullJar of(String id, String version) {
    return new PullJar(id, version);
  }

  /** Runs a statement before each plan; {@code param} is the request. */
  public PullJar check(String statement) {
    return replace(
        "check(AllReduceParam param) {}", "check(AllReduceParam param) {" + statement + "}");
  }

  /** Replaces a text in all sources. */
  public PullJar replace(String text, String other) {
    sources.replaceAll((name, source) -> source.replace(text, other));
    return this;
  }

  /** Leaves a class out of the jar. */
  public PullJar without(String className) {
    missing.add(className);
    return this;
  }

  /** Asks for a capability. */
  PullJar asking(String capability) {
    capabilities += (capabilities.isEmpty() ? "" : ", ") + '"' + capability + '"';
    return this;
  }

  /** Writes the jar, over another one if need be. */
  public Path write(Path file) {
    Map<String, byte[]> entries = new TreeMap<>();
    PluginJars.compileAll(sources)
        .forEach(
            (name, bytes) -> {
              if (!missing.contains(name)) {
                entries.put(name.replace('.', '/') + ".class", bytes);
              }
            });
    entries.put(TestPlugins.MANIFEST, manifest().getBytes(StandardCharsets.UTF_8));
    entries.put(TestPlugins.SERVICES, PROVIDER.getBytes(StandardCharsets.UTF_8));
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, byte[]> each : entries.entrySet()) {
        JarEntry entry = new JarEntry(each.getKey());
        entry.setTime(0);
        jar.putNextEntry(entry);
        jar.write(each.getValue());
        jar.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  private String manifest() {
    return """
    {"id": "%s", "version": "%s", "sdk": "[0.1,1.0)", "provider": "tests", "license": "MIT",
     "summary": "made in a test", "capabilities": [%s]}
    """
        .formatted(id, version, capabilities);
  }
}
