#!/usr/bin/env node
'use strict';
var a = function () {}, b = function second() {};
a.prototype.run = function (x) { return x / 2 / 3 };
a.prototype['by-name'] = function () {};
module.exports = { one: function () {}, two() {}, three: () => 3, four: 4 };
let ratio = total / count; let text = "function fake() {}"; /* function gone() {} */
if (x) /regex/.test(y); else { z = x => x }
const {p, q = () => 2} = require('r');
(function () { function inner() {} })();
(() => { let arrow = async x => x })();
class Queue extends (base || Object) { static #n = 0; static make() {} *items() {} get length() { return 1 } }
const o = { async load() {}, get: () => 1, set: 2, async: 3, function: function () {} };
for (const k of Object.keys(o)) { handle(k, function onDone() {}) }
x = y ? function () {} : () => {};
export { a as default, b };
