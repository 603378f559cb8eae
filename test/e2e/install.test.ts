import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { execaSync, type SyncResult } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { NODE_TEST_FILES, repositoryWith, temporaryFolder } from '../support/repositories.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MEBIBYTE = 2 ** 20;

/** Absolute paths of all files in a folder, at any depth. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** An unsupported older Node on PATH; undefined if there is none. */
function olderNode(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  return folders
    .map((folder) => join(folder, 'node'))
    .find((path) => existsSync(path) && /^v(1\d|20)\./.test(execaSync(path, ['--version']).stdout));
}

describe('the packed package, installed into an empty folder', () => {
  const folder = temporaryFolder();
  const program = join(folder, 'node_modules', 'ralph-reflexion', 'bin', 'ralph.js');

  beforeAll(() => {
    const run = (args: string[], cwd: string): string => execaSync('npm', args, { cwd }).stdout;
    const [packed] = JSON.parse(
      run(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT),
    ) as [{ filename: string }];
    run(['init', '--yes'], folder);
    run(['install', '--no-audit', '--no-fund', join(folder, packed.filename)], folder);
    rmSync(join(folder, packed.filename));
  });

  it('is fewer than 40 packages and 25 MiB, without an install script', () => {
    const modules = join(folder, 'node_modules');
    const files = filesBelow(modules);
    const manifests = files.filter((path) => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path));
    const scripts = manifests.flatMap((path) =>
      Object.keys((JSON.parse(readFileSync(path, 'utf8')) as { scripts?: object }).scripts ?? {}),
    );
    expect(manifests.length).toBeLessThan(40);
    expect(files.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(25 * MEBIBYTE);
    expect(scripts.filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([]);
  });

  it('repairs a repository', () => {
    const root = repositoryWith(NODE_TEST_FILES);
    const finished = execaSync(process.execPath, [program, 'run', '--sandbox', 'off', '--format', 'json'], {
      cwd: root,
    });
    expect(JSON.parse(finished.stdout)).toMatchObject({ status: 'passed', verified: true });
  });

  it('exports its functions with their types', () => {
    const asked =
      "import { ExitCode, validate } from 'ralph-reflexion'; console.log(ExitCode.verified, typeof validate);";
    const finished = execaSync(process.execPath, ['--input-type=module', '--eval', asked], { cwd: folder });
    expect(finished.stdout).toBe('0 function');
    const types = readFileSync(join(dirname(program), '..', 'dist', 'index.d.ts'), 'utf8');
    expect(types).toContain('openLoop');
    expect(types).not.toMatch(/from ['"][^.]/);
  });

  it.skipIf(olderNode() === undefined)(
    'starts the Node of the node package where the caller has an older one',
    () => {
      const modules = join(folder, 'node_modules');
      mkdirSync(join(modules, '.bin'), { recursive: true });
      cpSync(join(ROOT, 'node_modules', 'node'), join(modules, 'node'), { recursive: true });
      symlinkSync('../node/bin/node', join(modules, '.bin', 'node'));
      const run = (): SyncResult =>
        execaSync(olderNode()!, [program, 'evaluate', '--nope'], { cwd: folder, reject: false });
      expect(run()).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining("unknown option '--nope'"),
      });
      rmSync(join(modules, '.bin', 'node'));
      expect(run()).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('ralph needs Node.js 22.18 or newer'),
      });
    },
  );
});
