import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appliedInVain, applyEdit } from '../../../src/repair/strategy/apply-edit.ts';
import { AttemptLog } from '../../../src/repair/strategy/attempt-log.ts';
import { applyEdits } from '../../../src/repair/syntax/edit.ts';
import { patched } from '../../../bench/datasets/alternatives.ts';
import { contextFor, createRepo, reflectionOf, replacing } from '../../support/repair-repo.ts';

const SOURCE = 'export function f(a) {\n  if (a < 0) return 0;\n  return a - 1;\n}\n';

async function applied(source = SOURCE) {
  const root = createRepo({ 'src/subject.js': source });
  const [candidate, ...alternatives] = replacing(root, 'a - 1', 'a + 1', 'a', 'a\n    * 2');
  const log = new AttemptLog();
  log.alternatives = alternatives;
  const verdict = { candidate: candidate!, fixed: ['t'], broken: [], spoiledChecks: [], command: 'test' };
  const described = await applyEdit(await contextFor(root, { checks: [] }), verdict, log);
  const trajectory = log.end('edited', '', { tried: 1, edits: [] });
  return { alternatives, described, trajectory, text: readFileSync(join(root, 'src/subject.js'), 'utf8') };
}

describe('applyEdit', () => {
  it('writes the edit and logs its diff', async () => {
    const { text, trajectory } = await applied();
    expect(text).toBe(SOURCE.replace('a - 1', 'a + 1'));
    expect(trajectory.actions).toMatchObject([
      {
        type: 'code_modification',
        description: 'Accepted edit: src/subject.js: a - 1 → a + 1',
        changes: {
          additions: 1,
          deletions: 1,
          diff: expect.stringContaining('\n-  return a - 1;\n+  return a + 1;\n'),
        },
      },
    ]);
  });

  it.each([
    ['a text that ends its last line', SOURCE],
    ['a text that does not', SOURCE.trimEnd()],
  ])('describes the alternatives as patches of the text before the edit: %s', async (_, source) => {
    const { alternatives, described } = await applied(source);
    expect(described).toHaveLength(2);
    for (const [index, { patch }] of described.entries()) {
      expect(patched(source, patch)).toBe(applyEdits(source, alternatives[index]!.edits));
    }
  });
});

describe('appliedInVain', () => {
  it('returns the accepted edits of attempts without improvement', async () => {
    const { trajectory } = await applied();
    expect(appliedInVain([reflectionOf(trajectory, true)])).toEqual([]);
    expect(appliedInVain([reflectionOf(trajectory, false)])).toEqual(['src/subject.js: a - 1 → a + 1']);
  });
});
