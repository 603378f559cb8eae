import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import { messageOf, usageError } from '../../errors.ts';
import type { Usage } from '../../schema/generated.ts';
import { appendLine } from '../../platform/files/append-line.ts';
import { redactedJson, redactValue } from '../../platform/redaction/redact.ts';
import { sealedLine } from '../../platform/files/sealed.ts';

/** Who asked: replies to one are never given to the other. */
export type Channel = 'actor' | 'reflector';

/** One answered call, a line of the file, sealed by its checksum; secrets are left out of all of it. */
export interface RecordedCall {
  readonly channel: Channel;
  /** `provider/model` that answered. */
  readonly model: string;
  /** SHA-256 of the prompt and the tools. */
  readonly request: string;
  /** How many messages of the prompt are those of the channel's call before; the rest follows. */
  readonly messages_before: number;
  readonly messages: LanguageModelV4Prompt;
  readonly reply: RecordedReply;
  readonly taken: Usage;
  /** Steps of the loop that were finished when this was asked. */
  readonly finished_steps: number;
}

export type RecordedReply = Pick<
  LanguageModelV4GenerateResult,
  'content' | 'finishReason' | 'usage' | 'providerMetadata'
>;

/** The first line of a recording. */
export const RECORDING_HEADER = { ralph_recording: 1 };
/** Its text, without the line break. */
export const HEADER_LINE = JSON.stringify(RECORDING_HEADER);

/** Writes the calls of a loop as they are answered. */
export interface Recorder {
  add(channel: Channel, call: AnsweredCall): void;
}

export interface AnsweredCall {
  readonly model: string;
  readonly options: LanguageModelV4CallOptions;
  readonly reply: LanguageModelV4GenerateResult;
  readonly taken: Usage;
}

/** Begins a recording. Throws RalphError (exit 2) where the file is there already or cannot be written. */
export function beginRecording(path: string): void {
  try {
    writeHeader(path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST'
      ? usageError(`--record: ${path} is there already.`, 'Name another file, or move it away.')
      : usageError(
          `--record: ${path} cannot be written: ${messageOf(error)}`,
          'Name a file in a folder that exists.',
        );
  }
}

/** Adds to a recording, beginning it where there is none. */
export function createRecorder(path: string, finishedSteps: () => number): Recorder {
  const before = new Map<Channel, LanguageModelV4Prompt>();
  let begun = false;
  return {
    add(channel, { model, options, reply, taken }) {
      const { content, finishReason, usage, providerMetadata } = reply;
      const kept = commonStart(before.get(channel) ?? [], options.prompt);
      before.set(channel, options.prompt);
      const call: RecordedCall = {
        ...{ channel, model, request: requestHash(options), messages_before: kept },
        messages: options.prompt.slice(kept),
        reply: { content, finishReason, usage, ...(providerMetadata && { providerMetadata }) },
        ...{ taken, finished_steps: finishedSteps() },
      };
      if (!begun) makeReady(path);
      begun = true;
      appendLine(path, sealedLine(redactValue(call)));
    },
  };
}

/** One value for what is asked; the same in every recording of the same request. */
export function requestHash({ prompt, tools }: LanguageModelV4CallOptions): string {
  return createHash('sha256')
    .update(redactedJson([prompt, tools]))
    .digest('hex');
}

/** Begins the file where there is no whole line of it. */
function makeReady(path: string): void {
  if (existsSync(path) && readFileSync(path).includes(0x0a)) return;
  mkdirSync(dirname(path), { recursive: true });
  appendLine(path, HEADER_LINE);
}

function writeHeader(path: string): void {
  writeFileSync(path, `${HEADER_LINE}\n`, { flag: 'wx', mode: 0o600 });
}

function commonStart(a: LanguageModelV4Prompt, b: LanguageModelV4Prompt): number {
  let at = 0;
  while (at < a.length && at < b.length && JSON.stringify(a[at]) === JSON.stringify(b[at])) at++;
  return at;
}
