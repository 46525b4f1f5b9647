// void commented() {}
abstract class Shape {
  final int x;
  Shape(this.x);
  double area();
  String get name => "void fake() {}";
}
mixin Named {}
enum Mode { on, off }
Future<void> main(List<String> args) async {
  if (args.isEmpty) { return; }
}
int twice(int x) => x * 2;
