import { dirname } from 'node:path';
import { usageError } from '../errors.ts';
import type { RunStore } from '../ports.ts';
import type { LoopState } from '../schema/generated.ts';
import { renderProblems, validate } from '../schema/validate.ts';
import { sweepOrphans, writeDurably } from '../platform/files/durable-write.ts';
import { failpoint } from '../platform/files/failpoint.ts';
import { isLoopId } from '../platform/loop-id.ts';
import { RALPH_PATHS, ensureRalphFolder, ralphFolder } from '../platform/ralph-folder.ts';
import { redact, redactKnown, redactValue } from '../platform/redaction/redact.ts';
import { sealedText } from '../platform/files/sealed.ts';
import { isStoredArtifact, readArtifact, storedArtifact, type StoredArtifact } from './artifact.ts';
import { openJournal } from './journal.ts';

export interface RunStoreOptions {
  /** Absolute path. */
  readonly repositoryRoot: string;
  readonly loopId: string;
}

/** Journal entry of a result that is undefined or stored in its own file. */
type Stored = StoredArtifact | { readonly $undefined: true };

/**
 * Opens the run store of a loop in `.aiwg/ralph/loops/<loop-id>/` and reads its journal. A step returns its result after a
 * round trip through JSON, so that it is the same when it comes from the journal, except that secrets are redacted there. A
 * step that rejects is not recorded and may be run again. Throws RalphError for an invalid id, a damaged journal, or a
 * folder that leads out of the repository.
 */
export function createRunStore({ repositoryRoot, loopId }: RunStoreOptions): RunStore {
  if (!isLoopId(loopId)) throw usageError(`${JSON.stringify(loopId)} is not a loop id.`);
  ensureRalphFolder(repositoryRoot);
  const folder = ralphFolder(repositoryRoot);
  const pathOf = (path: string): string => folder.inLoop(loopId, path);
  const journal = openJournal(folder.journal(loopId));
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
    return RALPH_PATHS.inLoop(loopId, path);
  };

  const saveState = async (state: LoopState): Promise<void> => {
    const checked = validate('loop-state', redactValue(state));
    if (!checked.ok) throw new Error(`The loop's state is invalid: ${renderProblems(checked.problems)}`);
    await write('state.json', sealedText(checked.value));
  };

  return {
    loopId,
    step,
    attach,
    saveState,
    has: (name) => done.has(name),
    get finishedSteps() {
      return journal.records.length;
    },
  };
}

/** In diffs only the values of secret variables are redacted: text that looks like a secret may be part of the change. */
const DIFF = /\.(?:diff|patch)$/;

type Write = (path: string, text: string) => Promise<void>;

/** Creates a function that writes files of the loop's folder; temporary files of a killed run are removed first. */
function createWriter(pathOf: (path: string) => string): Write {
  const swept = new Set<string>();
  return async (path, text) => {
    if (!isPlainPath(path)) throw new Error(`${JSON.stringify(path)} is not in the loop's folder.`);
    const target = pathOf(path);
    const folder = dirname(target);
    if (!swept.has(folder)) {
      swept.add(folder);
      await sweepOrphans(folder);
    }
    await writeDurably(target, text);
  };
}

/** Redacts strings only in JSON and JSON Lines, so that they stay valid. */
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
