package dev.tributary.linkage;

import dev.tributary.linkage.References.Reference;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A version of a library as its jars have it, whatever version the tests run on: no class of it is loaded. */
final class Library {
    private final Map<String, Declared> classes = new HashMap<>();
    private final Set<String> packages = new HashSet<>();

    /** A class as it is declared. */
    private record Declared(Optional<String> parent, List<String> interfaces, Set<String> members) {}

    private Library() {}

    /** @param directory with its jars and nothing else */
    static Library in(Path directory) {
        Library library = new Library();
        try (Stream<Path> jars = Files.list(directory)) {
            for (Path path : jars.toList()) {
                try (JarFile jar = new JarFile(path.toFile())) {
                    for (JarEntry entry : jar.stream().toList()) {
                        if (entry.getName().endsWith(".class")
                                && !entry.getName().startsWith("META-INF/")) {
                            library.read(jar.getInputStream(entry));
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return library;
    }

    private void read(InputStream bytes) throws IOException {
        new ClassReader(bytes)
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            private final Set<String> members = new HashSet<>();

                            @Override
                            public void visit(int v, int access, String name, String s, String parent, String[] faces) {
                                packages.add(packageOf(name));
                                classes.put(name, new Declared(Optional.ofNullable(parent), List.of(faces), members));
                            }

                            @Override
                            public FieldVisitor visitField(int access, String name, String of, String s, Object v) {
                                members.add(name + of);
                                return null;
                            }

                            @Override
                            public MethodVisitor visitMethod(int access, String name, String of, String s, String[] t) {
                                members.add(name + of);
                                return null;
                            }
                        },
                        ClassReader.SKIP_CODE);
    }

    /** Whether the class that is referred to would be in it, by its package. */
    boolean isOf(Reference reference) {
        return packages.contains(packageOf(reference.owner()));
    }

    private static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('/') + 1);
    }

    boolean resolves(Reference reference) {
        return reference.name().isEmpty()
                ? classes.containsKey(reference.owner())
                : has(reference.owner(), reference.name() + reference.descriptor());
    }

    private boolean has(String type, String member) {
        Declared declared = classes.get(type);
        if (declared == null) {
            return isOfJava(type, member);
        }
        return declared.members().contains(member)
                || declared.parent().filter(parent -> has(parent, member)).isPresent()
                || declared.interfaces().stream().anyMatch(face -> has(face, member))
                || isOfJava("java/lang/Object", member);
    }

    private static boolean isOfJava(String type, String member) {
        try {
            Class<?> found = Class.forName(type.replace('/', '.'), false, ClassLoader.getPlatformClassLoader());
            return Stream.of(found.getMethods())
                    .anyMatch(method ->
                            member.equals(method.getName() + org.objectweb.asm.Type.getMethodDescriptor(method)));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
