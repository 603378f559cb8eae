import type { Declaration, Expression, Node, Statement } from '@babel/types';
import { endOf, parseSource, startOf } from '../../repair/syntax/parse.ts';
import { encodeValue } from './call-values.ts';
import { createRecorder } from './recorder.ts';
import { recordGiven } from './recorder/given-functions.ts';
import { seekHiddenMembers } from './recorder/hidden-members.ts';
import { recordMade } from './recorder/made-objects.ts';
import { seekOddities } from './recorder/odd-values.ts';
import { openSession } from './recorder/session.ts';

/** Most calls of one function that are recorded. */
const MAX_CALLS = 30;

/** Name of the recording function in an instrumented source. */
const RECORD = '__recordCalls';

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * The source with exported functions, classes and objects that append their calls, as lines of JSON, to a file (absolute path). Undefined for
 * a source without exported functions and for one that does not parse.
 */
export function withRecordedCalls(source: string, text: string, to: string): string | undefined {
  const parts = `{ open: ${openSession.toString()}, givenBy: ${recordGiven.toString()}, madeBy: ${recordMade.toString()}, hiddenBy: ${seekHiddenMembers.toString()}, oddBy: ${seekOddities.toString()} }`;
  const target = `{ encode: ${encodeValue.toString()}, to: ${JSON.stringify(to)}, most: ${MAX_CALLS} }`;
  return instrumented(
    source,
    text,
    `(${createRecorder.toString()})(${parts}, ${target}, ${JSON.stringify(source)})`,
  );
}

/** The source whose exports are passed to a `Recorder`, which is the value of an expression. */
export function instrumented(source: string, text: string, recorder: string): string | undefined {
  const parsed = parseSource(source, text);
  if ('problem' in parsed) return undefined;
  const { body, sourceType } = parsed.tree.program;
  const isModule = sourceType === 'module';
  const exported = isModule
    ? body.flatMap((it) => insertionsFor(it, body, text.length))
    : commonExports(text);
  const insertions = exported.length === 0 ? [] : [...exported, ...body.flatMap(constructions)];
  if (insertions.length === 0) return undefined;
  const { directives, interpreter } = parsed.tree.program;
  const last = directives.at(-1) ?? interpreter;
  const start = last ? endOf(last) : 0;
  const first = `;const ${RECORD} = ${recorder};\n`;
  const made = [...insertions, { at: start, text: start === 0 ? first : `\n${first}` }]
    .toSorted((a, b) => b.at - a.at)
    .reduce((result, { at, text: added }) => result.slice(0, at) + added + result.slice(at), text);
  return /\.[cm]?tsx?$/.test(source) && start === 0 ? `// @ts-nocheck\n${made}` : made;
}

function insertionsFor(statement: Statement, body: readonly Statement[], end: number): Insertion[] {
  if (statement.type === 'ExportDefaultDeclaration') {
    const { declaration } = statement;
    if (declaration.type === 'FunctionDeclaration' && declaration.id)
      return [reassigned(declaration.id.name, 'default', end)];
    if (declaration.type === 'ClassDeclaration') return typed(declaration.id?.name, 'default', end);
    if (declaration.type === 'Identifier') {
      const found = body.map(undeclared).find((it) => declaredNames(it).includes(declaration.name));
      if (found?.type === 'ClassDeclaration') return typed(declaration.name, 'default', end);
      return found?.type === 'VariableDeclaration' ? valued(declaration.name, 'default', end) : [];
    }
    return isFunction(declaration) ? wrapped(declaration, 'default') : [];
  }
  if (statement.type !== 'ExportNamedDeclaration' || statement.source) return [];
  if (statement.declaration) return inDeclaration(statement.declaration, undefined, end);
  return statement.specifiers.flatMap((specifier) => {
    if (specifier.type !== 'ExportSpecifier') return [];
    const { local, exported } = specifier;
    const name = exported.type === 'Identifier' ? exported.name : exported.value;
    const declaration = body.map(undeclared).find((it) => declaredNames(it).includes(local.name));
    return declaration === undefined
      ? []
      : inDeclaration(declaration as Declaration, { local: local.name, name }, end);
  });
}

function inDeclaration(
  declaration: Declaration,
  only: { readonly local: string; readonly name: string } | undefined,
  end: number,
): Insertion[] {
  if (declaration.type === 'FunctionDeclaration' && declaration.id)
    return [reassigned(declaration.id.name, only?.name ?? declaration.id.name, end)];
  if (declaration.type === 'ClassDeclaration' && declaration.id)
    return typed(declaration.id.name, only?.name ?? declaration.id.name, end);
  if (declaration.type !== 'VariableDeclaration' || declaration.declare === true) return [];
  return declaration.declarations.flatMap(({ id, init }) => {
    if (id.type !== 'Identifier' || (only !== undefined && id.name !== only.local)) return [];
    const name = only?.name ?? id.name;
    return isFunction(init) ? wrapped(init, name) : valued(id.name, name, end);
  });
}

function declaredNames(statement: Statement): string[] {
  if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration')
    return statement.id ? [statement.id.name] : [];
  if (statement.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
}

function isFunction(node: Node | null | undefined): node is Expression {
  if (node?.type === 'ArrowFunctionExpression') return true;
  return node?.type === 'FunctionExpression' || node?.type === 'FunctionDeclaration';
}

function reassigned(local: string, name: string, at: number): Insertion {
  return { at, text: `\n;${local} = ${RECORD}.call(${JSON.stringify(name)}, ${local});` };
}

function wrapped(node: Node, name: string): Insertion[] {
  const text = `${RECORD}.call(${JSON.stringify(name)}, `;
  return [
    { at: startOf(node), text },
    { at: endOf(node), text: ')' },
  ];
}

/** The declaration in an export; every other statement itself. */
function undeclared(statement: Statement): Statement {
  const isExport =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
  const declaration = isExport ? statement.declaration : undefined;
  return declaration === undefined || declaration === null ? statement : (declaration as Statement);
}

function typed(local: string | undefined, name: string, at: number): Insertion[] {
  return local === undefined ? [] : [{ at, text: `\n;${RECORD}.type(${JSON.stringify(name)}, ${local});` }];
}

function valued(local: string, name: string, at: number): Insertion[] {
  return [{ at, text: `\n;${RECORD}.value(${JSON.stringify(name)}, ${local});` }];
}

/** What makes the constructor of a named class record the instances that it makes. */
function constructions(statement: Statement): Insertion[] {
  const declared = undeclared(statement);
  if (declared.type !== 'ClassDeclaration' || !declared.id || declared.declare === true) return [];
  const own = declared.body.body.find((it) => it.type === 'ClassMethod' && it.kind === 'constructor');
  const begin = `const __made = ${RECORD}.begin(arguments); try {`;
  const end = `${RECORD}.made(this, ${declared.id.name}, __made); } finally { ${RECORD}.end(__made); }`;
  if (own?.type === 'ClassMethod')
    return [
      { at: startOf(own.body) + 1, text: ` ${begin}` },
      { at: endOf(own.body) - 1, text: `\n;${end} ` },
    ];
  const above = declared.superClass ? ' super(...arguments);' : '';
  return [{ at: startOf(declared.body) + 1, text: ` constructor() { ${begin}${above} ${end} }` }];
}

function commonExports(text: string): Insertion[] {
  if (!/\bexports\b/.test(text)) return [];
  const each = `const at = Object.getOwnPropertyDescriptor(module.exports, key); if (!at.writable) continue; ${RECORD}.type(key, at.value); if (typeof at.value === 'function') module.exports[key] = ${RECORD}.call(key, at.value); else ${RECORD}.value(key, at.value);`;
  return [
    {
      at: text.length,
      text: `\n;if (typeof module.exports === 'function') module.exports = ${RECORD}.call('module.exports', module.exports);\nelse for (const key of Object.keys(module.exports)) { ${each} }\n`,
    },
  ];
}
