import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { makeTestbed, type Testbed } from './testbed.ts';
import { differences, takeInventory, withContent, withoutTime, type Inventory } from './inventory.ts';
import type { Trial } from '../row.ts';
import {
  HONEST_FIX,
  REPAIRED,
  Unsupported,
  type Kind,
  type Preparation,
  type Refused,
  type Repaired,
} from './kind.ts';

const RALPH = join(import.meta.dirname, '../../../bin/ralph.js');
const TIMEOUT_MS = 240_000;

export interface TryOptions {
  /** Program and first arguments to run instead of `ralph`; for tests of the trial itself. */
  readonly program?: readonly string[];
  /** Judge the usual repair by its text. Default: by the tests of the repository, with all proofs. */
  readonly isQuick?: boolean;
}

/** Replaces the tests of `ADDER`. */
const QUICK_CHECK = ['--check', 'tests=grep -q "a + b" src/add.js'];

/** Makes one kind of repository, runs `ralph run` in it, and compares the outcome with the expected one. */
export async function tryKind(kind: Kind, { program, isQuick = false }: TryOptions = {}): Promise<Trial> {
  const { name } = kind;
  const testbed = makeTestbed();
  let prepared: Preparation | undefined;
  try {
    const made = await kind.make(testbed);
    prepared = isQuick ? withQuickCheck(made) : made;
    return { name, problems: await problemsOf(testbed, prepared, program ?? [process.execPath, RALPH]) };
  } catch (error) {
    if (error instanceof Unsupported) return { name, problems: [], unsupported: error.message };
    return { name, problems: [`the trial failed: ${String(error)}`] };
  } finally {
    prepared?.cleanUp?.();
    testbed.remove();
  }
}

function withQuickCheck(prepared: Preparation): Preparation {
  const { actor = HONEST_FIX, args, expected } = prepared;
  const isUsual = args === undefined && expected === REPAIRED;
  return isUsual ? { ...prepared, args: ['--command', actor, ...QUICK_CHECK] } : prepared;
}

async function problemsOf(
  testbed: Testbed,
  prepared: Preparation,
  program: readonly string[],
): Promise<string[]> {
  const { expected } = prepared;
  const before = takeInventory(testbed.place);
  const contents = 'repaired' in expected ? expected.repaired.map((path) => contentOf(testbed, path)) : [];
  const result = await runProgram(testbed, prepared, program);
  const after = takeInventory(testbed.place);
  return 'repaired' in expected
    ? [
        ...deliveryProblems(expected, result),
        ...treeProblems(expected, { before, after, contents }),
        ...(result.exitCode === 0 ? [expected.verify?.(testbed) ?? []].flat() : []),
      ]
    : [
        ...refusalProblems(expected, result),
        ...differences(without(before, expected.mayChange), without(after, expected.mayChange)),
      ];
}

function contentOf({ place }: Testbed, path: string): Buffer {
  return readFileSync(Buffer.concat([Buffer.from(`${place}/`), Buffer.from(path, 'latin1')]));
}

interface ProcessResult {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function runProgram(
  { env }: Testbed,
  prepared: Preparation,
  program: readonly string[],
): Promise<ProcessResult> {
  const { cwd, prefix = [], actor = HONEST_FIX, args = ['--command', actor] } = prepared;
  const [file, ...words] = [
    ...prefix,
    ...program,
    'run',
    '--format',
    'json',
    '--max-iterations',
    '2',
    '--proof-time',
    '0s',
    ...args,
  ];
  const result = await execa(file!, words, {
    cwd,
    env: { ...env, ...prepared.env },
    extendEnv: false,
    stdin: 'ignore',
    stripFinalNewline: false,
    timeout: TIMEOUT_MS,
    reject: false,
  });
  if (result.code !== undefined) throw result;
  const { exitCode = null, signal = null, stdout, stderr } = result;
  return { exitCode, signal, stdout, stderr };
}

function deliveryProblems({ applied = 'tree', messages = [] }: Repaired, result: ProcessResult): string[] {
  const verdict = verdictOf(result);
  const problems = missingMessages(messages, result);
  if (result.exitCode !== 0)
    problems.push(`exit code ${result.exitCode ?? result.signal}, not 0: ${tailOf(result)}`);
  else if (verdict.verified !== true) problems.push(`not verified: ${String(verdict.reason)}`);
  else if (verdict.applied !== applied) problems.push(`applied ${String(verdict.applied)}, not ${applied}`);
  return problems;
}

function refusalProblems({ exitCode, messages }: Refused, result: ProcessResult): string[] {
  const problems = missingMessages(messages, result);
  if (result.exitCode !== exitCode)
    problems.push(`exit code ${result.exitCode ?? result.signal}, not ${exitCode}: ${tailOf(result)}`);
  if (/fault in ralph itself/.test(result.stderr))
    problems.push(`reported as a fault in ralph: ${tailOf(result)}`);
  return problems;
}

function missingMessages(messages: readonly RegExp[], result: ProcessResult): string[] {
  const text = `${result.stderr}\n${result.stdout}`;
  return messages
    .filter((message) => !message.test(text))
    .map((message) => `the output does not match ${message.source}: ${tailOf(result)}`);
}

interface Compared {
  readonly before: Inventory;
  readonly after: Inventory;
  /** Content of the files to repair, before the run. */
  readonly contents: readonly Buffer[];
}

/** Compares the files with the expected ones: those with the repair, and all others unchanged. */
function treeProblems(expected: Repaired, { before, after, contents }: Compared): string[] {
  const { repaired, edit = repairOperator, mayChange } = expected;
  const expectedFiles = new Map(before);
  for (const [index, path] of repaired.entries()) {
    expectedFiles.set(path, withContent(before.get(path) ?? '', edit(contents[index]!)));
  }
  const found = [...after].map(
    ([path, line]) => [path, repaired.includes(path) ? withoutTime(line) : line] as const,
  );
  return differences(without(expectedFiles, mayChange), without(new Map(found), mayChange));
}

function without(inventory: Inventory, ignored: RegExp | undefined): Inventory {
  return new Map([...inventory].filter(([path]) => ignored?.test(path) !== true));
}

/** Works on bytes, because files have different encodings. */
function repairOperator(before: Buffer): Buffer {
  const wrong = before.indexOf('a - b');
  if (wrong === -1) throw new Error('there is no wrong operator to repair');
  return Buffer.concat([before.subarray(0, wrong), Buffer.from('a + b'), before.subarray(wrong + 5)]);
}

function verdictOf({ stdout }: ProcessResult): { verified?: unknown; applied?: unknown; reason?: unknown } {
  try {
    return JSON.parse(stdout) as { verified?: unknown };
  } catch {
    return {};
  }
}

function tailOf({ stderr }: ProcessResult): string {
  return JSON.stringify(stderr.trim().slice(-600));
}
