package dev.tutti.cli.dev;

import dev.tutti.cli.catalogue.AlgorithmWithPeer;
import dev.tutti.sdk.CollExecutorBase;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Remembers the classes with which each algorithm was found correct. An algorithm has changed if
 * the bytes of its class have changed, or those of a class in the jar that it uses, directly or
 * indirectly. Not thread-safe.
 */
final class ChangedAlgorithms {

  private final Map<String, String> correct = new HashMap<>();

  /** The algorithms that have not been found correct with the classes of a jar. */
  List<AlgorithmWithPeer> changed(List<AlgorithmWithPeer> all, Map<String, byte[]> classes) {
    ClassReferences references = new ClassReferences(classes);
    return all.stream()
        .filter(
            each -> !digest(each, references, classes).equals(correct.getOrDefault(key(each), "")))
        .toList();
  }

  /**
   * Remembers a verdict. It forgets an algorithm that is not correct, so that the algorithm is
   * verified again even if its next version equals an older correct one.
   *
   * @param verified the algorithms that were verified with the classes of a jar
   * @param clean those of them that are correct
   */
  void remember(
      List<AlgorithmWithPeer> verified,
      List<AlgorithmWithPeer> clean,
      Map<String, byte[]> classes) {
    ClassReferences references = new ClassReferences(classes);
    verified.forEach(each -> correct.remove(key(each)));
    clean.forEach(each -> correct.put(key(each), digest(each, references, classes)));
  }

  private static String key(AlgorithmWithPeer algorithm) {
    return algorithm.operation() + "/" + algorithm.algorithm().name();
  }

  private static String digest(
      AlgorithmWithPeer algorithm, ClassReferences references, Map<String, byte[]> classes) {
    Set<String> own = new TreeSet<>();
    for (CollExecutorBase<?> executor : algorithm.executors()) {
      own.add(executor.getClass().getName().replace('.', '/'));
    }
    MessageDigest digest = sha256();
    for (String name : references.reachable(own)) {
      byte[] content = classes.getOrDefault(name, new byte[0]);
      digest.update((name + " " + content.length + "\n").getBytes(StandardCharsets.UTF_8));
      digest.update(content);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
