// function commented() {}
/* class Commented {} */
import { x } from './x.js';

export default function main(args) {
  const re = /function inRegex\(\) {/;
  return `function inTemplate() { ${ args.map(function named(a) { return a; }) } }`;
}

const add = (a, b) => a + b;
const twice = async x => { return add(x, x); };
module.exports.run = function () { return "function quoted() {"; };

class Store extends Map {
  constructor(items) { super(items); }
  get size() { return 1; }
  static async load(url = "a(b") {
    if (url) { return null; }
    for (const x of []) { }
  }
}
