return new GroovyShell(binding).evaluate(new File(basedir, '../operation.groovy'))
