package dev.tutti.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.job.OneJvmJob;
import dev.tutti.host.status.OperationObserver;
import dev.tutti.host.status.RunFacts;
import dev.tutti.opentelemetry.OperationSpans;
import dev.tutti.sdk.DataType;
import dev.tutti.sdk.ErrorCode;
import dev.tutti.sdk.ReduceOp;
import dev.tutti.sdk.TuttiException;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operations as an observer sees them, and as spans. */
@Timeout(600)
final class OperationObserverTest {

  private static final int RANKS = 2;
  private static final int COUNT = 4;
  private static final String ALL_REDUCE = "allreduce of 4 float32, sum";

  /** What an observer was told of an operation. */
  private record Seen(
      int rank, RunFacts begun, RunFacts ended, @Nullable Throwable failure, Thread thread) {

    String outcome() {
      return failure == null
          ? "done"
          : failure instanceof TuttiException coded ? coded.code().id() : failure.toString();
    }
  }

  private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();
  private final OperationObserver observer =
      (begun, rank) ->
          (ended, failure) ->
              seen.add(new Seen(rank, begun, ended, failure, Thread.currentThread()));

  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] inputs = Floats.filled(arena, RANKS, COUNT);
  private final MemorySegment[] outputs = Floats.zeros(arena, RANKS, COUNT);

  @AfterEach
  void free() {
    arena.close();
  }

  private static void with(OperationObserver observer, Consumer<Group> work) {
    try (Context context = SampleAlgorithms.addTo(Context.builder()).observer(observer).open();
        Group group = context.createGroup(RANKS)) {
      work.accept(group);
    }
  }

  private RequestBuilder allReduce(Group group) {
    return group.allReduce(inputs, outputs, DataType.FLOAT32, ReduceOp.SUM);
  }

  private RankRequest allReduce(Group group, int rank, MemorySegment output) {
    return group
        .rank(rank)
        .requests()
        .allReduce(inputs[rank], output, DataType.FLOAT32, ReduceOp.SUM);
  }

  private void callOfEachRank(Group group) {
    RankRequest first = allReduce(group, 0, outputs[0]).start();
    allReduce(group, 1, outputs[1]).start().await();
    first.await();
  }

  @Test
  void oneCallerIsObservedOnceForAllRanks() {
    with(
        observer,
        group -> {
          Request request = allReduce(group).build();
          request.run();
          request.start();
          request.await();
          try (Captured captured = group.capture(() -> group.barrier().run())) {
            captured.run();
          }
        });

    assertThat(seen)
        .extracting(each -> each.ended().call())
        .containsExactly(ALL_REDUCE, ALL_REDUCE, "capture of 1 operation");
    assertThat(seen)
        .allSatisfy(
            each -> {
              assertThat(each.rank()).isEqualTo(OperationObserver.ALL_RANKS);
              assertThat(each.begun()).isEqualTo(each.ended());
              assertThat(each.outcome()).isEqualTo("done");
              assertThat(each.thread()).isEqualTo(Thread.currentThread());
            });
    RunFacts facts = seen.peek().ended();
    assertThat(facts.group()).isEqualTo(1);
    assertThat(facts.bytes()).isEqualTo(16);
    assertThat(facts.ranks()).isEqualTo(RANKS);
    assertThat(facts.algorithm()).endsWith(":pull");
  }

  @Test
  void ranksAreObservedEach() {
    with(observer, this::callOfEachRank);

    assertThat(seen).extracting(Seen::rank).containsExactly(1, 0);
    assertThat(seen)
        .allSatisfy(
            each -> {
              assertThat(each.begun().call()).isEqualTo(ALL_REDUCE);
              assertThat(each.begun().algorithm()).isEmpty();
              assertThat(each.ended().algorithm()).endsWith(":pull");
              assertThat(each.ended().bytes()).isEqualTo(16);
            });
  }

  @Test
  void recordedCallsAreNotObservedButTheirReplaysAre() {
    with(
        observer,
        group -> {
          try (Captured captured =
              group.capture(
                  rank ->
                      rank.allReduce(
                          inputs[rank.rank()],
                          outputs[rank.rank()],
                          DataType.FLOAT32,
                          ReduceOp.SUM))) {
            assertThat(seen).isEmpty();
            captured.run();
          }
        });

    assertThat(seen)
        .extracting(each -> each.ended().call())
        .containsExactly("capture of 1 operation");
  }

  @Test
  void failuresAreToldWithWhatIsKnown() {
    with(
        observer,
        group -> {
          RankRequest cancelled = allReduce(group, 0, outputs[0]).start();
          cancelled.cancel();
          Errors.message(ErrorCode.CANCELLED, cancelled::await);
        });

    assertThat(seen).extracting(Seen::outcome).containsExactly("TUTTI-310");
    assertThat(seen.peek().ended().call()).isEqualTo(ALL_REDUCE);
    assertThat(seen.peek().ended().algorithm()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = "MIXED", mode = EnumSource.Mode.EXCLUDE)
  void ranksOfAJobAreObservedInTheirProcesses(OneJvmJob.Link link) throws Exception {
    List<Integer> ranks =
        OneJvmJob.run(
            link,
            RANKS,
            (rank, builder) -> builder.observer(observer),
            context -> {
              try (Group group = context.createGroup(RANKS)) {
                int rank = group.localRanks()[0];
                group.rank(rank).barrier();
                return rank;
              }
            });

    assertThat(seen).extracting(Seen::rank).containsExactlyInAnyOrderElementsOf(ranks);
    assertThat(seen).extracting(each -> each.ended().operation()).containsOnly("barrier");
  }

  @Test
  void anObserverThatFailsHarmsNothing() {
    List<Throwable> caught = new ArrayList<>();
    Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> caught.add(thrown));
    try {
      with(
          (begun, rank) -> {
            throw new IllegalStateException("begin");
          },
          group -> allReduce(group).run());
      with(
          (begun, rank) ->
              (ended, failure) -> {
                throw new IllegalStateException("end");
              },
          this::callOfEachRank);
      with((begun, rank) -> null, this::callOfEachRank);
    } finally {
      Thread.currentThread().setUncaughtExceptionHandler(null);
    }

    assertThat(caught).extracting(Throwable::getMessage).containsExactly("begin", "end", "end");
    for (MemorySegment output : outputs) {
      assertThat(Floats.values(output)).isEqualTo(Floats.sums(RANKS, COUNT));
    }
  }

  private static List<SpanData> spans(Sampler sampler, Consumer<OpenTelemetry> work) {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    try (SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .setSampler(sampler)
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build()) {
      work.accept(OpenTelemetrySdk.builder().setTracerProvider(provider).build());
      return List.copyOf(exporter.getFinishedSpanItems());
    }
  }

  @Test
  void spansAreChildrenOfWhatTheCallerDoes() {
    List<SpanData> spans =
        spans(
            Sampler.alwaysOn(),
            telemetry -> {
              Span step = telemetry.getTracer("test").spanBuilder("step").startSpan();
              try (Scope scope = step.makeCurrent()) {
                with(OperationSpans.of(telemetry), group -> allReduce(group).run());
              } finally {
                step.end();
              }
            });

    assertThat(spans).extracting(SpanData::getName).containsExactly("allreduce", "step");
    SpanData span = spans.getFirst();
    assertThat(span.getParentSpanId()).isEqualTo(spans.getLast().getSpanId());
    assertThat(span.getInstrumentationScopeInfo().getName()).isEqualTo("dev.tutti");
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(span.getAttributes().asMap())
        .containsEntry(OperationSpans.OPERATION, "allreduce")
        .containsEntry(OperationSpans.CALL, ALL_REDUCE)
        .containsEntry(OperationSpans.DATA_TYPE, "float32")
        .containsEntry(OperationSpans.BYTES, 16L)
        .containsEntry(OperationSpans.GROUP, 1L)
        .containsEntry(OperationSpans.GROUP_SIZE, 2L)
        .containsKeys(
            OperationSpans.ALGORITHM, OperationSpans.PLUGIN, OperationSpans.PLUGIN_VERSION)
        .doesNotContainKeys(OperationSpans.RANK, OperationSpans.ERROR_TYPE);
  }

  @Test
  void spansOfRanksSayWhoAndWhatWentWrong() {
    List<SpanData> spans =
        spans(
            Sampler.alwaysOn(),
            telemetry ->
                with(
                    OperationSpans.of(telemetry),
                    group -> {
                      RankRequest cancelled = allReduce(group, 1, outputs[1]).start();
                      cancelled.cancel();
                      Errors.message(ErrorCode.CANCELLED, cancelled::await);
                    }));

    SpanData span = spans.getFirst();
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(span.getStatus().getDescription()).contains("rank 1 cancelled operation 1");
    assertThat(span.getAttributes().asMap())
        .containsEntry(OperationSpans.RANK, 1L)
        .containsEntry(OperationSpans.ERROR_TYPE, "TUTTI-310")
        .doesNotContainKeys(OperationSpans.BYTES, OperationSpans.ALGORITHM);
  }

  @Test
  void spansThatNobodySamplesCostTheSamplerOnly() {
    List<SpanData> spans =
        spans(
            Sampler.alwaysOff(),
            telemetry -> with(OperationSpans.of(telemetry), group -> allReduce(group).run()));

    assertThat(spans).isEmpty();
    assertThat(
            OperationSpans.of(OpenTelemetry.noop())
                .begin(new RunFacts(1, "barrier", "barrier", "", 0, 2, "", "", ""), 0))
        .isNull();
  }
}
