import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import { keyOf, type ReplayRequest } from '../replay/replay-request.ts';
import { shownArguments, shownResult } from '../replay/shown-values.ts';
import { exportedFunctionLines } from '../types/typed-functions.ts';
import type { Behaviour } from './behaviour.ts';
import type { Probed } from './rule.ts';

const MAX_FILES = 5_000;
const SOURCE = /\.[cm]?[jt]sx?$/;

/**
 * A sentence on a function that the change rewrites although all calls of the tests get what they got before, and no other code
 * uses it: a problem of the type checker or the linter may ask for that. It returns another value than before for a value next to
 * the tested ones, or something that nobody asked for where there was nothing. Undefined if there is none.
 */
export async function findStrayChange(
  probed: readonly Probed[],
  asked: ReplayRequest,
): Promise<string | undefined> {
  for (const own of Map.groupBy(probed, ({ call }) => keyOf(call)).values()) {
    const stray = own[0]!.own.every(isKept) ? own.find(isStray) : undefined;
    if (stray !== undefined && (await isChangedAlone(stray, asked))) return describe(stray);
  }
  return undefined;
}

/** Whether a call returns what it did before, each time. */
function isKept({ before, now }: Pick<Probed, 'before' | 'now'>): boolean {
  return (
    before.plain !== undefined &&
    [now.plain, ...before.again, ...now.again].every((it) => it === before.plain)
  );
}

function isStray({ kind, before, now }: Probed): boolean {
  if ((kind !== 'near' && kind !== 'plain') || now.plain === undefined || now.plain === before.plain)
    return false;
  return isValue(before) || (isNothing(before) && isMadeUp(now.plain));
}

/** Not a value that shows that something was missing, nor one with a function, such as a member that every object has. */
function isValue(behaviour: Behaviour): boolean {
  const { plain = 'undefined' } = behaviour;
  return !isNothing(behaviour) && !/undefined|NaN|\{"[uf]":1\}|\[object /.test(plain);
}

function isNothing({ plain }: Behaviour): boolean {
  return plain === 'null' || plain === '{"u":1}';
}

/** An object, list or text with something in it. */
function isMadeUp(plain: string): boolean {
  return /^("(?!")|\{"a":\[(?!\])|\{"o":)/.test(plain) && plain !== '{"o":[],"p":0}';
}

/** Whether the text of an exported function is another one, and no other code names it. */
async function isChangedAlone(
  { call: { source, name } }: Probed,
  { request: { root }, baseText, files, tested }: ReplayRequest,
): Promise<boolean> {
  const base = (await baseText(source)) ?? '';
  const text = textOf(join(root, source));
  const [was, is] = [base, text].map((it) => partsOf(source, it, name));
  if (was === undefined || is === undefined || was.own === is.own) return false;
  const names = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
  if (names.test(withoutReexports(is.others))) return false;
  const tests = new Set([...(files ?? []), ...(tested ?? [])]);
  const others = filesIn(root).filter(
    (path) => path !== source && !tests.has(path) && !/\b(test|spec)s?\b/.test(path),
  );
  return (
    others.length < MAX_FILES &&
    !others.some((path) => names.test(withoutReexports(textOf(join(root, path)))))
  );
}

/** The text of an exported function, and the rest of its source. */
function partsOf(file: string, text: string, name: string): { own: string; others: string } | undefined {
  const range = exportedFunctionLines(file, text).get(name);
  if (range === undefined) return undefined;
  const lines = text.split('\n');
  const isOwn = (at: number): boolean => range[0] <= at + 1 && at < range[1];
  return {
    own: lines
      .filter((_, at) => isOwn(at))
      .join('')
      .replaceAll(/\s+/g, ''),
    others: lines.filter((_, at) => !isOwn(at)).join('\n'),
  };
}

function withoutReexports(text: string): string {
  return text
    .replaceAll(/^\s*export\s*(type\s*)?\{[^}]*\}.*$/gm, '')
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
}

/** Sources below a folder, but for installed and hidden ones. */
function filesIn(root: string): string[] {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined && found.length < MAX_FILES; folder = folders.pop())
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && SOURCE.test(entry.name)) found.push(path);
    }
  return found;
}

function describe({ call: { source, name, args }, before, now }: Probed): string {
  return `${name} of ${source} returns ${shownResult(now.plain!)} for the arguments ${shownArguments({ args })}, where it returned ${shownResult(before.plain!)} before. All calls of the tests get what they got before, so none asks for that. Return what it returned, or add a test; if it is meant, --allow ${source} permits it.`;
}
