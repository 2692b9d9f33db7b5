package dev.tutti.host;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;

/** The tasks of ranks that are threads of this JVM. */
public final class RankTasks {

  private RankTasks() {}

  /** The task of one rank. */
  @FunctionalInterface
  public interface Body<T> {
    T run(int rank) throws Exception;
  }

  /** Starts a thread for each rank; the tasks have what each returns or throws, by rank. */
  public static <T> List<FutureTask<T>> start(int ranks, Body<T> body) {
    List<FutureTask<T>> tasks = new ArrayList<>();
    for (int each = 0; each < ranks; each++) {
      int rank = each;
      FutureTask<T> task = new FutureTask<>(() -> body.run(rank));
      tasks.add(task);
      Thread.ofPlatform().daemon().name("rank-" + rank).start(task);
    }
    return tasks;
  }
}
