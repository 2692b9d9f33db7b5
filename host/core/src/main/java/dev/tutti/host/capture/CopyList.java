package dev.tutti.host.capture;

import dev.tutti.host.buffers.BufferCopy;
import java.util.ArrayList;
import java.util.List;

/** A list of copies, without duplicates, that are made one after another. Not thread-safe. */
final class CopyList {

  private final List<BufferCopy> copies = new ArrayList<>();

  /** Adds a copy unless the list has it. */
  void add(BufferCopy added) {
    if (copies.stream().noneMatch(known -> known.isLike(added))) {
      copies.add(added);
    }
  }

  /** Makes all copies. Allocates nothing. */
  void run() {
    for (int i = 0; i < copies.size(); i++) {
      copies.get(i).run();
    }
  }
}
