package dev.tutti.verifier.symbol;

import static dev.tutti.sdk.resource.TransportMemType.PARAM_INPUT;
import static dev.tutti.sdk.resource.TransportMemType.PARAM_OUTPUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.samples.Sketch;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.Determinism;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.param.AllReduceParam;
import dev.tutti.sdk.param.OpParam;
import dev.tutti.sdk.param.ReduceParam;
import dev.tutti.sdk.resource.AlgResourceResponse;
import dev.tutti.sdk.resource.DeviceMem;
import dev.tutti.sdk.resource.Link;
import dev.tutti.sdk.resource.Stream;
import dev.tutti.simulator.flow.FlatPlan;
import dev.tutti.verifier.rule.Finding;
import dev.tutti.verifier.rule.Findings;
import dev.tutti.verifier.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DeterminismTest {

  /** Every rank reduces all inputs, beginning with a rank of its choice. */
  private static Sketch<AllReduceParam> direct(boolean beginsWithItself) {
    return new Sketch<>(
        Sketch::mesh,
        (param, res) -> {
          Sketch.exchange(param.comm(), res, Link.READY);
          List<DeviceMem> sources = new ArrayList<>();
          for (int i = 0; i < param.comm().rankSize(); i++) {
            int shift = beginsWithItself ? param.comm().rank() : 0;
            sources.add(input(param, res, (i + shift) % param.comm().rankSize()));
          }
          res.mainStream()
              .reduceFrom(res.paramOutputMem(), sources, param.dataType(), param.reduceOp());
          Sketch.exchange(param.comm(), res, Link.FIN);
        });
  }

  private static DeviceMem input(OpParam param, AlgResourceResponse res, int rank) {
    return rank == param.comm().rank()
        ? res.paramInputMem()
        : Sketch.link(res, rank).remote(PARAM_INPUT);
  }

  private static AllReduceParam sum(int ranks, DataType type, ReduceOp op, long count) {
    return new AllReduceParam(Symbols.comm(ranks), type, op, count);
  }

  private static List<Finding> check(
      Sketch<AllReduceParam> executor, AllReduceParam param, Determinism declared) {
    return Symbols.check(executor, param, SymbolOptions.of(declared));
  }

  @Test
  void ranksThatReduceInDifferentOrdersAreShownWithTheirExpressions() {
    AllReduceParam param = sum(3, DataType.FLOAT32, ReduceOp.SUM, 5);
    List<Finding> findings = check(direct(true), param, Determinism.SAME_RANKS);

    assertThat(findings).extracting(Finding::rule).containsExactly(Rule.RANKS_DIFFER);
    assertThat(findings.getFirst().message())
        .isEqualTo(
            "ranks 0 and 1 reduce element 0 in different orders, though the executor promises every"
                + " rank the same bits: rank 0: ((a0+a1)+a2), rank 1: ((a1+a2)+a0) (and 1 more like"
                + " it)");
    assertThat(findings.getFirst().explanation())
        .contains("rank 1: ((a1+a2)+a0)\n  rank 1 stream 0 'reduceFrom");
    assertThat(findings.getFirst().actions()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(
      value = Determinism.class,
      names = {"NONE", "SAME_RUNS"})
  void nothingIsFoundIfEqualBitsAreNotPromised(Determinism declared) {
    assertThat(check(direct(true), sum(3, DataType.FLOAT32, ReduceOp.SUM, 5), declared)).isEmpty();
  }

  @Test
  void theOrderOfTwoOperandsDoesNotMatter() {
    assertThat(
            check(direct(true), sum(2, DataType.FLOAT32, ReduceOp.SUM, 5), Determinism.SAME_SIZES))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"INT32, SUM", "UINT8, PROD", "INT64, BXOR", "FLOAT32, MAX", "FLOAT16, MIN"})
  void theOrderDoesNotMatterWhereAllOrdersGiveEqualBits(DataType type, ReduceOp op) {
    assertThat(check(direct(true), sum(3, type, op, 5), Determinism.SAME_SIZES)).isEmpty();
  }

  /** Rank 0 reduces in one action, the others in two. */
  @ParameterizedTest
  @CsvSource({"FLOAT16, false", "BFLOAT16, false", "FLOAT32, true", "FLOAT64, true"})
  void sixteenBitsAreRoundedAtTheEndOfEveryAction(DataType type, boolean isSame) {
    Sketch<AllReduceParam> executor =
        new Sketch<>(
            Sketch::mesh,
            (param, res) -> {
              Sketch.exchange(param.comm(), res, Link.READY);
              List<DeviceMem> sources = new ArrayList<>();
              for (int rank = 0; rank < 3; rank++) {
                sources.add(input(param, res, rank));
              }
              Stream main = res.mainStream();
              DeviceMem out = res.paramOutputMem();
              if (param.comm().rank() == 0) {
                main.reduceFrom(out, sources, param.dataType(), param.reduceOp());
              } else {
                main.reduceFrom(out, sources.subList(0, 2), param.dataType(), param.reduceOp());
                main.reduceFrom(
                    out, List.of(out, sources.get(2)), param.dataType(), param.reduceOp());
              }
              Sketch.exchange(param.comm(), res, Link.FIN);
            });
    List<Finding> findings = check(executor, sum(3, type, ReduceOp.SUM, 4), Determinism.SAME_RANKS);

    assertThat(findings.isEmpty()).isEqualTo(isSame);
    if (!isSame) {
      assertThat(findings.getFirst().message())
          .contains("rank 0: [(a0+a1)+a2], rank 1: [[a0+a1]+a2]");
    }
  }

  /** The first half is reduced from rank 0 up, the second from the last rank down. */
  private static Sketch<AllReduceParam> halves() {
    return new Sketch<>(
        Sketch::mesh,
        (param, res) -> {
          Sketch.exchange(param.comm(), res, Link.READY);
          long half = param.count() / 2 * param.dataType().size();
          List<DeviceMem> up = new ArrayList<>();
          List<DeviceMem> down = new ArrayList<>();
          for (int rank = 0; rank < param.comm().rankSize(); rank++) {
            DeviceMem input = input(param, res, rank);
            up.add(input.slice(0, half));
            down.addFirst(input.slice(half, input.size() - half));
          }
          DeviceMem out = res.paramOutputMem();
          res.mainStream().reduceFrom(out.slice(0, half), up, param.dataType(), param.reduceOp());
          res.mainStream()
              .reduceFrom(
                  out.slice(half, out.size() - half), down, param.dataType(), param.reduceOp());
          Sketch.exchange(param.comm(), res, Link.FIN);
        });
  }

  @Test
  void elementsThatAreReducedInDifferentOrdersDependOnTheCount() {
    AllReduceParam param = sum(3, DataType.FLOAT64, ReduceOp.PROD, 6);

    assertThat(check(halves(), param, Determinism.SAME_RANKS)).isEmpty();
    List<Finding> findings = check(halves(), param, Determinism.SAME_SIZES);
    assertThat(findings).extracting(Finding::rule).containsExactly(Rule.SIZES_DIFFER);
    assertThat(findings.getFirst().message())
        .startsWith("rank 0's elements 0 and 3 are reduced in different orders")
        .endsWith("rank 0: ((a0*a1)*a2), rank 0: ((a2*a1)*a0)");
  }

  private static SymbolResult result(Sketch<AllReduceParam> executor, AllReduceParam param) {
    Findings findings = new Findings();
    SymbolResult result =
        SymbolCheck.check(
            FlatPlan.of(Symbols.record(executor, param)),
            Symbols.params(param),
            SymbolOptions.of(Determinism.SAME_SIZES),
            findings);
    assertThat(findings.isEmpty()).isTrue();
    return result;
  }

  @Test
  void anOrderThatChangesWithTheCountIsFoundByComparingPlans() {
    Sketch<AllReduceParam> executor =
        new Sketch<>(
            Sketch::mesh, (param, res) -> direct(false, param.count() > 4).orchestrate(param, res));
    SymbolResult small = result(executor, sum(3, DataType.FLOAT32, ReduceOp.SUM, 4));
    SymbolResult tiny = result(executor, sum(3, DataType.FLOAT32, ReduceOp.SUM, 1));
    SymbolResult large = result(executor, sum(3, DataType.FLOAT32, ReduceOp.SUM, 5));
    SymbolResult none = result(executor, sum(3, DataType.FLOAT32, ReduceOp.SUM, 0));
    Findings findings = new Findings();

    small.compareSizes(tiny, findings);
    small.compareSizes(none, findings);
    assertThat(findings.isEmpty()).isTrue();
    assertThat(small.association(0)).isEqualTo(tiny.association(2)).isNotZero();
    assertThat(none.association(0)).isZero();

    small.compareSizes(large, findings);
    assertThat(findings.toList()).hasSize(1);
    assertThat(findings.toList().getFirst().message())
        .contains("with 4 elements ((a0+a1)+a2), with 5 elements ((a2+a1)+a0)");
  }

  private static Sketch<AllReduceParam> direct(boolean beginsWithItself, boolean isReversed) {
    if (!isReversed) {
      return direct(beginsWithItself);
    }
    return new Sketch<>(
        Sketch::mesh,
        (param, res) -> {
          Sketch.exchange(param.comm(), res, Link.READY);
          List<DeviceMem> sources = new ArrayList<>();
          for (int rank = param.comm().rankSize() - 1; rank >= 0; rank--) {
            sources.add(input(param, res, rank));
          }
          res.mainStream()
              .reduceFrom(res.paramOutputMem(), sources, param.dataType(), param.reduceOp());
          Sketch.exchange(param.comm(), res, Link.FIN);
        });
  }

  /**
   * Ranks 1 and 2 reduce their inputs into the output of rank 0, one after the other or at once.
   */
  private static Sketch<ReduceParam> pushes() {
    return new Sketch<>(
        param -> Sketch.mesh(param, PARAM_INPUT, PARAM_OUTPUT),
        (param, res) -> {
          if (param.comm().rank() == 0) {
            res.mainStream().copy(res.paramOutputMem(), res.paramInputMem());
            Sketch.links(param.comm(), res)
                .forEach(link -> link.post(res.mainStream(), Link.READY));
            Sketch.links(param.comm(), res).forEach(link -> link.await(res.mainStream(), Link.FIN));
          } else {
            push(param, res);
          }
        });
  }

  private static void push(ReduceParam param, AlgResourceResponse res) {
    Link root = Sketch.link(res, 0);
    Stream main = res.mainStream();
    root.await(main, Link.READY);
    root.writeReduce(
        main, root.remote(PARAM_OUTPUT), res.paramInputMem(), param.dataType(), param.reduceOp());
    root.post(main, Link.FIN);
  }

  @ParameterizedTest
  @CsvSource({
    "true, false, FLOAT32, SAME_RUNS, true",
    "true, true, FLOAT32, SAME_RUNS, false",
    "false, false, FLOAT32, SAME_RUNS, false",
    "true, false, INT32, SAME_RUNS, false",
    "true, false, FLOAT32, NONE, false"
  })
  void atomicReductionsIntoOnePlaceDependOnTiming(
      boolean isAtomic, boolean isOrdered, DataType type, Determinism declared, boolean isFound) {
    SymbolOptions options =
        new SymbolOptions(declared, isAtomic, (stream, event, later, laterEvent) -> isOrdered);
    List<Finding> findings =
        Symbols.check(
            pushes(), new ReduceParam(Symbols.comm(3), type, ReduceOp.SUM, 4, 0), options);

    assertThat(findings).hasSize(isFound ? 1 : 0);
    if (isFound) {
      assertThat(findings.getFirst().rule()).isEqualTo(Rule.RUNS_DIFFER);
      assertThat(findings.getFirst().message())
          .startsWith("rank 1 stream 0 'reduce rank 0's param-output[0+16]")
          .contains(" and rank 2 stream 0 ")
          .contains("reduce into bytes 0 to 15 of rank 0's param-output, and nothing orders them");
    }
  }

  /** Every reduction but the last is overwritten, so that no two of them meet. */
  @Test
  void atomicReductionsThatAreOverwrittenDoNotCount() {
    Sketch<ReduceParam> executor =
        new Sketch<>(
            param -> Sketch.mesh(param, PARAM_INPUT, PARAM_OUTPUT),
            (param, res) -> {
              for (int rank = 1; rank < 3; rank++) {
                if (param.comm().rank() == 0) {
                  Link link = Sketch.link(res, rank);
                  res.mainStream().copy(res.paramOutputMem(), res.paramInputMem());
                  link.post(res.mainStream(), Link.READY);
                  link.await(res.mainStream(), Link.FIN);
                } else if (param.comm().rank() == rank) {
                  push(param, res);
                }
              }
            });
    SymbolOptions options = new SymbolOptions(Determinism.SAME_RUNS, true, (s, e, t, f) -> false);

    assertThat(
            Symbols.check(
                executor,
                new ReduceParam(Symbols.comm(3), DataType.FLOAT32, ReduceOp.SUM, 4, 0),
                options))
        .extracting(Finding::rule)
        .containsExactly(Rule.WRONG_CONTENTS);
  }

  @ParameterizedTest
  @CsvSource({"NONE, 1", "SAME_RANKS, 2", "SAME_SIZES, 3"})
  void aWrongResultDoesNotMakePromisesOutOfNothing(Determinism declared, int rules) {
    Sketch<AllReduceParam> executor =
        new Sketch<>(
            Sketch::mesh,
            (param, res) -> {
              if (param.comm().rank() == 0) {
                halves().orchestrate(param, res);
              } else if (param.comm().rank() == 1) {
                direct(true).orchestrate(param, res);
              } else {
                Sketch.exchange(param.comm(), res, Link.READY);
                Sketch.exchange(param.comm(), res, Link.FIN);
              }
            });

    assertThat(check(executor, sum(3, DataType.FLOAT32, ReduceOp.SUM, 4), declared))
        .extracting(finding -> finding.rule().id())
        .containsExactlyInAnyOrderElementsOf(List.of("SEM-1", "DET-1", "DET-2").subList(0, rules));
  }
}
