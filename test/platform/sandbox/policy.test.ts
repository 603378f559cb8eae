import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mountArguments } from '../../../src/platform/sandbox/mounts.ts';
import { workspacePolicy } from '../../../src/platform/sandbox/policy.ts';
import type { SandboxPolicy } from '../../../src/platform/sandbox/sandbox.ts';
import { temporaryFolder, writeFiles } from '../../support/repositories.ts';

const CLOSED = { network: false, passEnv: [], read: [], write: [] };

/** The option with which bubblewrap mounts a path; undefined if it has no mount of its own. */
function mountOf(policy: SandboxPolicy, path: string): string | undefined {
  const words = mountArguments(policy);
  const at = words.lastIndexOf(path);
  if (at < 0) return undefined;
  return words.slice(0, at).findLast((word) => word.startsWith('--'));
}

function repository(): string {
  const root = temporaryFolder();
  writeFiles(root, {
    'src/a.js': '',
    'node_modules/dep/index.js': '',
    '.aiwg/ralph/lock': '',
    '.git/config': '',
  });
  return root;
}

describe('a workspace that is a copy', () => {
  it('is writable; of the repository only the dependencies are visible, read-only', () => {
    const [root, repo] = [temporaryFolder(), repository()];
    const dependencies = [join(repo, 'node_modules', 'dep')];
    const policy = workspacePolicy({ root, repository: repo, dependencies }, CLOSED);
    expect(mountOf(policy, root)).toBe('--bind');
    expect(mountOf(policy, repo)).toBe('--tmpfs');
    expect(mountOf(policy, join(repo, 'node_modules'))).toBe('--ro-bind-try');
    expect(policy.write).toEqual([root]);
  });

  it('shows the objects of the history read-only, and no other file of git', () => {
    const [root, repo] = [temporaryFolder(), repository()];
    const objects = [join(repo, '.git', 'objects')];
    mkdirSync(objects[0]!);
    const policy = workspacePolicy({ root, repository: repo, dependencies: [], objects }, CLOSED);
    expect(mountOf(policy, objects[0]!)).toBe('--ro-bind-try');
    expect(mountOf(policy, join(repo, '.git'))).toBeUndefined();
    expect(mountOf(policy, repo)).toBe('--tmpfs');
  });

  it('is writable even in packages that dependencies link to', () => {
    const [root, repo] = [temporaryFolder(), repository()];
    mkdirSync(join(root, 'packages', 'a'), { recursive: true });
    const dependencies = [join(root, 'packages', 'a')];
    const policy = workspacePolicy({ root, repository: repo, dependencies }, CLOSED);
    expect(mountOf(policy, join(root, 'packages', 'a'))).toBeUndefined();
  });

  it('sees a linked dependency that lies in a hidden folder', () => {
    const [root, repo, other, none] = [temporaryFolder(), repository(), temporaryFolder(), temporaryFolder()];
    writeFileSync(join(other, 'package.json'), '{}');
    const policy = workspacePolicy({ root, repository: repo, dependencies: [other, none] }, CLOSED);
    expect(mountOf(policy, other)).toBe('--ro-bind-try');
    expect(mountOf(policy, none)).toBeUndefined();
  });

  it('cannot reach the socket of a service in an opened part of a hidden folder', async () => {
    const [root, repo] = [temporaryFolder(), repository()];
    const dependencies = [join(repo, 'node_modules', 'dep')];
    const service = createServer().listen(join(repo, 'node_modules', 'dep', 'socket'));
    await once(service, 'listening');
    const policy = workspacePolicy({ root, repository: repo, dependencies }, CLOSED);
    service.close();
    expect(policy.blank).toContain(join(repo, 'node_modules', 'dep', 'socket'));
  });

  it('hides home folders and temporary folders', () => {
    const [root, repo] = [temporaryFolder(), repository()];
    const policy = workspacePolicy({ root, repository: repo, dependencies: [] }, CLOSED);
    expect(mountOf(policy, '/tmp')).toBe('--tmpfs');
    expect(policy.hide).not.toContain('/');
  });

  it('shows paths that the user opens, by name and by real path', () => {
    const [root, repo, opened] = [temporaryFolder(), repository(), temporaryFolder()];
    const link = join(temporaryFolder(), 'link');
    symlinkSync(opened, link);
    const policy = workspacePolicy({ root, repository: repo, dependencies: [] }, { ...CLOSED, read: [link] });
    expect(policy.read).toEqual(
      expect.arrayContaining([
        { from: opened, at: link },
        { from: opened, at: opened },
      ]),
    );
  });
});

describe("the user's own tree as the workspace", () => {
  it('is writable, except for git, ralph and the dependencies', () => {
    const root = repository();
    const dependencies = [join(root, 'node_modules')];
    const policy = workspacePolicy({ root, repository: root, dependencies }, CLOSED);
    expect(mountOf(policy, root)).toBe('--bind');
    expect(mountOf(policy, join(root, '.git'))).toBe('--ro-bind-try');
    expect(mountOf(policy, join(root, '.aiwg'))).toBe('--ro-bind-try');
    expect(mountOf(policy, join(root, '.aiwg/ralph'))).toBe('--tmpfs');
    expect(mountOf(policy, join(root, 'node_modules'))).toBe('--ro-bind-try');
    expect(mountOf(policy, join(root, 'node_modules', '.vite-temp'))).toBe('--bind');
  });

  it('is writable in packages of the workspace that dependencies link to', () => {
    const root = repository();
    mkdirSync(join(root, 'packages', 'a'), { recursive: true });
    const dependencies = [join(root, 'node_modules'), join(root, 'packages', 'a')];
    const policy = workspacePolicy({ root, repository: root, dependencies }, CLOSED);
    expect(mountOf(policy, join(root, 'packages', 'a'))).toBeUndefined();
    expect(mountOf(policy, join(root, 'node_modules'))).toBe('--ro-bind-try');
  });

  it('keeps the folders above nested dependencies from being renamed', () => {
    const root = repository();
    writeFiles(root, { 'packages/a/node_modules/dep/index.js': '' });
    const dependencies = [join(root, 'packages/a/node_modules')];
    const policy = workspacePolicy({ root, repository: root, dependencies }, CLOSED);
    expect(policy.write).toEqual(expect.arrayContaining([join(root, 'packages'), join(root, 'packages/a')]));
  });
});
