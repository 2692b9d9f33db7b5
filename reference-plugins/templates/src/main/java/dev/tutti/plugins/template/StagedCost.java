package dev.tutti.plugins.template;

import dev.tutti.plugins.template.LongestChain.Message;
import dev.tutti.sdk.Cost;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What messages cost that pass through the slots of a {@link Staging}.
 *
 * @param ranks the number of ranks
 * @param chunkBytes the most bytes in a slot
 * @param isPulled whether links are direct
 */
public record StagedCost(int ranks, long chunkBytes, boolean isPulled) {

  /** The messages between any two ranks. */
  @FunctionalInterface
  public interface Messages {

    /** The bytes of the messages from one rank to another one, in order. */
    List<Long> bytes(int from, int to);
  }

  /** Of {@link Staging#exchange} over ascending distances; empty if that is too long. */
  public Optional<Cost> oneByOne(Messages messages) {
    if (!Timetable.fits((long) ranks * ranks)) {
      return Optional.empty();
    }
    Timetable table = new Timetable(ranks, 1);
    for (int distance = 1; distance < ranks; distance++) {
      addRounds(table, List.of(chunksOver(messages, distance)));
    }
    return table.cost();
  }

  /** Of {@link Staging#exchangeAll}; empty if that is too long. */
  public Optional<Cost> allAtOnce(Messages messages) {
    if (!Timetable.fits((long) ranks * ranks)) {
      return Optional.empty();
    }
    Timetable table = new Timetable(ranks, 1);
    List<List<Row>> distances = new ArrayList<>();
    for (int distance = 1; distance < ranks; distance++) {
      distances.add(chunksOver(messages, distance));
    }
    addRounds(table, distances);
    return table.cost();
  }

  /** The chunks from one rank to another one. */
  private record Row(int from, int to, List<Long> chunks) {}

  private List<Row> chunksOver(Messages messages, int distance) {
    List<Row> rows = new ArrayList<>();
    for (int from = 0; from < ranks; from++) {
      int to = (from + distance) % ranks;
      rows.add(new Row(from, to, chunks(messages.bytes(from, to))));
    }
    return rows;
  }

  private List<Long> chunks(List<Long> messages) {
    List<Long> chunks = new ArrayList<>();
    for (long message : messages) {
      for (long offset = 0; offset < message; offset += chunkBytes) {
        chunks.add(Math.min(chunkBytes, message - offset));
      }
    }
    return chunks;
  }

  /** An exchange of all first chunks, one of all second chunks, and so on. */
  private void addRounds(Timetable table, List<List<Row>> distances) {
    boolean hasMore = true;
    for (int i = 0; hasMore && !table.isTooLong(); i++) {
      List<Message> messages = new ArrayList<>();
      for (List<Row> rows : distances) {
        for (Row row : rows) {
          if (i < row.chunks.size()) {
            messages.add(new Message(row.from, row.to, row.chunks.get(i)));
          }
        }
      }
      table.exchange(0, messages, isPulled);
      hasMore = !messages.isEmpty();
    }
  }
}
