package dev.tutti.plugins.template;

import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;

/**
 * The two stages of an all-reduce over a full mesh. Reduce-scatter: member r combines slice r of
 * all inputs, in the order of the members and in one pass, into its output. All-gather: every
 * member gets all slices of the result. A member may have an empty slice.
 *
 * <p>Over direct links, a member loads its slice from the peers' inputs. Over RDMA links, they
 * write it into slots of its scratch memory, one for each peer, in order. The links register {@link
 * #operandType} and the memory of the output. Cost for p members with slices of s bytes: {@code α +
 * (p-1)s(β + γ)} over direct and {@code (p-1)(α + sβ + sγ)} over RDMA links for the first stage,
 * {@code (p-1)(α + sβ)} for the second.
 *
 * @param mesh the members
 * @param isPulled whether the links between them are direct
 * @param input this member's operand
 * @param output the memory for the result; may be the input
 * @param slices one for each member, equal on all of them
 * @param slots scratch memory of {@link #slotBytes}, at the same place on all members
 */
public record MeshStages(
    Mesh mesh,
    boolean isPulled,
    DeviceMem input,
    DeviceMem output,
    List<Slice> slices,
    DeviceMem slots) {

  /*
   * Why this is correct under every schedule, also in place.
   *
   * Only member r reads slice r of any input, and it does so before it signals in the second stage
   * that its result is ready. Only after that signal, slice r of another member's output is
   * written.
   *
   * Over direct links, a member posts READY to each owner once a round. The owner awaits it before
   * it posts FIN, and the member awaits FIN before the next round. Over RDMA links both stages are
   * exchanges.
   */

  /** The memory of an operand's owner, or of its reader, that a link registers. */
  public static TransportMemType operandType(boolean isPulled, TransportMemType inputType) {
    return isPulled ? inputType : TransportMemType.SCRATCH;
  }

  /**
   * The bytes of scratch memory that a member needs.
   *
   * @param members the number of members
   * @param slice the bytes of its slice
   */
  public static long slotBytes(boolean isPulled, int members, long slice) {
    return isPulled ? 0 : (members - 1) * slice;
  }

  private Slice slice(int member) {
    return slices.get(member);
  }

  private Slice own() {
    return slice(mesh.comm().localRank());
  }

  /** This member's slice of the output: between the stages, its part of the result. */
  public DeviceMem result() {
    return output.slice(own());
  }

  /** The other members that have a slice. */
  private List<Integer> owners() {
    return mesh.peers().stream().filter(peer -> slice(peer).size() > 0).toList();
  }

  /** The other members; empty if this member has no slice. */
  private List<Integer> contributors() {
    return own().size() > 0 ? mesh.peers() : List.of();
  }

  /**
   * Emits the first stage: slice r of member r's output is the result.
   *
   * @param ready the notify with which a member signals over direct links that its input is ready;
   *     two first stages without a second stage between them need different notifies
   */
  public void reduceScatter(DataType dataType, ReduceOp reduceOp, int ready) {
    if (isPulled) {
      owners().forEach(peer -> mesh.comm().link(peer).post(mesh.stream(), ready));
      contributors().forEach(peer -> mesh.comm().link(peer).await(mesh.stream(), ready));
    } else {
      fillSlots();
    }
    if (own().size() > 0) {
      DeviceMem operand = input.slice(own());
      List<DeviceMem> operands = isPulled ? mesh.atAll(operand) : inSlots(operand);
      mesh.stream().reduceFrom(result(), operands, dataType, reduceOp);
    }
  }

  private void fillSlots() {
    List<Outgoing> sent = new ArrayList<>();
    for (int peer : owners()) {
      long slot = slots.offset() + slot(mesh.comm().localRank(), peer) * slice(peer).size();
      DeviceMem operand = input.slice(slice(peer));
      sent.add(new Outgoing(mesh.comm().link(peer), operand, slots.type(), slot));
    }
    List<Incoming> received = new ArrayList<>();
    for (int peer : contributors()) {
      received.add(new Incoming(mesh.comm().link(peer), slotOf(peer), input));
    }
    new Exchange(sent, received).run(mesh.stream());
  }

  /** The index of a member among the peers of an owner. */
  private static int slot(int member, int owner) {
    return member < owner ? member : member - 1;
  }

  private DeviceMem slotOf(int peer) {
    long size = own().size();
    return slots.slice(slot(peer, mesh.comm().localRank()) * size, size);
  }

  private List<DeviceMem> inSlots(DeviceMem operand) {
    List<DeviceMem> operands = new ArrayList<>();
    for (int member = 0; member < slices.size(); member++) {
      operands.add(member == mesh.comm().localRank() ? operand : slotOf(member));
    }
    return operands;
  }

  /** Emits the second stage; afterwards no member accesses this one's memory any more. */
  public void allGather() {
    DeviceMem result = result();
    List<Outgoing> sent = new ArrayList<>();
    for (int peer : contributors()) {
      sent.add(new Outgoing(mesh.comm().link(peer), result, result));
    }
    List<Incoming> received = new ArrayList<>();
    for (int peer : owners().reversed()) {
      DeviceMem slice = output.slice(slice(peer));
      received.add(new Incoming(mesh.comm().link(peer), slice, slice));
    }
    new Exchange(sent, received).runAfterReady(mesh.stream());
  }
}
