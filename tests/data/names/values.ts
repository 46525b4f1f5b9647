// Functions as values, with and without types.
import { render as draw, type Props } from './draw';
export const plain = (a: number): number => a + 1;
export const typed: Handler<Props, void> = async (props) => { draw(props); };
export const nested: Map<string, Array<() => void>> = new Map<string, Array<() => void>>();
const generic = <T extends { id: string }, U = (x: T) => void>(t: T, u?: U): T => t;
let callback: (error: Error | null) => void;
let later: Promise<() => void> = wait(), soon: (n: number) => string = (n) => `${n}`;
const { deep: { inner = () => 1 }, ...others } = options;
var old = function named() { return 1 }, called = function () { return 2 }();
const cast = ((a, b) => a - b) as Comparator;
const chosen = ready ? (x) : y => y;
const chained = list.map((item): Item => ({ run() { return item }, stop: () => undefined }));
const template = `${items.map((i) => { function hidden() {} return hidden(i) })}`;
const pattern = /[/"'](function fake() {})/.test(text);
function outer<T>(this: Window, first: T, second = () => 2, third?: (x: T) => void): first is T {
	const local = async function* () { yield* source(); };
	label: for (const x of xs) { if (x) continue label; }
	switch (kind) {
	case 'a': { const inCase = () => {}; break; }
	default: { helper(); }
	}
	return less < more && more > (less);
}
function over(a: string): string;
function over(a: number): number;
function over(a: any) { return a }
exports.member = function (a) { };
exports.nested.deeply ??= (a) => a;
export default async function main() { }
module.exports = class { run() { } };
const Named = class Inner extends mix(Base, class { mixed() { } }) { };
