// Checks values, which batch mode does not; keeps the code of one operation in one style; restores what archetypes lose.
// A refusal leaves nothing behind.
import java.nio.file.Files
import java.nio.file.LinkOption
import java.nio.file.Path
import java.nio.file.attribute.BasicFileAttributes
import javax.lang.model.SourceVersion

def project = new File(request.outputDirectory, request.artifactId)

// Maven refuses a directory with a pom.xml, and makes this file first. In a directory without one, it keeps all files that
// are there: they are older.
def created = { Path file -> Files.readAttributes(file, BasicFileAttributes, LinkOption.NOFOLLOW_LINKS).creationTime() }
def start = created(new File(project, 'pom.xml').toPath())

// Deletes the files that were made in this run, and the directories that are empty then.
def discard = { File place ->
  Files.walk(place.toPath()).withCloseable { it.toList() }.reverse().each {
    def isNew = created(it) >= start || it == project.toPath()
    def isFull = Files.isDirectory(it, LinkOption.NOFOLLOW_LINKS) && it.toFile().list()
    if (isNew && !isFull) {
      Files.delete(it)
    }
  }
}
// Maven adds the project to the modules of a pom.xml beside its directory.
def discardModule = {
  def parent = new File(request.outputDirectory, 'pom.xml')
  if (parent.file) {
    def module = "<module>${request.artifactId}</module>"
    parent.text = parent.text.replaceFirst(/\s*\Q$module\E/, '').replaceFirst(/\s*<modules>\s*<\/modules>/, '')
  }
}

def require = { String key, String value, boolean isRight, String meaning, String example ->
  if (!isRight) {
    discard(project)
    discardModule()
    throw new IllegalArgumentException("$key must be $meaning. Actual: '$value'. " +
        "Generate again, for example with -D$key=$example")
  }
}
def requireMatch = { String key, String pattern, String meaning, String example ->
  def value = request.properties[key]
  require(key, value, value ==~ pattern, "$meaning, $pattern", example)
}
requireMatch('algorithmName', '[A-Z][A-Za-z0-9]*', 'the name of a Java class', 'StarAllReduce')
requireMatch('algorithmId', '[a-z][a-z0-9-]*', 'lower-case letters, digits and hyphens', 'star')
def operations = ['all-reduce', 'all-gather', 'reduce-scatter', 'broadcast', 'all-to-all', 'send-receive',
    'reduce', 'reduce-scatter-v', 'all-gather-v', 'gather', 'gather-v', 'scatter', 'scatter-v', 'all-to-all-v',
    'batch-send-recv', 'barrier', 'scan', 'exclusive-scan']
def operation = request.properties['operation']
require('operation', operation, operation in operations, "one of ${operations.join(', ')}", 'all-gather')
def packageName = request['package']
require('package', packageName, SourceVersion.isName(packageName), 'the name of a Java package', 'org.example')

// Each operation has a directory with its test, and in it a directory of classes for each of its styles.
def chosen = new File(project, "operations/$operation")
def style = request.properties['style']
require('style', style, style in ['explicit', 'template'], "explicit, which emits every step, or template, which combines ready pieces",
    'explicit')
def classes = new File(chosen, style)
require('style', style, classes.directory, "explicit for $operation, which has no templates", 'explicit')
def move = { File file, String root ->
  require('algorithmName', request.properties['algorithmName'],
      !(file.text =~ /(?m)^import .*\.${file.name - '.java'};/).find(),
      "such that ${file.name} imports no other class of that name", 'StarAllReduce')
  def target = new File(project, "$root/${packageName.replace('.', '/')}/${file.name}")
  require('algorithmName', request.properties['algorithmName'], !target.exists(),
      "such that ${file.name} is not in $root yet", 'StarAllReduce')
  target.parentFile.mkdirs()
  Files.move(file.toPath(), target.toPath())
}
classes.eachFile { move(it, 'src/main/java') }
chosen.eachFileMatch(~/.*\.java/) { move(it, 'src/test/java') }
discard(new File(project, 'operations'))

// Archetypes drop files called .gitignore or .gitattributes, and lose the executable bit.
['gitignore', 'gitattributes'].each {
  def made = new File(project, it)
  def target = new File(project, ".$it")
  if (target.exists()) {
    discard(made)
  } else {
    Files.move(made.toPath(), target.toPath())
  }
}
new File(project, 'mvnw').setExecutable(true, false)
