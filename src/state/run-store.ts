import { dirname, posix } from 'node:path';
import { usageError } from '../errors.ts';
import type { RunStore } from '../ports.ts';
import type { LoopState } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { sweepOrphans, writeDurably } from '../platform/files/durable-write.ts';
import { failpoint } from '../platform/files/failpoint.ts';
import { isLoopId } from '../platform/loop-id.ts';
import { RALPH_FOLDER, ensureRalphFolder, ralphPath } from '../platform/ralph-folder.ts';
import { redact, redactKnown, redactValue } from '../platform/redaction/redact.ts';
import { sealedText } from '../platform/files/sealed.ts';
import { isStoredArtifact, readArtifact, storedArtifact, type StoredArtifact } from './artifact.ts';
import { openJournal } from './journal.ts';

export interface RunStoreOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  readonly loopId: string;
}

/** How results that JSON has no word for, or that are kept elsewhere, stand in the journal. */
type Stored = StoredArtifact | { readonly $undefined: true };

/**
 * The run store of one loop in `.aiwg/ralph/loops/<loop-id>/`; reads the journal at once. A step gives the
 * same value when it ran and when it comes from the journal: what JSON keeps of the result, but for secrets, which
 * are never stored. A step that
 * rejects is not in the journal and may be run again. Throws RalphError where the id is none, where the
 * journal is damaged, and where the folder leads out of the repository.
 */
export function createRunStore({ repositoryRoot, loopId }: RunStoreOptions): RunStore {
  if (!isLoopId(loopId)) throw usageError(`${JSON.stringify(loopId)} is not a loop id.`);
  ensureRalphFolder(repositoryRoot);
  const pathOf = (path: string): string => ralphPath(repositoryRoot, 'loops', loopId, path);
  const journal = openJournal(pathOf('journal.jsonl'));
  const done = new Map<string, unknown>(journal.records.map(({ step, data }) => [step, data]));
  const running = new Map<string, Promise<unknown>>();
  const write = createWriter(pathOf);

  const runStep = async (name: string, run: () => Promise<unknown>, artifact?: string): Promise<unknown> => {
    if (done.has(name)) return decode(done.get(name), pathOf);
    failpoint('step.begin', name);
    const value = await run();
    failpoint('step.done', name);
    const data = await encode(redactValue(value), artifact, write);
    failpoint('step.stored', name);
    await journal.append(name, data);
    done.set(name, data);
    failpoint('step.journaled', name);
    return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
  };

  const step: RunStore['step'] = (name, run, options) => {
    const known = running.get(name);
    const result = known ?? runStep(name, run, options?.artifact).finally(() => void running.delete(name));
    running.set(name, result);
    return result as ReturnType<typeof run>;
  };

  const attach = async (path: string, text: string): Promise<string> => {
    await write(path, DIFF.test(path) ? redactKnown(text) : redactText(path, text));
    return posix.join(RALPH_FOLDER, 'loops', loopId, path);
  };

  const saveState = async (state: LoopState): Promise<void> => {
    const checked = validate('loop-state', redactValue(state));
    if (!checked.ok) throw new Error(`The loop's state is not valid: ${renderProblems(checked.problems)}`);
    await write('state.json', sealedText(checked.value));
  };

  return {
    loopId,
    step,
    attach,
    saveState,
    get finishedSteps() {
      return journal.records.length;
    },
  };
}

/** Nothing is applied from here, and yet a diff stays what the actor wrote: it may well be about things like keys. */
const DIFF = /\.(?:diff|patch)$/;

type Write = (path: string, text: string) => Promise<void>;

/** Writes files of the loop's folder, and rids each folder of a killed run's leavings before its first write. */
function createWriter(pathOf: (path: string) => string): Write {
  const swept = new Set<string>();
  return async (path, text) => {
    if (!isPlainPath(path)) throw new Error(`${JSON.stringify(path)} does not lie in the loop's folder.`);
    const target = pathOf(path);
    const folder = dirname(target);
    if (!swept.has(folder)) {
      swept.add(folder);
      await sweepOrphans(folder);
    }
    await writeDurably(target, text);
  };
}

/** Of JSON only the texts are touched, so that it stays JSON. */
function redactText(path: string, text: string): string {
  if (!/\.jsonl?$/.test(path)) return redact(text);
  return text
    .split('\n')
    .map((line) => (line === '' ? line : JSON.stringify(redactValue(JSON.parse(line)))))
    .join('\n');
}

function isPlainPath(path: string): boolean {
  return path !== '' && !path.includes('\0') && path.split(/[\\/]/).every((part) => !/^\.{0,2}$/.test(part));
}

async function encode(value: unknown, artifact: string | undefined, write: Write): Promise<unknown> {
  if (value === undefined) return { $undefined: true } satisfies Stored;
  if (artifact === undefined) return value;
  const text = `${JSON.stringify(value)}\n`;
  await write(artifact, text);
  return storedArtifact(artifact, text) satisfies Stored;
}

function decode(data: unknown, pathOf: (path: string) => string): unknown {
  if (typeof data === 'object' && data !== null && '$undefined' in data) return undefined;
  if (!isStoredArtifact(data) || !isPlainPath(data.$artifact)) return data;
  return readArtifact(pathOf(data.$artifact), data);
}
