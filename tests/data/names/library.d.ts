/// <reference types="node" />
import type { Other } from './other';
declare function top(a: string, cb: (e: Error) => void): void;
declare function top(a: number): { back(): void };
export declare const made: <T>(x: T) => T, also: (x: number) => void;
export declare const value: string | (() => void);
export declare let changing: () => void;
declare module 'package/name' {
	function within(x: number): string;
	export default class Thing<T extends object = {}> {
		private constructor();
		static of<T extends object>(x: T): Thing<T>;
		field: (x: T) => void;
		get size(): number;
	}
	interface Hooks { onStart?(): void; onEnd: () => void }
}
declare global {
	interface Window { open2(url: string): Window | null }
	namespace NodeJS { interface Global { tick(cb: () => void): void } }
}
declare namespace Lib { type Fn = typeof import('x'); function deep(...args: unknown[]): asserts args is []; const held: { call(): void }; }
export type { Other };
export as namespace Lib;
export function guard(x: unknown): x is string;
declare abstract class Shape { abstract area(): number; protected abstract get name(): string; }
declare enum Kind { A, B = 2 }
