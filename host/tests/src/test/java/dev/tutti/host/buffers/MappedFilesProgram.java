package dev.tutti.host.buffers;

import dev.tutti.host.Await;
import dev.tutti.host.Context;
import dev.tutti.host.Floats;
import dev.tutti.host.Group;
import dev.tutti.host.RankHandle;
import dev.tutti.host.Request;
import dev.tutti.host.SampleAlgorithms;
import dev.tutti.host.call.CollectiveCall;
import dev.tutti.host.call.Layout;
import dev.tutti.host.capture.CaptureProgram;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.WorkflowMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * Truncates mapped files that are buffers of operations, before runs and in the middle of them. It
 * runs in a separate JVM, because an error would crash it.
 */
final class MappedFilesProgram {

  private static final int RANKS = 3;
  private static final int SMALL = 24_000;
  private static final int MEDIUM = 300_000;

  /** All ranks' memory together is then written past the caches. */
  private static final int LARGE = 3 << 20;

  private final Context context;
  private final Path directory;
  private final Random random = new Random(16);
  private int cases;

  private MappedFilesProgram(Context context, Path directory) {
    this.context = context;
    this.directory = directory;
  }

  /** The way from a file to a segment. */
  private enum Kind {
    SHARED,
    AUTO,
    CONFINED,
    BYTE_BUFFER,
    REINTERPRETED,
    ADDRESS,
    COPY_ON_WRITE;

    MemorySegment map(FileChannel file, long bytes, Arena shared) {
      FileChannel.MapMode writable = FileChannel.MapMode.READ_WRITE;
      try {
        return switch (this) {
          case SHARED -> file.map(writable, 0, bytes, shared);
          case AUTO -> file.map(writable, 0, bytes, Arena.ofAuto()).asSlice(0, bytes);
          case CONFINED -> file.map(writable, 0, bytes, Arena.ofConfined());
          case BYTE_BUFFER -> MemorySegment.ofBuffer(file.map(writable, 0, bytes));
          case REINTERPRETED -> file.map(writable, 0, bytes, shared).reinterpret(bytes);
          case ADDRESS ->
              MemorySegment.ofAddress(file.map(writable, 0, bytes, shared).address())
                  .reinterpret(bytes, Arena.ofAuto(), null);
          case COPY_ON_WRITE -> file.map(FileChannel.MapMode.PRIVATE, 0, bytes, shared);
        };
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Makes the action that is run repeatedly. */
  private interface Use {
    Runnable prepare(Group group, MemorySegment[] inputs, MemorySegment[] outputs, int count);
  }

  private static final Use REDUCE =
      (group, in, out, count) ->
          group.allReduce(in, out, DataType.FLOAT32, ReduceOp.SUM).algorithm("pull").build()::run;

  private static final Use STAGED =
      (group, in, out, count) ->
          group.allReduce(in, out, DataType.FLOAT32, ReduceOp.SUM).algorithm("staged").build()::run;

  private static final Use GRAPH =
      (group, in, out, count) ->
          group
                  .allReduce(in, out, DataType.FLOAT32, ReduceOp.SUM)
                  .algorithm("staged")
                  .mode(WorkflowMode.GRAPH)
                  .build()
              ::run;

  private static final Use COPIES =
      (group, in, out, count) ->
          group
                  .request(CollectiveCall.allToAll(DataType.FLOAT32, count / RANKS))
                  .buffers(in, out)
                  .build()
              ::run;

  private static final Use STARTED =
      (group, in, out, count) -> {
        Request request =
            group
                .request(CollectiveCall.allToAll(DataType.FLOAT32, count / RANKS))
                .buffers(in, out)
                .build();
        return () -> {
          request.start();
          Await.spin(request::test);
        };
      };

  private static final Use REBOUND =
      (group, in, out, count) -> {
        MemorySegment[] before = Floats.zeros(Arena.ofAuto(), RANKS, count);
        MemorySegment[] after = Floats.zeros(Arena.ofAuto(), RANKS, count);
        Request request =
            group
                .allReduce(before, after, DataType.FLOAT32, ReduceOp.SUM)
                .algorithm("pull")
                .build();
        request.run();
        request.rebind(in, out);
        return request::run;
      };

  private static final Use CAPTURED =
      (group, in, out, count) ->
          group.capture(
                  () -> {
                    group
                        .request(CollectiveCall.allToAll(DataType.FLOAT32, count / RANKS))
                        .buffers(in, out)
                        .run();
                    group
                        .allReduce(in, out, DataType.FLOAT32, ReduceOp.SUM)
                        .algorithm("pull")
                        .run();
                  })
              ::run;

  private static final Use PACKED =
      (group, in, out, count) ->
          group
                  .request(CollectiveCall.allToAll(DataType.FLOAT32, count / 2 / RANKS / 100 * 100))
                  .layouts(Layout.vector(1, 100, 200).withExtent(200), Layout.contiguous())
                  .buffers(in, out)
                  .build()
              ::run;

  private static final Use RANK_CALLS =
      (group, in, out, count) ->
          () -> group.run(rank -> callForRank(rank, in[rank.rank()], out[rank.rank()]));

  private static void callForRank(RankHandle rank, MemorySegment in, MemorySegment out) {
    rank.allReduce(in, out, DataType.FLOAT32, ReduceOp.SUM);
  }

  private static final Use TRANSFER =
      (group, in, out, count) ->
          () ->
              group.run(
                  rank -> {
                    if (rank.rank() == 0) {
                      rank.send(in[0], DataType.FLOAT32, 1);
                    } else if (rank.rank() == 1) {
                      rank.receive(out[1], DataType.FLOAT32, 0);
                    }
                  });

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    try (Context context =
        SampleAlgorithms.addTo(Context.builder())
            .algorithm("staged", new CaptureProgram.StagedAllReduce())
            .workers(2)
            .open()) {
      MappedFilesProgram program = new MappedFilesProgram(context, directory);
      program.all();
      System.out.println("survived " + program.cases + " cut files");
    }
  }

  private void all() throws Exception {
    List<Use> uses =
        List.of(REDUCE, STAGED, GRAPH, COPIES, STARTED, REBOUND, CAPTURED, PACKED, RANK_CALLS);
    for (Kind kind : Kind.values()) {
      for (boolean isInput : new boolean[] {true, false}) {
        boolean isBasic = kind == Kind.SHARED || kind == Kind.ADDRESS;
        for (Use use : isBasic ? uses : List.of(REDUCE, COPIES)) {
          cut(kind, isInput, use, SMALL, false, 0);
          cut(kind, isInput, use, MEDIUM, true, 0);
        }
        if (isBasic) {
          cut(kind, isInput, TRANSFER, MEDIUM, true, isInput ? 0 : 1);
        }
      }
    }
    for (Use use : List.of(COPIES, REDUCE, STAGED, CAPTURED)) {
      cut(Kind.SHARED, true, use, LARGE, true, 1);
      cut(Kind.ADDRESS, false, use, LARGE, true, 1);
    }
  }

  /** Uses a file as the buffer of one rank, cuts it short, and looks for the error. */
  private void cut(Kind kind, boolean isInput, Use use, int count, boolean isDuringRuns, int rank)
      throws Exception {
    String name = kind + " " + isInput + " " + count + " " + isDuringRuns;
    Path path = Files.createTempFile(directory, "buffer", ".bin");
    try (Group group = context.createGroup(RANKS);
        Arena arena = Arena.ofShared();
        FileChannel file =
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long bytes = (long) count * Float.BYTES;
      MemorySegment[] inputs = Floats.filled(arena, RANKS, count);
      MemorySegment[] outputs = Floats.zeros(arena, RANKS, count);
      MemorySegment buffer = kind.map(file, bytes, arena);
      buffer.copyFrom(inputs[rank]);
      (isInput ? inputs : outputs)[rank] = buffer;
      Runnable runs = use.prepare(group, inputs, outputs, count);
      runs.run();
      expectFailure(name, file, runs, isDuringRuns);
      requireFailure(name, runs);
    } finally {
      Files.delete(path);
    }
    requireWorking();
    cases++;
  }

  private void expectFailure(String name, FileChannel file, Runnable runs, boolean isDuringRuns)
      throws Exception {
    long left = random.nextInt((int) file.size() / 8);
    if (!isDuringRuns) {
      file.truncate(left);
      requireFailure(name, runs);
      return;
    }
    CountDownLatch isRunning = new CountDownLatch(1);
    long delay = random.nextInt(2_000_000);
    Thread cutter =
        Thread.ofPlatform()
            .start(
                () -> {
                  Await.latch(isRunning);
                  long end = System.nanoTime() + delay;
                  Await.spin(() -> System.nanoTime() - end >= 0);
                  try {
                    file.truncate(left);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    requireFailure(
        name,
        () -> {
          isRunning.countDown();
          long end = System.nanoTime() + 60_000_000_000L;
          while (System.nanoTime() - end < 0) {
            runs.run();
          }
        });
    cutter.join();
  }

  /** All that fails has the code of the fault, or that of a group that ended with it. */
  private static void requireFailure(String name, Runnable runs) {
    try {
      runs.run();
    } catch (RuntimeException | Error e) {
      Stream.concat(Stream.of(e), Arrays.stream(e.getSuppressed()))
          .filter(each -> !isCoded(each))
          .forEach(
              each -> {
                throw new IllegalStateException(name + ": another error", each);
              });
      return;
    }
    throw new IllegalStateException(name + ": no error");
  }

  private static boolean isCoded(Throwable thrown) {
    return thrown instanceof TuttiException coded
        && (coded.code() == ErrorCode.RUN_FAILED || coded.code() == ErrorCode.GROUP_POISONED);
  }

  /** Other groups of the context go on. */
  private void requireWorking() {
    try (Group group = context.createGroup(RANKS)) {
      float[][] data = {{1}, {2}, {3}};
      MemorySegment[] buffers = new MemorySegment[RANKS];
      Arrays.setAll(buffers, rank -> MemorySegment.ofArray(data[rank]));
      group.allReduce(buffers, buffers, DataType.FLOAT32, ReduceOp.SUM).algorithm("pull").run();
      if (data[0][0] != 6 || data[2][0] != 6) {
        throw new IllegalStateException("wrong sums: " + Arrays.deepToString(data));
      }
    }
  }
}
