package dev.tutti.cli.serve;

import dev.tutti.cli.options.Sizes;
import dev.tutti.cli.terminal.JsonLine;
import dev.tutti.cli.terminal.ReportTarget;
import dev.tutti.cli.terminal.Table;
import dev.tutti.host.Context;
import dev.tutti.host.Group;
import dev.tutti.host.status.FlightEntry;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The last operations of the groups of a host and of their ranks (the flight records). */
final class FlightReport {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneId.systemDefault());
  private static final int GROUP = -1;

  private final List<Flight> flights = new ArrayList<>();

  /** The record of a group, or of one of its ranks. */
  private record Flight(long group, int rank, List<FlightEntry> entries) {}

  FlightReport(Context context) {
    List<Group> groups = new ArrayList<>(context.groups());
    groups.sort(Comparator.comparingLong(Group::number));
    for (Group group : groups) {
      flights.add(new Flight(group.number(), GROUP, group.flight()));
      for (int rank = 0; rank < group.rankSize(); rank++) {
        List<FlightEntry> entries = group.flight(rank);
        if (!entries.isEmpty()) {
          flights.add(new Flight(group.number(), rank, entries));
        }
      }
    }
  }

  void print(ReportTarget target) {
    if (flights.stream().allMatch(each -> each.entries().isEmpty())) {
      target.line("no operation is on record");
    } else {
      target.table("last operations", table());
    }
  }

  JsonLine json() {
    return new JsonLine().putLines("flight", flights.stream().map(FlightReport::json).toList());
  }

  private Table table() {
    Table table =
        new Table(
            ">group", ">rank", ">number", "begun", "state", ">time", ">bytes", "call", "algorithm");
    for (Flight flight : flights) {
      for (FlightEntry each : flight.entries()) {
        table.row(
            flight.group(),
            flight.rank() == GROUP ? "all" : String.valueOf(flight.rank()),
            each.sequence(),
            TIME.format(each.start()),
            each.state().label(),
            each.time(),
            each.bytes() == FlightEntry.UNKNOWN ? "" : Sizes.bytes(each.bytes()),
            each.call(),
            each.algorithm());
      }
    }
    return table;
  }

  private static JsonLine json(Flight flight) {
    return new JsonLine()
        .put("group", flight.group())
        .putJson("rank", flight.rank() == GROUP ? null : String.valueOf(flight.rank()))
        .putLines("operations", flight.entries().stream().map(FlightReport::json).toList());
  }

  private static JsonLine json(FlightEntry entry) {
    return new JsonLine()
        .put("number", entry.sequence())
        .put("call", entry.call())
        .put("algorithm", entry.algorithm())
        .putJson(
            "bytes", entry.bytes() == FlightEntry.UNKNOWN ? null : String.valueOf(entry.bytes()))
        .put("state", entry.state().label())
        .put("start", entry.start().toString())
        .put("nanos", entry.nanos());
  }
}
