package org.example.app;

import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.plugin.Plugin;
import dev.tutti.sdk.ReduceOp;

/** Says which plugins it has, and sums with them. */
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    try (Context context = Context.builder().pluginsFromClassPath().open();
        Group group = context.createGroup(4)) {
      context.plugins().problems().forEach(System.out::println);
      for (Plugin plugin : context.plugins().plugins()) {
        System.out.println(plugin.id() + " " + plugin.version());
      }
      boolean isModule = context.planPool().getClass().getModule().isNamed();
      boolean isPluginModule =
          context.plugins().algorithms().getFirst().executor().getClass().getModule().isNamed();
      System.out.println("modules: host " + isModule + ", plugins " + isPluginModule);
      group.run(
          rank -> {
            float[] data = {rank.rank(), 1};
            rank.allReduce(data, data, ReduceOp.SUM);
            System.out.println("rank " + rank.rank() + ": " + data[0] + ", " + data[1]);
          });
    }
  }
}
