package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What other programs compile against, as a list that a change of it has to touch. {@code mvn test -Dtest=PublicApiTest
 * -Dtributary.api.refresh=true} writes it anew.
 */
class PublicApiTest {
    private static final Path BASE = Path.of(System.getProperty("project.basedir"));
    private static final Path LIST = BASE.resolve("src/test/resources/public-api.txt");
    private static final Path CLASSES = BASE.resolve("target/classes");

    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

    @Test
    void isWhatTheListSays() throws IOException {
        String actual = String.join("\n", publicNames()) + "\n";
        if (Boolean.getBoolean("tributary.api.refresh")) {
            Files.writeString(LIST, actual);
        }
        assertThat(actual).isEqualTo(Files.readString(LIST));
    }

    private static List<String> publicNames() throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(CLASSES.resolve("dev/tributary"))) {
            files.map(file -> CLASSES.relativize(file)
                            .toString()
                            .replace('/', '.')
                            .replace('\\', '.'))
                    .filter(name -> name.endsWith(".class") && !name.endsWith("package-info.class"))
                    // internal is nobody's to use; db is generated, and its list is db/migrations.
                    .filter(name ->
                            !name.startsWith("dev.tributary.internal.") && !name.startsWith("dev.tributary.db."))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .sorted()
                    .map(PublicApiTest::load)
                    .filter(PublicApiTest::isReachable)
                    .forEach(type -> describe(type, names));
        }
        return names;
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, PublicApiTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isReachable(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getEnclosingClass() == null || isReachable(type.getEnclosingClass()));
    }

    private static void describe(Class<?> type, List<String> names) {
        names.add(type.toGenericString());
        Stream.<Member[]>of(type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
                .flatMap(Arrays::stream)
                .filter(member -> !member.isSynthetic() && !OF_EVERY_OBJECT.contains(member.getName()))
                .filter(member -> (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
                .map(PublicApiTest::signature)
                .sorted()
                .forEach(signature -> names.add("    " + signature));
    }

    private static String signature(Member member) {
        AccessibleObject object = (AccessibleObject) member;
        return object instanceof Field field ? field.toGenericString() : ((Executable) object).toGenericString();
    }
}
