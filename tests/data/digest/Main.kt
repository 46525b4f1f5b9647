package app
// fun commented() {}
data class User(val name: String)
object Registry
interface Named { fun label(): String }
fun String.shout(): String = "fun fake() ${uppercase()}"
suspend fun <T> load(id: T): User? = null
