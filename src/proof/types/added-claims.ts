import type { Node } from '@babel/types';
import type { TextEdit } from '../../repair/syntax/edit.ts';
import { endOf, startOf, type ParsedSource } from '../../repair/syntax/parse.ts';
import { walk } from '../acceptance/syntax.ts';

/** A place where a source tells the type checker something that it does not know. */
export interface Claim {
  /** What is told: `as User`, `!`, `String(…)`. */
  readonly text: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** A conversion to a text, which has a meaning of its own. */
  readonly isConversion: boolean;
  /** It hides a problem only if the base has a problem of the same kind: a value is then of the type that it has. Default false. */
  readonly isRepeated?: boolean;
  /** Take it away, or tell it again. */
  readonly edits: readonly TextEdit[];
}

/** The claims of a source that its base does not make. */
export function addedClaims(now: ParsedSource, then: ParsedSource): Claim[] {
  const before = Map.groupBy(claimsIn(then), ({ text }) => text);
  const base = spaceless(then.text);
  return [...Map.groupBy(claimsIn(now), ({ text }) => text)].flatMap(([text, own]) =>
    own.length <= (before.get(text)?.length ?? 0)
      ? []
      : own.filter(({ whole }) => !base.includes(spaceless(whole))),
  );
}

function claimsIn({ tree, text }: ParsedSource): (Claim & { readonly whole: string })[] {
  const claims: (Claim & { readonly whole: string })[] = [];
  walk(tree.program, (node) => {
    const found = claimOf(node, text);
    if (found === undefined) return;
    const { start, end } = node.loc!;
    const whole = text.slice(startOf(node), endOf(node));
    claims.push({ ...found, whole, firstLine: start.line, lastLine: end.line });
  });
  return claims;
}

function claimOf(node: Node, text: string): Omit<Claim, 'firstLine' | 'lastLine'> | undefined {
  const [start, end] = [startOf(node), endOf(node)];
  const without = (from: number, to: number): Omit<Claim, 'firstLine' | 'lastLine'> => ({
    text: text.slice(from, to).trim(),
    isConversion: false,
    edits: [{ start: from, end: to, replacement: '' }],
  });
  switch (node.type) {
    case 'TSNonNullExpression':
      return without(endOf(node.expression), end);
    case 'TSAsExpression':
      return isOrdinary(node.expression, node.typeAnnotation)
        ? undefined
        : without(endOf(node.expression), end);
    case 'TSTypeAssertion':
      return isOrdinary(node.expression, node.typeAnnotation)
        ? undefined
        : without(start, startOf(node.expression));
    default: {
      const inner = convertedBy(node);
      if (inner === undefined) return undefined;
      const edits = [
        { start, end: startOf(inner), replacement: '(' },
        { start: endOf(inner), end, replacement: ')' },
      ];
      return { text: node.type === 'TemplateLiteral' ? '`${…}`' : 'String(…)', isConversion: true, edits };
    }
  }
}

/** An assertion that careful authors write as well: of a literal, of a constant, of a key. */
function isOrdinary(expression: Node, type: Node): boolean {
  if (/Literal$|^ArrayExpression$/.test(expression.type)) return true;
  const name =
    type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.name : '';
  if (expression.type === 'ObjectExpression' && expression.properties.length === 0) return name === 'Record';
  return name === 'const' || namesKeys(type);
}

function namesKeys(type: Node): boolean {
  let found = false;
  walk(type, (inner) => {
    found ||= inner.type === 'TSTypeOperator' && inner.operator === 'keyof';
  });
  return found;
}

/** The expression in `String(x)` and in a template that is nothing else. */
function convertedBy(node: Node): Node | undefined {
  if (node.type === 'TemplateLiteral') {
    const [inner, ...others] = node.expressions;
    const isAlone = others.length === 0 && node.quasis.every(({ value }) => value.raw === '');
    return isAlone ? inner : undefined;
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined;
  return node.callee.name === 'String' && node.arguments.length === 1 ? node.arguments[0] : undefined;
}

function spaceless(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
