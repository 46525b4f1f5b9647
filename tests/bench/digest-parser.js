// SPDX-License-Identifier: MIT
// For the files named on standard input, print what TypeScript's parser finds:
// path, tab, kind (function, class or type), tab, name.
//
// Functions are declarations (of overloads too), methods, constructors, accessors,
// and names whose value is a function: variables, members, parameters, patterns
// and assignments.  A constant that is declared without a value, as in .d.ts
// files, is one if its type is that of a function; members, parameters and types
// are not.  Classes are classes, interfaces and enumerations.  Names that are
// computed, or numbers, are left out.
'use strict';
const fs = require('fs');
const ts = require('typescript');
const K = ts.SyntaxKind;

const AROUND = new Set([K.ParenthesizedExpression, K.AsExpression,
    K.SatisfiesExpression, K.NonNullExpression]);
const isFunction = (n) => n !== undefined &&
    (n.kind === K.FunctionExpression || n.kind === K.ArrowFunction ||
    (AROUND.has(n.kind) && isFunction(n.expression)));

const DEFINES = new Map([[K.FunctionDeclaration, 'function'],
    [K.FunctionExpression, 'function'], [K.MethodDeclaration, 'function'],
    [K.MethodSignature, 'function'], [K.GetAccessor, 'function'],
    [K.SetAccessor, 'function'], [K.ClassDeclaration, 'class'],
    [K.ClassExpression, 'class'], [K.InterfaceDeclaration, 'class'],
    [K.EnumDeclaration, 'class'], [K.TypeAliasDeclaration, 'type']]);
const NAMES = new Set([K.Identifier, K.PrivateIdentifier, K.StringLiteral]);
// Names that count as functions or classes if their value is one.
const HOLDS = new Set([K.VariableDeclaration, K.PropertyAssignment,
    K.PropertyDeclaration, K.Parameter, K.BindingElement]);

const isAssignment = (n) => n.kind === K.BinaryExpression &&
    n.operatorToken.kind >= K.FirstAssignment &&
    n.operatorToken.kind <= K.LastAssignment;
const isDeclaredConstant = (n) => n.kind === K.VariableDeclaration &&
    n.initializer === undefined && n.type?.kind === K.FunctionType &&
    (n.parent.flags & ts.NodeFlags.Const) !== 0;

function names(path) {
	const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX :
	    /\.[mc]?ts$/.test(path) ? ts.ScriptKind.TS : ts.ScriptKind.JSX;
	const file = ts.createSourceFile(path, fs.readFileSync(path, 'utf8'),
	    ts.ScriptTarget.Latest, true, kind);
	const found = [];
	const add = (n, kind) => {
		if (n !== undefined && NAMES.has(n.kind) && n.text !== '')
			found.push([path, kind, n.text.replace(/\s+/g, ' ')]);
	};
	const visit = (n) => {
		if (DEFINES.has(n.kind))
			add(n.name, DEFINES.get(n.kind));
		else if (n.kind === K.Constructor)
			found.push([path, 'function', 'constructor']);
		else if (HOLDS.has(n.kind) && isFunction(n.initializer))
			add(n.name, 'function');
		else if (HOLDS.has(n.kind) &&
		    n.initializer?.kind === K.ClassExpression)
			add(n.name, 'class');
		else if (isDeclaredConstant(n))
			add(n.name, 'function');
		else if (isAssignment(n) && isFunction(n.right))
			add(n.left.name ?? n.left, 'function');
		ts.forEachChild(n, visit);
	};
	visit(file);
	return found;
}

for (const path of fs.readFileSync(0, 'utf8').split('\n'))
	if (path !== '')
		for (const found of names(path))
			console.log(found.join('\t'));
