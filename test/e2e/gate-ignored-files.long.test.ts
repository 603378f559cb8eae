import { describe, expect, it } from 'vitest';
import { FILES, FIXED, gateIn } from '../support/gate.ts';

const READS = (file: string): string => `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { twice } from '../src/sums.js';
test('reads', () => assert.equal(String(twice(1)), readFileSync('${file}', 'utf8')));
`;

describe('ralph gate, where an ignored file is written before the first check', () => {
  it.each(['made/number', '.env'])('does not call red since the start what %s turned red', async (file) => {
    const { root, run, stop, write } = gateIn({
      ...FILES,
      '.gitignore': 'made/\n.env\n',
      'src/sums.js': FIXED,
      'test/reads.test.js': READS(file),
    });
    write(file, '2');
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    write(file, '3');
    write('src/extra.js', 'export const extra = 1;\n');
    const { systemMessage } = await stop();
    expect(systemMessage).toMatch(/Red now, and perhaps green at the start: tests \(1 of 4/);
    expect(systemMessage).toContain(`${file} was written since the start, and git ignores it`);
    // Without the session of before, whose start was judged with another content.
    await run(['start', '--again']);
    await run(['start', '--hook', 'claude'], { session_id: 's2', cwd: root });
    write('src/extra.js', 'export const extra = 2;\n');
    expect((await stop({ session_id: 's2' })).systemMessage).toMatch(/Red since the start: tests \(1 of 4/);
  });
});
