import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RalphError } from '../../../src/errors.ts';
import { rowOf, type Trial } from '../row.ts';
import { openRecording } from '../../../src/agents/llm/player.ts';
import { removeDamagedCalls } from '../../../src/agents/llm/remove-damaged-calls.ts';
import { readReflections } from '../../../src/memory/episodes/reflection-files.ts';
import { readRepairs, rememberRepairs, REPAIRS_FILE } from '../../../src/memory/recall/repairs.ts';
import { lockHolder } from '../../../src/state/lock.ts';
import { listLoops } from '../../../src/state/loops.ts';
import { salvageLoop } from '../../../src/state/salvage.ts';
import { readDelivery, salvageDelivery } from '../../../src/workspace/deliver/record.ts';
import { readJournal } from '../../../src/state/journal.ts';
import type { Row, SuiteOptions } from '../suite.ts';
import { memoryFolder } from './test-repository.ts';
import { LOOP, repairBy, stateWrites } from './state-writes.ts';

/** A state file: how it is read, and how it is mended. */
interface Kind {
  /** Relative to the repository's root. */
  readonly path: string;
  /** What it holds, as one text that any difference shows in; throws, or says `damaged`, where that is noticed. */
  read(root: string): Promise<string>;
  /** Sets what is damaged scratch. Absent where the file is only ever replaced. */
  salvage?(root: string): Promise<unknown>;
  /** A value that is a part of what was there from its beginning, as after a crash. */
  isBeginning?(value: string, whole: string): boolean;
}

const FOLDER = `.aiwg/ralph/loops/${LOOP}`;
const TREE = 'a'.repeat(40);
const DAMAGED = 'damaged';

const KINDS: readonly Kind[] = [
  {
    path: `${FOLDER}/journal.jsonl`,
    read: async (root) => JSON.stringify(readJournal(join(root, FOLDER, 'journal.jsonl')).records),
    salvage: (root) => salvageLoop(root, LOOP),
    isBeginning: isListBeginning,
  },
  {
    path: `${FOLDER}/state.json`,
    read: async (root) => {
      const { loops, damaged } = await listLoops(root);
      return damaged.length > 0 ? DAMAGED : JSON.stringify(loops);
    },
    salvage: (root) => salvageLoop(root, LOOP),
  },
  {
    path: `${FOLDER}/baseline.json`,
    read: async (root) => ((await salvageLoop(root, LOOP)).length > 0 ? DAMAGED : 'whole'),
    salvage: (root) => salvageLoop(root, LOOP),
  },
  {
    path: `${FOLDER}/model-calls.jsonl`,
    read: async (root) => {
      const player = openRecording(join(root, FOLDER, 'model-calls.jsonl'));
      const said = Array.from({ length: 2 }, () => player.next('actor', { prompt: [] }));
      return JSON.stringify(said.filter((call) => call !== undefined));
    },
    salvage: (root) => removeDamagedCalls(join(root, FOLDER, 'model-calls.jsonl')),
    isBeginning: isListBeginning,
  },
  {
    path: `${FOLDER}/delivery.json`,
    read: async (root) => JSON.stringify(readDelivery(root, LOOP)),
    salvage: (root) => salvageDelivery(root, LOOP, { base: TREE, tree: TREE }),
  },
  {
    path: REPAIRS_FILE,
    read: async (root) => {
      const repairs = await readRepairs(root);
      const lines = readFileSync(join(root, REPAIRS_FILE), 'utf8').split('\n');
      return lines.filter((line) => line.trim() !== '').length > repairs.length
        ? DAMAGED
        : JSON.stringify(repairs);
    },
    isBeginning: isListBeginning,
    salvage: (root) => rememberRepairs(root, [repairBy('third'), repairBy('fourth')]),
  },
];

/** Files whose every reader must get along with anything, and where a changed text can be meant. */
const OPEN_KINDS: readonly Kind[] = [
  {
    path: `.aiwg/ralph/reflections/${LOOP}/001.json`,
    read: async (root) => {
      const { records, damaged } = await readReflections(root);
      if (records.length + damaged.length !== 2) throw new Error('a reflection was neither read nor named');
      return damaged.length > 0 ? DAMAGED : 'read';
    },
  },
  { path: '.aiwg/ralph/lock.sqlite.holder.json', read: async (root) => JSON.stringify(lockHolder(root)) },
  {
    path: '.aiwg/ralph/lock.sqlite',
    read: async (root) => JSON.stringify(lockHolder(root)),
  },
];

const FLIPS_KNOWN =
  'declared: a reflection may be edited by hand, so a changed word in one that still holds by its schema is not noticed';
const END_KNOWN =
  'declared: a log or journal cut off at its end looks as after a crash; what is gone is done, and asked for, again';

/** Every state file cut at every byte, with every bit flipped, with zeros in it. */
export async function tryDamage({ full, onProgress }: SuiteOptions): Promise<Row[]> {
  const sample = memoryFolder();
  try {
    for (const write of stateWrites(sample)) await write.run();
    writeFileSync(
      join(sample, '.aiwg/ralph/lock.sqlite.holder.json'),
      '{"pid":1,"host":"a","loopId":"ralph-a"}\n',
    );
    const rows: Row[] = [];
    for (const [kinds, what, known] of [
      [KINDS, 'named, set scratch, readable again', [END_KNOWN]],
      [OPEN_KINDS, 'read or named, never a crash', [FLIPS_KNOWN]],
    ] as const) {
      for (const [how, damages] of Object.entries(DAMAGES)) {
        const trials: Trial[] = [];
        for (const kind of kinds)
          trials.push(
            ...(await tryKind(kind, sample, damages, full ? damages.strides.full : damages.strides.reduced)),
          );
        onProgress(`${how}: ${trials.length} damages`);
        rows.push(rowOf(`${kinds.length} kinds of state files ${how}: ${what}`, trials, known));
      }
    }
    return rows;
  } finally {
    rmSync(sample, { recursive: true, force: true });
  }
}

/** Each gives the damaged content for a position, counted in bytes or bits, up to `length` of them. */
interface Damage {
  readonly perByte: number;
  /** Positions from one trial to the next. */
  readonly strides: { readonly full: number; readonly reduced: number };
  apply(content: Buffer, position: number): Buffer;
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  'cut at a byte': {
    perByte: 1,
    strides: { full: 1, reduced: 97 },
    apply: (content, at) => content.subarray(0, at),
  },
  'with a bit flipped': {
    perByte: 8,
    strides: { full: 3, reduced: 397 },
    apply(content, at) {
      const copy = Buffer.from(content);
      copy[at >> 3]! ^= 1 << (at & 7);
      return copy;
    },
  },
  'with zeros': {
    perByte: 1,
    strides: { full: 5, reduced: 97 },
    apply: (content, at) => Buffer.from(content).fill(0, at, Math.min(content.length, at + 1 + (at % 64))),
  },
};

async function tryKind(kind: Kind, sample: string, damage: Damage, step: number): Promise<Trial[]> {
  const path = join(sample, kind.path);
  if (!existsSync(path)) writeFileSync(path, '');
  const whole = readFileSync(path);
  const others = snapshotOf(sample);
  const sound = await kind.read(sample);
  const trials: Trial[] = [];
  // Long texts of one letter are passed over in strides; what frames them is not.
  for (
    let at = 0;
    at < whole.length * damage.perByte;
    at += strideAt(whole, Math.floor(at / damage.perByte), step)
  ) {
    const harmed = damage.apply(whole, at);
    if (harmed.equals(whole)) continue;
    writeFileSync(path, harmed);
    const problems = await tryDamaged(kind, sample, { harmed, sound });
    trials.push({ name: `${kind.path} at ${at}`, problems });
    others.restore();
  }
  return trials;
}

function strideAt(content: Buffer, at: number, step: number): number {
  const isFiller = content[at] === 0x78 && content[at + 200] === 0x78 && content[at - 200] === 0x78;
  return isFiller ? Math.max(step, 197) : step;
}

async function tryDamaged(
  { path, read, salvage, isBeginning }: Kind,
  root: string,
  { harmed, sound }: { readonly harmed: Buffer; readonly sound: string },
): Promise<string[]> {
  const value = await valueOf(() => read(root));
  if (value.crash !== undefined) return [`a crash: ${value.crash}`];
  const isNoticed = value.text === DAMAGED;
  if (
    !isNoticed &&
    value.text !== sound &&
    salvage !== undefined &&
    isBeginning?.(value.text, sound) !== true
  )
    return ['it reads otherwise, and nobody says so'];
  if (salvage === undefined || !isNoticed) return [];
  const mended = await valueOf(async () => JSON.stringify(await salvage(root)) ?? '');
  if (mended.crash !== undefined) return [`a crash while it is set scratch: ${mended.crash}`];
  const problems: string[] = [];
  const folder = dirname(join(root, path));
  const asides = readdirSync(folder).filter((name) => name.includes('.damaged'));
  const keeps = asides.some((name) => readFileSync(join(folder, name)).equals(harmed));
  // A result's own file is named by the journal, and written anew by its step.
  if (!keeps && !path.endsWith('baseline.json')) problems.push('the damaged content is not kept');
  // The state is saved anew by the loop's next step; all else is mended.
  for (const write of stateWrites(root)) if (write.name.startsWith('state ')) await write.run();
  const again = await valueOf(() => read(root));
  if (again.crash !== undefined || again.text === DAMAGED) problems.push('it cannot be used again');
  return problems;
}

/** What reading gave: a text, `damaged` where ralph itself said so, or a crash. */
async function valueOf(
  read: () => Promise<string>,
): Promise<{ readonly text: string; readonly crash?: string }> {
  try {
    return { text: await read() };
  } catch (error) {
    if (error instanceof RalphError && error.hint !== undefined) return { text: DAMAGED };
    return { text: '', crash: (error as Error).stack ?? String(error) };
  }
}

function isListBeginning(value: string, whole: string): boolean {
  const [some, all] = [JSON.parse(value), JSON.parse(whole)] as [unknown[], unknown[]];
  return some.every((item, index) => JSON.stringify(item) === JSON.stringify(all[index]));
}

/** All state files as they are now. */
function snapshotOf(root: string): { restore(): void } {
  const folder = join(root, '.aiwg');
  const list = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const read = (path: string): Buffer | undefined => {
    try {
      return readFileSync(join(folder, path));
    } catch {
      return undefined;
    }
  };
  const before = new Map(list().map((path) => [path, read(path)]));
  return {
    restore() {
      for (const path of list())
        if (!before.has(path)) rmSync(join(folder, path), { recursive: true, force: true });
      for (const [path, content] of before) {
        if (content === undefined) mkdirSync(join(folder, path), { recursive: true });
        else if (read(path)?.equals(content) !== true) writeFileSync(join(folder, path), content);
      }
    },
  };
}
