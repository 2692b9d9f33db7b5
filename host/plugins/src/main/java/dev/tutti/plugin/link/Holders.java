package dev.tutti.plugin.link;

import java.util.Map;
import java.util.Optional;

/** JDK classes that can keep a plugin loaded after its end, if the plugin does not release them. */
final class Holders {

  private static final String THREAD_LOCALS =
      "thread-locals, whose values stay with the thread that has set them";
  private static final String EXECUTORS = "executors, whose idle threads show none of its classes";
  private static final String TIMERS = "timers, whose threads run until they are cancelled";

  private static final Map<String, String> PHRASES =
      Map.of(
          "java/lang/ThreadLocal", THREAD_LOCALS,
          "java/lang/InheritableThreadLocal", THREAD_LOCALS,
          "java/util/concurrent/Executors", EXECUTORS,
          "java/util/concurrent/ThreadPoolExecutor", EXECUTORS,
          "java/util/concurrent/ForkJoinPool", EXECUTORS,
          "java/util/Timer", TIMERS);

  private Holders() {}

  /**
   * How a class can keep its users loaded.
   *
   * @param type the name of the class, with slashes
   */
  static Optional<String> of(String type) {
    return Optional.ofNullable(PHRASES.get(type));
  }
}
