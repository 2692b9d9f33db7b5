package dev.tutti.cli;

import dev.tutti.cli.terminal.TuttiVersion;
import java.time.LocalDate;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The manual page of a command, made from its help texts. */
final class ManPage {

  /** A width that keeps a synopsis on one line. */
  private static final int UNWRAPPED = 10_000;

  private static final Pattern MENTION = Pattern.compile("tutti ([a-z]+(?: [a-z]+)?)");

  private final CommandLine command;
  private final CommandSpec spec;
  private final Help help;
  private final LocalDate date;

  /**
   * A page.
   *
   * @param date when it is made
   */
  ManPage(CommandLine command, LocalDate date) {
    this.command = command;
    this.spec = command.getCommandSpec();
    this.help = new Help(spec, Help.defaultColorScheme(Ansi.OFF));
    this.date = date;
  }

  /** The pages of a command and all below it that are not hidden. */
  static Stream<ManPage> all(CommandLine command, LocalDate date) {
    return Stream.concat(
        Stream.of(new ManPage(command, date)),
        visible(command).stream().flatMap(below -> all(below, date)));
  }

  private static Collection<CommandLine> visible(CommandLine command) {
    return command.getSubcommands().values().stream()
        .filter(below -> !below.getCommandSpec().usageMessage().hidden())
        .toList();
  }

  /** Such as {@code tutti-plugins-install}. */
  String name() {
    return name(command);
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-");
  }

  /** The source of the page in roff. */
  @Override
  public String toString() {
    Roff page = new Roff(name(), date, "Tutti " + TuttiVersion.number());
    page.section("NAME");
    page.text(name() + " - " + HelpTexts.summary(command));
    page.section("SYNOPSIS");
    page.text(synopsis());
    page.section("DESCRIPTION");
    page.paragraphs(description());
    addOptions(page);
    addCommands(page);
    page.section("EXIT STATUS");
    spec.usageMessage().exitCodeList().forEach((code, meaning) -> page.item(code.strip(), meaning));
    page.section("ENVIRONMENT");
    EnvironmentVariable.ALL.stream()
        .filter(variable -> variable.isOf(spec))
        .forEach(variable -> page.item(variable.name(), variable.meaning()));
    List<String> examples = examples();
    if (!examples.isEmpty()) {
      page.section("EXAMPLES");
      page.example(examples);
    }
    page.section("SEE ALSO");
    page.text(seeAlso());
    return page.toString();
  }

  private String synopsis() {
    int width = spec.usageMessage().width();
    try {
      spec.usageMessage().width(UNWRAPPED);
      return help.synopsis(0);
    } finally {
      spec.usageMessage().width(width);
    }
  }

  private List<String> description() {
    UsageMessageSpec usage = spec.usageMessage();
    return Stream.of(usage.header(), usage.description())
        .flatMap(text -> HelpTexts.paragraphs(text).stream())
        .toList();
  }

  /** The arguments and options, in the order of the help. */
  private void addOptions(Roff page) {
    page.section("OPTIONS");
    for (PositionalParamSpec argument : spec.positionalParameters()) {
      if (!argument.hidden()) {
        page.item(label(argument), meaning(argument));
      }
    }
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        page.item(names(option) + label(option), meaning(option));
      }
    }
  }

  private String names(OptionSpec option) {
    return Stream.of(option.names())
        .sorted(Comparator.comparingInt(String::length))
        .map(
            name ->
                option.negatable()
                    ? spec.negatableOptionTransformer().makeSynopsis(name, spec)
                    : name)
        .collect(Collectors.joining(", "));
  }

  /** The label of an argument, or of an option's values with the separator before it. */
  private String label(ArgSpec argument) {
    return help.parameterLabelRenderer()
        .renderParameterLabel(argument, Ansi.OFF, List.of())
        .toString();
  }

  private static String meaning(ArgSpec argument) {
    return String.join(" ", HelpTexts.paragraphs(argument.description()));
  }

  private void addCommands(Roff page) {
    Collection<CommandLine> commands = visible(command);
    if (!commands.isEmpty()) {
      page.section("COMMANDS");
      commands.forEach(below -> page.item(below.getCommandName(), HelpTexts.summary(below) + "."));
    }
  }

  private List<String> examples() {
    List<String> lines = HelpTexts.lines(spec.usageMessage().footer());
    return String.join("\n", lines).stripIndent().lines().toList();
  }

  /** The pages above and below this one, and those of the commands that its texts mention. */
  private String seeAlso() {
    Set<String> names = new LinkedHashSet<>();
    for (CommandLine above = command.getParent(); above != null; above = above.getParent()) {
      names.add(name(above));
    }
    visible(command).forEach(below -> names.add(name(below)));
    Stream.of(
            description().stream(),
            spec.args().stream().filter(argument -> !argument.hidden()).map(ManPage::meaning),
            examples().stream())
        .flatMap(texts -> texts)
        .flatMap(text -> MENTION.matcher(text).results())
        .forEach(mention -> mentioned(mention.group(1)).ifPresent(names::add));
    names.remove(name());
    return names.stream().map(name -> name + "(1)").collect(Collectors.joining(", "));
  }

  /** The page of the command that the most words at the start of {@code words} name. */
  private Optional<String> mentioned(String words) {
    CommandLine found = spec.root().commandLine();
    for (String word : words.split(" ", -1)) {
      CommandLine next = found.getSubcommands().get(word);
      if (next == null) {
        break;
      }
      found = next;
    }
    return found.getParent() == null ? Optional.empty() : Optional.of(name(found));
  }
}
