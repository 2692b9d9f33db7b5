/** The command. */
module dev.tutti.cli {
  requires dev.tutti.base;
  requires dev.tutti.host;
  requires dev.tutti.simulator;
  requires dev.tutti.verifier;
  requires info.picocli;
  requires java.management;
  requires jdk.jfr;
  requires tools.jackson.core;
  requires static org.jspecify;

  opens dev.tutti.cli to
      info.picocli;
}
