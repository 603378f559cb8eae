import type { Declaration, Expression, Node, Statement } from '@babel/types';
import { endOf, parseSource, startOf } from '../../repair/syntax/parse.ts';
import { encodeValue } from './call-values.ts';

/** A call of an exported function under test. */
export interface RecordedCall {
  /** Name of the process and of the copy of the source in it, in which it was made. */
  readonly realm: string;
  /** Position among the calls of the realm, from 0. */
  readonly at: number;
  /** Source with the function, relative to the root. */
  readonly source: string;
  /** Name of the export; `module.exports` for a CommonJS module that is a function. */
  readonly name: string;
  /** The arguments, by `encodeValue`; absent if they cannot be copied. */
  readonly args?: string;
  /** The result, by `encodeValue`, or the name of the error after `throws `; absent if it cannot be compared. */
  readonly result?: string;
  /** The file that the process was started with, absolute; empty for code of the command line. */
  readonly entry: string;
  /** The time by the clock that the code saw, in milliseconds. */
  readonly clock: number;
}

/** Most calls of one function that are recorded. */
const MAX_CALLS = 30;

/** Name of the recording function in an instrumented source. */
const RECORD = '__recordCalls';

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * The source with exported functions that append their calls, as lines of JSON, to a file (absolute path). Undefined for
 * a source without exported functions and for one that does not parse.
 */
export function withRecordedCalls(source: string, text: string, to: string): string | undefined {
  const parsed = parseSource(source, text);
  if ('problem' in parsed) return undefined;
  const { body, sourceType } = parsed.tree.program;
  const isModule = sourceType === 'module';
  const insertions = isModule
    ? body.flatMap((it) => insertionsFor(it, body, text.length))
    : commonExports(text);
  if (insertions.length === 0) return undefined;
  const { directives, interpreter } = parsed.tree.program;
  const last = directives.at(-1) ?? interpreter;
  const start = last ? endOf(last) : 0;
  const given = [to, source, MAX_CALLS].map((it) => JSON.stringify(it)).join(', ');
  const recorder = `;const ${RECORD} = (${createRecorder.toString()})(${encodeValue.toString()}, ${given});\n`;
  const made = [...insertions, { at: start, text: start === 0 ? recorder : `\n${recorder}` }]
    .toSorted((a, b) => b.at - a.at)
    .reduce((result, { at, text: added }) => result.slice(0, at) + added + result.slice(at), text);
  return /\.[cm]?tsx?$/.test(source) && start === 0 ? `// @ts-nocheck\n${made}` : made;
}

function insertionsFor(statement: Statement, body: readonly Statement[], end: number): Insertion[] {
  if (statement.type === 'ExportDefaultDeclaration') {
    const { declaration } = statement;
    if (declaration.type === 'FunctionDeclaration' && declaration.id && declaration.generator !== true)
      return [reassigned(declaration.id.name, 'default', end)];
    return isFunction(declaration) ? wrapped(declaration, 'default') : [];
  }
  if (statement.type !== 'ExportNamedDeclaration' || statement.source) return [];
  if (statement.declaration) return inDeclaration(statement.declaration, undefined, end);
  return statement.specifiers.flatMap((specifier) => {
    if (specifier.type !== 'ExportSpecifier') return [];
    const { local, exported } = specifier;
    const name = exported.type === 'Identifier' ? exported.name : exported.value;
    const declaration = body.find((it) => declaredNames(it).includes(local.name));
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
  if (declaration.type === 'FunctionDeclaration' && declaration.id && declaration.generator !== true)
    return [reassigned(declaration.id.name, only?.name ?? declaration.id.name, end)];
  if (declaration.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id, init }) => {
    if (id.type !== 'Identifier' || (only !== undefined && id.name !== only.local)) return [];
    return isFunction(init) ? wrapped(init, only?.name ?? id.name) : [];
  });
}

function declaredNames(statement: Statement): string[] {
  if (statement.type === 'FunctionDeclaration') return statement.id ? [statement.id.name] : [];
  if (statement.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
}

function isFunction(node: Node | null | undefined): node is Expression {
  if (node?.type === 'ArrowFunctionExpression') return true;
  const isPlain = node?.type === 'FunctionExpression' || node?.type === 'FunctionDeclaration';
  return isPlain && node.generator !== true;
}

function reassigned(local: string, name: string, at: number): Insertion {
  return { at, text: `\n;${local} = ${RECORD}(${JSON.stringify(name)}, ${local});` };
}

function wrapped(node: Node, name: string): Insertion[] {
  const text = `${RECORD}(${JSON.stringify(name)}, `;
  return [
    { at: startOf(node), text },
    { at: endOf(node), text: ')' },
  ];
}

function commonExports(text: string): Insertion[] {
  if (!/\bexports\b/.test(text)) return [];
  return [
    {
      at: text.length,
      text: `\n;if (typeof module.exports === 'function') module.exports = ${RECORD}('module.exports', module.exports);\nelse for (const key of Object.keys(module.exports)) { const at = Object.getOwnPropertyDescriptor(module.exports, key); if (at.writable) module.exports[key] = ${RECORD}(key, at.value); }\n`,
    },
  ];
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/**
 * A function that makes other functions record their outermost calls. Its source text becomes part of a source, so it must
 * not refer to anything outside of its body.
 */
function createRecorder(
  encode: (value: unknown, isResult?: boolean) => string,
  to: string,
  source: string,
  most: number,
): (name: string, fn: unknown) => unknown {
  const { appendFileSync: write } = process.getBuiltinModule('node:fs');
  const scope = globalThis as unknown as Record<symbol, { realm: string; depth: number; next: number }>;
  const state = (scope[Symbol.for('recorded calls')] ??= {
    realm: `${process.pid}-${String(process.hrtime.bigint())}`,
    depth: 0,
    next: 0,
  });
  const { apply, construct } = Reflect;
  const { stringify } = JSON;
  const entry = process.argv[1] ?? '';
  const tryEncode = (value: unknown, isResult: boolean): string | undefined => {
    try {
      return encode(value, isResult);
    } catch {
      return undefined;
    }
  };
  const nameOf = (error: unknown): string => `throws ${String((error as Error | undefined)?.name)}`;
  return (name, fn) => {
    if (typeof fn !== 'function' || /^class\b/.test(Function.prototype.toString.call(fn))) return fn;
    let count = 0;
    const recorded = function (this: unknown, ...args: unknown[]): unknown {
      if (new.target !== undefined)
        return construct(fn, args, new.target === recorded ? fn : new.target) as unknown;
      if (state.depth > 0 || ++count > most) return apply(fn as AnyFunction, this, args);
      const at = state.next++;
      const isFree =
        this === undefined || this === globalThis || (this as Record<string, unknown>)[name] === recorded;
      const given = isFree ? tryEncode(args, false) : undefined;
      const clock = Date.now();
      const put = (result: string | undefined): void => {
        const line = stringify({ realm: state.realm, at, source, name, args: given, result, clock, entry });
        write(to, `${line}\n`);
      };
      let result: unknown;
      state.depth++;
      try {
        result = apply(fn as AnyFunction, this, args);
      } catch (error) {
        put(nameOf(error));
        throw error;
      } finally {
        state.depth--;
      }
      if (Object.prototype.toString.call(result) === '[object Promise]') {
        (result as Promise<unknown>).then(
          (value) => put(tryEncode(value, true)),
          (error: unknown) => put(nameOf(error)),
        );
      } else put(tryEncode(result, true));
      return result;
    };
    Object.defineProperties(recorded, Object.getOwnPropertyDescriptors(fn));
    return recorded;
  };
}
