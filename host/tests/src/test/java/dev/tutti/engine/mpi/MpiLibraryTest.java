package dev.tutti.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.host.Errors;
import dev.tutti.sdk.ErrorCode;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MpiLibraryTest {

  private static final MpiAbi.Symbols NONE = symbol -> 0;

  @Test
  void aLibraryThatIsNotThereIsRefusedWithTheReasonOfTheSystem() {
    assertThat(
            Errors.message(
                ErrorCode.UNSUPPORTED, () -> MpiLibrary.open("/no/such/libmpi.so", Map.of())))
        .startsWith("MPI library /no/such/libmpi.so cannot be opened: ")
        .contains("No such file or directory", "TUTTI_MPI=/");
  }

  @Test
  void theEnvironmentMayNameIt() {
    Map<String, String> environment = Map.of(MpiLibrary.VARIABLE, "/from/environment.so");

    assertThat(Errors.message(ErrorCode.UNSUPPORTED, () -> MpiLibrary.open(null, environment)))
        .startsWith("MPI library /from/environment.so cannot be opened: ");
    assertThat(Errors.message(ErrorCode.UNSUPPORTED, () -> MpiLibrary.open("/a.so", environment)))
        .startsWith("MPI library /a.so cannot be opened: ");
  }

  @Test
  void anotherLibraryIsRefused() {
    assertThat(Errors.message(ErrorCode.UNSUPPORTED, () -> MpiLibrary.open("libm.so.6", Map.of())))
        .isEqualTo(
            "libm.so.6 is not an MPI library of version 3 or newer: it has no"
                + " MPI_Get_library_version");
  }

  @Test
  void aFamilyIsKnownByItsSymbolsOrItsName() {
    MpiAbi.Symbols openMpi = symbol -> symbol.startsWith("ompi_") ? symbol.length() : 0;
    assertThat(MpiAbi.of(openMpi, "Open MPI v4.1.4", false))
        .isEqualTo(new MpiAbi("Open MPI", false, 19, 13, 22, 0));
    MpiAbi mpich = MpiAbi.of(NONE, "MPICH Version:\t4.0.2", false);
    assertThat(mpich.hasIntHandles()).isTrue();
    assertThat(MpiAbi.of(NONE, "Intel(R) MPI Library 2021.10 for Linux* OS", false))
        .isEqualTo(mpich);
    assertThat(MpiAbi.of(openMpi, "Open MPI v6.0.0", true).family()).isEqualTo("the standard ABI");
  }

  @Test
  void anUnknownFamilyIsRefused() {
    assertThat(Errors.message(ErrorCode.UNSUPPORTED, () -> MpiAbi.of(NONE, "Acme MPI 1.0", false)))
        .startsWith("Tutti supports Open MPI, MPICH and its derivatives")
        .endsWith("Actual: Acme MPI 1.0");
  }
}
