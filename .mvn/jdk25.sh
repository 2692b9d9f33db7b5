#!/bin/sh
# Prints the home of a JDK 25 and exits 0, or says on stderr what is missing and exits 3.
# Reads the JDKs' release files and starts no Java. An exact 25 wins over a newer JDK, wherever that stands.
set -u

case $0 in
  *:*/.mvn/*)
    echo "The path of this directory has a ':', where Java ends one path of a list: move it to a path without. Actual: ${0%/.mvn/*}" >&2
    exit 3
    ;;
esac

# Sets feature to the feature release of the JDK in $1, or to nothing when there is no JDK in it.
read_feature() {
  feature=
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  while IFS= read -r line; do
    case $line in
      JAVA_VERSION=*)
        feature=${line#JAVA_VERSION=}
        feature=${feature#\"}
        feature=${feature%%[!0-9]*}
        ;;
    esac
  done <"$1/release"
}

newer=
consider() {
  read_feature "$1"
  [ -n "$feature" ] || return 0
  if [ "$feature" -eq 25 ]; then
    printf '%s\n' "$1"
    exit 0
  fi
  if [ "$feature" -gt 25 ] && [ -z "$newer" ]; then
    newer=$1
  fi
}

if [ -n "${TUTTI_JAVA_HOME:-}" ]; then
  consider "$TUTTI_JAVA_HOME"
  if [ -n "$newer" ]; then
    printf '%s\n' "$newer"
    exit 0
  fi
  echo "TUTTI_JAVA_HOME is set to '$TUTTI_JAVA_HOME', which is not a JDK 25${feature:+ (it is a JDK $feature)}: set it to the home of a JDK 25, or unset it to have one looked for." >&2
  exit 3
fi

[ -z "${JAVA_HOME:-}" ] || consider "$JAVA_HOME"

on_path=$(command -v java 2>/dev/null) && on_path=$(readlink -f "$on_path" 2>/dev/null) && consider "${on_path%/bin/java}"

home=${HOME:-/nonexistent}
for candidate in \
  /usr/lib/jvm/* /usr/java/* /usr/local/java/* /opt/* /opt/java/* /opt/jdk/* \
  "$home"/.sdkman/candidates/java/* "$home"/.jdks/* \
  "$home"/.local/share/mise/installs/java/* "$home"/.asdf/installs/java/* "$home"/.local/share/asdf/installs/java/* \
  /Library/Java/JavaVirtualMachines/*/Contents/Home "$home"/Library/Java/JavaVirtualMachines/*/Contents/Home \
  /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
  /home/linuxbrew/.linuxbrew/opt/openjdk*/libexec; do
  consider "$candidate"
done

if [ -n "$newer" ]; then
  printf '%s\n' "$newer"
  exit 0
fi
echo "No JDK 25 found in TUTTI_JAVA_HOME, JAVA_HOME, PATH and the usual install places: install one (apt install temurin-25-jdk, or sdk install java 25-tem), or set TUTTI_JAVA_HOME to the home of one." >&2
exit 3
