import { cancel, isCancel, select, text } from '@clack/prompts';
import type { InitialSettings } from '../../config/initial-config.ts';
import { ExitCode, RalphError } from '../../errors.ts';
import { parseDurationMs } from '../../platform/text/duration.ts';

/** Actors that can be offered on this machine. */
export interface AvailableActors {
  /** Known agents on PATH. */
  readonly agents: readonly string[];
  /** Models whose key is in the environment, as provider/model. */
  readonly models: readonly string[];
}

export interface Answers {
  readonly settings: InitialSettings;
  /** True: reflections and memory are committed with the repository. */
  readonly shareMemory: boolean;
}

/** Asks three questions on a terminal. Throws RalphError `aborted` if the user cancels. */
export async function askQuestions({ agents, models }: AvailableActors): Promise<Answers> {
  const actor = await answerOf(
    select({
      message: 'Which actor repairs the code?',
      options: [
        { value: 'search', label: 'search', hint: 'offline: no model, no key, no cost; small bugs' },
        ...models.map((name) => ({ value: `model ${name}`, label: name, hint: 'key found' })),
        ...agents.map((name) => ({ value: `agent ${name}`, label: name, hint: 'installed' })),
        { value: 'model', label: 'another model', hint: 'provider/model' },
        { value: 'command', label: 'a program', hint: 'reads the prompt from standard input' },
      ],
    }),
  );
  const actorSettings = await askActorSettings(actor);
  const maxTime = await answerOf(
    text({
      message: 'How long may a loop take?',
      initialValue: '30m',
      validate: (value) =>
        parseDurationMs(value ?? '') === undefined ? 'A duration, such as 500ms, 30s, 10m or 2h.' : undefined,
    }),
  );
  const shareMemory = await answerOf(
    select({
      message: 'Commit what loops learn (reflections, lessons) to this repository?',
      options: [
        { value: true, label: 'yes', hint: 'the next loop and your team learn from it' },
        { value: false, label: 'no', hint: '.aiwg/ goes into .gitignore' },
      ],
    }),
  );
  return { settings: { ...actorSettings, maxTime }, shareMemory };
}

async function askActorSettings(actor: string): Promise<InitialSettings> {
  const [kind = '', name] = actor.split(' ');
  if (kind === 'search') return {};
  if (kind === 'agent') return { agent: name! };
  if (kind === 'command') return { command: await askText('Which program?', 'my-agent --stdin') };
  return { model: name ?? (await askText('Which model?', 'openai-compatible/qwen3-coder')) };
}

function askText(message: string, placeholder: string): Promise<string> {
  return answerOf(
    text({
      message,
      placeholder,
      validate: (value) => ((value ?? '').trim() === '' ? 'Enter a value.' : undefined),
    }),
  );
}

async function answerOf<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await question;
  if (!isCancel(answer)) return answer as Exclude<T, symbol>;
  cancel('Nothing was written.');
  throw new RalphError('Stopped.', { code: 'aborted', exitCode: ExitCode.interrupted });
}
