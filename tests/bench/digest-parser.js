// SPDX-License-Identifier: MIT
// For the files named on standard input, print the names of functions, methods,
// classes, interfaces, enumerations and types that TypeScript's parser finds:
// path, tab, name.
'use strict';
const fs = require('fs');
const ts = require('typescript');
const K = ts.SyntaxKind;

const isFunction = (n) => n !== undefined &&
    (n.kind === K.FunctionExpression || n.kind === K.ArrowFunction ||
    (n.kind === K.ParenthesizedExpression && isFunction(n.expression)));

const DEFINES = new Set([K.FunctionDeclaration, K.FunctionExpression,
    K.MethodDeclaration, K.MethodSignature, K.GetAccessor, K.SetAccessor,
    K.ClassDeclaration, K.ClassExpression, K.InterfaceDeclaration,
    K.EnumDeclaration, K.TypeAliasDeclaration]);
// Names that count as functions if their value is one.
const HOLDS = new Set([K.VariableDeclaration, K.PropertyAssignment,
    K.PropertyDeclaration, K.Parameter, K.BindingElement]);

function names(path) {
	const file = ts.createSourceFile(path, fs.readFileSync(path, 'utf8'),
	    ts.ScriptTarget.Latest, true,
	    path.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JSX);
	const found = [];
	const add = (n) => {
		if (n === undefined)
			return;
		const text = n.text !== undefined ? n.text : n.getText(file);
		found.push(path + '\t' + text.replace(/\s+/g, ''));
	};
	const visit = (n) => {
		if (DEFINES.has(n.kind))
			add(n.name);
		else if (HOLDS.has(n.kind) && (isFunction(n.initializer) ||
		    n.initializer?.kind === K.ClassExpression))
			add(n.name);
		else if (n.kind === K.PropertySignature &&
		    n.type?.kind === K.FunctionType)
			add(n.name);
		else if (n.kind === K.BinaryExpression &&
		    n.operatorToken.kind === K.EqualsToken &&
		    isFunction(n.right))
			add(n.left.name ?? n.left);
		ts.forEachChild(n, visit);
	};
	visit(file);
	return found;
}

for (const path of fs.readFileSync(0, 'utf8').split('\n'))
	if (path !== '')
		console.log(names(path).join('\n'));
