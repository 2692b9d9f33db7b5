package dev.tutti.engine.memory;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds native memory that lies in mapped files. Its pages can vanish while they are used: another
 * process truncates the file, or the disk has no space for a page of a sparse file. An access then
 * raises SIGBUS, which only the JVM's own copies survive. Thread-safe.
 *
 * <p>A segment of {@code FileChannel.map} reports that it is mapped. A segment that was made from
 * an address does not, but the list of the process's mappings shows it, if the system has one.
 */
public final class FileMappings {

  private static final String LIST = "/proc/self/maps";

  private static final byte[] SHARED =
      (" /memfd:" + SharedMemory.NAME + " (deleted)").getBytes(StandardCharsets.US_ASCII);

  /** The JVM never frees memory of this scope, so a file can be mapped at its addresses later. */
  private static final MemorySegment.Scope GLOBAL = MemorySegment.NULL.scope();

  /**
   * Memory that was found not to be a file, by the scope of its segments; this does not change
   * while the scope is alive. Guarded by itself.
   */
  private final Map<MemorySegment.Scope, List<Range>> ordinary = new WeakHashMap<>();

  private final String list;

  private record Range(long start, long end) {

    boolean holds(long from, long to) {
      return from >= start && to <= end;
    }
  }

  /** The mappings of this process. */
  public FileMappings() {
    this(LIST);
  }

  /** The mappings that a file lists. */
  FileMappings(String list) {
    this.list = list;
  }

  /**
   * The segments that are in mapped files, in whole or in part. The list of mappings is read at
   * most once, and only if a segment's scope has not been seen with that memory before.
   *
   * @param segments any segments; null means no memory
   */
  public Set<MemorySegment> among(Collection<@Nullable MemorySegment> segments) {
    Set<MemorySegment> files = new HashSet<>();
    Snapshot snapshot = null;
    for (MemorySegment segment : segments) {
      if (segment == null || !segment.isNative() || segment.byteSize() == 0) {
        continue;
      }
      if (segment.isMapped()) {
        files.add(segment);
      } else if (!isKnown(segment)) {
        snapshot = snapshot == null ? Snapshot.read(list) : snapshot;
        if (snapshot.hasFile(segment)) {
          files.add(segment);
        } else {
          remember(segment, snapshot);
        }
      }
    }
    return Set.copyOf(files);
  }

  private boolean isKnown(MemorySegment segment) {
    long start = segment.address();
    synchronized (ordinary) {
      for (Range range : ordinary.getOrDefault(segment.scope(), List.of())) {
        if (range.holds(start, start + segment.byteSize())) {
          return true;
        }
      }
    }
    return false;
  }

  private void remember(MemorySegment segment, Snapshot snapshot) {
    Range around = snapshot.ordinaryAround(segment);
    if (around != null && !segment.scope().equals(GLOBAL)) {
      synchronized (ordinary) {
        ordinary.computeIfAbsent(segment.scope(), scope -> new ArrayList<>(1)).add(around);
      }
    }
  }

  /** The mappings at one moment, by address; neighbours of the same kind are merged. */
  private record Snapshot(List<Range> files, List<Range> others) {

    static Snapshot read(String list) {
      Snapshot snapshot = new Snapshot(new ArrayList<>(), new ArrayList<>());
      try (InputStream in = new FileInputStream(list)) {
        byte[] text = in.readAllBytes();
        int at = 0;
        while (at < text.length) {
          at = snapshot.addLine(text, at);
        }
      } catch (IOException e) {
        // The system has no such list, so only the segments' own reports are used.
        return new Snapshot(List.of(), List.of());
      }
      return snapshot;
    }

    /** Reads a line "start-end permissions offset device inode path"; returns its end. */
    private int addLine(byte[] text, int from) {
      int at = from;
      long start = 0;
      for (; text[at] != '-'; at++) {
        start = start << 4 | Character.digit(text[at], 16);
      }
      long end = 0;
      for (at++; text[at] != ' '; at++) {
        end = end << 4 | Character.digit(text[at], 16);
      }
      for (int spaces = 0; spaces < 4; at++) {
        spaces += text[at] == ' ' ? 1 : 0;
      }
      int inode = at;
      while (at < text.length && text[at] != '\n') {
        at++;
      }
      boolean isOrdinary = text[inode] == '0' || isShared(text, at);
      add(isOrdinary ? others : files, start, end);
      return at + 1;
    }

    /** Whether a line ends with the name of memory that processes share, which has a fixed size. */
    private static boolean isShared(byte[] text, int end) {
      int start = end - SHARED.length;
      return start >= 0 && Arrays.equals(text, start, end, SHARED, 0, SHARED.length);
    }

    private static void add(List<Range> ranges, long start, long end) {
      boolean touches = !ranges.isEmpty() && ranges.getLast().end == start;
      ranges.add(new Range(touches ? ranges.removeLast().start : start, end));
    }

    boolean hasFile(MemorySegment segment) {
      long start = segment.address();
      long end = start + segment.byteSize();
      return files.stream().anyMatch(file -> file.start < end && start < file.end);
    }

    @Nullable Range ordinaryAround(MemorySegment segment) {
      long start = segment.address();
      return others.stream()
          .filter(range -> range.holds(start, start + segment.byteSize()))
          .findFirst()
          .orElse(null);
    }
  }
}
