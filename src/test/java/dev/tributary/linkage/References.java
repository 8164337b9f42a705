package dev.tributary.linkage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What compiled classes refer to by name: classes, methods and fields. Types that are only named in a signature are no such: they are
 * not looked for, as those of the bridges to the newer form of Flyway's callback.
 */
final class References extends ClassVisitor {
    /** @param descriptor empty for the class itself; of a method it begins with a bracket */
    record Reference(String owner, String name, String descriptor) implements Comparable<Reference> {
        boolean isMethod() {
            return descriptor.startsWith("(");
        }

        @Override
        public int compareTo(Reference other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return owner + (name.isEmpty() ? "" : "." + name + descriptor);
        }
    }

    private final Set<Reference> references = new TreeSet<>();

    private References() {
        super(Opcodes.ASM9);
    }

    /** Of all classes under a directory. */
    static Set<Reference> of(Path classes) {
        References references = new References();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                new ClassReader(Files.readAllBytes(file)).accept(references, ClassReader.SKIP_DEBUG);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return references.references;
    }

    private void add(Type type) {
        if (type.getSort() == Type.ARRAY) {
            add(type.getElementType());
        } else if (type.getSort() == Type.OBJECT) {
            references.add(new Reference(type.getInternalName(), "", ""));
        }
    }

    private void add(String owner, String name, String descriptor) {
        Type type = Type.getObjectType(owner);
        add(type);
        if (type.getSort() == Type.OBJECT) {
            references.add(new Reference(owner, name, descriptor));
        }
    }

    @Override
    public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
        add(Type.getObjectType(parent == null ? "java/lang/Object" : parent));
        for (String each : interfaces) {
            add(Type.getObjectType(each));
        }
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
        return new MethodVisitor(Opcodes.ASM9) {
            @Override
            public void visitMethodInsn(int opcode, String owner, String called, String of, boolean isInterface) {
                add(owner, called, of);
            }

            @Override
            public void visitFieldInsn(int opcode, String owner, String field, String of) {
                add(owner, field, of);
            }

            @Override
            public void visitTypeInsn(int opcode, String type) {
                add(Type.getObjectType(type));
            }

            @Override
            public void visitInvokeDynamicInsn(String called, String of, Handle bootstrap, Object... arguments) {
                for (Object argument : arguments) {
                    if (argument instanceof Handle handle) {
                        add(handle.getOwner(), handle.getName(), handle.getDesc());
                    } else if (argument instanceof Type type) {
                        add(type);
                    }
                }
            }
        };
    }
}
