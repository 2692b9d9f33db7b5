package dev.tutti.host.cli;

/**
 * What this process uses.
 *
 * @param pid its number
 * @param heapBytes used heap
 * @param maxHeapBytes the most it may be
 * @param threads live threads
 */
record ProcessFacts(long pid, long heapBytes, long maxHeapBytes, int threads) {

  static ProcessFacts now() {
    Runtime runtime = Runtime.getRuntime();
    return new ProcessFacts(
        ProcessHandle.current().pid(),
        runtime.totalMemory() - runtime.freeMemory(),
        runtime.maxMemory(),
        Thread.getAllStackTraces().size());
  }
}
