package dev.tutti.engine;

import dev.tutti.engine.Programs.Program;
import dev.tutti.plan.PlanClone;
import dev.tutti.sdk.resource.TransportMemType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program with the marks between which the operands of its tasks lie. The programs of plans of
 * the same structure are made from it. Immutable.
 *
 * <p>The relative positions of spans are the same in all these plans, so the same copies are
 * removed, joined and tiled. The number of bytes can change that for a plan; then no program is
 * made for it.
 */
final class ProgramMarks {

  private static final TransportMemType[] TYPES = MemorySlots.TYPES;

  private final Program program;
  private final List<TaskMarks> tasks;

  /** The marks of each task's operands. */
  private record TaskMarks(TaskArrays tasks, int[] dst, int[] end, int[] source, int[] listed) {}

  private ProgramMarks(Program program, List<TaskMarks> tasks) {
    this.program = program;
    this.tasks = tasks;
  }

  /**
   * The marks of a program.
   *
   * @param origin the plan of the program
   */
  static ProgramMarks of(Program program, PlanClone origin) {
    TaskGraph graph = program.graph();
    List<TaskMarks> marks = new ArrayList<>();
    for (TaskArrays list : program.lists()) {
      marks.add(marks(list, origin));
    }
    if (graph != null) {
      marks.add(marks(graph.tasks, origin));
    }
    return new ProgramMarks(program, marks);
  }

  private static TaskMarks marks(TaskArrays tasks, PlanClone origin) {
    int[] dst = new int[tasks.size];
    int[] end = new int[tasks.size];
    int[] source = new int[tasks.size];
    int[] listed = new int[tasks.listedSize];
    for (int task = 0; task < tasks.size; task++) {
      if (Tiling.isData(tasks.op[task])) {
        dst[task] = mark(origin, tasks.dst[task], tasks.dstOffset[task]);
        end[task] = mark(origin, tasks.dst[task], tasks.dstOffset[task] + tasks.bytes[task]);
        if (tasks.op[task] == TaskArrays.REDUCE_FROM) {
          int first = (int) tasks.sourceOffset[task];
          for (int i = first; i < first + tasks.source[task]; i++) {
            listed[i] = mark(origin, tasks.listedSlot[i], tasks.listedOffset[i]);
          }
        } else {
          source[task] = mark(origin, tasks.source[task], tasks.sourceOffset[task]);
        }
      }
    }
    return new TaskMarks(tasks, dst, end, source, listed);
  }

  private static int mark(PlanClone origin, int slot, long offset) {
    return origin.mark(slot / TYPES.length, TYPES[slot % TYPES.length], offset);
  }

  /** The program of the origin. */
  Program program() {
    return program;
  }

  /**
   * The program of another plan of the structure; null if its number of bytes leads to other
   * decisions.
   */
  @Nullable Program moved(PlanClone plan) {
    TaskGraph graph = program.graph();
    if (graph != null) {
      TaskArrays moved = moved(tasks.getFirst(), plan);
      TaskGraph of = moved == null ? null : graph.moved(moved);
      return of == null ? null : new Program(List.of(), of, program.signals());
    }
    List<TaskArrays> lists = new ArrayList<>();
    for (TaskMarks list : tasks) {
      TaskArrays moved = moved(list, plan);
      if (moved == null) {
        return null;
      }
      lists.add(moved);
    }
    return new Program(lists, null, program.signals());
  }

  private static @Nullable TaskArrays moved(TaskMarks marks, PlanClone plan) {
    TaskArrays model = marks.tasks;
    TaskArrays moved = TaskArrays.moved(model);
    for (int task = model.size - 1; task >= 0; task--) {
      switch (model.op[task]) {
        case TaskArrays.COPY, TaskArrays.REDUCE, TaskArrays.REDUCE_FROM -> {
          long start = plan.position(marks.dst[task]);
          long bytes = plan.position(marks.end[task]) - start;
          if (bytes > Tiling.TILE != model.bytes[task] > Tiling.TILE) {
            return null;
          }
          moved.dstOffset[task] = start;
          moved.bytes[task] = bytes;
          moved.sourceOffset[task] =
              model.op[task] == TaskArrays.REDUCE_FROM
                  ? model.sourceOffset[task]
                  : plan.position(marks.source[task]);
        }
        // All tiled tasks have as many bytes as the first of them, which comes next.
        case TaskArrays.TILED -> moved.bytes[task] = moved.bytes[task + 1];
        default -> moved.bytes[task] = model.bytes[task];
      }
    }
    for (int i = 0; i < model.listedSize; i++) {
      moved.listedOffset[i] = plan.position(marks.listed[i]);
    }
    moved.shareEqual(model);
    return moved;
  }
}
