package dev.tutti.verifier.symbol;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import java.util.List;

/**
 * An expression, with the actions that have made it. Expressions form a graph, because they share
 * operands. Terms are compared by identity. The operands of a term have smaller ids.
 */
abstract sealed class Term {

  /** Smaller than the ids of all terms that use this one. */
  final int id;

  /** Equal for terms with equal bits, no matter which actions have made them. */
  final long key;

  private Term(int id, long key) {
    this.id = id;
    this.key = key;
  }

  /**
   * The position of a byte in a term.
   *
   * @param at the offset in an input or in undefined memory, or the byte within the element for the
   *     result of a reduction; for a copy, the same as for the copied term
   */
  record Operand(Term term, long at) {

    /** The position some bytes later. */
    Operand plus(long bytes) {
      return new Operand(term, at + bytes);
    }

    /** The term without copies: what it is, or what it is a copy of. */
    Term core() {
      Term core = term;
      while (core instanceof Copy copy) {
        core = copy.from;
      }
      return core;
    }

    /** Whether the position {@code bytes} later is that of another operand. */
    boolean continuesAt(long bytes, Operand next) {
      return term.key == next.term.key && at + bytes == next.at;
    }
  }

  /** The input of a rank. */
  static final class Input extends Term {
    final int rank;

    Input(int id, int rank) {
      super(id, Value.ofRank(rank));
      this.rank = rank;
    }
  }

  /** Memory that nothing has written. */
  static final class Undefined extends Term {
    final int memory;

    Undefined(int id, int memory) {
      super(id, Value.ofRank(~memory));
      this.memory = memory;
    }
  }

  /** A copy of another term. */
  static final class Copy extends Term {
    final int stream;
    final int event;
    final Term from;

    Copy(int id, int stream, int event, Term from) {
      super(id, from.key);
      this.stream = stream;
      this.event = event;
      this.from = from;
    }
  }

  /** An element that a reduction has made from others. */
  static final class Step extends Term {
    final int stream;
    final int event;
    final DataType type;
    final ReduceOp op;
    final List<Operand> operands;

    /** A reduction; {@code goal} decides whether its type and operation are the requested ones. */
    Step(
        int id,
        int stream,
        int event,
        DataType type,
        ReduceOp op,
        List<Operand> operands,
        Goal goal) {
      super(id, key(id, type, op, operands, goal));
      this.stream = stream;
      this.event = event;
      this.type = type;
      this.op = op;
      this.operands = operands;
    }

    private static long key(int id, DataType type, ReduceOp op, List<Operand> operands, Goal goal) {
      if (type != goal.type || op != goal.op) {
        return Value.rounded(id);
      }
      long key = key(operands.getFirst());
      for (int i = 1; i < operands.size(); i++) {
        long next = key(operands.get(i));
        key = goal.isOrderSensitive() ? Value.joinTrees(key, next) : key + next;
      }
      return goal.isRoundedByActions() ? Value.rounded(key) : key;
    }

    private static long key(Operand operand) {
      return operand.at == 0 && operand.core() instanceof Step
          ? operand.term.key
          : Value.joinTrees(operand.term.key, operand.at);
    }
  }

  /** An element whose bytes come from several terms. */
  static final class Torn extends Term {
    final List<Slice.Part> parts;

    Torn(int id, List<Slice.Part> parts) {
      super(id, Value.rounded(id));
      this.parts = parts;
    }
  }
}
