import type { Node } from '@babel/types';
import { endOf, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { walk } from '../acceptance/syntax.ts';
import type { Claim } from './added-claims.ts';

/** Calls whose result the type checker takes for anything. */
const RETURNS_ANY = /^JSON\s*\.\s*parse$/;

interface ReadValue {
  /** The type that the source gives to the result of the call; undefined where it gives none. */
  readonly type: string | undefined;
  readonly call: Node;
}

/**
 * Places where the base said of which type a value is that the type checker takes for anything (`JSON.parse(text) as
 * Partial<Settings>`), and the source no longer does. Each with the edit that says it again, so that the checker looks there.
 */
export function droppedClaims(now: ParsedSource, then: ParsedSource): Claim[] {
  const [type, ...others] = new Set(valuesIn(then).flatMap((it) => it.type ?? []));
  if (type === undefined || others.length > 0 || !isKnown(type, now.text)) return [];
  return valuesIn(now)
    .filter((it) => it.type !== type)
    .map(({ call }): Claim => {
      const { start, end } = call.loc!;
      return {
        text: `${now.text.slice(startOf(call), endOf(call))}, without "as ${type}"`,
        firstLine: start.line,
        lastLine: end.line,
        isConversion: false,
        isRepeated: true,
        edits: [
          { start: startOf(call), end: startOf(call), replacement: '(' },
          { start: endOf(call), end: endOf(call), replacement: ` as ${type})` },
        ],
      };
    });
}

function valuesIn({ tree, text }: ParsedSource): ReadValue[] {
  const shown = (node: Node): string => text.slice(startOf(node), endOf(node));
  const values: ReadValue[] = [];
  walk(tree.program, (node, parents) => {
    if (node.type !== 'CallExpression' || !RETURNS_ANY.test(shown(node.callee))) return;
    const parent = parents.at(-1);
    const type = parent && declaredBy(parent);
    values.push({ call: node, type: type && shown(type) });
  });
  return values;
}

/** The type that an assertion or a variable gives to its value. */
function declaredBy(node: Node): Node | undefined {
  if (node.type === 'TSAsExpression' || node.type === 'TSTypeAssertion') return node.typeAnnotation;
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return undefined;
  const { typeAnnotation: declared } = node.id;
  return declared?.type === 'TSTypeAnnotation' ? declared.typeAnnotation : undefined;
}

/** Whether a source still has all names of a type. */
function isKnown(type: string, text: string): boolean {
  const names = new Set(text.match(/[\w$]+/g));
  return (type.match(/[A-Za-z_$][\w$]*/g) ?? []).every((name) => names.has(name) || UTILITIES.test(name));
}

const UTILITIES =
  /^(?:Partial|Required|Readonly|Record|Pick|Omit|string|number|boolean|unknown|undefined|null)$/;
