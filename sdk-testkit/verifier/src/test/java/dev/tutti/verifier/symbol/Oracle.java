package dev.tutti.verifier.symbol;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.simulator.flow.FlatStream;
import dev.tutti.simulator.flow.Walk;
import dev.tutti.verifier.semantics.Piece;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The same verdict as {@link SymbolCheck}, computed in the slow and obvious way: every byte holds
 * an object, and every element holds a tree with its set of operands.
 */
final class Oracle implements Walk.Visitor {

  /** One element: an input's, or the result of a reduction. */
  static final class Element {
    final String text;
    final boolean isUndefined;
    final boolean isWrong;
    final long place;
    final Map<Integer, Integer> ranks;

    Element(
        String text,
        boolean isUndefined,
        boolean isWrong,
        long place,
        Map<Integer, Integer> ranks) {
      this.text = text;
      this.isUndefined = isUndefined;
      this.isWrong = isWrong;
      this.place = place;
      this.ranks = ranks;
    }

    boolean isSound() {
      return !isUndefined && !isWrong;
    }

    /** Distinguishes this element from others that are equally right. */
    Object value(boolean byTree) {
      return !isSound() ? this : byTree ? text + "@" + place : List.of(ranks, place);
    }
  }

  /** A byte of an element; undefined if the element is null. */
  record Byte(@Nullable Element element, int at) {}

  /** Undefined, and a read of it has been reported. */
  private static final Element REPORTED = new Element("?", true, false, -1, Map.of());

  private final FlatPlan plan;
  private final Goal goal;
  private final Map<Integer, Byte[]> memories = new HashMap<>();

  /** The findings as text: kind and place. */
  final TreeSet<String> faults = new TreeSet<>();

  Oracle(FlatPlan plan, Goal goal) {
    this.plan = plan;
    this.goal = goal;
    new Walk(plan, this).run();
    checkOutputs();
    checkUntouched();
  }

  private Byte[] memory(int memory) {
    return memories.computeIfAbsent(memory, this::initial);
  }

  private Byte[] initial(int memory) {
    int rank = FlatPlan.memoryRank(memory);
    TransportMemType type = FlatPlan.memoryType(memory);
    long size = plan.plan().rank(rank).memSize(type);
    long input = 0;
    if (type == TransportMemType.PARAM_INPUT) {
      input = size;
      size = Math.max(size, goal.outputBytes(rank));
    }
    Byte[] bytes = new Byte[(int) size];
    for (int at = 0; at < size; at++) {
      long start = at - at % goal.elementBytes();
      bytes[at] =
          at < input
              ? new Byte(
                  new Element("a" + rank, false, false, start, Map.of(rank, 1)),
                  at % goal.elementBytes())
              : new Byte(null, 0);
    }
    return bytes;
  }

  @Override
  public void data(int stream, int event) {
    FlatStream code = plan.streams().get(stream);
    RankPlan own = code.plan(event);
    int action = code.action(event);
    int size = (int) own.bytes(action);
    List<Byte[]> operands = new ArrayList<>();
    int dst = plan.memory(own.dstRank(action), own.dstType(action));
    if (own.kind(action) == ActionKind.REDUCE) {
      operands.add(load(stream, event, dst, own.dstOffset(action), size));
    }
    for (int i = 0; i < own.sourceCount(action); i++) {
      int src = plan.memory(own.srcRank(action, i), own.srcType(action, i));
      operands.add(load(stream, event, src, own.srcOffset(action, i), size));
    }
    Byte[] result =
        own.kind(action) == ActionKind.COPY ? operands.getFirst() : reduce(own, action, operands);
    System.arraycopy(result, 0, memory(dst), (int) own.dstOffset(action), size);
  }

  private Byte[] load(int stream, int event, int memory, long offset, int size) {
    Byte[] bytes = new Byte[size];
    for (int i = 0; i < size; i++) {
      Byte found = memory(memory)[(int) offset + i];
      if (found.element == null) {
        faults.add("undefined " + stream + " " + event + " " + memory + " " + (offset + i));
        found = new Byte(REPORTED, 0);
      }
      bytes[i] = found;
    }
    return bytes;
  }

  private Byte[] reduce(RankPlan own, int action, List<Byte[]> operands) {
    DataType type = own.dataType(action);
    boolean isRight = type == goal.type && own.reduceOp(action) == goal.op;
    int size = type.size();
    Byte[] result = new Byte[operands.getFirst().length];
    for (int start = 0; start < result.length; start += size) {
      List<Element> parts = new ArrayList<>();
      for (Byte[] operand : operands) {
        parts.add(whole(operand, start, size));
      }
      Element element = combine(parts, isRight);
      for (int i = 0; i < size; i++) {
        result[start + i] = new Byte(element, i);
      }
    }
    return result;
  }

  private Element whole(Byte[] bytes, int start, int size) {
    Element first = Objects.requireNonNull(bytes[start].element);
    boolean isWhole = true;
    boolean isUndefined = false;
    boolean isWrong = false;
    for (int i = 0; i < size; i++) {
      Element one = Objects.requireNonNull(bytes[start + i].element);
      isWhole &= bytes[start + i].at == i && same(first, one);
      isUndefined |= one.isUndefined;
      isWrong |= one.isWrong;
    }
    return isWhole ? first : new Element("?", isUndefined, isWrong || !isUndefined, -1, Map.of());
  }

  private boolean same(Element a, Element b) {
    return a.value(goal.isOrderSensitive()).equals(b.value(goal.isOrderSensitive()));
  }

  private Element combine(List<Element> parts, boolean isRight) {
    Element first = parts.getFirst();
    String text = first.text;
    boolean isUndefined = first.isUndefined;
    boolean isWrong = first.isWrong || !isRight;
    Map<Integer, Integer> ranks = new TreeMap<>(first.ranks);
    for (Element next : parts.subList(1, parts.size())) {
      isWrong |= next.isWrong;
      isWrong |= !isUndefined && !next.isUndefined && next.place != first.place;
      isUndefined |= next.isUndefined;
      next.ranks.forEach((rank, times) -> ranks.merge(rank, times, Integer::sum));
      boolean isSorted = text.compareTo(next.text) < 0;
      text = isSorted ? "(" + text + next.text + ")" : "(" + next.text + text + ")";
    }
    return new Element(
        goal.isRoundedByActions() ? "[" + text + "]" : text,
        isUndefined,
        isWrong,
        first.place,
        ranks);
  }

  private void checkOutputs() {
    int size = goal.elementBytes();
    for (Piece piece : goal.pieces) {
      Map<Integer, Integer> expected = new TreeMap<>();
      for (int rank : piece.srcRanks) {
        expected.put(rank, 1);
      }
      for (int rank : piece.dstRanks) {
        Byte[] output = memory(plan.memory(rank, TransportMemType.PARAM_OUTPUT));
        for (int i = 0; i < piece.count * size; i++) {
          int at = (int) piece.dstOffset * size + i;
          Byte found = output[at];
          long place = piece.srcOffset * size + i - i % size;
          if (found.element != null && found.element.isUndefined && !found.element.isWrong) {
            continue;
          }
          if (found.element == null
              || found.at != i % size
              || !found.element.isSound()
              || found.element.place != place
              || !new TreeMap<>(found.element.ranks).equals(expected)) {
            faults.add("output " + rank + " " + at);
          }
        }
      }
      compareTrees(piece, size);
    }
  }

  /** Ranks are compared with the first, elements with the first. */
  private void compareTrees(Piece piece, int size) {
    if (!goal.isOrderSensitive() || piece.srcRanks.length < 2) {
      return;
    }
    String known = null;
    for (int i = 0; i < piece.count * size; i++) {
      String first = null;
      for (int rank : piece.dstRanks) {
        Byte[] output = memory(plan.memory(rank, TransportMemType.PARAM_OUTPUT));
        Element found = output[(int) piece.dstOffset * size + i].element;
        if (rank == piece.dstRanks[0]) {
          if (found == null || !found.isSound()) {
            break;
          }
          first = found.text;
          known = known == null ? first : known;
          if (!known.equals(first)) {
            faults.add("elements differ");
          }
        } else if (found != null && found.isSound() && !found.text.equals(first)) {
          faults.add("ranks differ " + rank);
        }
      }
    }
  }

  private void checkUntouched() {
    for (int rank = 0; rank < goal.rankSize(); rank++) {
      int input = plan.memory(rank, TransportMemType.PARAM_INPUT);
      for (int at = (int) goal.changeableInput(rank); at < goal.inputBytes(rank); at++) {
        Byte found = memory(input)[at];
        boolean isOwn =
            found.element != null
                && found.element.text.equals("a" + rank)
                && found.element.place + found.at == at;
        if (!isOwn) {
          faults.add("input " + rank + " " + at);
        }
      }
      if (goal.mustLeaveOutput(rank)) {
        Byte[] output = memory(plan.memory(rank, TransportMemType.PARAM_OUTPUT));
        for (int at = 0; at < output.length; at++) {
          if (output[at].element != null) {
            faults.add("left " + rank + " " + at);
          }
        }
      }
    }
  }
}
