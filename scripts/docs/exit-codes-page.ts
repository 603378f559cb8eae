/** Exit codes as a page of Markdown, from src/errors.ts. */
import { ExitCode } from '../../src/errors.ts';

const MEANINGS: Readonly<Record<keyof typeof ExitCode, readonly [meaning: string, remedy: string]>> = {
  verified: [
    'every check passed, and the repository’s own test command confirmed it; or there was nothing to do',
    '',
  ],
  unverified: [
    'ended unverified: attempts used up, stalled, tampering',
    '`ralph reflections show`, `ralph apply`',
  ],
  usage: ['a flag, an argument or a setting is wrong', 'the message names it, its value and what it may be'],
  budget: ['a budget ended it', '`ralph resume` with a larger `--max-cost`, `--max-tokens` or `--max-time`'],
  workspace: [
    'no repository, locked, damaged, or a result that could not be applied',
    '`ralph status`; `git merge ralph/<loop-id>`',
  ],
  actor: ['a key, a quota, a model or an agent is missing', '`ralph doctor`, then `ralph resume`'],
  check: ['a check could not run', '`ralph doctor`'],
  state: ['something stored is damaged', '`ralph memory health`; `ralph resume` sets a damaged loop right'],
  interrupted: ['Ctrl-C', '`ralph resume`'],
  terminated: ['SIGTERM', '`ralph resume`'],
};

export function renderExitCodesPage(): string {
  return [
    '# Exit codes',
    '',
    'Generated from `src/errors.ts` by `npm run generate`. They are part of the contract: scripts and CI jobs may rely on them.',
    '',
    '| Code | Meaning | What next |',
    '| ---: | --- | --- |',
    ...Object.entries(ExitCode).map(([name, code]) => {
      const [meaning, remedy] = MEANINGS[name as keyof typeof ExitCode];
      return `| ${code} | ${meaning} | ${remedy} |`;
    }),
    '',
    'Of `ralph run --tasks` the code is 0 only where every task is verified; else the first of these that applies:',
    'interrupted, the error that ended the list, 4 for a result that could not be applied, 3 for a budget, 1.',
    '',
  ].join('\n');
}
