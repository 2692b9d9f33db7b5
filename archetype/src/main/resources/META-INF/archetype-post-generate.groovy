// Checks what batch mode does not, and restores what archetypes lose.

def project = new File(request.outputDirectory, request.artifactId)

def requireMatch = { String key, String pattern, String meaning, String example ->
  def value = request.properties[key]
  if (!(value ==~ pattern)) {
    throw new IllegalArgumentException("$key must be $meaning, $pattern. Actual: '$value'. " +
        "Delete $project and generate again, for example with -D$key=$example")
  }
}
requireMatch('algorithmName', '[A-Z][A-Za-z0-9]*', 'the name of a Java class', 'StarAllReduce')
requireMatch('algorithmId', '[a-z][a-z0-9-]*', 'lower-case letters, digits and hyphens', 'star')

// Archetypes drop files called .gitignore.
def ignored = new File(project, 'gitignore')
if (!ignored.renameTo(new File(project, '.gitignore'))) {
  throw new IllegalStateException("$ignored could not be renamed to .gitignore")
}
