package com.example.model;

import java.util.*;

/** class Fake { void fake() { } } */
@Marker(names = { "a", "b" }, value = @Inner(1))
public sealed interface Model permits Model.Point, Model.Line {
    record Point(int x, @Marker int y) implements Model, Comparable<Point> {
        static int made = 0;
        Point {
            if (x < 0) { throw new IllegalArgumentException("x"); }
            Objects.requireNonNull(made);
        }
        Point(int both) { this(both, both); }
        public int compareTo(Point other) { return Integer.compare(x, other.x()); }
    }
    record Line<T extends Comparable<? super T>>(Map<String, List<T[]>> parts, T... rest) implements Model {
        @Override
        public Map<String, List<T[]>> parts() { return parts; }
        public Line { }
    }
    record Empty() { }
    @interface Marker {
        String[] names() default { };
        Class<? extends Model> type() default Model.class;
        int value() default 1;
    }
    enum Shape implements Runnable {
        ROUND { @Override public void run() { spin(); } void spin() { } },
        SQUARE(4) { public void run() { } },
        NONE { };
        Shape() { this(0); }
        Shape(int corners) { }
        public void run() { }
        static { register(); }
    }
    default <A, B extends A> Map.Entry<A, B> pair(A a, B b) { return Map.entry(a, b); }
    private static java.util.List<int[]> [] arrays(final int[][] in) throws java.io.IOException, Error { return null; }
    int old() [];
}

non-sealed abstract class Worker<T> extends Thread implements Model {
    private static final Comparator<String> ORDER = wrap(new Comparator<String>() {
        @Override public int compare(String a, String b) { return a.compareTo(b); }
    });
    private final Runnable task = () -> { helper(); };
    private final String text = """
        void fake() { "quoted" }
        class Fake { }
        """;
    char quote = '"', brace = '{';
    protected Worker(String name) { super(name); }
    protected abstract @Deprecated T work(int... n);
    native synchronized void lowLevel();
    void run2() {
        class Local { void inLocal() { } }
        record Pair(int a, int b) { int sum() { return a + b; } }
        Runnable r = new Runnable() { public void run() { new Thread() { void deep() { } }.start(); } };
        int n = switch (kind) { case 1 -> { yield helper(1); } default -> 0; };
        if (r instanceof Runnable x && n > 0) { other(); } else { other(2); }
        for (int i = 0; i < n; i++) { list.forEach(e -> { call(e); }); }
        try { call(); } catch (Exception e) { log(e); } finally { done(); }
        int[] values = new int[] { 1, 2 };
        return;
    }
}
