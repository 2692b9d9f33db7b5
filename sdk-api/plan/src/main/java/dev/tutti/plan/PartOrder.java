package dev.tutti.plan;

/**
 * One dependency between the parts of a sequence of plans: a rank begins a part only after another
 * rank has ended an earlier part.
 *
 * @param rank the rank that ends a part first
 * @param part the part that it ends, counted from 0
 * @param laterRank the rank that waits; not {@code rank}
 * @param laterPart the part that it then begins, after {@code part}
 */
public record PartOrder(int rank, int part, int laterRank, int laterPart) {

  @Override
  public String toString() {
    return "rank %d begins part %d after rank %d has ended part %d"
        .formatted(laterRank, laterPart, rank, part);
  }
}
