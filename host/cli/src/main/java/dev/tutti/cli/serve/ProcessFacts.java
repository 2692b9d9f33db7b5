package dev.tutti.cli.serve;

import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/**
 * The resources that this process uses.
 *
 * @param pid its number
 * @param heapBytes used heap
 * @param maxHeapBytes the largest heap
 * @param otherBytes used memory of the JVM outside the heap: classes, compiled code
 * @param threads live threads
 * @param loadedClasses classes that are loaded now
 * @param unloadedClasses classes that were unloaded so far
 */
record ProcessFacts(
    long pid,
    long heapBytes,
    long maxHeapBytes,
    long otherBytes,
    int threads,
    long loadedClasses,
    long unloadedClasses) {

  static ProcessFacts now() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    return new ProcessFacts(
        ProcessHandle.current().pid(),
        memory.getHeapMemoryUsage().getUsed(),
        memory.getHeapMemoryUsage().getMax(),
        memory.getNonHeapMemoryUsage().getUsed(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        classes.getLoadedClassCount(),
        classes.getUnloadedClassCount());
  }
}
