package dev.tributary;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import tools.jackson.databind.ser.AnyGetterWriter;
import tools.jackson.databind.ser.PropertyWriter;
import tools.jackson.databind.ser.bean.UnwrappingBeanPropertyWriter;

/**
 * Asks Jackson which fields it writes for a class. They are known only of an object whose fields its class alone decides:
 * not of a map or a tree, nor of what a serializer of the user's, an any-getter or a subclass adds.
 */
final class WrittenFields extends JsonFormatVisitorWrapper.Base {
    private final Set<String> names = new LinkedHashSet<>();
    private boolean known;

    /** Empty: not known. */
    Optional<Set<String>> names() {
        return known ? Optional.of(names) : Optional.empty();
    }

    @Override
    public JsonObjectFormatVisitor expectObjectFormat(JavaType type) {
        known = isDecidedBy(type);
        return new JsonObjectFormatVisitor.Base(getContext()) {
            @Override
            public void property(BeanProperty property) {
                names.add(property.getName());
            }

            @Override
            public void optionalProperty(BeanProperty property) {
                names.add(property.getName());
            }
        };
    }

    private boolean isDecidedBy(JavaType type) {
        return !type.isAbstract()
                && !type.isJavaLangObject()
                && getContext().findTypeSerializer(type) == null
                && !hasAnyGetter(getContext().findValueSerializer(type));
    }

    private boolean hasAnyGetter(ValueSerializer<?> serializer) {
        for (Iterator<PropertyWriter> all = serializer.properties(); all.hasNext(); ) {
            PropertyWriter property = all.next();
            if (property instanceof AnyGetterWriter
                    || (property instanceof UnwrappingBeanPropertyWriter
                            && hasAnyGetter(getContext().findValueSerializer(property.getType())))) {
                return true;
            }
        }
        return false;
    }
}
