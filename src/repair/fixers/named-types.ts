import { endOf, parseSource, startOf } from '../syntax/parse.ts';

/** Types that would silence the checker. */
const SILENT = /\b(any|never|unknown)\b/;
const MAX_TYPE_CHARS = 200;

/** Types in quotes in a message, without those that would silence the checker and those that are cut. */
export function typesIn(message: string): string[] {
  const quoted = [...message.matchAll(/'([^'\n]+)'/g)].map(([, type]) => type!.replace(/;$/, ''));
  return [...new Set(quoted)].filter(isUsable);
}

function isUsable(type: string): boolean {
  if (type.length > MAX_TYPE_CHARS || SILENT.test(type) || /\.\.\.|\btypeof\b|\bimport\(/.test(type))
    return false;
  const parsed = parseSource('type.ts', `type T = ${type};`);
  return !('problem' in parsed) && parsed.errors.length === 0 && parsed.tree.program.body.length === 1;
}

/** The members of a union at its outer level. */
export function membersOf(type: string): string[] {
  const parsed = parseSource('type.ts', `type T = ${type};`);
  const [alias] = 'problem' in parsed ? [] : parsed.tree.program.body;
  if (alias?.type !== 'TSTypeAliasDeclaration' || alias.typeAnnotation.type !== 'TSUnionType') return [type];
  const text = `type T = ${type};`;
  return alias.typeAnnotation.types.map((member) => text.slice(startOf(member), endOf(member)));
}

/** Names and keywords in a type. */
export function wordsOf(type: string): string[] {
  return type.match(/[\w$]+/g) ?? [];
}
