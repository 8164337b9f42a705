package dev.tributary.examples.common;

import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;

/** Properties a run was given; what cannot be used is refused by name. */
public record Given(Properties properties) {
    public Optional<String> text(String name) {
        return Optional.ofNullable(properties.getProperty(name)).filter(value -> !value.isBlank());
    }

    public int whole(String name, int otherwise, int least, int most) {
        int value = value(name, otherwise, Integer::valueOf);
        if (value < least || value > most) {
            throw new Unusable("-D" + name + "=" + value + ": it must be from " + least + " to " + most);
        }
        return value;
    }

    /** Whether it is {@code true}; if not given, it is not. */
    public boolean flag(String name) {
        String value = text(name).orElse("false");
        if (!value.equals("true") && !value.equals("false")) {
            throw new Unusable("-D" + name + "=" + value + ": it must be true or false");
        }
        return value.equals("true");
    }

    public double chance(String name, double otherwise) {
        double value = value(name, otherwise, Double::valueOf);
        if (!(value >= 0 && value <= 1)) {
            throw new Unusable("-D" + name + "=" + value + ": it must be from 0 to 1");
        }
        return value;
    }

    public <T> T value(String name, T otherwise, Function<String, T> parse) {
        Optional<String> value = text(name);
        try {
            return value.map(parse).orElse(otherwise);
        } catch (NumberFormatException e) {
            throw new Unusable("-D" + name + "=" + value.orElse("") + ": not a number it can be");
        }
    }
}
