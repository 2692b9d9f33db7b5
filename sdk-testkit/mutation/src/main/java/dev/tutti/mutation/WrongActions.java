package dev.tutti.mutation;

import dev.tutti.plan.ActionKind;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlan;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Operation;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.verifier.matrix.Traits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes a mistake in some actions of a correct plan. */
final class WrongActions {

  private final Situation situation;
  private final GroupPlan plan;
  private final Mistake mistake;
  private final DataType type;
  private final ReduceOp op;
  private final List<RankEdit> edits = new ArrayList<>();

  /** The posts that were dropped along with their awaits, by rank and action. */
  private final Set<Long> dropped = new HashSet<>();

  private WrongActions(Situation situation, Mistake mistake) {
    this.situation = situation;
    this.plan = situation.plan();
    this.mistake = mistake;
    this.type = situation.request().dataType();
    this.op = situation.request().reduceOp();
    plan.ranks().forEach(rank -> edits.add(new RankEdit(rank)));
  }

  /** The plan with the mistake; null if there is no action for it. */
  static @Nullable WrongPlan of(Situation situation, Mistake mistake, Site site) {
    return new WrongActions(situation, mistake).at(site);
  }

  private @Nullable WrongPlan at(Site site) {
    boolean isMade = false;
    for (RankPlan rank : plan.ranks()) {
      if (site.isOn(rank.rank(), plan.rankSize())) {
        List<Integer> fitting = fitting(rank, site);
        if (!fitting.isEmpty()) {
          make(rank, site.of(fitting));
          isMade = true;
        }
      }
    }
    if (!isMade) {
      return null;
    }
    List<RankPlan> ranks = edits.stream().map(RankEdit::plan).toList();
    List<List<Integer>> origins = edits.stream().map(RankEdit::origins).toList();
    return ranks.equals(plan.ranks())
        ? null
        : new WrongPlan(new GroupPlan(plan.name(), plan.inPlace(), ranks), origins);
  }

  /** The actions of a rank in which the mistake can be made. */
  private List<Integer> fitting(RankPlan rank, Site site) {
    int[] rounds = situation.rounds(rank);
    List<Integer> fitting = new ArrayList<>();
    for (int action = 0; action < rounds.length; action++) {
      if (site.isIn(rounds[action], rounds[rounds.length - 1]) && fits(rank, action)) {
        fitting.add(action);
      }
    }
    return fitting;
  }

  // ---- the place of the mistake

  private boolean fits(RankPlan rank, int action) {
    ActionKind kind = rank.kind(action);
    boolean isData = kind.isData();
    boolean isPost = kind == ActionKind.POST;
    boolean isAwait = kind == ActionKind.AWAIT;
    return switch (mistake) {
      case WRONG_CHUNK -> isData && chunkBeside(rank, action) != null;
      case SHIFTED_OFFSET, DROPPED_MOVE, FORGOTTEN_TAIL -> isData;
      case SWAPPED_OPERANDS -> kind == ActionKind.COPY;
      case COPIED_NOT_REDUCED -> kind == ActionKind.REDUCE || kind == ActionKind.REDUCE_FROM;
      case REDUCED_NOT_COPIED -> kind == ActionKind.COPY && Traits.reduces(operation());
      case WRONG_PEER -> isData && plan.rankSize() > 2 && remoteOperand(rank, action) != null;
      case STALE_STAGING -> kind == ActionKind.COPY && isStaging(rank, action);
      case OVERWRITTEN_INPUT -> isData && !plan.inPlace() && hasInputAndOutput(rank);
      case MISSING_AWAIT -> isAwait;
      case MISSING_POST, EXTRA_POST -> isPost;
      case MISSING_SIGNAL -> isAwait && postOf(rank, action) != null;
      case WRONG_NOTIFY -> isPost && notifies(rank, action) > 1;
      case EARLY_MOVE -> isData && isKind(rank, before(rank, action), ActionKind.AWAIT);
      case EARLY_POST -> isPost && isDataAt(rank, before(rank, action));
      default -> false;
    };
  }

  private Operation operation() {
    return situation.request().operation();
  }

  /** The previous action in the same stream; -1 if there is none. */
  private static int before(RankPlan rank, int action) {
    int before = action - 1;
    while (before >= 0 && rank.stream(before) != rank.stream(action)) {
      before--;
    }
    return before;
  }

  private static boolean isKind(RankPlan rank, int action, ActionKind kind) {
    return action >= 0 && rank.kind(action) == kind;
  }

  private static boolean isDataAt(RankPlan rank, int action) {
    return action >= 0 && rank.kind(action).isData();
  }

  private static int notifies(RankPlan rank, int action) {
    int link = rank.link(action);
    return link == RankPlan.NO_LINK ? rank.notifyCount() : rank.linkNotifyCount(link);
  }

  private static boolean isStaging(RankPlan rank, int action) {
    return rank.srcType(action, 0) == TransportMemType.PARAM_INPUT
        && rank.srcRank(action, 0) == rank.rank()
        && rank.dstType(action) != TransportMemType.PARAM_OUTPUT;
  }

  private boolean hasInputAndOutput(RankPlan rank) {
    return rank.memSize(TransportMemType.PARAM_INPUT) >= type.size()
        && rank.memSize(TransportMemType.PARAM_OUTPUT) >= type.size();
  }

  /** The chunk before or after the first source, inside its memory; null if there is none. */
  private @Nullable DeviceMem chunkBeside(RankPlan rank, int action) {
    DeviceMem src = rank.src(action, 0);
    long size = plan.rank(src.rank()).memSize(src.type());
    if (src.offset() + 2 * src.size() <= size) {
      return new DeviceMem(src.rank(), src.type(), src.offset() + src.size(), src.size());
    }
    return src.offset() >= src.size()
        ? new DeviceMem(src.rank(), src.type(), src.offset() - src.size(), src.size())
        : null;
  }

  /**
   * The operand of a data action in the memory of another rank, as in {@link DataAction#operand}.
   */
  private static @Nullable Integer remoteOperand(RankPlan rank, int action) {
    DataAction data = DataAction.of(rank, action);
    for (int operand = DataAction.DST; operand < data.sources().size(); operand++) {
      if (data.operand(operand).rank() != rank.rank()) {
        return operand;
      }
    }
    return null;
  }

  /** An action of some rank. */
  private record Place(int rank, int action) {}

  /** The post whose signal an await takes, if awaits take signals in order. */
  private @Nullable Place postOf(RankPlan rank, int await) {
    int link = rank.link(await);
    RankPlan poster = link == RankPlan.NO_LINK ? rank : plan.rank(rank.linkPeer(link));
    int at = link == RankPlan.NO_LINK ? link : GroupPlan.reverseLink(rank, poster, link);
    int number = 0;
    for (int action = 0; action < await; action++) {
      if (isOn(rank, action, ActionKind.AWAIT, link, rank.notify(await))) {
        number++;
      }
    }
    for (int action = 0; action < poster.actionCount(); action++) {
      if (isOn(poster, action, ActionKind.POST, at, rank.notify(await)) && number-- == 0) {
        return new Place(poster.rank(), action);
      }
    }
    return null;
  }

  private static boolean isOn(RankPlan rank, int action, ActionKind kind, int link, int notify) {
    return rank.kind(action) == kind && rank.link(action) == link && rank.notify(action) == notify;
  }

  // ---- the mistake itself

  private void make(RankPlan rank, int action) {
    RankEdit edit = edits.get(rank.rank());
    switch (mistake) {
      case DROPPED_MOVE, STALE_STAGING, MISSING_AWAIT, MISSING_POST -> edit.drop(action);
      case MISSING_SIGNAL -> dropSignal(rank, action, edit);
      case EXTRA_POST -> edit.repeat(action);
      case EARLY_MOVE, EARLY_POST -> edit.moveBefore(action, before(rank, action));
      case OVERWRITTEN_INPUT -> edit.insertAfter(action, overwriting(rank, rank.stream(action)));
      case WRONG_NOTIFY -> {
        int other = (rank.notify(action) + 1) % notifies(rank, action);
        edit.replace(
            action, builder -> builder.post(rank.stream(action), rank.link(action), other));
      }
      default -> changeData(edit, rank, action);
    }
  }

  private void dropSignal(RankPlan rank, int await, RankEdit edit) {
    Place post = postOf(rank, await);
    if (post != null && dropped.add((long) post.rank() << Integer.SIZE | post.action())) {
      edit.drop(await);
      edits.get(post.rank()).drop(post.action());
    }
  }

  private RankEdit.Emission overwriting(RankPlan rank, int stream) {
    DeviceMem input = new DeviceMem(rank.rank(), TransportMemType.PARAM_INPUT, 0, type.size());
    long last = rank.memSize(TransportMemType.PARAM_OUTPUT) - type.size();
    DeviceMem output = new DeviceMem(rank.rank(), TransportMemType.PARAM_OUTPUT, last, type.size());
    return builder -> builder.copy(stream, input, output);
  }

  private void changeData(RankEdit edit, RankPlan rank, int action) {
    DataAction changed = changed(rank, action, DataAction.of(rank, action));
    if (changed == null) {
      edit.drop(action);
    } else {
      edit.replace(action, changed::emit);
    }
  }

  /** A data action with the mistake; null if the mistake removes the action. */
  private @Nullable DataAction changed(RankPlan rank, int action, DataAction data) {
    DeviceMem dst = data.dst();
    return switch (mistake) {
      case WRONG_CHUNK -> {
        DeviceMem beside = chunkBeside(rank, action);
        yield beside == null ? data : data.withOperand(0, beside);
      }
      case SHIFTED_OFFSET -> {
        boolean isLast =
            dst.offset() + dst.size() + type.size() > plan.rank(dst.rank()).memSize(dst.type());
        long offset =
            isLast && dst.offset() >= type.size()
                ? dst.offset() - type.size()
                : dst.offset() + type.size();
        yield data.withOperand(
            DataAction.DST, new DeviceMem(dst.rank(), dst.type(), offset, dst.size()));
      }
      case SWAPPED_OPERANDS ->
          data.withOperand(DataAction.DST, data.operand(0)).withOperand(0, dst);
      case COPIED_NOT_REDUCED -> data.asCopyOf(data.sources().size() - 1);
      case REDUCED_NOT_COPIED -> data.withReduction(type, op);
      case WRONG_PEER -> toNextRank(rank, action, data);
      case FORGOTTEN_TAIL ->
          dst.size() > type.size() ? data.withSize(dst.size() - type.size()) : null;
      default -> throw new IllegalStateException("no mistake in data: " + mistake);
    };
  }

  private DataAction toNextRank(RankPlan rank, int action, DataAction data) {
    Integer operand = remoteOperand(rank, action);
    if (operand == null) {
      return data;
    }
    DeviceMem mem = data.operand(operand);
    int next = (mem.rank() + 1) % plan.rankSize();
    int other = next == rank.rank() ? (next + 1) % plan.rankSize() : next;
    return data.withOperand(operand, new DeviceMem(other, mem.type(), mem.offset(), mem.size()));
  }
}
