// SPDX-License-Identifier: MIT
// For the files listed in a file, print what javac's own parser finds: path, tab, kind
// (function or class), tab, name.  A constructor has the name of its class.
//
//	javac -d /tmp Names.java && java -cp /tmp Names LIST
import com.sun.source.tree.*;
import com.sun.source.util.*;
import javax.tools.*;
import java.nio.file.*;
import java.util.*;
public class Names {
    public static void main(String[] a) throws Exception {
        JavaCompiler c = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager fm = c.getStandardFileManager(null, null, null);
        for (String f : Files.readAllLines(Path.of(a[0]))) {
            if (f.isEmpty()) continue;
            JavacTask t = (JavacTask) c.getTask(null, fm, d -> {}, List.of("-proc:none"), null, fm.getJavaFileObjects(f));
            for (CompilationUnitTree u : t.parse())
                new TreeScanner<Void, String>() {
                    public Void visitClass(ClassTree n, String outer) {
                        String s = n.getSimpleName().toString();
                        if (!s.isEmpty()) System.out.println(f + "\tclass\t" + s);
                        return super.visitClass(n, s);
                    }
                    public Void visitMethod(MethodTree n, String outer) {
                        String s = n.getName().toString();
                        System.out.println(f + "\tfunction\t" + (s.equals("<init>") ? outer : s));
                        return super.visitMethod(n, outer);
                    }
                }.scan(u, "");
        }
    }
}
