/** Exit codes as a page of Markdown, from src/errors.ts. */
import { ExitCode } from '../../src/errors.ts';

const MEANINGS: Readonly<Record<keyof typeof ExitCode, readonly [meaning: string, remedy: string]>> = {
  verified: [
    'every check passed, and the repository’s own test command confirmed it; or there was nothing to do',
    '',
  ],
  unverified: [
    'the loop ended unverified: no attempts left, no progress, or tampering',
    '`ralph reflections show`, `ralph apply`',
  ],
  usage: [
    'a flag, an argument or a setting is invalid',
    'the message names it, its value and the allowed values',
  ],
  budget: [
    'a budget is used up',
    '`ralph resume` with a larger `--max-cost`, `--max-tokens` or `--max-time`',
  ],
  workspace: [
    'the repository is missing, locked or damaged, or a result could not be applied',
    '`ralph status`; `git merge ralph/<loop-id>`',
  ],
  actor: ['a key, a quota, a model or an agent is missing', '`ralph doctor`, then `ralph resume`'],
  check: ['a check could not run', '`ralph doctor`'],
  state: ['stored state is damaged', '`ralph memory health`; `ralph resume` repairs a damaged loop'],
  unproven: [
    'every check stayed green and something was changed, but nothing shows that the task is done',
    '`ralph apply`; `--accept "COMMAND"` or `--accept-tests FILE`',
  ],
  interrupted: ['Ctrl-C', '`ralph resume`'],
  terminated: ['SIGTERM or SIGHUP (closed terminal)', '`ralph resume`'],
};

/** A table of all exit codes with their remedies. */
export function renderExitCodesPage(): string {
  return [
    '# Exit codes',
    '',
    'Generated from `src/errors.ts` by `npm run generate`. Exit codes are stable: scripts and CI jobs may rely on them.',
    '',
    '| Code | Meaning | Remedy |',
    '| ---: | --- | --- |',
    ...Object.entries(ExitCode).map(([name, code]) => {
      const [meaning, remedy] = MEANINGS[name as keyof typeof ExitCode];
      return `| ${code} | ${meaning} | ${remedy} |`;
    }),
    '',
    '`ralph run --tasks` exits with 0 only if every task is verified. Otherwise the first of these applies: 130 or 143 if',
    'it was interrupted, the code of the error that ended the list, 4 if a result could not be applied, 3 for a budget, 1.',
    '',
  ].join('\n');
}
