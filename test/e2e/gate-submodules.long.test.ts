import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FILES, gateIn, type Gate } from '../support/gate.ts';
import { commitAll, git, repositoryWith } from '../support/repositories.ts';

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { three } from './three.js';
test('three', () => assert.equal(three(), 3));
`;
const FILE_PROTOCOL = ['-c', 'protocol.file.allow=always'];

/** A repository with a submodule at `lib`, which has a source and its test. */
function withSubmodule(): Gate {
  const library = repositoryWith({ 'three.js': 'export const three = () => 3;\n', 'three.test.js': TEST });
  const gate = gateIn(FILES);
  git(gate.root, ...FILE_PROTOCOL, 'submodule', '--quiet', 'add', library, 'lib');
  commitAll(gate.root, 'submodule');
  return gate;
}

function start({ run, root }: Gate): Promise<unknown> {
  return run(['start', '--hook', 'claude'], { session_id: 's1', cwd: root });
}

const BROKEN = 'export const three = () => 4;\n';
const EDITED = { decision: 'block', reason: expect.stringMatching(/lib\/three\.test\.js was edited/) };

describe('ralph gate in a repository with a submodule', () => {
  it('holds an agent that breaks its source or edits its test, committed there or not', async () => {
    const gate = withSubmodule();
    await start(gate);
    gate.write('lib/three.js', BROKEN);
    expect(await gate.stop()).toMatchObject({ decision: 'block', reason: expect.stringMatching(/"three"/) });
    gate.write('lib/three.test.js', TEST.replace('3));', '4));'));
    expect(await gate.stop()).toMatchObject(EDITED);
    commitAll(join(gate.root, 'lib'), 'edited');
    expect(await gate.stop()).toMatchObject(EDITED);
    git(join(gate.root, 'lib'), 'checkout', '--quiet', 'HEAD~1');
    gate.write('lib/three.js', 'export const three = () => 1 + 2;\n');
    expect(await gate.stop()).toEqual({ systemMessage: expect.stringMatching(/^ralph gate: .*Red since/) });
  });

  it('knows its files of the start, also if it was not fetched then, and those of each commit', async () => {
    const { root, run } = withSubmodule();
    const gate = gateIn({});
    git(gate.root, 'fetch', '--quiet', '--no-recurse-submodules', root);
    git(gate.root, 'reset', '--quiet', '--hard', 'FETCH_HEAD');
    await start(gate);
    git(gate.root, ...FILE_PROTOCOL, 'submodule', '--quiet', 'update', '--init');
    expect(await gate.stop()).toEqual({});
    gate.write('lib/three.test.js', TEST.replace('3));', '3, 3));'));
    expect(await gate.stop()).toMatchObject(EDITED);

    git(join(root, 'lib'), 'commit', '--quiet', '--allow-empty', '--message', 'empty');
    git(root, 'add', '--all');
    expect(await run(['check', '--hook', 'git'])).toMatchObject({ exitCode: 0 });
    git(join(root, 'lib'), 'rm', '--quiet', 'three.test.js');
    git(join(root, 'lib'), 'commit', '--quiet', '--message', 'removed');
    git(root, 'add', '--all');
    expect(await run(['check', '--hook', 'git'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/three\.test\.js was deleted/),
    });
  });
});
