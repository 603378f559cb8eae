import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import { makeFolder } from '../../platform/files/make-folder.ts';
import { messageOf, usageError } from '../../errors.ts';
import type { Usage } from '../../schema/generated.ts';
import { appendLine } from '../../platform/files/append-line.ts';
import { redactedJson, redactValue } from '../../platform/redaction/redact.ts';
import { sealedLine } from '../../platform/files/sealed.ts';

/** The caller of the model. Recorded replies of one channel are never replayed to another. */
export type Channel = 'actor' | 'reflector' | 'acceptance' | 'judge';

/** One answered call: a line of the file with a checksum; secrets are redacted. */
export interface RecordedCall {
  readonly channel: Channel;
  /** The `provider/model` that answered. */
  readonly model: string;
  /** SHA-256 of the prompt and the tools. */
  readonly request: string;
  /** The number of leading messages shared with the channel's previous call; `messages` holds the rest. */
  readonly messages_before: number;
  readonly messages: LanguageModelV4Prompt;
  readonly reply: RecordedReply;
  readonly taken: Usage;
  /** Finished steps of the loop when the call was made. */
  readonly finished_steps: number;
}

export type RecordedReply = Pick<
  LanguageModelV4GenerateResult,
  'content' | 'finishReason' | 'usage' | 'providerMetadata'
>;

/** The version of the format. */
export const VERSION = 1;
/** The first line of a recording. */
const RECORDING_HEADER = { ralph_recording: VERSION };
/** The header as text, without the line break. */
export const HEADER_LINE = JSON.stringify(RECORDING_HEADER);

/** Appends answered calls to a recording. */
export interface Recorder {
  add(channel: Channel, call: AnsweredCall): void;
}

export interface AnsweredCall {
  readonly model: string;
  readonly options: LanguageModelV4CallOptions;
  readonly reply: LanguageModelV4GenerateResult;
  readonly taken: Usage;
}

/** Creates the file of a recording. Throws RalphError (exit 2) if it exists or cannot be written. */
export function beginRecording(path: string): void {
  try {
    writeHeader(path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST'
      ? usageError(`--record: ${path} exists already.`, 'Name another file, or move this one away.')
      : usageError(
          `--record: ${path} cannot be written: ${messageOf(error)}`,
          'Name a file in a folder that exists.',
        );
  }
}

/** Appends to a recording; the first call creates the file if it is missing. */
export function createRecorder(path: string, finishedSteps: () => number): Recorder {
  const before = new Map<Channel, LanguageModelV4Prompt>();
  let hasHeader = false;
  return {
    add(channel, { model, options, reply, taken }) {
      const { content, finishReason, usage, providerMetadata } = reply;
      const kept = commonPrefixLength(before.get(channel) ?? [], options.prompt);
      before.set(channel, options.prompt);
      const call: RecordedCall = {
        channel,
        model,
        request: requestHash(options),
        messages_before: kept,
        messages: options.prompt.slice(kept),
        reply: { content, finishReason, usage, providerMetadata },
        taken,
        finished_steps: finishedSteps(),
      };
      if (!hasHeader) ensureHeader(path);
      hasHeader = true;
      appendLine(path, sealedLine(redactValue(call)));
    },
  };
}

/** SHA-256 of the redacted prompt and tools, in hexadecimal. */
export function requestHash({ prompt, tools }: LanguageModelV4CallOptions): string {
  return createHash('sha256')
    .update(redactedJson([prompt, tools]))
    .digest('hex');
}

/** Writes the header unless the file has a complete line. */
function ensureHeader(path: string): void {
  if (existsSync(path) && readFileSync(path).includes(0x0a)) return;
  makeFolder(dirname(path));
  appendLine(path, HEADER_LINE);
}

function writeHeader(path: string): void {
  writeFileSync(path, `${HEADER_LINE}\n`, { flag: 'wx', mode: 0o600 });
}

function commonPrefixLength(a: LanguageModelV4Prompt, b: LanguageModelV4Prompt): number {
  let at = 0;
  while (at < a.length && at < b.length && JSON.stringify(a[at]) === JSON.stringify(b[at])) at++;
  return at;
}
