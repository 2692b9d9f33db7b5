package dev.tutti.verifier.symbol;

import static dev.tutti.sdk.resource.TransportMemType.PARAM_INPUT;
import static dev.tutti.sdk.resource.TransportMemType.SCRATCH;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanRecorder;
import dev.tutti.samples.Sketch;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.resource.AlgResourceRequest;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.OpCommTransport;
import dev.tutti.sdk.topology.CommPlane;
import dev.tutti.verifier.semantics.OperationSemantics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;

/** Plans of random actions. Equal seeds give equal plans. */
final class RandomPlans {

  private static final int SCRATCH_BYTES = 128;

  private RandomPlans() {}

  private static <P extends OpParam> GroupPlan record(
      P param, BiConsumer<P, AlgResourceResponse> orchestrate) {
    return new PlanRecorder()
        .record(
            "random",
            new Sketch<P>(
                p ->
                    AlgResourceRequest.of(
                            OpCommTransport.mesh(
                                p.comm(), CommPlane.COMBINED, PARAM_INPUT, SCRATCH))
                        .withScratchMemSize(SCRATCH_BYTES),
                orchestrate),
            param);
  }

  /** Ten rounds of any two actions of every rank. */
  static <P extends OpParam> GroupPlan garbage(P param, long seed) {
    return record(
        param,
        (p, res) -> {
          Random random = new Random(seed * 1000 + p.comm().rank());
          for (int round = 0; round < 10; round++) {
            emit(p, res, random);
            emit(p, res, random);
            Sketch.exchange(p.comm(), res, Link.READY);
          }
        });
  }

  private static void emit(OpParam param, AlgResourceResponse res, Random random) {
    DataType type = OperationSemantics.dataType(param);
    long bytes = type.size() * (1L + random.nextInt(4));
    if (random.nextInt(4) == 0) {
      bytes = 1 + random.nextInt(9);
    }
    DeviceMem dst =
        span(random.nextBoolean() ? res.paramOutputMem() : res.scratchMem(), bytes, type, random);
    DeviceMem src = span(source(param, res, random), bytes, type, random);
    int kind = random.nextInt(4);
    if (dst.size() == 0 || src.size() == 0) {
      return;
    }
    try {
      if (kind < 2 || dst.size() % type.size() != 0) {
        copy(param, res, dst, src);
      } else if (kind == 2) {
        reduce(param, res, dst, src, typeOf(type, random), opOf(random));
      } else {
        List<DeviceMem> sources = new ArrayList<>();
        sources.add(random.nextBoolean() ? dst : src);
        sources.add(src);
        sources.add(span(source(param, res, random), bytes, type, random));
        res.mainStream().reduceFrom(dst, sources, typeOf(type, random), opOf(random));
      }
    } catch (dev.tutti.sdk.TuttiException e) {
      // Overlapping operands are refused, so the plan has one action fewer.
    }
  }

  /** Now and then another type of the same size. */
  private static DataType typeOf(DataType type, Random random) {
    return random.nextInt(20) == 0 && type.isInteger() && type.size() == 2 ? DataType.UINT16 : type;
  }

  /** Now and then another reduction. */
  private static ReduceOp opOf(Random random) {
    return random.nextInt(20) == 0 ? ReduceOp.MAX : ReduceOp.SUM;
  }

  private static DeviceMem source(OpParam param, AlgResourceResponse res, Random random) {
    int rank = random.nextInt(param.comm().rankSize());
    boolean isLocal = rank == param.comm().rank();
    return switch (random.nextInt(isLocal ? 3 : 2)) {
      case 0 -> isLocal ? res.paramInputMem() : Sketch.link(res, rank).remote(PARAM_INPUT);
      case 1 -> isLocal ? res.scratchMem() : Sketch.link(res, rank).remote(SCRATCH);
      default -> res.paramOutputMem();
    };
  }

  /** A span of a memory, usually on element boundaries. */
  private static DeviceMem span(DeviceMem mem, long bytes, DataType type, Random random) {
    if (mem.size() < bytes) {
      return mem.slice(0, 0);
    }
    long offset = random.nextLong(mem.size() - bytes + 1);
    if (random.nextInt(8) > 0) {
      offset -= offset % type.size();
    }
    return mem.slice(offset, bytes);
  }

  private static void copy(OpParam param, AlgResourceResponse res, DeviceMem dst, DeviceMem src) {
    if (src.rank() == param.comm().rank()) {
      res.mainStream().copy(dst, src);
    } else {
      Sketch.link(res, src.rank()).read(res.mainStream(), dst, src);
    }
  }

  private static void reduce(
      OpParam param,
      AlgResourceResponse res,
      DeviceMem dst,
      DeviceMem src,
      DataType type,
      ReduceOp op) {
    if (src.rank() == param.comm().rank()) {
      res.mainStream().reduce(dst, src, type, op);
    } else {
      Sketch.link(res, src.rank()).readReduce(res.mainStream(), dst, src, type, op);
    }
  }

  /** An all-reduce in random cuts and random orders, right for some seeds and faulty for others. */
  static GroupPlan sum(AllReduceParam param, long seed) {
    return record(
        param,
        (p, res) -> {
          Random random = new Random(seed * 1000 + p.comm().rank());
          int faultAt = seed % 3 == 0 ? -1 : random.nextInt(40);
          ReduceOp op = faultAt >= 0 && random.nextInt(4) == 0 ? ReduceOp.MAX : p.reduceOp();
          int emitted = 0;
          int size = p.dataType().size();
          long first = 0;
          while (first < p.count()) {
            long count = 1 + random.nextInt((int) (p.count() - first));
            List<Integer> ranks = new ArrayList<>();
            for (int rank = 0; rank < p.comm().rankSize(); rank++) {
              ranks.add(rank);
            }
            Collections.shuffle(ranks, random);
            DeviceMem work = res.scratchMem().slice(random.nextInt(8), count * size);
            DeviceMem spare = res.scratchMem().slice(64, count * size);
            for (int i = 0; i < ranks.size(); i++) {
              boolean isFault = emitted++ == faultAt;
              long from = first + (isFault && first > 0 ? -1 : 0);
              DeviceMem src = input(p, res, ranks.get(i)).slice(from * size, count * size);
              if (isFault && random.nextInt(3) == 0) {
                continue;
              }
              if (i == 0) {
                split(p, res, work, src, random);
              } else if (random.nextBoolean()) {
                split(p, res, spare, src, random);
                res.mainStream().reduce(work, spare, p.dataType(), op);
              } else {
                reduce(p, res, work, src, p.dataType(), op);
              }
            }
            split(p, res, res.paramOutputMem().slice(first * size, count * size), work, random);
            first += count;
          }
        });
  }

  private static DeviceMem input(OpParam param, AlgResourceResponse res, int rank) {
    return rank == param.comm().rank()
        ? res.paramInputMem()
        : Sketch.link(res, rank).remote(PARAM_INPUT);
  }

  /** Copies in one to three parts, cut anywhere. */
  private static void split(
      OpParam param, AlgResourceResponse res, DeviceMem dst, DeviceMem src, Random random) {
    long done = 0;
    for (int part = 0; part < 3 && done < dst.size(); part++) {
      long bytes = part == 2 ? dst.size() - done : 1 + random.nextLong(dst.size() - done);
      copy(param, res, dst.slice(done, bytes), src.slice(done, bytes));
      done += bytes;
    }
  }
}
