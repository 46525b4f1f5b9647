// Members of classes, and types that look like functions.
@Component({ selector: 'app', template: () => '<a>' })
export abstract class Widget<T = () => void> extends Base<T> implements Runnable, Named {
	static #count = 0
	readonly onClick: (event: Event) => void
	onMove?: (event: Event) => void;
	handler = (event: Event): void => { this.#secret() }
	static create = async <U>(u: U) => new this<U>()
	value = undefined!
	constructor(private readonly name: string, @Inject(TOKEN) done: () => void) { super() }
	get size(): number { return 1 }
	set size(n) { }
	static async *walk(): AsyncGenerator<number> { }
	#secret(): void { const inside = () => 1 }
	'quoted-name'() { }
	[Symbol.iterator]() { }
	abstract draw(canvas: Canvas): void
	get = 1
	set() { }
	static { const inBlock = () => 1; }
	@Input() label: string
	@HostListener('click', ['$event']) clicked(e) { if (e) { e.stop() } }
}
type Callback = (error: Error) => void;
type Maker<T> = new (x: T) => { made(): T; kept: (x: T) => void };
type Picked<T> = T extends (infer U)[] ? { [K in keyof U]: () => U[K] } : never;
type Text = `on${Capitalize<'a'>}`;
interface Store<S, A extends Action = (a: S) => A> extends Array<S> {
	(call: S): A;
	new (x: S): Store<S>;
	dispatch(action: A): S;
	subscribe: (listener: () => void) => () => void;
	optional?(a: string): void
	readonly get: () => S
	[key: string]: unknown;
}
enum Color { Red = 'r', Green = paint(() => 1) }
const enum Level { Low, High }
namespace Shapes.Round {
	export function area(r: number) { return r * r }
	export const side = (n: number) => n;
}
const satisfied = { one: (x) => x, two: 2 } satisfies Record<string, unknown>;
const object = {
	method(a) { return a },
	async *generate() { },
	get getter() { return 1 },
	key: function () { },
	'quoted.key': async () => { },
	[computed]: () => 1,
	nested: { arrow: x => x, value: f(() => 2) },
	shorthand,
	Class: class { inClass() { } },
};
