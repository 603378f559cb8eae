import type { RemoteDesk } from '../platform/git/remote.ts';
import { escapeRegExp } from '../platform/text/escape-regexp.ts';
import { isNamedTest, isTest } from '../workspace/protect/protected-paths.ts';
import { parsedOf } from '../workspace/protect/suppressions/parse-source.ts';
import { isNameOfHost, isReference, originsIn, requestedOrigin } from './rules/addresses.ts';
import { composedTexts, hostsIn, UNKNOWN } from './rules/composed-texts.ts';
import type { ChangedText } from './rules/unseen.ts';

const SOURCE = /\.[cm]?[jt]sx?$/;
const DECLARATION = /\.d\.[cm]?ts$/;
const LOCK_FILES = ':(exclude)*lock*';

/**
 * Why a changed source is not published, as the end of "The patch …": a text of its code leads to a site that nothing in the
 * repository names, or names by another protocol. Undefined if none does.
 */
export async function problemOfOrigins(
  desk: RemoteDesk,
  head: string,
  { path, before = '', after }: ChangedText,
): Promise<string | undefined> {
  if (!SOURCE.test(path) || DECLARATION.test(path) || isTest(path) || isNamedTest(path)) return undefined;
  for (const { origin, line } of originsOf(path, after)) {
    const whole = `${escapeRegExp(origin)}([^A-Za-z0-9.:-]|[.:-]*$)`;
    if (new RegExp(whole, 'im').test(before)) continue;
    const args = ['grep', '--quiet', '--extended-regexp', '--ignore-case', '-e', whole];
    if ((await desk.run([...args, head, '--', LOCK_FILES])).exitCode === 0) continue;
    const shown = JSON.stringify(path);
    return `changes ${shown} so that line ${line} leads to ${JSON.stringify(origin)}, which nothing in the repository names so far; --allow ${shown} permits it`;
  }
  return undefined;
}

interface PlacedOrigin {
  readonly origin: string;
  /** 1-based. */
  readonly line: number;
}

function originsOf(path: string, text: string): PlacedOrigin[] {
  const parsed = parsedOf(path, text);
  if (parsed === undefined) return [];
  const requested = composedTexts(parsed.root).flatMap(({ value, line }) => {
    const written = value.split(UNKNOWN);
    const plain = written.flatMap((part) => originsIn(part).map(({ origin }) => origin));
    const other = requestedOrigin(written[0]!, plain);
    return [...plain, ...(other === undefined ? [] : [other])].map((origin) => ({ origin, line }));
  });
  const named = hostsIn(parsed.root).filter(({ value }) => isNameOfHost(value) && !isReference(value));
  return [...requested, ...named.map(({ value, line }) => ({ origin: value.toLowerCase(), line }))];
}
