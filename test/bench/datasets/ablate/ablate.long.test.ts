import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { AblateReport } from '../../../../bench/datasets/ablate/report.ts';
import { ralph } from '../../../support/ralph.ts';
import { temporaryFolder, writeFiles } from '../../../support/repositories.ts';
import { recordOf } from '../humanevalfix/sample.ts';

it('runs each arm on each problem, says the cost first, and goes on after an interruption', async () => {
  const folder = temporaryFolder();
  writeFiles(folder, { 'problems.jsonl': `${JSON.stringify(recordOf())}\n` });
  const args = ['bench', 'ablate', 'problems.jsonl', '--axes', 'memory', '--results', 'results.jsonl'];
  const flags = [
    '--html',
    'page.html',
    '--format',
    'json',
    '--',
    '--actor',
    'search',
    '--max-iterations',
    '2',
  ];
  const first = await ralph(folder, [...args, ...flags]);
  expect(first.stderr).toMatch(/^2 runs; no arm asks a model, so they cost nothing\./);
  const report = JSON.parse(first.stdout) as AblateReport;
  expect(report).toMatchObject({
    complete: true,
    arms: [
      { name: 'memory on', right: 1 },
      { name: 'memory off', right: 1 },
    ],
  });
  expect(readFileSync(join(folder, 'page.html'), 'utf8')).toContain('memory off');
  const second = await ralph(folder, [...args, ...flags]);
  expect((JSON.parse(second.stdout) as AblateReport).results).toEqual(report.results);
  const unlimited = await ralph(folder, ['bench', 'ablate', 'problems.jsonl', '--', '--actor', 'react']);
  expect(unlimited.stderr).toMatch(/may ask a model without a limit of cost/);
  expect(unlimited.exitCode).toBe(2);
}, 240_000);
