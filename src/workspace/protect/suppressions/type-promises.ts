import type { Node, Statement } from '@babel/types';
import { childNodes } from '../../../platform/syntax/child-nodes.ts';
import { annotationOf, visit } from './type-syntax.ts';

/**
 * Lines of the overloads with the same parameters as the function behind them, whose result leaves out the `undefined` or
 * `null` that the function may return. TypeScript accepts them. An overload with other parameters may know more.
 */
export function linesOfOverpromises(root: Node, text: string): number[] {
  const lines: number[] = [];
  visit(root, (node) => {
    if (!('body' in node) || !Array.isArray(node.body)) return;
    const members = (node.body as Node[]).map(undeclared);
    for (const [name, all] of Map.groupBy(members, nameOf)) {
      const own = all.find(({ type }) => /^(FunctionDeclaration|ClassMethod)$/.test(type));
      if (name === undefined || own === undefined) continue;
      const nothings = nothingsIn(annotationOf(own)).filter((it) => /Undefined|Null/.test(it));
      const parameters = parametersOf(own, text);
      for (const it of all.filter(({ type }) => /^(TSDeclareFunction|TSDeclareMethod)$/.test(type))) {
        const promised = nothingsIn(annotationOf(it));
        if (parametersOf(it, text) === parameters && leavesOut(promised, nothings))
          lines.push(it.loc!.start.line);
      }
    }
  });
  return lines;
}

function leavesOut(promised: readonly string[], nothings: readonly string[]): boolean {
  const isOpen = promised.some((it) => /Void|Any|Unknown/.test(it));
  return !isOpen && nothings.some((it) => !promised.includes(it));
}

/** The declaration in an export; every other node itself. */
function undeclared(node: Node): Node {
  const isExport = node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration';
  return isExport && node.declaration ? node.declaration : node;
}

function nameOf(node: Node): string | undefined {
  if (node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction') return node.id?.name;
  const isMethod = node.type === 'ClassMethod' || node.type === 'TSDeclareMethod';
  return isMethod && node.key.type === 'Identifier' ? `.${node.key.name}` : undefined;
}

/** The parameters as they are written, without blanks. */
function parametersOf(node: Node, text: string): string {
  const { params } = node as unknown as { readonly params: readonly Node[] };
  return params.map(({ start, end }) => text.slice(start!, end!).replaceAll(/\s/g, '')).join();
}

/** The types in an annotation that stand for nothing, but for those in the types of functions and objects. */
function nothingsIn(node: Node | undefined): string[] {
  if (node === undefined || /^TS(FunctionType|TypeLiteral|ConstructorType)$/.test(node.type)) return [];
  if (/^TS(Undefined|Null|Void|Any|Unknown)Keyword$/.test(node.type)) return [node.type];
  return childNodes(node).flatMap(nothingsIn);
}

/**
 * Lines of the declarations by which a member that the language has, such as `find` of an array, gets another type for the
 * whole program. A member that it does not have may be declared.
 */
export function linesOfRetypedBuiltIns(root: Node): number[] {
  const statements = root.type === 'Program' ? root.body : [];
  const isModule = statements.some(({ type }) => /^(Import|Export)/.test(type));
  const lines: number[] = [];
  const look = (all: readonly Statement[]): void => {
    for (const it of all.map(undeclared)) {
      if (it.type !== 'TSInterfaceDeclaration') continue;
      for (const member of it.body.body) {
        const isNamed = 'key' in member && member.key.type === 'Identifier';
        if (isNamed && member.key.type === 'Identifier' && isKnown(it.id.name, member.key.name))
          lines.push(member.loc!.start.line);
      }
    }
  };
  if (!isModule) look(statements);
  visit(root, (node) => {
    if (node.type !== 'TSModuleDeclaration' || node.id.type !== 'Identifier' || node.id.name !== 'global')
      return;
    if (node.body.type === 'TSModuleBlock') look(node.body.body);
  });
  return lines;
}

function isKnown(type: string, member: string): boolean {
  const isStatic = type.endsWith('Constructor');
  const name = type.replace(/^Readonly|Constructor$|Like$/g, '');
  const found: unknown = (globalThis as Record<string, unknown>)[name];
  if (found === undefined || found === null || (name === 'Object' && member === 'constructor')) return false;
  const owner = isStatic || typeof found !== 'function' ? found : (found.prototype as object | undefined);
  return owner !== undefined && Object.hasOwn(owner, member);
}
