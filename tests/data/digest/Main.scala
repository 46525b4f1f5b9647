package app
/* def commented = 1 */
case class User(name: String)
trait Named { def label: String }
object Main extends App {
  def run[A](xs: List[A]): Unit = println("def fake")
  def +(other: Int) = other
}
