package dev.tutti.host.rank;

import dev.tutti.host.call.CallOptions;
import dev.tutti.host.job.BodyReader;
import dev.tutti.host.job.BodyWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the calls that processes send to the first rank of a meeting. Immutable.
 *
 * @param agreement compares calls
 * @param places the places of the ranks that meet
 * @param known the calls that ranks without shared memory know; null if they share memory
 */
record ProposedCalls(Agreement agreement, MeetingPlaces places, @Nullable KnownCalls known) {

  /** Writes the calls of this process's ranks; only one call if they all are the same. */
  void write(long operation, List<RankPart> parts, BodyWriter body) {
    List<CallFields> calls = parts.stream().map(this::fieldsOf).toList();
    CallFields first = calls.getFirst();
    if (calls.stream().allMatch(each -> each.values().equals(first.values()))) {
      // The fields do not distinguish layouts.
      agreement.check(parts.stream().map(RankPart::reachable).toList(), operation);
      calls = List.of(first);
    }
    body.number(calls.size());
    for (CallFields each : calls) {
      body.text(each.words()).texts(each.values());
    }
  }

  private CallFields fieldsOf(RankPart part) {
    RankCall call = part.reachable();
    CallFields fields = CallFields.of(part);
    return known == null ? fields : known.fieldsOf(call, fields);
  }

  /**
   * Reads the calls of a process's ranks.
   *
   * @param speaker the place that represents the process
   */
  List<CallFields> read(int speaker, BodyReader body) {
    int count = body.count();
    List<CallFields> calls = new ArrayList<>();
    for (int place : places.beside(places.rank(speaker))) {
      int rank = places.rank(place);
      calls.add(
          calls.size() < count
              ? new CallFields(rank, body.text(), body.texts())
              : calls.getFirst().ofRank(rank));
    }
    return calls;
  }

  /** The calls of all ranks, by place. */
  List<CallFields> byPlace(List<AgreementRound.Proposal> all) {
    return all.stream()
        .flatMap(each -> each.calls().stream())
        .sorted(Comparator.comparingInt(each -> places.of(each.rank())))
        .toList();
  }

  /** Writes the parts that this process's ranks have in splitting the group. */
  void writeSplits(List<RankPart> parts, BodyWriter body) {
    for (RankPart each : parts) {
      SplitPart split = Objects.requireNonNull(each.call().split(), "all ranks split");
      body.number(split.colour()).number(split.key());
    }
  }

  /** Writes the parts of all ranks, by place, from the messages of their processes. */
  void tellSplits(AgreementRound round, BodyWriter body) {
    for (int place : places.all()) {
      int speaker = places.speakerOf(places.rank(place));
      BodyReader rest = Objects.requireNonNull(round.proposals[speaker]).rest();
      body.number(rest.number()).number(rest.number());
    }
  }

  /** Reads the calls of all ranks that split, by place, as {@link #tellSplits} has written them. */
  List<RankCall> readSplits(List<RankPart> own, BodyReader body) {
    Iterator<RankPart> ownParts = own.iterator();
    CallOptions options = own.getFirst().call().options();
    List<RankCall> calls = new ArrayList<>();
    for (int place : places.all()) {
      SplitPart part = new SplitPart((int) body.number(), (int) body.number());
      calls.add(
          places.isOwn(place)
              ? ownParts.next().call()
              : RankCall.ofSplit(places.rank(place), options, part));
    }
    return calls;
  }
}
