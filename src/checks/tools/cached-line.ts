import { join } from 'node:path';
import { shellWord } from '../../platform/processes/shell-words.ts';
import type { CheckRequest } from '../../ports/evaluation.ts';

/** One call of Prettier, without operators of the shell. Names: https://prettier.io/docs/cli#--cache */
const PRETTIER = /^(npx\s+)?prettier\s[^;&|<>$`\n]*$/;

/** The command line of a check with a cache by content, where its program has one and the request allows it. */
export function withCache(
  line: string,
  { fresh, cacheDir }: Pick<CheckRequest, 'fresh' | 'cacheDir'>,
): string {
  if (fresh || !PRETTIER.test(line) || line.includes('--cache')) return line;
  const location = shellWord(join(cacheDir, 'prettier.json'));
  return `${line} --cache --cache-strategy content --cache-location ${location}`;
}
