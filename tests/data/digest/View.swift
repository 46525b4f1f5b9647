// func commented() {}
struct Point { var x = 0 }
final class View: Base {
    class func make() -> View { View() }
    func draw(_ r: Rect) { print("func fake() {") }
}
protocol Drawable { func draw() }
enum Mode { case on }
