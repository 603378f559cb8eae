import { join } from 'node:path';
import type { Node } from '@babel/types';
import { sourcesBelow } from '../../platform/files/sources-below.ts';
import { textOf } from '../../platform/files/text-of.ts';
import { escapeRegExp } from '../../platform/text/escape-regexp.ts';
import { parseSource } from '../../repair/syntax/parse.ts';
import { walk } from '../acceptance/syntax.ts';
import type { ChangedSources } from '../base-sources.ts';

/** A member that a source declares for a type of the language. */
interface AmbientMember {
  readonly of: string;
  /** A number for an item of a list; `EVERY_INDEX` for all of them. */
  readonly name: string;
}

const EVERY_INDEX = '[]';

/** Changed sources, and the other changed files, among which are declarations. */
export interface DeclaringFiles extends ChangedSources {
  readonly data: readonly string[];
}

/**
 * A sentence on a member that a change newly declares for a type of the language, such as `ReadonlyArray`, and that nothing gives
 * it: neither the language nor a source of the repository. Where the type checker then sees no problem, there is one. Undefined if
 * there is none.
 */
export async function findAmbientMember({
  request: { root },
  sources,
  data,
  baseText,
}: DeclaringFiles): Promise<string | undefined> {
  const declaring = [...sources, ...data].filter((it) => /\.[cm]?tsx?$/.test(it));
  for (const file of declaring) {
    const known = new Set(membersIn(file, (await baseText(file)) ?? '').map(keyOf));
    const added = membersIn(file, textOf(join(root, file))).filter((it) => !known.has(keyOf(it)));
    const missing = added.find((it) => !isInLanguage(it) && !isGiven(it, root));
    if (missing !== undefined)
      return `${file} declares ${missing.name === EVERY_INDEX ? 'every index' : missing.name} for every ${missing.of}, and neither the language nor the code of the repository has it, so that the type checker no longer sees that it is missing. Take it back, or --allow ${file} permits it.`;
  }
  return undefined;
}

function keyOf({ of, name }: AmbientMember): string {
  return `${of}.${name}`;
}

/** Members of interfaces in `declare global`, and in files that are no module. */
function membersIn(file: string, text: string): AmbientMember[] {
  const parsed = parseSource(file, text);
  if ('problem' in parsed) return [];
  const isModule = parsed.tree.program.body.some(({ type }) => /^(?:Import|Export)/.test(type));
  const found: AmbientMember[] = [];
  walk(parsed.tree.program, (node, parents) => {
    if (node.type !== 'TSInterfaceDeclaration') return;
    if (!parents.some(isGlobal) && isModule) return;
    for (const name of node.body.body.flatMap(nameOf)) found.push({ of: node.id.name, name });
  });
  return found;
}

function nameOf(member: Node): string[] {
  if (member.type === 'TSIndexSignature') return [EVERY_INDEX];
  if (member.type !== 'TSMethodSignature' && member.type !== 'TSPropertySignature') return [];
  const { key, computed } = member;
  if (key.type === 'NumericLiteral' || key.type === 'StringLiteral') return [String(key.value)];
  return key.type === 'Identifier' && computed !== true ? [key.name] : [];
}

function isGlobal(node: Node): boolean {
  return node.type === 'TSModuleDeclaration' && node.id.type === 'Identifier' && node.id.name === 'global';
}

/** Also true of types that are none of the language, such as `Window`. */
function isInLanguage({ of, name }: AmbientMember): boolean {
  const isOfClass = of.endsWith('Constructor');
  const own = of.replace(/Constructor$/, '').replace(/^Readonly(?=Array|Map|Set)/, '');
  const builtIn: unknown = (globalThis as Readonly<Record<string, unknown>>)[own];
  if (typeof builtIn !== 'function' || !LANGUAGE.test(own)) return true;
  const holder = (isOfClass ? builtIn : builtIn.prototype) as object | undefined;
  return holder === undefined || name in holder;
}

const LANGUAGE =
  /^(?:Array|Boolean|Date|Error|Function|Map|Number|Object|Promise|RegExp|Set|String|Symbol|WeakMap|WeakSet|BigInt)$/;

/** Whether some source sets or defines a member of that name; items belong to one object, and no source gives them to all. */
function isGiven({ name }: AmbientMember, root: string): boolean {
  if (name === EVERY_INDEX || /^\d+$/.test(name)) return false;
  const own = escapeRegExp(name);
  const given = new RegExp(`\\.${own}\\s*=[^=]|['"\`]${own}['"\`]|prototype[^;]*\\b${own}\\b`);
  return sourcesBelow(root).some((file) => given.test(textOf(join(root, file))));
}
