export interface Shape {
  area(): number;
  readonly name: string;
}
export type Point = { x: number; y: number };
type Pair<T> = [T, T];
enum Color { Red, Green }
export abstract class Circle implements Shape {
  constructor(private r: number) { super(); }
  area(): number { return 3 * this.r; }
  protected scale<T>(by: T): Circle { return this; }
}
export function distance(a: Point, b: Point): number {
  if (a) { return 0; }
  return Math.hypot(a.x - b.x, a.y - b.y);
}
export const half = (n: number): number => n / 2;
