import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { execa, execaSync } from 'execa';
import { ExitCode } from '../../../src/errors.ts';
import {
  gitFingerprint,
  makeTestRepository,
  ralph,
  stateFiles,
  temporaryFolder,
  treeFingerprint,
  type TestRepository,
} from '../durability/test-repository.ts';
import type { Trial } from '../row.ts';
import type { FuzzCase, StoredDamage } from './draw-case.ts';

const PROGRAM = join(import.meta.dirname, '../../../bin/ralph.js');
const HANG_MS = 120_000;
const CODES: ReadonlySet<number> = new Set(Object.values(ExitCode));
/** A line of a stack trace, in any of the program's outputs. */
const STACK = /^\s+at .+(:\d+:\d+\)?|\(native\)|<anonymous>\))$/m;
const FAULT = /fault in ralph itself|UnhandledPromise|FATAL ERROR|Segmentation fault/;

/** A repository with a loop of two failed attempts, from which each case starts. */
export async function makeTemplate(): Promise<TestRepository> {
  const repository = makeTestRepository({
    'package.json': '{ "name": "shop", "version": "1.0.0" }\n',
    'src/price.txt': 'wrong\n',
    'ralph.config.json': '{ "checks": { "tests": "grep -q right src/price.txt" } }\n',
  });
  const actor = 'echo "wrong $RALPH_ITERATION" > src/price.txt';
  const args = ['run', 'set the price', '--command', actor, '--max-iterations', '2', '--sandbox', 'off'];
  const { exitCode, stderr } = await ralph(repository, args);
  if (exitCode !== 1) throw new Error(`The loop of the template ended with ${exitCode}: ${stderr}`);
  return repository;
}

/** Runs one case in a copy of the template. */
export async function tryFuzzCase(it: FuzzCase, template: TestRepository): Promise<Trial> {
  const base = temporaryFolder();
  const [root, scratch] = [join(base, 'repository'), join(base, 'aside')];
  try {
    cpSync(template.root, root, { recursive: true, preserveTimestamps: true });
    mkdirSync(scratch);
    if (it.files !== undefined) rmSync(join(root, 'ralph.config.json'));
    for (const [path, text] of Object.entries(it.files ?? {})) writeFileSync(join(root, path), text);
    for (const one of it.damage ?? []) damageFile(root, one);
    const env = { TMPDIR: scratch, XDG_STATE_HOME: join(base, 'state'), CI: undefined };
    if (it.isTrusted === true) await call(root, ['trust'], { env });
    const before = stateOf(root);
    const ended = await call(root, it.args, { env, input: it.input });
    return { name: it.name, problems: [...problemsOf(ended), ...differences(before, stateOf(root))] };
  } finally {
    execaSync('chmod', ['-R', 'u+rwX', base], { reject: false });
    rmSync(base, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface Call {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string | undefined;
}

function call(cwd: string, args: readonly string[], { env, input = '' }: Call) {
  return execa(process.execPath, [PROGRAM, ...args], {
    ...{ cwd, env, input, reject: false, timeout: HANG_MS, killSignal: 'SIGKILL' },
    ...{ stripFinalNewline: false, maxBuffer: 20_000_000 },
  });
}

type Ended = Awaited<ReturnType<typeof call>>;

function problemsOf(ended: Ended): string[] {
  const text = `${ended.stdout}\n${ended.stderr}`;
  const shown = text.slice(-600);
  return [
    ...(ended.timedOut ? [`it hangs: ${shown}`] : []),
    ...(ended.timedOut || (ended.exitCode !== undefined && CODES.has(ended.exitCode))
      ? []
      : [`exit code ${ended.exitCode ?? ended.signal ?? ended.originalMessage}: ${shown}`]),
    ...(STACK.test(text) ? [`a stack trace: ${shown}`] : []),
    ...(FAULT.test(text) ? [`a fault: ${shown}`] : []),
  ];
}

interface UserState {
  readonly tree: string;
  readonly git: string;
  /** Of the index: where it lies on the disk, and when it was written. */
  readonly index: string;
}

function stateOf(root: string): UserState {
  const { ino, mtimeMs } = statSync(join(root, '.git/index'));
  return { tree: treeFingerprint(root), git: gitFingerprint(root), index: `${ino} ${mtimeMs}` };
}

function differences(before: UserState, after: UserState): string[] {
  const names = ['tree', 'git', 'index'] as const;
  return names.flatMap((name) => (before[name] === after[name] ? [] : [`the user's ${name} changed`]));
}

function damageFile(root: string, { at, share, how }: StoredDamage): void {
  const files = stateFiles(root).filter((path) => !path.includes('sqlite') || how.type !== 'insert');
  const chosen = files[Math.floor(at * files.length)];
  if (chosen === undefined) return;
  const path = join(root, chosen);
  const text = readFileSync(path);
  const place = Math.floor(share * text.length);
  if (how.type === 'cut') return truncateSync(path, place);
  if (how.type === 'closed') return chmodSync(path, 0);
  rmSync(path);
  if (how.type === 'folder') mkdirSync(path);
  else if (how.type === 'endless') symlinkSync('/dev/zero', path);
  else if (how.type === 'fifo') execaSync('mkfifo', [path]);
  else if (how.type === 'empty') writeFileSync(path, '');
  else if (how.type === 'replace') writeFileSync(path, how.text);
  else if (how.type === 'insert')
    writeFileSync(
      path,
      Buffer.concat([text.subarray(0, place), Buffer.from(how.text), text.subarray(place)]),
    );
}
