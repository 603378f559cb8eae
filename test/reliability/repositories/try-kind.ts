import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { makeGround, type Ground } from './ground.ts';
import { differences, takeInventory, withContent, withoutTime, type Inventory } from './inventory.ts';
import { HONEST_FIX, NotHere, type Kind, type Made, type Refused, type Repaired } from './kind.ts';

const RALPH = join(import.meta.dirname, '../../../bin/ralph.js');
const TIMEOUT_MS = 240_000;

/** How one kind came out. */
export interface Tried {
  readonly name: string;
  /** What did not hold, one line each; empty where all did. */
  readonly problems: readonly string[];
  /** Why this machine could not make it. */
  readonly notHere?: string;
}

/** What is run in place of `ralph`, for the trial of the trial itself. */
export interface TryOptions {
  readonly program?: readonly string[];
}

/** Makes one kind, runs `ralph run` in it, and compares everything with what was specified. */
export async function tryKind(kind: Kind, { program }: TryOptions = {}): Promise<Tried> {
  const { name } = kind;
  const ground = makeGround();
  let made: Made | undefined;
  try {
    made = await kind.make(ground);
    return { name, problems: await problemsOf(ground, made, program ?? [process.execPath, RALPH]) };
  } catch (error) {
    if (error instanceof NotHere) return { name, problems: [], notHere: error.message };
    return { name, problems: [`it could not be tried: ${String(error)}`] };
  } finally {
    made?.cleanUp?.();
    ground.remove();
  }
}

async function problemsOf(ground: Ground, made: Made, program: readonly string[]): Promise<string[]> {
  const { expected } = made;
  const before = takeInventory(ground.place);
  const contents = 'repaired' in expected ? expected.repaired.map((path) => contentOf(ground, path)) : [];
  const ended = await start(ground, made, program);
  const after = takeInventory(ground.place);
  return 'repaired' in expected
    ? [
        ...wrongDelivery(expected, ended),
        ...wrongTree(expected, { before, after, contents }),
        ...(ended.exitCode === 0 ? [expected.also?.(ground) ?? []].flat() : []),
      ]
    : [
        ...wrongRefusal(expected, ended),
        ...differences(without(before, expected.mayChange), without(after, expected.mayChange)),
      ];
}

function contentOf({ place }: Ground, path: string): Buffer {
  return readFileSync(Buffer.concat([Buffer.from(`${place}/`), Buffer.from(path, 'latin1')]));
}

interface Ended {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function start({ env }: Ground, made: Made, program: readonly string[]): Promise<Ended> {
  const { cwd, through = [], actor = HONEST_FIX, args = ['--command', actor] } = made;
  const [file, ...words] = [
    ...through,
    ...program,
    'run',
    '--format',
    'json',
    '--max-iterations',
    '2',
    ...args,
  ];
  const result = await execa(file!, words, {
    cwd,
    env: { ...env, ...made.env },
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

function wrongDelivery({ applied = 'tree', says = [] }: Repaired, ended: Ended): string[] {
  const verdict = verdictOf(ended);
  const problems = unsaid(says, ended);
  if (ended.exitCode !== 0)
    problems.push(`exit code ${ended.exitCode ?? ended.signal}, not 0: ${tailOf(ended)}`);
  else if (verdict.verified !== true) problems.push(`not verified: ${String(verdict.reason)}`);
  else if (verdict.applied !== applied) problems.push(`applied ${String(verdict.applied)}, not ${applied}`);
  return problems;
}

function wrongRefusal({ exitCode, says }: Refused, ended: Ended): string[] {
  const problems = unsaid(says, ended);
  if (ended.exitCode !== exitCode)
    problems.push(`exit code ${ended.exitCode ?? ended.signal}, not ${exitCode}: ${tailOf(ended)}`);
  if (/fault in ralph itself/.test(ended.stderr))
    problems.push(`it is called a fault in ralph: ${tailOf(ended)}`);
  return problems;
}

function unsaid(says: readonly RegExp[], ended: Ended): string[] {
  const text = `${ended.stderr}\n${ended.stdout}`;
  return says
    .filter((said) => !said.test(text))
    .map((said) => `nothing says ${said.source}: ${tailOf(ended)}`);
}

interface Compared {
  readonly before: Inventory;
  readonly after: Inventory;
  /** Of the files to repair, as they were. */
  readonly contents: readonly Buffer[];
}

/** The repaired files have the repair and nothing else, and every other file is what it was. */
function wrongTree(expected: Repaired, { before, after, contents }: Compared): string[] {
  const { repaired, edit = repairOperator, mayChange } = expected;
  const wanted = new Map(before);
  for (const [index, path] of repaired.entries()) {
    wanted.set(path, withContent(before.get(path) ?? '', edit(contents[index]!)));
  }
  const found = [...after].map(
    ([path, line]) => [path, repaired.includes(path) ? withoutTime(line) : line] as const,
  );
  return differences(without(wanted, mayChange), without(new Map(found), mayChange));
}

function without(inventory: Inventory, left: RegExp | undefined): Inventory {
  return new Map([...inventory].filter(([path]) => left?.test(path) !== true));
}

/** Byte for byte, whatever the encoding of the rest. */
function repairOperator(before: Buffer): Buffer {
  const wrong = before.indexOf('a - b');
  if (wrong === -1) throw new Error('there is no wrong operator to repair');
  return Buffer.concat([before.subarray(0, wrong), Buffer.from('a + b'), before.subarray(wrong + 5)]);
}

function verdictOf({ stdout }: Ended): { verified?: unknown; applied?: unknown; reason?: unknown } {
  try {
    return JSON.parse(stdout) as { verified?: unknown };
  } catch {
    return {};
  }
}

function tailOf({ stderr }: Ended): string {
  return JSON.stringify(stderr.trim().slice(-600));
}
