// Starts the PostgreSQL that jOOQ generates from, migrated by db/migrations. `codegen-database-stop.groovy` ends it.
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres
import java.lang.invoke.MethodHandleProxies
import java.lang.invoke.MethodHandles
import java.lang.invoke.MethodType
import org.flywaydb.core.Flyway

def data = new File(project.build.directory, 'codegen-postgres')
data.deleteDir()
// Its own hook would run after Maven has closed the classes it needs, fail, and leave the server behind.
def server = EmbeddedPostgres.builder()
        .setRegisterShutdownHook(false)
        .setDataDirectory(data)
        .start()

// If generation fails, nothing after it runs. This hook is made of JDK classes only, so it works to the very end:
// SIGTERM lets the server stop when its last client, the failing build, is gone.
def pid = new File(data, 'postmaster.pid').readLines().first() as long
def stop = MethodHandles.publicLookup()
        .findVirtual(ProcessHandle, 'destroy', MethodType.methodType(boolean))
        .bindTo(ProcessHandle.of(pid).orElseThrow())
Runtime.runtime.addShutdownHook(new Thread(MethodHandleProxies.asInterfaceInstance(Runnable, stop)))

// Plugin log at WARNING: a build that goes well says nothing of its database.
// Held in a variable of the script: a logger that nobody holds is collected, and its level with it.
flywayLog = java.util.logging.Logger.getLogger('org.flywaydb')
flywayLog.level = java.util.logging.Level.WARNING

project.setContextValue('codegen-database', server)
project.properties['codegen.jdbc.url'] = server.getJdbcUrl('postgres', 'postgres')

Flyway.configure(getClass().classLoader)
        .dataSource(server.postgresDatabase)
        .schemas('tributary')
        .table('tributary_schema_history')
        .locations("filesystem:${project.basedir}/db/migrations")
        .load()
        .migrate()
