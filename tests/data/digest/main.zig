const std = @import("std");
// fn commented() void {}
pub const Point = struct { x: i32 };
const Mode = enum { on, off };
pub fn main() !void {
    const s = "fn fake() void {";
}
fn add(a: i32, b: i32) i32 { return a + b; }
