import { join } from 'node:path';
import { textOf } from '../../platform/files/text-of.ts';
import type { ChangedSources } from '../base-sources.ts';

/** What protects without any difference that a test sees, and what stands in its place where it is lost. */
interface Safeguard {
  readonly name: string;
  readonly lost: RegExp;
  /** Newly there as well; absent if the loss alone says enough. */
  readonly gained?: RegExp;
}

const SAFEGUARDS: readonly Safeguard[] = [
  { name: 'the comparison in constant time (timingSafeEqual)', lost: /\btimingSafeEqual\s*\(/g },
  {
    name: 'random values that nobody can guess, in whose place Math.random stands',
    lost: /\b(?:randomBytes|randomInt|randomUUID|getRandomValues)\s*\(/g,
    gained: /\bMath\.random\s*\(/g,
  },
  {
    name: 'the start of programs without a shell',
    lost: /\b(?:execFile|spawn)(?:Sync)?\s*\(/g,
    gained: /(?<![.\w])exec(?:Sync)?\s*\(|child_process\.exec(?:Sync)?\s*\(|\bshell:\s*true\b/g,
  },
  {
    name: 'text that is no markup, in whose place innerHTML stands',
    lost: /\b(?:textContent|createTextNode|innerText)\b/g,
    gained: /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML)\b/g,
  },
];

/**
 * A sentence on a safeguard that a changed source loses, and whose loss no test can see. Undefined if there is none.
 */
export async function findLostSafeguard({
  request: { root },
  sources,
  baseText,
}: ChangedSources): Promise<string | undefined> {
  const texts = await Promise.all(
    sources.map(async (file) => {
      const [before, now] = [(await baseText(file)) ?? '', textOf(join(root, file))];
      return { file, before: withoutComments(before), now: withoutComments(now) };
    }),
  );
  // Code may move from one source to another.
  const [all, left] = [texts.map((it) => it.before).join('\n'), texts.map((it) => it.now).join('\n')];
  for (const { name, lost, gained } of SAFEGUARDS) {
    const isGained = gained === undefined || countOf(left, gained) > countOf(all, gained);
    if (!isGained || countOf(left, lost) >= countOf(all, lost)) continue;
    const file = texts.find((it) => countOf(it.now, lost) < countOf(it.before, lost))!.file;
    return `${file} loses ${name}, which no test can see. Put it back, or --allow ${file} permits it.`;
  }
  return undefined;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\/|(?<![:'"`])\/\/.*/g, '');
}
