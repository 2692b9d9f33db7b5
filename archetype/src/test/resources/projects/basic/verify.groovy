// Looks at what was generated and built, then at the operations and at what the archetype refuses.
import groovy.io.FileType
import java.util.zip.ZipFile

assert new GroovyShell(binding).evaluate(new File(basedir, '../operation.groovy'))

def project = new File(basedir, 'project/my-ring')

def files = []
project.eachFileRecurse(FileType.FILES) { files << project.toPath().relativize(it.toPath()).toString() }
files.removeAll { it.startsWith('target/') || it == 'build.log' }
assert files.toSorted() == [
  '.gitattributes',
  '.github/workflows/verify.yml',
  '.gitignore',
  '.mvn/jdk25.sh',
  '.mvn/wrapper/maven-wrapper.properties',
  'README.md',
  'mvnw',
  'mvnw.cmd',
  'pom.xml',
  'src/main/java/org/example/myring/MyRingAllReduce.java',
  'src/main/resources/META-INF/tutti/plugin.json',
  'src/test/java/org/example/myring/MyRingAllReduceDataTest.java',
  'src/test/java/org/example/myring/MyRingAllReduceTest.java',
  'src/test/java/org/example/myring/PluginTest.java',
]
assert new File(project, 'mvnw').canExecute()
def readme = new File(project, 'README.md')
assert readme.text.contains('run all-reduce --plugins target --algorithm my-ring --ranks 7')
assert readme.text.contains('plugins install target/my-ring-1.0.0.jar --plugins plugins')
def gradle = readme.text.find(/(?s)```kotlin\n(.*?)```/) { it[1] }
def artifacts = { String text, String pattern -> text.findAll(pattern) { it[1] }.toSet() }
assert artifacts(gradle, /"dev\.tutti:(tutti-[a-z-]+)/) == artifacts(new File(project, 'pom.xml').text, /<artifactId>(tutti-[a-z-]+)</)
assert gradle.contains('tutti-bom:' + new File(project, 'pom.xml').text.find(/<tutti.version>(.*)</) { it[1] } + '"')
assert readme.readLines().size() <= 100

// Continuous integration runs the same command on a JDK 25, may write nothing, and takes no action that could change.
def workflow = new File(project, '.github/workflows/verify.yml').readLines()
assert workflow.contains('      - run: ./mvnw --batch-mode verify')
assert workflow.contains('          java-version: 25')
assert workflow.join('\n').contains('permissions:\n  contents: read\n\njobs:')
def actions = workflow.findAll { it.contains('uses:') }
assert actions.size() == 2
assert actions.every { it ==~ /      - uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+/ }
def ignored = new File(project, '.gitignore').readLines()
assert ignored == ['target/', 'target.state/', 'plugins/', 'plugins.state/', '.gradle/', 'build/']

new ZipFile(new File(project, 'target/my-ring-1.0.0.jar')).withCloseable { jar ->
  def text = { String entry -> jar.getInputStream(jar.getEntry(entry)).text }
  assert text('META-INF/services/dev.tutti.sdk.CollExecutorBase').contains('org.example.myring.MyRingAllReduce')
  assert text('META-INF/tutti/plugin.json').contains('"id": "org.example.my-ring"')
  assert text('META-INF/tutti/plugin.json').contains('"version": "1.0.0"')
}

// Each operation that can be asked for has code.
def operations = new File(basedir, '../../../classes/archetype-resources/operations')
def templates = operations.list().toList()
def pairs = templates.collectMany { operation ->
  new File(operations, operation).listFiles().findAll { it.directory }.collect { "$operation $it.name".toString() }
}
def projects = new File(basedir, '..').listFiles().findAll { it.directory }.collect {
  def values = new Properties()
  new File(it, 'archetype.properties').withInputStream { values.load(it) }
  "$values.operation $values.style".toString()
}
// Those without a project here are tested where 'tutti new' makes them (NewProjectsTest).
assert projects.every { it in pairs }
assert (pairs - projects).every { it.endsWith(' explicit') }

assert new GroovyShell(binding).evaluate(new File(basedir, '../refusals.groovy'))

return true
