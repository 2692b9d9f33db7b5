// Looks at what was generated and built, then at what the archetype refuses.
import groovy.io.FileType
import java.util.zip.ZipFile

assert new GroovyShell(binding).evaluate(new File(basedir, '../operation.groovy'))

def project = new File(basedir, 'project/two-tree-plugin')

def files = []
project.eachFileRecurse(FileType.FILES) { files << project.toPath().relativize(it.toPath()).toString() }
files.removeAll { it.startsWith('target/') || it == 'build.log' }
assert files.toSorted() == [
  '.gitignore',
  '.mvn/jdk25.sh',
  '.mvn/wrapper/maven-wrapper.properties',
  'README.md',
  'mvnw',
  'pom.xml',
  'src/main/java/org/example/collectives/TwoTreeAllReduce.java',
  'src/main/resources/META-INF/tutti/plugin.json',
  'src/test/java/org/example/collectives/PluginTest.java',
  'src/test/java/org/example/collectives/TwoTreeAllReduceDataTest.java',
  'src/test/java/org/example/collectives/TwoTreeAllReduceTest.java',
]
assert new File(project, 'mvnw').canExecute()
def readme = new File(project, 'README.md')
assert readme.text.contains('run all-reduce --plugins target --algorithm two-tree --ranks 7')
assert readme.text.contains('plugins install target/two-tree-plugin-1.2.3.jar --plugins plugins')
assert readme.readLines().size() <= 60

new ZipFile(new File(project, 'target/two-tree-plugin-1.2.3.jar')).withCloseable { jar ->
  def text = { String entry -> jar.getInputStream(jar.getEntry(entry)).text }
  assert text('META-INF/services/dev.tutti.sdk.CollExecutorBase').contains('org.example.collectives.TwoTreeAllReduce')
  assert text('META-INF/tutti/plugin.json').contains('"id": "org.example.two-tree"')
  assert text('META-INF/tutti/plugin.json').contains('"version": "1.2.3"')
}

// Each operation that can be asked for has code, and a project here that tests it.
def templates = new File(basedir, '../../../classes/archetype-resources/operations').list().toList()
def projects = new File(basedir, '..').listFiles().findAll { it.directory }.collect {
  new File(it, 'archetype.properties').readLines().find { it.startsWith('operation=') } - 'operation='
}
assert templates.toSorted() == projects.toSorted()

def script = new File(basedir, '../../../classes/META-INF/archetype-post-generate.groovy')
def refusal = { Map values, directory = 'work' ->
  def right = [operation: 'all-reduce', algorithmName: 'StarAllReduce', algorithmId: 'star', package: 'org.example']
  def request = [outputDirectory: directory, artifactId: 'refused', properties: right + values]
  request.package = request.properties.package
  try {
    new GroovyShell(new Binding(request: request)).evaluate(script)
    return 'none'
  } catch (IllegalArgumentException e) {
    return e.message
  }
}
assert refusal(algorithmName: 'two-tree') == "algorithmName must be the name of a Java class, [A-Z][A-Za-z0-9]*. " +
    "Actual: 'two-tree'. Delete work/refused and generate again, for example with -DalgorithmName=StarAllReduce"
assert refusal(algorithmId: 'Two_Tree') == "algorithmId must be lower-case letters, digits and hyphens, [a-z][a-z0-9-]*. " +
    "Actual: 'Two_Tree'. Delete work/refused and generate again, for example with -DalgorithmId=star"
def all = 'all-reduce, all-gather, reduce-scatter, broadcast, all-to-all, send-receive'
assert refusal(operation: 'gossip') == "operation must be one of $all. " +
    "Actual: 'gossip'. Delete work/refused and generate again, for example with -Doperation=all-gather"
assert templates.toSorted() == all.split(', ').toSorted()
assert refusal(package: 'org.my-group.new') == "package must be the name of a Java package. " +
    "Actual: 'org.my-group.new'. Delete work/refused and generate again, for example with -Dpackage=org.example"

['operations/all-reduce', 'src/test/java/org/example'].each {
  def taken = new File(basedir, "refused/$it/PluginTest.java")
  taken.parentFile.mkdirs()
  taken.text = ''
}
assert refusal([algorithmName: 'Plugin'], basedir) == "algorithmName must be such that PluginTest.java is not in " +
    "src/test/java yet. Actual: 'Plugin'. Delete $basedir/refused and generate again, for example with " +
    "-DalgorithmName=StarAllReduce"

return true
