/** On the class path nobody looks at this. */
module org.example.app {
  requires dev.tutti.host;
}
