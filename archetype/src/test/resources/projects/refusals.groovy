// What the archetype refuses, and that it leaves nothing behind.
import groovy.io.FileType
import java.nio.file.Files
import java.nio.file.attribute.BasicFileAttributes

def archetype = new File(basedir, '../../../classes')
def script = new File(archetype, 'META-INF/archetype-post-generate.groovy')
def resources = new File(archetype, 'archetype-resources')
def work = new File(basedir, 'refusals')
work.deleteDir()
def project = new File(work, 'refused')

// Makes the files of a project in the order and at the places of Maven's archetype plugin.
def generate = { Map values, String packageName ->
  def files = []
  resources.eachFileRecurse(FileType.FILES) { files << resources.toPath().relativize(it.toPath()).toString() }
  files.toSorted { it == 'pom.xml' ? 0 : 1 }.each {
    def place = it.replace('src/test/java', "src/test/java/${packageName.replace('.', '/')}")
        .replace('__algorithmName__', values.algorithmName)
    def target = new File(project, place)
    if (!target.exists()) {
      target.parentFile.mkdirs()
      target.bytes = new File(resources, it).bytes
    }
  }
}
def left = {
  def files = []
  work.eachFileRecurse { files << work.toPath().relativize(it.toPath()).toString() }
  files.toSorted()
}
def run = { Map values ->
  def right = [operation: 'all-reduce', style: 'explicit', algorithmName: 'StarAllReduce', algorithmId: 'star', package: 'org.example']
  def request = [outputDirectory: work.path, artifactId: 'refused', properties: right + values]
  request.package = request.properties.package
  generate(request.properties, request.package)
  new GroovyShell(new Binding(request: request)).evaluate(script)
}
def kept = []
def refusal = { Map values ->
  try {
    run(values)
    return 'none'
  } catch (IllegalArgumentException e) {
    assert left() == kept
    return e.message
  }
}

assert refusal(algorithmName: 'two-tree') == "algorithmName must be the name of a Java class, [A-Z][A-Za-z0-9]*. " +
    "Actual: 'two-tree'. Generate again, for example with -DalgorithmName=StarAllReduce"
assert refusal(algorithmId: 'Two_Tree') == "algorithmId must be lower-case letters, digits and hyphens, [a-z][a-z0-9-]*. " +
    "Actual: 'Two_Tree'. Generate again, for example with -DalgorithmId=star"
def all = 'all-reduce, all-gather, reduce-scatter, broadcast, all-to-all, send-receive, ' +
    'reduce, reduce-scatter-v, all-gather-v, gather, gather-v, scatter, scatter-v, all-to-all-v, batch-send-recv, barrier, scan, exclusive-scan'
assert refusal(operation: 'gossip') == "operation must be one of $all. " +
    "Actual: 'gossip'. Generate again, for example with -Doperation=all-gather"
assert new File(resources, 'operations').list().toSorted() == all.split(', ').toSorted()
assert refusal(package: 'org.my-group.new') == "package must be the name of a Java package. " +
    "Actual: 'org.my-group.new'. Generate again, for example with -Dpackage=org.example"
assert refusal(style: 'terse') == "style must be explicit, which emits every step, or template, which combines ready " +
    "pieces. Actual: 'terse'. Generate again, for example with -Dstyle=explicit"
assert refusal(operation: 'all-to-all', style: 'template') == "style must be explicit for all-to-all, which has " +
    "no templates. Actual: 'template'. Generate again, for example with -Dstyle=explicit"

// What the class imports takes its name away.
assert refusal(operation: 'all-gather', style: 'template', algorithmName: 'RingAllGather') == "algorithmName must be such " +
    "that RingAllGather.java imports no other class of that name. Actual: 'RingAllGather'. Generate again, for example " +
    "with -DalgorithmName=StarAllReduce"
assert refusal(algorithmName: 'Plugin') == "algorithmName must be such that PluginTest.java is not in src/test/java yet. " +
    "Actual: 'Plugin'. Generate again, for example with -DalgorithmName=StarAllReduce"

// Maven has added the project to the modules of this one; others stay.
def parent = { modules -> "<project>\n  <packaging>pom</packaging>$modules\n</project>\n".toString() }
[['', ''],
 ['\n    <module>first</module>', '\n  <modules>\n    <module>first</module>\n  </modules>']].each { before, after ->
  def file = new File(work, 'pom.xml')
  file.text = parent("\n  <modules>$before\n    <module>refused</module>\n  </modules>")
  kept = ['pom.xml']
  assert refusal(style: 'terse').startsWith('style must be')
  assert file.text == parent(after)
  file.delete()
}

// Nothing is lost that was there before.
kept = ['refused', 'refused/.gitignore', 'refused/README.md', 'refused/none', 'refused/operations', 'refused/operations/Own.java']
new File(project, 'none').mkdirs()
new File(project, 'operations').mkdirs()
def own = ['README.md', '.gitignore', 'operations/Own.java'].collect { new File(project, it) }
own.each { it.text = 'own' }
def created = { File file -> Files.readAttributes(file.toPath(), BasicFileAttributes).creationTime() }
def later = new File(basedir, 'later')
def isLater = false
while (!isLater) {
  later.text = ''
  isLater = created(later) > created(own.last())
  later.delete()
}
assert refusal(operation: 'gossip').startsWith('operation must be')
run([:])
assert own.every { it.text == 'own' }
assert new File(project, 'operations').list() == ['Own.java']
assert new File(project, 'src/main/java/org/example/StarAllReduce.java').exists()
assert !new File(project, 'gitignore').exists()

return true
