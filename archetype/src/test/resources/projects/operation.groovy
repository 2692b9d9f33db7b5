// The code of the operation in its style came, that of the others did not, and it passed its tests, if they ran.
import java.util.zip.ZipFile

def values = new Properties()
new File(basedir, 'archetype.properties').withInputStream { values.load(it) }
def project = new File(basedir, "project/${values.artifactId}")

assert !new File(project, 'operations').exists()
def directory = values['package'].replace('.', '/')
def name = values.algorithmName
def classes = values.operation == 'send-receive' ? ["${name}Receive", "${name}Send"] : [name]
def sources = { String root -> new File(project, "$root/$directory").list().toList().toSorted() }
assert sources('src/main/java') == classes.collect { "${it}.java".toString() }
assert sources('src/test/java') == ["${name}DataTest.java", "${name}Test.java", 'PluginTest.java']*.toString().toSorted()

def screens = 2 * 60
classes.each {
  def source = new File(project, "src/main/java/$directory/${it}.java")
  assert source.readLines().size() <= screens
  assert source.text.contains('import dev.tutti.plugins.template.') == (values.style == 'template')
}

def jar = new File(project, "target/${values.artifactId}-${values.version}.jar")
if (jar.exists()) {
  def entries = new ZipFile(jar).withCloseable { it.entries().collect { it.name } }
  // The templates are in a package of the plugin, and the only jar is the one that has them there.
  assert entries.any { it.startsWith("$directory/template/") } == (values.style == 'template')
  assert !entries.any { it.startsWith('dev/tutti/plugins/') }
  assert jar.parentFile.list().findAll { it.endsWith('.jar') } == [jar.name]
  assert !entries.any { it.startsWith('dev/tutti/sdk/') }
  assert 'META-INF/services/dev.tutti.sdk.CollExecutorBase' in entries
}

def services = new File(project, 'target/classes/META-INF/services/dev.tutti.sdk.CollExecutorBase').readLines()
assert services == classes.collect { "${values['package']}.$it".toString() }
assert new File(project, 'target/classes/META-INF/tutti/plugin.json').text =~ /"version": "\d+/

// The tests of the other projects run with those of the whole build (NewProjectsTest).
if (new File(basedir, 'goal.txt').text.trim() == 'verify') {
  def cases = { String test ->
    def report = new File(project, "target/surefire-reports/TEST-${values['package']}.${test}.xml").text
    assert !report.contains('<skipped')
    if (test != 'PluginTest') {
      assert report =~ /<testcase name="[^"]* ranks=\d/
    }
    (report =~ /<testcase /).count
  }
  assert cases('PluginTest') == 3
  assert cases("${name}DataTest") >= 6
  assert cases("${name}Test") >= 100
}

return true
