# proc commented {} {}
proc greet {name} { puts "hi $name" }
