import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSearchActor } from '../../src/repair/index.ts';
import { planFor } from '../support/checks.ts';
import { linkModules } from '../support/repositories.ts';
import { contextFor, createRepo } from '../support/repair-repo.ts';

const SOURCE = `exports.clamp = (value, low, high) => {
  if (value < low) return low;
  if (value < high) return high;
  return value;
};
exports.later = async (value) => {
  await null;
  return exports.clamp(value, 0, 5);
};
`;
const REPAIRED = SOURCE.replace('value < high', 'value > high');

/** By the style of a test: the sentence that it stands for, and its program. */
const STYLES: readonly (readonly [name: string, program: string, text: string])[] = [
  [
    'tape: end',
    'tape',
    `test('below', (t) => { t.equal(clamp(-1, 0, 5), 0); t.end(); });
test('inner', (t) => {
  t.test('above', (t) => { t.deepEqual([clamp(9, 0, 5)], [5]); t.end(); });
  t.test('within', (t) => { t.is(clamp(3, 0, 5), 3); t.end(); });
  t.end();
});`,
  ],
  [
    'tape: plan and promises',
    'tape',
    `test('below', (t) => { t.plan(1); setTimeout(() => t.equal(clamp(-1, 0, 5), 0), 1); });
test('above', async (t) => { t.equal(await later(9), 5); });
test('within', async (t) => { t.ok((await later(3)) === 3); });`,
  ],
  [
    'tape: an error outside of assertions',
    'tape',
    `test('list', (t) => { t.equal([1, 2, 3][clamp(1, 0, 2)].toFixed(1), '2.0'); t.end(); });
test('above', (t) => { t.equal(['a', 'b', 'c'][clamp(9, 0, 2)].length, 1); t.end(); });
test('below', (t) => { t.equal(clamp(-4, 0, 2), 0); t.end(); });`,
  ],
  [
    'uvu: suites',
    'uvu',
    `const Clamp = suite('clamp');
Clamp('below', () => assert.is(clamp(-1, 0, 5), 0));
Clamp('above', () => assert.is(clamp(9, 0, 5), 5));
Clamp('within', () => assert.is(clamp(3, 0, 5), 3));
Clamp.run();`,
  ],
];

const HEADS: Readonly<Record<string, string>> = {
  tape: `const test = require('tape');\nconst { clamp, later } = require('../src/clamp.js');\n`,
  uvu: `import { suite } from 'uvu';\nimport * as assert from 'uvu/assert';\nimport { clamp } from '../src/clamp.js';\n`,
};

test.each(STYLES)(
  'repairs what a program without a reporter tests (%s)',
  { timeout: 120_000 },
  async (...row) => {
    const [, program, text] = row;
    const isModule = program === 'uvu';
    const file = `test/clamp.test.${isModule ? 'm' : ''}js`;
    const root = createRepo({
      'src/clamp.js': SOURCE,
      [file]: HEADS[program]! + text,
      'package.json': JSON.stringify({ private: true, type: 'commonjs' }),
    });
    linkModules(root, ['tape', 'uvu']);
    const command = planFor('command', {
      name: 'tests',
      kind: 'tests',
      args: [`node ${file}`],
      fileLine: 'node {file}',
    });
    const trajectory = await createSearchActor().attempt(await contextFor(root, { checks: [command] }));
    expect(trajectory.outcome).toBe('edited');
    expect(readFileSync(join(root, 'src/clamp.js'), 'utf8')).toBe(REPAIRED);
  },
);
