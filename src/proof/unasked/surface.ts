import { textOf } from '../../platform/files/text-of.ts';
import { join } from 'node:path';
import type { ReplayRequest } from '../replay/replay-request.ts';
import type { Behaviour } from './behaviour.ts';
import type { Compared } from './rule.ts';

/**
 * A sentence on a class whose objects lost a property that everybody can read, or have one in place of a private field;
 * undefined if there is none. `made` are constructions.
 */
export async function findChangedSurface(
  made: readonly Compared[],
  { request: { root }, baseText }: ReplayRequest,
  texts: readonly string[],
): Promise<string | undefined> {
  for (const { call, before, now } of made) {
    const [was, is] = [before, now].map(keysOf);
    if (was === undefined || is === undefined) continue;
    const added = is.filter((key) => !was.includes(key));
    if (texts.some((text) => added.some((key) => namesMember(text, key)))) continue;
    const { source, name } = call;
    const [base, text] = [(await baseText(source)) ?? '', textOf(join(root, source))];
    const permits = `if it is meant, --allow ${source} permits it.`;
    const opened = added.find((key) => isPrivate(base, key) && !isPrivate(text, key));
    if (opened !== undefined)
      return `Objects of ${name} of ${source} have the property ${opened}, which was a private field before: everybody can change it, and copies and JSON have it. Keep it private; ${permits}`;
    const lost = was.find((key) => !is.includes(key) && isPublic(base, key));
    if (lost !== undefined)
      return `Objects of ${name} of ${source} no longer have the property ${lost}, which users of them can read, and no test asks for that. Keep it; ${permits}`;
  }
  return undefined;
}

/** Names of the own properties of an object. */
function keysOf({ plain, kind }: Behaviour): string[] | undefined {
  if (kind !== 'Object' || plain === undefined) return undefined;
  return (JSON.parse(plain) as { o?: [string, unknown][] }).o?.map(([key]) => key);
}

/** Whether a text has a private field of that name, which begins with `_` elsewhere. */
function isPrivate(text: string, key: string): boolean {
  return new RegExp(`#${key.replace(/^_+/, '').replaceAll('$', '\\$')}(?![\\w$])`).test(text);
}

function isPublic(text: string, key: string): boolean {
  if (!/^[a-z]\w*$/i.test(key)) return false;
  return !new RegExp(`\\b(private|protected)\\s+(readonly\\s+)?${key}\\b`).test(text);
}

function namesMember(text: string, key: string): boolean {
  return new RegExp(`\\b${key.replaceAll('$', '\\$')}\\b`).test(text);
}
