package dev.tutti.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.plan.GroupPlan;
import dev.tutti.plan.PlanJson;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NestedPlanTest {

  /** One rank copies the first half in a plan nested in stream 0, the second in one of stream 1. */
  private static final String ON_TWO_STREAMS =
      """
      {
        "format": "tutti-plan/1",
        "name": "two streams",
        "inPlace": false,
        "ranks": [
          {
            "rank": 0,
            "streams": 2,
            "notifies": 2,
            "memory": {"param-input": 64, "param-output": 64},
            "plans": [
              {
                "streams": 1,
                "notifies": 0,
                "memory": {"param-input": 64, "param-output": 64},
                "actions": [
                  {"kind": "copy", "stream": 0, "dst": [0, "param-output", 0],
                   "src": [0, "param-input", 0], "bytes": 32}
                ]
              },
              {
                "streams": 1,
                "notifies": 0,
                "memory": {"param-input": 64, "param-output": 64},
                "actions": [
                  {"kind": "copy", "stream": 0, "dst": [0, "param-output", 32],
                   "src": [0, "param-input", 32], "bytes": 32}
                ]
              }
            ],
            "actions": [
              {"kind": "post", "stream": 0, "notify": 0},
              {"kind": "nested", "stream": 0, "plan": 0},
              {"kind": "await", "stream": 1, "notify": 0},
              {"kind": "nested", "stream": 1, "plan": 1},
              {"kind": "post", "stream": 1, "notify": 1},
              {"kind": "await", "stream": 0, "notify": 1}
            ]
          }
        ]
      }
      """;

  @ParameterizedTest
  @EnumSource(CompileOptions.Mode.class)
  void eachStreamRunsItsOwnNestedPlan(CompileOptions.Mode mode) {
    GroupPlan plan = PlanJson.fromJson(ON_TWO_STREAMS);
    try (Engine engine = new Engine(EngineConfig.defaults());
        AllReduceCase work = new AllReduceCase(plan, 16)) {
      CompiledPlan compiled = engine.compile(plan, CompileOptions.defaults().withMode(mode));
      Binding binding = engine.bind(compiled, work.memory());
      work.fill(5);
      binding.run(1_000_000_000L);
      assertThat(work.mismatch(5)).isEmpty();
    }
  }
}
