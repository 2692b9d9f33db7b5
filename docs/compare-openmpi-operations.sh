#!/usr/bin/env bash
# Compares every operation that Open MPI has too, float32 and sum, with Open MPI on this machine: at each size the fastest of our
# algorithms, and what is chosen by itself. In turns, round by round; prints a row of the medians over the rounds.
#
#   docs/compare-openmpi-operations.sh [--chosen] [--processes] COMMAND [ROUNDS] [OPERATION ...]
#
# With --chosen only what is chosen by itself, at every power of two from 8 bytes to 64 MiB. A barrier counts as 0 bytes.
# With --processes each of our ranks is a process, with memory that the others reach.
# COMMAND RANKS OPERATION --min BYTES --max BYTES --factor N prints Open MPI's times as CSV with the columns
# operation,ranks,bytes,iterations,min_us,median_us,p95_us.
set -euo pipefail
chosen_only=
how=()
while [[ "${1:-}" == --* ]]; do
  case $1 in
    --chosen) chosen_only=yes ;;
    --processes) how=(--processes) ;;
    *) echo "unknown option $1" >&2 && exit 2 ;;
  esac
  shift
done
command=${1:?usage: compare-openmpi-operations.sh [--chosen] [--processes] COMMAND [ROUNDS] [OPERATION ...]}
rounds=${2:-3}
shift $(($# > 1 ? 2 : 1))
operations=("$@")
(($# > 0)) || operations=(allreduce reduce broadcast allgather reducescatter alltoall gather scatter scan barrier)
sizes=(8 512 32768 2097152 67108864)
[ -z "$chosen_only" ] || sizes=($(for ((i = 3; i <= 26; i++)); do echo $((1 << i)); done))
root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd)

algorithms() { # operation
  [ -z "$chosen_only" ] || return 0
  "$root/tutti" algorithms "$1" --json 2>/dev/null | grep -o '"algorithm":"[^"]*"' | cut -d'"' -f4 | sort -u
}

ours() { # operation algorithm
  local chosen=()
  [ "$2" = auto ] || chosen=(--algorithm "$2")
  local what=(--sizes "$(IFS=, && echo "${sizes[*]}")" --place out)
  [ "$1" != barrier ] || what=()
  # What an algorithm does not support is not compared.
  "$root/tutti" bench "$1" "${how[@]}" "${chosen[@]}" --ranks 2,4 "${what[@]}" --no-b2b --seconds 0.2 --json 2>/dev/null |
    sed -n 's/.*"operation":"\([a-z]*\)".*"ranks":\([0-9]*\).*"bytes":\([0-9]*\).*"medianMicros":\([0-9.E-]*\).*/\1 \2 \3 \4/p' |
    awk -v algorithm="$2" '{ print $1, $2, $3, algorithm, $4 }' || true
}

theirs() { # operation ranks
  local range ranges=()
  for range in "${sizes[@]}"; do ranges+=("--min $range --max $range"); done
  [ -z "$chosen_only" ] || ranges=("--min 8 --max 67108864 --factor 2")
  [ "$1" != barrier ] || ranges=("--min 0 --max 0")
  for range in "${ranges[@]}"; do
    # shellcheck disable=SC2086 # several arguments
    "$command" "$2" "$1" $range 2>/dev/null | awk -F, -v o="$1" '$1 == o { print o, $2, $3, "openmpi", $6 }'
  done
}

for operation in "${operations[@]}"; do
  names=$(algorithms "$operation")
  for ((round = 0; round < rounds; round++)); do
    for name in auto $names; do ours "$operation" "$name"; done
    for n in 2 4; do theirs "$operation" $n; done
  done
done | awk -v chosen="$chosen_only" '
  function median(text,   v, n, i, j, t) {
    n = split(text, v, " ")
    for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j - 1] + 0 > v[j] + 0; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
    return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
  }
  {
    key = $1 " " $2 " " $3
    if (!(key in seen)) { seen[key] = 1; order[++count] = key }
    times[key, $4] = times[key, $4] " " $5
    names[$4] = 1
  }
  END {
    printf "| operation | ranks | bytes | best | µs | chosen µs | Open MPI µs | Open MPI ÷ best |\n|---|---|---|---|---|---|---|---|\n"
    for (k = 1; k <= count; k++) {
      key = order[k]; best = ""
      for (name in names) {
        if (name == "openmpi" || (name == "auto" && !chosen) || !((key, name) in times)) continue
        t = median(times[key, name])
        if (best == "" || t + 0 < least + 0) { best = name; least = t }
      }
      if (best == "" || !((key, "openmpi") in times)) continue
      split(key, part, " ")
      t = median(times[key, "openmpi"])
      printf "| %s | %d | %d | %s | %.3g | %.3g | %.3g | %.2f |\n", part[1], part[2], part[3], best, least, median(times[key, "auto"]), t, t / least
    }
  }'
