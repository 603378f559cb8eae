import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BROKEN, FILES, gateIn, SOURCE, type Gate } from '../support/gate.ts';

async function started(): Promise<Gate> {
  const gate = gateIn();
  await gate.run(['start', '--hook', 'claude'], { session_id: 's1', cwd: gate.root });
  return gate;
}

/** Ways to take a file or a folder away. */
const WAYS: readonly [how: string, path: string, put: (at: string) => void][] = [
  ['a link out of the repository', '.aiwg', (at) => symlinkSync('/dev/null', at)],
  ['a broken link', '.aiwg/ralph', (at) => symlinkSync('/nonexistent/folder', at)],
  ['a file', '.aiwg/ralph', (at) => writeFileSync(at, 'x')],
  ['a file', '.aiwg/ralph/reflections', (at) => writeFileSync(at, 'x')],
  ['a folder', '.aiwg/ralph/lock.sqlite', (at) => mkdirSync(at)],
  ['a folder', '.aiwg/ralph/lock.sqlite.holder.json', (at) => mkdirSync(at)],
  ['a broken template', '.aiwg/ralph/prompts/gate-block.hbs', (at) => writeFileSync(at, '{{#if x')],
];

describe('ralph gate, where an agent changes the folder of ralph', () => {
  it('holds it whatever it puts there, and says so', async () => {
    const { root, stop, write } = await started();
    for (const [at, [how, path, put]] of WAYS.entries()) {
      write('src/sums.js', `${BROKEN}// ${at}\n`);
      const place = join(root, path);
      mkdirSync(dirname(place), { recursive: true });
      rmSync(place, { recursive: true, force: true });
      put(place);
      expect(await stop(), `${how} in the place of ${path}`).toMatchObject({ decision: 'block' });
      rmSync(join(root, '.aiwg'), { recursive: true, force: true });
    }
    write('src/sums.js', SOURCE);
    expect(await stop()).toEqual({});
  });

  it('knows the files of the start without it, also those that were not committed then', async () => {
    const gate = gateIn();
    const { root, write, stop, run } = gate;
    const test = FILES['test/sums.test.js'] as string;
    const path = 'test/more.test.js';
    write(path, test);
    write('src/new.js', 'export {};\n');
    rmSync(join(root, '.gitignore'));
    await run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
    rmSync(join(root, '.aiwg'), { recursive: true });
    write(path, test.replace('twice(2), 4', 'twice(2), twice(2)'));
    expect(await stop()).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(/test\/more\.test\.js was edited/),
    });
    rmSync(join(root, '.aiwg'), { recursive: true });
    write(path, test);
    write('src/new.js', 'export const more = 1;\n');
    const answer = await stop();
    expect(answer.decision).toBeUndefined();
    expect(answer.systemMessage).not.toMatch(/stored files of the start/);
  });
});
