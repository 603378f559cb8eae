import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { ExitCode, messageOf, RalphError, usageError } from '../../errors.ts';
import { parseBoundedJson } from '../../platform/text/bounded-json.ts';
import { readTreeTextSync } from '../../platform/files/read-bounded.ts';
import { NOT_AS_WRITTEN, unsealLine } from '../../platform/files/sealed.ts';
import { describeDifference } from '../sessions/describe-difference.ts';
import { isRecordedSession, type RecordedSession } from '../sessions/recorded-session.ts';
import { HEADER_LINE, VERSION, requestHash, type Channel, type RecordedCall } from './recording.ts';

/** Replays the calls of a recording. */
export interface Player {
  readonly path: string;
  /** One sentence on why calls may be missing: the file was cut off, or holds attempts of agents; undefined if it is whole. */
  readonly whyIncomplete: string | undefined;
  /** The number of a channel's calls in the recording. */
  count(channel: Channel): number;
  /** The first unused call with the same request, else the next one in order; undefined if none is left. */
  next(channel: Channel, options: LanguageModelV4CallOptions): PlayedCall | undefined;
}

export interface PlayedCall {
  readonly call: RecordedCall;
  /** Whether the recorded request is the same. */
  readonly same: boolean;
  /** Where the request differs from the recorded one, as a clause; undefined if they are the same. */
  readonly where: string | undefined;
}

/**
 * Reads the calls of a recording for which `keep` is true. An incomplete last line is ignored. Throws RalphError if
 * the file cannot be read (exit 2), or is not a recording or damaged (exit 7; names the line).
 */
export function openRecording(path: string, keep: (call: RecordedCall) => boolean = () => true): Player {
  const { lines, isCut } = readLines(path);
  const all = lines.filter((line) => line.channel !== 'agent');
  const calls = all.filter(keep);
  const used = new Set<RecordedCall>();
  const lastUsed = new Map<Channel, number>();
  return {
    path,
    whyIncomplete: isCut
      ? CUT
      : all.length === 0 && lines.length > 0
        ? 'It is the recording of an agent or a command, not of a model.'
        : undefined,
    count: (channel) => calls.filter((call) => call.channel === channel).length,
    next(channel, options) {
      const hash = requestHash(options);
      const left = calls.filter((call) => call.channel === channel && !used.has(call));
      const same = left.find((call) => call.request === hash);
      const call = same ?? left.find((other) => calls.indexOf(other) > (lastUsed.get(channel) ?? -1));
      if (call === undefined) return undefined;
      used.add(call);
      lastUsed.set(channel, calls.indexOf(call));
      const where = same === undefined ? whereDiffers(promptOf(call, all), options.prompt) : undefined;
      return { call, same: same !== undefined, where };
    },
  };
}

/** The whole prompt of a recorded call: each line has only what its channel's line before does not have. */
function promptOf(call: RecordedCall, calls: readonly RecordedCall[]): LanguageModelV4Prompt {
  let prompt: LanguageModelV4Prompt = [];
  for (const one of calls) {
    if (one.channel !== call.channel) continue;
    prompt = [...prompt.slice(0, one.messages_before), ...one.messages];
    if (one === call) break;
  }
  return prompt;
}

function whereDiffers(recorded: LanguageModelV4Prompt, now: LanguageModelV4Prompt): string {
  const texts = recorded.map(textOf);
  const at = now.findIndex((message, index) => textOf(message) !== texts[index]);
  if (at === -1) return recorded.length === now.length ? 'in its tools' : `after message ${now.length}`;
  const difference = describeDifference(texts[at] ?? '', textOf(now[at]!)) ?? '';
  return `in message ${at + 1} (${now[at]!.role}) ${difference}`;
}

function textOf({ content }: LanguageModelV4Prompt[number]): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part))).join('\n');
}

/** Reads the attempts of agents and commands in a recording. Throws as `openRecording` does. */
export function readSessions(path: string): RecordedSessions {
  const { lines, isCut } = readLines(path);
  const sessions = lines.filter((line) => line.channel === 'agent');
  const isOfModel = sessions.length === 0 && lines.length > 0;
  const whyIncomplete = isCut
    ? CUT
    : isOfModel
      ? 'It is the recording of a model, not of an agent or a command.'
      : undefined;
  return { sessions, whyIncomplete };
}

/** Attempts of agents in a recording, and one sentence on why some may be missing. */
export interface RecordedSessions {
  readonly sessions: readonly RecordedSession[];
  readonly whyIncomplete: string | undefined;
}

const CUT = 'The recording was cut off: its last line is incomplete.';

interface RecordingLines {
  readonly lines: readonly (RecordedCall | RecordedSession)[];
  /** Whether the text ends within a line. */
  readonly isCut: boolean;
}

function readLines(path: string): RecordingLines {
  const text = readText(path);
  // A crash while the header was written.
  if (HEADER_LINE.startsWith(text)) return { lines: [], isCut: text !== '' };
  const [header, ...lines] = text.split('\n');
  const version = (parseJson(header ?? '') as { ralph_recording?: unknown } | undefined)?.ralph_recording;
  if (version === undefined) throw damaged(path, 1, 'the header of a recording is missing');
  if (version !== VERSION)
    throw damaged(
      path,
      1,
      `the recording has version ${String(version)}, and this ralph reads version ${VERSION}`,
    );
  // Text after the last line break is empty or an incomplete line.
  const read = lines.slice(0, -1).map((line, index) => {
    const one = parseLine(line);
    if (typeof one === 'string') throw damaged(path, index + 2, one);
    return one;
  });
  return { lines: read, isCut: lines.at(-1) !== '' };
}

function parseLine(line: string): RecordedCall | RecordedSession | string {
  const read = unsealLine(line, parseBoundedJson);
  return read.ok && isRecordedSession(read.value) ? read.value : parseCall(line);
}

/** Parses one line of a recording: the call, or the problem as a clause. */
export function parseCall(line: string): RecordedCall | string {
  const read = unsealLine(line, parseBoundedJson);
  if (!read.ok && read.problem === NOT_AS_WRITTEN) return read.problem;
  const call = read.ok ? (read.value as Partial<RecordedCall> | null) : undefined;
  if (call?.channel === undefined || !Array.isArray(call.reply?.content) || call.reply.usage === undefined)
    return 'it is not a recorded call';
  return call as RecordedCall;
}

function readText(path: string): string {
  try {
    return readTreeTextSync(path);
  } catch (error) {
    throw usageError(
      `--replay: ${path} cannot be read: ${messageOf(error)}`,
      'Name a file that --record wrote.',
    );
  }
}

function parseJson(line: string): unknown {
  try {
    return parseBoundedJson(line);
  } catch {
    return undefined;
  }
}

function damaged(path: string, line: number, problem: string): RalphError {
  return new RalphError(`Line ${line} of ${path} cannot be used: ${problem}.`, {
    code: 'state_damaged',
    exitCode: ExitCode.state,
    hint: 'Record the run again with --record, or move the file away.',
  });
}
