package dev.tutti.plan;

import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.TuttiException;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Checks a plan that was read or built, not recorded: operands must lie inside reachable memory,
 * and links must have their other ends. A recorded plan passes.
 */
final class PlanCheck {

  /** The most combinations of the ranks' nested plans that are checked. */
  private static final int MAX_PLACES = 1 << 20;

  private final GroupPlan group;

  /** The path of each plan of the group, nested ones included. */
  private final IdentityHashMap<RankPlan, String> paths;

  private final boolean isFile;

  private PlanCheck(GroupPlan group, IdentityHashMap<RankPlan, String> paths, boolean isFile) {
    this.group = group;
    this.paths = paths;
    this.isFile = isFile;
  }

  /**
   * Checks a group that was read from a file.
   *
   * @param paths the path in the file of each plan of the group, nested ones included
   * @throws TuttiException with {@link ErrorCode#INVALID_PLAN} at the first problem
   */
  static void ofFile(GroupPlan group, IdentityHashMap<RankPlan, String> paths) {
    new PlanCheck(group, paths, true).run();
  }

  /**
   * Checks a group that was built.
   *
   * @throws TuttiException as {@link GroupPlan#check} at the first problem
   */
  static void ofPlan(GroupPlan group) {
    IdentityHashMap<RankPlan, String> paths = new IdentityHashMap<>();
    for (RankPlan plan : group.ranks()) {
      addPaths(plan, "rank " + plan.rank(), paths);
    }
    new PlanCheck(group, paths, false).run();
  }

  /** Names a plan and its nested plans; a plan that runs at several places keeps its first name. */
  private static void addPaths(
      RankPlan plan, String path, IdentityHashMap<RankPlan, String> paths) {
    if (paths.putIfAbsent(plan, path) == null) {
      List<RankPlan> nested = plan.nestedPlans();
      for (int i = 0; i < nested.size(); i++) {
        addPaths(nested.get(i), path + " nested plan " + i, paths);
      }
    }
  }

  private void run() {
    checkPlaces();
    paths.keySet().stream().sorted(Comparator.comparing(this::path)).forEach(this::checkActions);
  }

  // ---- operands

  private void checkActions(RankPlan plan) {
    Reach reach = new Reach(plan.links());
    for (int action = 0; action < plan.actionCount(); action++) {
      ActionKind kind = plan.kind(action);
      if (kind.isData()) {
        checkOperands(plan, action, kind, reach);
      } else if (kind == ActionKind.NESTED) {
        checkNested(plan, action);
      }
    }
  }

  /** The memory of peers that the links of one plan register. */
  private static final class Reach {
    private final BitSet any = new BitSet();
    private final BitSet direct = new BitSet();

    Reach(LinkTable links) {
      for (int link = 0; link < links.size(); link++) {
        LinkKind kind = links.kind(link);
        for (TransportMemType type : List.of(kind.inputMemType(), kind.outputMemType())) {
          any.set(bit(links.peer(link), type));
          if (kind.isDirect()) {
            direct.set(bit(links.peer(link), type));
          }
        }
      }
    }

    private static int bit(int peer, TransportMemType type) {
      return peer * 8 + type.ordinal();
    }

    boolean contains(DeviceMem mem, boolean onlyDirect) {
      return (onlyDirect ? direct : any).get(bit(mem.rank(), mem.type()));
    }
  }

  private void checkOperands(RankPlan plan, int action, ActionKind kind, Reach reach) {
    DeviceMem dst = plan.dst(action);
    boolean isFused = kind == ActionKind.REDUCE_FROM;
    checkMem(plan, action, dst, isFused, reach);
    for (int source = 0; source < plan.sourceCount(action); source++) {
      DeviceMem src = plan.src(action, source);
      checkMem(plan, action, src, isFused, reach);
      if (dst.rank() != plan.rank() && (isFused || src.rank() != plan.rank())) {
        throw broken(
            ErrorCode.RESOURCE_MISMATCH,
            plan,
            action,
            "source or destination must be memory of rank %d. Actual: %s, %s",
            plan.rank(),
            src,
            dst);
      }
      if (aliased(dst).overlaps(aliased(src)) && !(isFused && aliased(dst).equals(aliased(src)))) {
        throw broken(
            ErrorCode.BUFFER_OVERLAP,
            plan,
            action,
            "source and destination must not overlap. Actual: %s, %s",
            src,
            dst);
      }
    }
  }

  private void checkMem(RankPlan plan, int action, DeviceMem mem, boolean onlyDirect, Reach reach) {
    boolean isLocal = mem.rank() == plan.rank();
    if (mem.rank() >= group.rankSize()) {
      throw broken(
          ErrorCode.OUT_OF_BOUNDS,
          plan,
          action,
          "the group has %d ranks. Actual operand: %s",
          group.rankSize(),
          mem);
    }
    if (!isLocal && !reach.contains(mem, onlyDirect)) {
      throw broken(
          ErrorCode.RESOURCE_MISMATCH,
          plan,
          action,
          "no %slink registers %s memory of rank %d; %s",
          onlyDirect ? "direct " : "",
          mem.type().label(),
          mem.rank(),
          isFile ? "add one to 'links'" : "ask for it in calcResRequest");
    }
    long size = (isLocal ? plan : group.rank(mem.rank())).memSize(mem.type());
    if (mem.offset() + mem.size() > size) {
      throw broken(
          ErrorCode.OUT_OF_BOUNDS,
          plan,
          action,
          "%s reaches beyond that memory, which has %d bytes",
          mem,
          size);
    }
  }

  private DeviceMem aliased(DeviceMem mem) {
    return group.inPlace() && mem.type() == TransportMemType.PARAM_OUTPUT
        ? new DeviceMem(mem.rank(), TransportMemType.PARAM_INPUT, mem.offset(), mem.size())
        : mem;
  }

  private void checkNested(RankPlan plan, int action) {
    for (TransportMemType type : LabelTable.MEM_TYPES.values()) {
      if (plan.nested(action).memSize(type) > plan.memSize(type)) {
        throw broken(
            ErrorCode.OUT_OF_BOUNDS,
            plan,
            action,
            "the nested plan needs %d bytes of %s memory, but this plan has %d",
            plan.nested(action).memSize(type),
            type.label(),
            plan.memSize(type));
      }
    }
  }

  // ---- links

  /** Checks the links of the ranks' plans, and of the plans nested at the same place. */
  private void checkPlaces() {
    Set<List<String>> known = new HashSet<>();
    Deque<List<RankPlan>> open = new ArrayDeque<>();
    open.add(group.ranks());
    while (!open.isEmpty()) {
      List<RankPlan> place = open.remove();
      checkLinks(place);
      for (List<RankPlan> inner : nestedAt(place)) {
        if (known.add(inner.stream().map(this::path).toList())) {
          open.add(inner);
        }
      }
      if (known.size() > MAX_PLACES) {
        throw broken(
            ErrorCode.INVALID_PLAN,
            place.getFirst(),
            "the ranks combine more than %d nested plans",
            MAX_PLACES);
      }
    }
  }

  /** For each NESTED action, the plans that the ranks run there. */
  private List<List<RankPlan>> nestedAt(List<RankPlan> place) {
    List<List<RankPlan>> inner = new ArrayList<>();
    for (RankPlan plan : place) {
      int index = 0;
      for (int action = 0; action < plan.actionCount(); action++) {
        if (plan.kind(action) == ActionKind.NESTED) {
          if (index == inner.size()) {
            inner.add(new ArrayList<>());
          }
          inner.get(index++).add(plan.nested(action));
        }
      }
    }
    for (List<RankPlan> plans : inner) {
      if (plans.size() != place.size()) {
        throw broken(
            ErrorCode.INVALID_PLAN,
            place.getFirst(),
            "all ranks must run the same number of nested plans; some run %d",
            inner.size());
      }
    }
    return inner;
  }

  private void checkLinks(List<RankPlan> place) {
    for (RankPlan plan : place) {
      for (int link = 0; link < plan.linkCount(); link++) {
        LinkKind kind = plan.links().kind(link);
        int to = plan.linkPeer(link);
        if (to >= place.size()) {
          throw broken(
              ErrorCode.LINK_MISMATCH,
              plan,
              "the link to rank %d in %s leads nowhere: the group has %d ranks",
              to,
              kind.key(),
              place.size());
        }
        RankPlan peer = place.get(to);
        int reverse = GroupPlan.reverseLink(plan, peer, link);
        if (reverse < 0 || !kind.equals(peer.links().kind(reverse))) {
          throw broken(
              ErrorCode.LINK_MISMATCH,
              plan,
              "the link to rank %d in %s must have its reverse at %s, with equal protocol,"
                  + " ack, notifies, input and output",
              to,
              kind.key(),
              path(peer));
        }
      }
    }
  }

  // ---- errors

  private String path(RankPlan plan) {
    return paths.getOrDefault(plan, "$");
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  private TuttiException broken(
      ErrorCode code, RankPlan plan, int action, String format, Object... arguments) {
    String place =
        isFile
            ? path(plan) + ".actions[" + action + "]"
            : "%s action %d '%s'".formatted(path(plan), action, plan.describe(action));
    return broken(code, place, format.formatted(arguments));
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be a dependency
  private TuttiException broken(ErrorCode code, RankPlan plan, String format, Object... arguments) {
    return broken(code, path(plan), format.formatted(arguments));
  }

  private TuttiException broken(ErrorCode code, String place, String text) {
    return isFile
        ? new TuttiException(ErrorCode.INVALID_PLAN, "plan file (%s): %s", place, text)
        : new TuttiException(code, "%s: %s", place, text);
  }
}
