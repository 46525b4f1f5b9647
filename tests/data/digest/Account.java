package bank;

/** class NotThis { void nor() {} } */
public class Account<T extends Comparable<T>> implements Serializable {
    private final Map<String, List<T>> byName = new HashMap<>();

    public Account(String name) { this.name = name; }

    @Override
    public boolean equals(Object o) {
        if (o == null) { return false; }
        return helper(o);
    }

    static <K, V> Map<K, V> merge(Map<K, V> a,
                                  Map<K, V> b) throws IOException {
        return a;
    }

    interface Listener { void changed(int balance); }
    enum State { OPEN, CLOSED }
}
