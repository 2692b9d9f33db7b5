package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.tutti.engine.machine.MachineModel;
import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.RankPlanBuilder;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.TransportMemType;
import dev.tutti.verifier.run.GroupMemory;
import dev.tutti.verifier.run.PlanInterpreter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The compiler removes copies that only pass a result on, if this cannot be observed. */
class ForwardingTest {

  private static final int CELL = 64;
  private static final int CELLS = 4;
  private static final TransportMemType INPUT = TransportMemType.PARAM_INPUT;
  private static final TransportMemType OUTPUT = TransportMemType.PARAM_OUTPUT;
  private static final TransportMemType SCRATCH = TransportMemType.SCRATCH;

  /** One rank's actions on memories of some cells. */
  private static final class Program {
    private final int cell;
    private final RankPlanBuilder builder;

    Program(int cell) {
      this.cell = cell;
      this.builder = new RankPlanBuilder(0);
      for (TransportMemType type : List.of(INPUT, OUTPUT, SCRATCH)) {
        builder.memSize(type, (long) CELLS * cell);
      }
    }

    DeviceMem in(int number) {
      return at(INPUT, number);
    }

    DeviceMem out(int number) {
      return at(OUTPUT, number);
    }

    DeviceMem tmp(int number) {
      return at(SCRATCH, number);
    }

    private DeviceMem at(TransportMemType type, int number) {
      return new DeviceMem(0, type, (long) number * cell, cell);
    }

    Program copy(DeviceMem dst, DeviceMem src) {
      builder.copy(0, dst, src);
      return this;
    }

    Program add(DeviceMem dst, DeviceMem src) {
      builder.reduce(0, dst, src, DataType.INT32, ReduceOp.SUM);
      return this;
    }

    Program sum(DeviceMem dst, DeviceMem... sources) {
      builder.reduceFrom(0, dst, Arrays.asList(sources), DataType.INT32, ReduceOp.SUM);
      return this;
    }

    /** Combines inputs in scratch memory and copies the result. */
    Program carry() {
      return sum(tmp(0), in(0), in(1)).copy(out(0), tmp(0));
    }

    /** Some actions that cannot be removed. */
    Program busy(int actions) {
      for (int action = 0; action < actions; action++) {
        add(out(2), in(2));
      }
      return this;
    }

    GroupPlan plan() {
      return new GroupPlan("program", false, List.of(builder.build()));
    }
  }

  private static Arguments program(String name, int tasks, Consumer<Program> actions) {
    return argumentSet(name, tasks, actions);
  }

  /** Half of a span. */
  private static DeviceMem half(DeviceMem span) {
    return span.slice(0, span.size() / 2);
  }

  /** Programs, and how many of their actions are run. The outputs are computed in, if any is. */
  static Stream<Arguments> programs() {
    return Stream.of(
        program(
            "a reduction writes where its result is copied",
            2,
            p ->
                p.sum(p.out(3), p.in(0), p.in(1))
                    .sum(p.tmp(0), p.in(0), p.in(1))
                    .copy(p.out(0), p.tmp(0))),
        program(
            "what is copied is read where it is",
            1,
            p -> p.copy(p.tmp(0), p.in(0)).sum(p.out(0), p.tmp(0), p.in(1))),
        program(
            "what is copied is added where it is",
            2,
            p -> p.sum(p.out(0), p.in(0), p.in(1)).copy(p.tmp(0), p.in(2)).add(p.out(0), p.tmp(0))),
        program(
            "a copy of a copy",
            1,
            p -> p.copy(p.tmp(0), p.in(0)).copy(p.tmp(1), p.tmp(0)).copy(p.out(0), p.tmp(1))),
        program(
            "a scan",
            4,
            p ->
                p.copy(p.tmp(0), p.in(0))
                    .copy(p.out(0), p.tmp(0))
                    .sum(p.out(1), p.tmp(0), p.in(1))
                    .sum(p.tmp(0), p.out(1), p.in(2))
                    .copy(p.out(2), p.tmp(0))
                    .sum(p.tmp(0), p.tmp(0), p.in(3))
                    .copy(p.out(3), p.tmp(0))),
        program(
            "a result that is read before it is copied",
            2,
            p ->
                p.sum(p.tmp(0), p.in(0), p.in(1))
                    .sum(p.out(1), p.tmp(0), p.in(2))
                    .copy(p.out(0), p.tmp(0))),
        program(
            "a result that is overwritten, in memory that callers see",
            3,
            p ->
                p.sum(p.out(0), p.in(0), p.in(1))
                    .copy(p.out(1), p.out(0))
                    .sum(p.out(0), p.in(2), p.in(3))
                    .copy(p.out(2), p.out(0))),
        program(
            "not into memory that is only copied to",
            2,
            p -> p.sum(p.tmp(0), p.in(0), p.in(1)).copy(p.out(0), p.tmp(0))),
        program(
            "not from memory that is only copied from",
            3,
            p ->
                p.copy(p.tmp(0), p.in(0))
                    .copy(p.tmp(2), p.in(2))
                    .sum(p.out(0), p.tmp(0), p.tmp(2))),
        program(
            "not what is added from memory that is only copied from",
            2,
            p -> p.copy(p.tmp(0), p.in(0)).add(p.out(0), p.tmp(0))),
        program(
            "not where a copy would overlap what it copies",
            3,
            p ->
                p.sum(p.out(0), p.in(0), p.in(1))
                    .copy(p.tmp(0), p.out(0))
                    .copy(between(p), p.tmp(0))),
        program(
            "not where a sum would overlap what it adds",
            4,
            p ->
                p.sum(p.out(0), p.in(0), p.in(1))
                    .sum(p.out(1), p.in(0), p.in(1))
                    .copy(p.tmp(0), p.out(0))
                    .add(between(p), p.tmp(0))),
        program(
            "not from a caller's memory that stays",
            3,
            p ->
                p.sum(p.out(0), p.in(0), p.in(1))
                    .copy(p.out(1), p.out(0))
                    .sum(p.out(2), p.in(0), p.in(1))),
        program(
            "not what is read in part",
            3,
            p ->
                p.sum(p.out(3), p.in(0), p.in(1))
                    .sum(p.tmp(0), p.in(0), p.in(1))
                    .copy(half(p.out(0)), half(p.tmp(0)))),
        program(
            "not what is overwritten in part",
            4,
            p ->
                p.sum(p.out(3), p.in(0), p.in(1))
                    .sum(p.tmp(0), p.in(0), p.in(1))
                    .copy(half(p.tmp(0)), half(p.in(2)))
                    .copy(p.out(0), p.tmp(0))),
        program(
            "not where a result goes on being added to",
            4,
            p ->
                p.sum(p.tmp(0), p.in(0), p.in(1))
                    .add(p.tmp(0), p.in(2))
                    .sum(p.out(1), p.in(2), p.in(3))
                    .copy(p.out(0), p.tmp(0))),
        program(
            "not where the copied memory is overwritten before it is read",
            4,
            p ->
                p.sum(p.out(0), p.in(0), p.in(1))
                    .copy(p.tmp(0), p.out(0))
                    .sum(p.out(0), p.in(2), p.in(3))
                    .copy(p.out(1), p.tmp(0))),
        program(
            "not where the destination is read in between",
            4,
            p ->
                p.sum(p.out(0), p.in(0), p.in(1))
                    .sum(p.tmp(0), p.in(2), p.in(3))
                    .sum(p.out(1), p.out(0), p.in(1))
                    .copy(p.out(0), p.tmp(0))),
        program(
            "not where the destination is overwritten before others read",
            4,
            p ->
                p.sum(p.tmp(0), p.in(0), p.in(1))
                    .copy(p.out(0), p.tmp(0))
                    .sum(p.out(0), p.in(2), p.in(3))
                    .sum(p.out(1), p.tmp(0), p.in(3))),
        program(
            "not into a part of what is combined",
            4,
            p ->
                p.sum(p.out(0), p.in(0), p.in(1))
                    .sum(p.out(1), p.in(1), p.in(2))
                    .sum(p.tmp(0), p.out(0), p.out(1))
                    .copy(between(p), p.tmp(0))));
  }

  /** Programs that read a result again, or do not, only after many other actions. */
  static Stream<Arguments> longPrograms() {
    return Stream.of(
        program(
            "not what is read again much later",
            73,
            p -> p.carry().busy(70).sum(p.out(1), p.tmp(0), p.in(3))),
        program(
            "not what is read again later than is looked ahead",
            1103,
            p -> p.carry().busy(1100).sum(p.out(1), p.tmp(0), p.in(3))),
        program(
            "not what is added to much later",
            74,
            p -> p.carry().busy(70).add(p.tmp(0), p.in(2)).sum(p.out(1), p.tmp(0), p.in(3))),
        program(
            "what is overwritten before it is read again",
            73,
            p ->
                p.carry()
                    .busy(70)
                    .sum(p.tmp(0), p.in(2), p.in(3))
                    .sum(p.out(1), p.tmp(0), p.in(3))));
  }

  /** The second half of an output's cell, and the first half of the next one. */
  private static DeviceMem between(Program program) {
    return new DeviceMem(0, OUTPUT, program.cell / 2, program.cell);
  }

  @ParameterizedTest
  @MethodSource({"programs", "longPrograms"})
  void nobodyCanTell(int tasks, Consumer<Program> actions) {
    Program program = new Program(CELL);
    actions.accept(program);
    assertThat(compile(program.plan()).taskCount()).isEqualTo(tasks);
    compare(program.plan(), 1);
  }

  @Test
  void memoryThatIsOnlyCopiedToMayStillBeAnArray() {
    Program program = new Program(CELL);
    program.sum(program.tmp(0), program.in(0), program.in(1));
    program.copy(program.out(0), program.tmp(0));
    assertThat(compile(program.plan()).takesArrays(0, OUTPUT)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 40_000})
  void randomProgramsGiveTheResultOfTheInterpreter(int cell) {
    int spared = 0;
    int programs = cell == CELL ? 3000 : 200;
    for (int seed = 0; seed < programs; seed++) {
      GroupPlan plan = random(new Random(seed), cell);
      CompiledPlan compiled = compile(plan);
      spared +=
          compiled.estimate(MachineModel.defaults()).tasks() < plan.rank(0).actionCount() ? 1 : 0;
      compare(plan, seed);
    }
    assertThat(spared).as("programs of which a copy is spared").isGreaterThan(programs / 4);
  }

  /** Writes scratch memory whole, and then does anything that an action may do. */
  private static GroupPlan random(Random random, int cell) {
    Program program = new Program(cell);
    for (int number = 0; number < CELLS; number++) {
      program.copy(program.tmp(number), program.in(number));
    }
    int actions = CELLS + 4 + random.nextInt(12);
    while (program.builder.actionCount() < actions) {
      DeviceMem dst = place(program, random, List.of(OUTPUT, SCRATCH));
      List<DeviceMem> sources = new ArrayList<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        DeviceMem source = place(program, random, List.of(INPUT, OUTPUT, SCRATCH));
        boolean isWhole = source.size() == dst.size();
        if (isWhole && (!source.overlaps(dst) || (i > 0 && source.equals(dst)))) {
          sources.add(source);
        }
      }
      if (sources.size() > 1) {
        program.sum(dst, sources.toArray(DeviceMem[]::new));
      } else if (!sources.isEmpty() && !sources.getFirst().equals(dst)) {
        if (random.nextInt(4) == 0) {
          program.add(dst, sources.getFirst());
        } else {
          program.copy(dst, sources.getFirst());
        }
      }
    }
    return program.plan();
  }

  /** Mostly a cell; now and then a part of one, or of two. */
  private static DeviceMem place(Program program, Random random, List<TransportMemType> types) {
    DeviceMem cell = program.at(types.get(random.nextInt(types.size())), random.nextInt(CELLS - 1));
    return switch (random.nextInt(16)) {
      case 0 -> half(cell);
      case 1 -> new DeviceMem(0, cell.type(), cell.offset() + cell.size() / 2, cell.size());
      default -> cell;
    };
  }

  private static CompiledPlan compile(GroupPlan plan) {
    return PlanCompiler.compile(
        plan,
        CompileOptions.defaults().withMode(CompileOptions.Mode.STATIC),
        new EngineConfig(1, 0, 0, 0, Long.MAX_VALUE));
  }

  /** Runs a plan of one rank twice on random memory, and compares with the interpreter. */
  private static void compare(GroupPlan plan, long seed) {
    PlanInterpreter interpreter = new PlanInterpreter(plan);
    GroupMemory expected = interpreter.allocate();
    fill(expected.input(0), seed);
    try (Arena arena = Arena.ofConfined();
        Engine engine = new Engine(new EngineConfig(1, 0, 0, 0, Long.MAX_VALUE))) {
      @Nullable MemorySegment[][] memory = new MemorySegment[1][TransportMemType.values().length];
      for (TransportMemType type : List.of(INPUT, OUTPUT, SCRATCH)) {
        memory[0][type.ordinal()] = arena.allocate(plan.rank(0).memSize(type), 64);
      }
      MemorySegment input = Objects.requireNonNull(memory[0][INPUT.ordinal()]);
      input.copyFrom(expected.input(0));
      assertThat(interpreter.run(seed, expected).findings()).isEmpty();
      Binding binding = engine.bind(compile(plan), memory);
      MemorySegment output = Objects.requireNonNull(memory[0][OUTPUT.ordinal()]);
      for (int run = 0; run < 2; run++) {
        output.fill((byte) 0);
        binding.run(10_000_000_000L);
        assertThat(output.mismatch(expected.output(0)))
            .as("seed %d, run %d", seed, run)
            .isEqualTo(-1);
        assertThat(input.mismatch(expected.input(0))).isEqualTo(-1);
      }
    }
  }

  private static void fill(MemorySegment segment, long seed) {
    Random random = new Random(seed);
    for (long at = 0; at < segment.byteSize(); at += Integer.BYTES) {
      segment.set(ValueLayout.JAVA_INT_UNALIGNED, at, random.nextInt());
    }
  }
}
