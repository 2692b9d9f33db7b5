/** The command. */
module dev.tutti.cli {
  requires dev.tutti.base;
  requires dev.tutti.host;
  requires dev.tutti.simulator;
  requires dev.tutti.verifier;
  requires info.picocli;
  requires java.management;
  requires jdk.httpserver;
  requires jdk.jfr;
  requires tools.jackson.core;
  // 'tutti dev' needs the compiler and an XML parser; a host that only serves has neither module.
  requires static java.compiler;
  requires static java.xml;
  requires static org.jspecify;

  provides System.LoggerFinder with
      dev.tutti.cli.terminal.SilentLoggers;

  opens dev.tutti.cli to
      info.picocli;
  opens dev.tutti.cli.bench to
      info.picocli;
  opens dev.tutti.cli.chart to
      info.picocli;
  opens dev.tutti.cli.catalogue to
      info.picocli;
  opens dev.tutti.cli.dev to
      info.picocli;
  opens dev.tutti.cli.host to
      info.picocli;
  opens dev.tutti.cli.launch to
      info.picocli;
  opens dev.tutti.cli.options to
      info.picocli;
  opens dev.tutti.cli.plugins to
      info.picocli;
  opens dev.tutti.cli.project to
      info.picocli;
  opens dev.tutti.cli.serve to
      info.picocli;
  opens dev.tutti.cli.show to
      info.picocli;
  opens dev.tutti.cli.simulate to
      info.picocli;
  opens dev.tutti.cli.tune to
      info.picocli;
  opens dev.tutti.cli.verify to
      info.picocli;
}
