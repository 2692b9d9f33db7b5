package dev.tutti.host.capture;

import dev.tutti.engine.memory.NativeMemory;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import dev.tutti.host.job.MemoryWindows;
import java.lang.foreign.MemorySegment;

/** The memory of another process that has captured buffers, as this process sees it. */
interface OtherMemory {

  /**
   * A region of captured buffers.
   *
   * @param segment the region
   * @param allocation the memory that the region is a part of
   */
  record Found(MemorySegment segment, MemorySegment allocation) {}

  /** Writes a region of this process for other processes. */
  void write(MemorySegment region, BodyWriter body);

  /** Reads a region that another process has written. */
  Found read(BodyReader body);

  /** Memory that the processes share. */
  static OtherMemory shared(MemoryWindows windows) {
    return new OtherMemory() {
      @Override
      public void write(MemorySegment region, BodyWriter body) {
        windows.placeOf(region).write(body);
      }

      @Override
      public Found read(BodyReader body) {
        MemoryWindows.Place place = MemoryWindows.Place.read(body);
        return new Found(windows.segment(place, true), windows.allocation(place));
      }
    };
  }

  /**
   * Memory that this process never touches. Placeholders represent its regions.
   *
   * @param process the number of the process
   */
  static OtherMemory absent(int process) {
    return new AbsentMemory(process);
  }

  /** Placeholders that do not overlap. Not thread-safe. */
  final class AbsentMemory implements OtherMemory {

    private static final long MOST_BYTES = 1L << 48;
    private static final long ALIGNMENT = 128;

    private final MemorySegment all;
    private long used;

    private AbsentMemory(int process) {
      this.all = NativeMemory.beyond(process, MOST_BYTES);
    }

    @Override
    public void write(MemorySegment region, BodyWriter body) {
      body.number(region.byteSize());
    }

    @Override
    public Found read(BodyReader body) {
      MemorySegment region = all.asSlice(used, body.number());
      used += (region.byteSize() + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
      return new Found(region, region);
    }
  }
}
