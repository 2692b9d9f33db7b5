package dev.tutti.plugins.direct;

import dev.tutti.plugins.template.Blocks;
import java.util.Collections;

/** What goes over a full mesh if all blocks, of any sizes, have to come to or from all ranks. */
final class MeshCost {

  private MeshCost() {}

  /** The most messages of one rank: it has one for each block of others that is not empty. */
  static long messages(Blocks blocks) {
    long blocksWithData = blocks.counts().stream().filter(count -> count > 0).count();
    return Math.min(blocksWithData, blocks.size() - 1);
  }

  /** The bytes at the busiest port: the largest block for all others, or all blocks but one. */
  static double busiestBytes(Blocks blocks) {
    long others = blocks.size() - 1L;
    long least = Collections.min(blocks.counts()) * blocks.dataType().size();
    return Math.max(others * blocks.maxBytes(), blocks.totalBytes() - least);
  }
}
