import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execaSync } from 'execa';
import { onTestFinished } from 'vitest';
import { openRepository, type Repository } from '../../src/workspace/repository.ts';
import { openSnapshots, type Snapshots } from '../../src/workspace/snapshots/snapshots.ts';
import { createWorktreeWorkspace, type LinkedWorkspace } from '../../src/workspace/worktree.ts';

export const LOOP = 'ralph-test-20260101-abc123';

/** Path → content; a `Link` is a symbolic link, a `Program` has the executable bit. */
export type Files = Readonly<Record<string, string | Buffer | Link | Program>>;
export interface Link {
  readonly to: string;
}
export interface Program {
  readonly program: string;
}

/** A folder that is removed with the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-workspace-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A repository with these files in one commit. */
export function temporaryRepository(files: Files): string {
  const root = join(temporaryFolder(), 'project');
  mkdirSync(root);
  git(root, 'init', '--quiet', '--initial-branch=main');
  git(root, 'config', 'user.name', 'Somebody');
  git(root, 'config', 'user.email', 'somebody@example.org');
  write(root, files);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message', 'start');
  return root;
}

export function git(root: string, ...args: readonly string[]): string {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1' };
  return execaSync('git', [...args], { cwd: root, env, stripFinalNewline: false }).stdout;
}

export function write(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const at = join(root, path);
    makeWay(root, dirname(path));
    rmSync(at, { recursive: true, force: true });
    if (typeof content === 'string' || Buffer.isBuffer(content)) writeFileSync(at, content);
    else if ('to' in content) symlinkSync(content.to, at);
    else writeProgram(at, content.program);
  }
}

function writeProgram(at: string, text: string): void {
  writeFileSync(at, text);
  chmodSync(at, 0o755);
}

/** Files in the way of a folder are removed. */
function makeWay(root: string, folder: string): void {
  const at = join(root, folder);
  if (folder === '.') return;
  makeWay(root, dirname(folder));
  if (lstatSync(at, { throwIfNoEntry: false })?.isDirectory()) return;
  rmSync(at, { force: true });
  mkdirSync(at);
}

export function read(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Path → kind, mode and hash of everything below a folder, `.git` included, ralph's state not. */
export function fingerprint(root: string, ignore: readonly string[] = ['.aiwg']): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (folder: Buffer): void => {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      const at = Buffer.concat([folder, Buffer.from('/'), name]);
      const path = at.subarray(Buffer.byteLength(root) + 1).toString('latin1');
      if (ignore.includes(path)) continue;
      const stat = lstatSync(at);
      const mode = (stat.mode & 0o777).toString(8);
      if (stat.isDirectory()) walk(at);
      else if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(at)}`;
      else found[path] = `${mode} ${createHash('sha1').update(readFileSync(at)).digest('hex')}`;
    }
  };
  walk(Buffer.from(root));
  return found;
}

export interface Opened {
  readonly root: string;
  readonly repository: Repository;
  readonly snapshots: Snapshots;
  readonly workspace: LinkedWorkspace;
  readonly workspaceDir: string;
}

/** A workspace over a repository, kept in a folder of the test's own. */
export async function openWorkspace(
  root: string,
  { carry = ['.env*'], workspaceDir = temporaryFolder() } = {},
): Promise<Opened> {
  const repository = await openRepository(root);
  const snapshots = await openSnapshots(repository, LOOP);
  const workspace = await createWorktreeWorkspace({ repository, snapshots, carry, workspaceDir });
  return { root, repository, snapshots, workspace, workspaceDir };
}
