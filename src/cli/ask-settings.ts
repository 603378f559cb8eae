import { cancel, isCancel, select, text } from '@clack/prompts';
import { ExitCode, RalphError } from '../errors.ts';
import type { FreshSettings } from '../config/fresh-config.ts';
import { parseDurationMs } from '../platform/text/duration.ts';

/** What is there to choose from. */
export interface Found {
  /** Known agents on PATH. */
  readonly agents: readonly string[];
  /** Models whose key is in the environment, as provider/model. */
  readonly models: readonly string[];
}

export interface Answers {
  readonly settings: FreshSettings;
  /** Reflections and memory go into the repository's history. */
  readonly shareMemory: boolean;
}

/** Asks three questions on a terminal. Throws RalphError `aborted` where the user ends them. */
export async function askSettings({ agents, models }: Found): Promise<Answers> {
  const editor = await answered(
    select({
      message: 'Who repairs?',
      options: [
        { value: 'search', label: 'search', hint: 'offline: no model, no key, no cost; small bugs' },
        ...models.map((name) => ({ value: `model ${name}`, label: name, hint: 'its key is there' })),
        ...agents.map((name) => ({ value: `agent ${name}`, label: name, hint: 'installed here' })),
        { value: 'model', label: 'another model', hint: 'provider/model' },
        { value: 'command', label: 'a program', hint: 'gets the prompt on standard input' },
      ],
    }),
  );
  const who = await settingsFor(editor);
  const budget = await answered(
    text({
      message: 'How long may a loop take?',
      initialValue: '30m',
      validate: (value) => problemOfTime(value ?? ''),
    }),
  );
  const shared = await answered(
    select({
      message: 'Keep what loops learn (reflections, lessons) in the history of this repository?',
      options: [
        { value: true, label: 'yes', hint: 'the next loop and your team learn from it' },
        { value: false, label: 'no', hint: '.aiwg/ goes into .gitignore' },
      ],
    }),
  );
  return { settings: { ...who, maxTime: budget }, shareMemory: shared };
}

async function settingsFor(editor: string): Promise<FreshSettings> {
  const [kind = '', name] = editor.split(' ');
  if (kind === 'search') return {};
  if (kind === 'agent') return { agent: name! };
  const ask = (message: string, placeholder: string): Promise<string> =>
    answered(
      text({
        message,
        placeholder,
        validate: (value) => ((value ?? '').trim() === '' ? 'It is needed.' : undefined),
      }),
    );
  if (kind === 'command') return { command: await ask('Which program?', 'my-agent --stdin') };
  return { model: name ?? (await ask('Which model?', 'openai-compatible/qwen3-coder')) };
}

function problemOfTime(value: string): string | undefined {
  return parseDurationMs(value) === undefined ? 'A duration, such as 500ms, 30s, 10m or 2h.' : undefined;
}

async function answered<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await question;
  if (!isCancel(answer)) return answer as Exclude<T, symbol>;
  cancel('Nothing was written.');
  throw new RalphError('Stopped.', { code: 'aborted', exitCode: ExitCode.interrupted });
}
