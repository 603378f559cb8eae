import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { readTextFile, writeTextFile } from '../../../src/agents/acp/files.ts';
import { createScope } from '../../../src/agents/acp/workspace-scope.ts';
import { reported, runAgent, workspace, type AgentRun } from '../../support/acp/attempt.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const SECRET = 'the secret of the user\n';

/** A workspace with links to places outside, and one to the packages of the user's repository. */
function linkedWorkspace(): string {
  const root = workspace();
  writeFiles(root, {
    'lines.txt': 'one\r\ntwo\nthree\nfour',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '../outside/secret.txt': SECRET,
    '../user/node_modules/dep/index.d.ts': 'export {};\n',
  });
  mkdirSync(join(root, 'node_modules'));
  symlinkSync('../outside', join(root, 'link'));
  symlinkSync('../outside/secret.txt', join(root, 'file-link'));
  symlinkSync('../outside/new.txt', join(root, 'dangling'));
  symlinkSync('../../user/node_modules/dep', join(root, 'node_modules/dep'));
  return root;
}

describe('files of an agent', () => {
  let run: AgentRun;
  beforeAll(async () => {
    run = await runAgent('agent', 'read-around', { root: linkedWorkspace() });
  });
  const refusal = (reason: string): object => ({
    code: -32602,
    error: expect.stringContaining(reason) as string,
  });

  it('exist outside: the agent can read the secret by itself', () => {
    expect(run.report).toContainEqual({ direct: SECRET });
    expect(run.trajectory.outcome).toBe('claimed_done');
  });

  it.each(['link', 'file link', 'write link', 'write file link'])(
    'are refused through a %s to a place outside',
    (name) => {
      expect(reported(run, name)).toMatchObject(refusal('a link to a place outside the workspace'));
    },
  );

  it.each([
    ['parent', 'outside the workspace'],
    ['absolute', 'outside the workspace'],
    ['git', 'closed to agents'],
    ['write git', 'closed to agents'],
    ['write dangling', 'a broken link'],
    ['folder', 'not a regular file'],
    ['write package', 'a link to a place outside the workspace'],
  ])('are refused: %s', (name, reason) => {
    expect(reported(run, name)).toMatchObject(refusal(reason));
  });

  it('are unchanged outside and written inside', () => {
    expect(readFileSync(join(run.root, '../outside/secret.txt'), 'utf8')).toBe(SECRET);
    expect(() => readFileSync(join(run.root, '../outside/new.txt'))).toThrow('ENOENT');
    expect(readFileSync(join(run.root, '.git/HEAD'), 'utf8')).toContain('main');
    expect(readFileSync(join(run.root, 'src/inside.txt'), 'utf8')).toBe('overwritten');
  });

  it('that are missing are reported with the code of the protocol', () => {
    expect(reported(run, 'missing')).toMatchObject({ code: -32002 });
  });

  it('are read from a line, with a limit', () => {
    expect(reported(run, 'lines')).toEqual({ content: 'two\nthree\n' });
    expect(reported(run, 'from line')).toEqual({ content: 'four' });
  });
});

describe('linked packages', () => {
  it('can be read if they are installed in the repository', async () => {
    const root = linkedWorkspace();
    const request = { sessionId: 's', path: join(root, 'node_modules/dep/index.d.ts') };
    const own = createScope({ root, cwd: root, repository: join(root, '../user') });
    const foreign = createScope({ root, cwd: root, repository: join(root, '../outside') });
    expect(await readTextFile(own, request)).toBe('export {};\n');
    await expect(readTextFile(foreign, request)).rejects.toThrow('outside the workspace');
    await expect(writeTextFile(own, { ...request, content: '' })).rejects.toThrow('outside the workspace');
  });
});

describe('special files', () => {
  it('are refused: a pipe without a writer, a large file, an invalid path', async () => {
    const root = temporaryFolder();
    execaSync('mkfifo', [join(root, 'pipe')]);
    execaSync('truncate', ['--size=100M', join(root, 'large')]);
    const scope = createScope({ root, cwd: root, repository: root });
    await expect(readTextFile(scope, { sessionId: 's', path: join(root, 'pipe') })).rejects.toThrow(
      'regular',
    );
    await expect(readTextFile(scope, { sessionId: 's', path: join(root, 'large') })).rejects.toThrow('bytes');
    await expect(readTextFile(scope, { sessionId: 's', path: `${root}/a\0b` })).rejects.toThrow('not a path');
  });
});
