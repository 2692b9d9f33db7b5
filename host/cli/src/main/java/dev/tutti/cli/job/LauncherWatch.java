package dev.tutti.cli.job;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Makes sure that the processes of a job end with their launcher, even if it is killed. */
public final class LauncherWatch {

  private LauncherWatch() {}

  /**
   * Runs an action when the launcher has ended.
   *
   * @param launcher its process; if it is null because it is not known, the action never runs
   */
  static void whenEnded(@Nullable String launcher, Runnable end) {
    if (launcher == null || !launcher.matches("\\d{1,18}")) {
      return;
    }
    CompletableFuture<?> ended =
        ProcessHandle.of(Long.parseLong(launcher))
            .<CompletableFuture<?>>map(ProcessHandle::onExit)
            .orElseGet(() -> CompletableFuture.completedFuture(null));
    CompletableFuture<Void> _ =
        ended.thenRunAsync(
            end, task -> Thread.ofPlatform().daemon().name("tutti-launcher-watch").start(task));
  }
}
