import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KEYS, modelFlags } from '../support/model-run.ts';
import { ralph, ralphRun } from '../support/ralph.ts';
import { fingerprintOf, QUICK_FILES, repositoryWith } from '../support/repositories.ts';
import { serve } from '../support/wire/serve.ts';

const GREEN = {
  ...QUICK_FILES,
  'src/add.js': 'export const add = (a, b) => a + b;\nexport const twice = (a) => add(a, a);\n',
};
const ACCEPT = "grep -q 'n + n' src/twice.js";
const TASK = 'add twice(n) to src/twice.js; it returns n + n, for strings too';

interface Judged {
  /** The answer of the judge. */
  readonly answer: string;
  /** Body of the function that the actor writes. */
  readonly body?: string;
  readonly args?: readonly string[];
}

/** Runs the task with an actor that writes one file and a judge that gives one answer. */
async function runJudged({ answer, body = 'n + n', args = [] }: Judged) {
  const root = repositoryWith({ ...GREEN, 'tasks.md': `- [ ] ${TASK}\n` });
  const before = fingerprintOf(root);
  let asked = 0;
  const server = await serve(({ body: request }) => {
    const isJudge = request.includes('You review a change');
    if (isJudge) asked++;
    return {
      text: isJudge ? answer : `src/twice.js\n\`\`\`js\nexport const twice = (n) => ${body};\n\`\`\`\n`,
    };
  });
  const flags = modelFlags(server);
  const judge = ['--judge', flags[flags.indexOf('--model') + 1]!];
  const proof = ['--accept', ACCEPT, '--no-acceptance-tests', '--reflector', 'rules', '-i', '1'];
  const run = await ralphRun(root, [TASK, '--actor', 'cot', ...flags, ...judge, ...proof, ...args], {
    env: KEYS,
  });
  return { ...run, root, asked, isUntouched: fingerprintOf(root) === before };
}

function finding(opinion: string, more: object = {}): string {
  const one = {
    criterion: 'TASK',
    opinion,
    file: 'src/twice.js',
    line: 1,
    reason: 'Strings are left out.',
    ...more,
  };
  return JSON.stringify({ findings: [one] });
}

describe('--judge', () => {
  it('makes a verified result unproven that it holds for unmet', async () => {
    const run = await runJudged({ answer: finding('unmet') });
    expect(run).toMatchObject({
      exitCode: 8,
      verdict: { status: 'unproven', verified: false, applied: 'branch' },
    });
    expect(run.verdict.reason).toContain('holds TASK for unmet: Strings are left out.');
    expect(run.verdict.proof!.judge!.findings).toEqual([
      { criterion: 'TASK', opinion: 'unmet', file: 'src/twice.js', line: 1, reason: 'Strings are left out.' },
    ]);
    expect(existsSync(join(run.root, 'src/twice.js'))).toBe(false);
    const page = await ralph(run.root, ['report', '--format', 'text']);
    expect(page.stdout).toContain('TASK unmet: Strings are left out.');
  });

  it.each([
    ['met', finding('met')],
    ['unclear', finding('unclear')],
    ['about a criterion that does not exist', finding('unmet', { criterion: 'C9' })],
    ['in another form', 'It is bad.'],
    ['with an unknown opinion', finding('terrible')],
  ])('leaves a result verified with an opinion that is %s', async (_, answer) => {
    const run = await runJudged({ answer });
    expect(run).toMatchObject({ exitCode: 0, asked: 1, verdict: { verified: true, applied: 'tree' } });
    expect(readFileSync(join(run.root, 'src/twice.js'), 'utf8')).toContain('n + n');
  });

  it('names no place outside the change', async () => {
    const run = await runJudged({ answer: finding('unclear', { file: '/etc/passwd', line: 3 }) });
    expect(run.verdict.proof!.judge!.findings).toMatchObject([{ file: '', line: 0 }]);
  });

  it('is not asked about a result that fails its criterion, and cannot raise it', async () => {
    const run = await runJudged({ answer: finding('met'), body: '0' });
    expect(run).toMatchObject({ exitCode: 1, asked: 0, isUntouched: true, verdict: { verified: false } });
  });

  it('is refused with an unknown provider before anything runs', async () => {
    const root = repositoryWith(GREEN);
    const run = await ralph(root, [
      'run',
      TASK,
      '--accept',
      ACCEPT,
      '--command',
      'true',
      '--judge',
      'nobody/x',
    ]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('nobody');
  });
});
