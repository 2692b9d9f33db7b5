// Looks at what was generated and built, then at what the archetype refuses.
import groovy.io.FileType
import java.util.zip.ZipFile

def project = new File(basedir, 'project/two-tree-plugin')

def files = []
project.eachFileRecurse(FileType.FILES) { files << project.toPath().relativize(it.toPath()).toString() }
files.removeAll { it.startsWith('target/') || it == 'build.log' }
assert files.toSorted() == [
  '.gitignore',
  'README.md',
  'pom.xml',
  'src/main/java/org/example/collectives/TwoTreeAllReduce.java',
  'src/main/resources/META-INF/tutti/plugin.json',
  'src/test/java/org/example/collectives/PluginTest.java',
  'src/test/java/org/example/collectives/TwoTreeAllReduceTest.java',
]
assert new File(project, 'README.md').text.contains('--plugins target --algorithm two-tree --ranks 7')

new ZipFile(new File(project, 'target/two-tree-plugin-1.2.3.jar')).withCloseable { jar ->
  def text = { String entry -> jar.getInputStream(jar.getEntry(entry)).text }
  assert text('META-INF/services/dev.tutti.sdk.CollExecutorBase').contains('org.example.collectives.TwoTreeAllReduce')
  assert text('META-INF/tutti/plugin.json').contains('"id": "org.example.two-tree"')
  assert text('META-INF/tutti/plugin.json').contains('"version": "1.2.3"')
}

['PluginTest': 2, 'TwoTreeAllReduceTest': 15].each { test, atLeast ->
  def report = new File(project, "target/surefire-reports/TEST-org.example.collectives.${test}.xml").text
  assert (report =~ /<testcase /).count >= atLeast
}

def script = new File(basedir, '../../../classes/META-INF/archetype-post-generate.groovy')
def refusal = { Map values ->
  def request = [
    outputDirectory: 'work',
    artifactId: 'refused',
    properties: [algorithmName: 'StarAllReduce', algorithmId: 'star'] + values,
  ]
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

return true
