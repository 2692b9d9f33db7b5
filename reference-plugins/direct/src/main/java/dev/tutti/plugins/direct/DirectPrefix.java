package dev.tutti.plugins.direct;

import dev.tutti.plugins.template.Mesh;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ExecMem;
import dev.tutti.sdk.NativeExecutorBase;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.Support;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.resource.Slice;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.sdk.topology.CommPlane;
import java.util.List;

/**
 * The common implementation of both direct scans. For one slice of the vectors, every rank combines
 * the inputs of all ranks in rank order, and writes each partial result into an output. So no rank
 * waits for the result of another one.
 */
abstract class DirectPrefix<P extends OpParam> extends NativeExecutorBase<P> {

  /** The element type. */
  abstract DataType dataType(P param);

  /** The reduction. */
  abstract ReduceOp reduceOp(P param);

  /** Emits the scan over all ranks. */
  abstract void scan(P param, Walk walk);

  /**
   * One rank's way through the inputs of all ranks.
   *
   * @param mesh the ranks
   * @param mem the memory of this rank
   * @param slice the part of each vector that this rank combines
   * @param type the element type
   * @param op the reduction
   * @param outputType the kind of memory of the outputs
   */
  record Walk(
      Mesh mesh,
      ExecMem mem,
      Slice slice,
      DataType type,
      ReduceOp op,
      TransportMemType outputType) {

    int ranks() {
      return mesh.comm().localRankSize();
    }

    /** Whether a rank is this one. */
    boolean isOwn(int rank) {
      return rank == mesh.comm().localRank();
    }

    private DeviceMem input(int rank) {
      DeviceMem own = mem.input().slice(slice);
      return isOwn(rank) ? own : mesh.comm().link(rank).remote(own);
    }

    DeviceMem ownOutput() {
      return mem.output().slice(slice);
    }

    /** Scratch memory for a partial result. */
    DeviceMem scratch(int number) {
      return mem.scratch().slice(number * slice.size(), slice.size());
    }

    /**
     * The input of the first rank, which another rank first reads into the start of its scratch
     * memory.
     */
    DeviceMem first() {
      if (isOwn(0)) {
        return input(0);
      }
      mesh.comm().link(0).read(mesh.stream(), scratch(0), input(0));
      return scratch(0);
    }

    /** Combines the partial result before a rank with the rank's input. */
    void combine(DeviceMem result, DeviceMem before, int rank) {
      mesh.stream().reduceFrom(result, List.of(before, input(rank)), type, op);
    }

    /** Writes a result into the output of a rank. */
    void put(int rank, DeviceMem result) {
      if (isOwn(rank)) {
        mesh.stream().copy(ownOutput(), result);
      } else {
        Link link = mesh.comm().link(rank);
        link.write(mesh.stream(), link.remote(outputType).slice(slice), result);
      }
    }
  }

  @Override
  public Support supports(P param) {
    return MeshSize.supportsLoads(param.comm());
  }

  /** Each element is combined in rank order. */
  @Override
  public Determinism determinism() {
    return Determinism.SAME_SIZES;
  }

  @Override
  protected OpCommTransport calcCommInfo(P param) {
    return OpCommTransport.mesh(
        param.comm(), CommPlane.COMBINED, inputMemType(param), outputMemType(param));
  }

  /** The bytes of this rank's longest slice. */
  final long sliceBytes(P param) {
    return MeshSlices.mostBytes(
        param.comm(), dataType(param), count(param), maxCountPerRound(param));
  }

  private long count(P param) {
    return param.inputBytes() / dataType(param).size();
  }

  /**
   * Free of races even in place: between the barriers, slice r of every rank's memory is accessed
   * by rank r alone, which reads each input before it writes the output in its place.
   */
  @Override
  protected void kernelRun(P param, ExecMem mem) {
    Mesh mesh = new Mesh(mem.resources().subComm(CommPlane.COMBINED), mem.resources().mainStream());
    Slice slice = MeshSlices.own(param.comm(), dataType(param), mem.count());
    mesh.barrier(Link.READY);
    if (slice.size() > 0) {
      scan(
          param,
          new Walk(mesh, mem, slice, dataType(param), reduceOp(param), outputMemType(param)));
    }
    mesh.barrier(Link.FIN);
  }
}
