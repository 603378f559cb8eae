import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ExitCode, RalphError } from '../../errors.ts';
import { nearest } from '../../platform/text/nearest.ts';
import { KNOWN_AGENTS, type HeadlessFormat, type KnownAgent, type ProgramCall } from './agents.ts';

/** How an agent is started and which format it uses. */
export type FoundAgent = ProtocolAgent | HeadlessAgent;

/** An agent that speaks the Agent Client Protocol. */
export interface ProtocolAgent {
  readonly name: string;
  readonly speaks: 'protocol';
  readonly call: AgentCall;
  /** The same agent in its headless mode, if that is installed too. */
  readonly fallback?: HeadlessAgent | undefined;
  /** Prints a finished session, see `KnownAgent`. */
  readonly sessionExport?: ProgramCall | undefined;
  readonly keepsTokens?: boolean | undefined;
}

/** An agent in its headless mode. */
export interface HeadlessAgent {
  readonly name: string;
  readonly speaks: HeadlessFormat;
  readonly call: AgentCall;
}

/** A program with its arguments, or a command line for `sh -c`. */
export type AgentCall = ProgramCall | { readonly shell: string };

/**
 * Resolves the value of `--agent`: a known agent, with its protocol preferred to its headless mode, or a command line.
 * `path` is searched like PATH. Throws RalphError if a known agent is not installed, or a single word is neither a
 * known agent nor a program.
 */
export function findAgent(agent: string, path: string = process.env['PATH'] ?? ''): FoundAgent {
  const line = agent.trim();
  const known = KNOWN_AGENTS.find(({ name }) => name === line);
  if (known !== undefined) return findKnown(known, path);
  const isOneName = /^[\w.@+-]+$/.test(line);
  if (isOneName && !isOnPath(line, path)) throw unknownAgent(line);
  return { name: nameOf(line), speaks: 'protocol', call: { shell: line } };
}

function findKnown(
  { name, protocol, headless, sessionExport, keepsTokens, install }: KnownAgent,
  path: string,
): FoundAgent {
  const call = protocol.find(({ file }) => isOnPath(file, path));
  const fallback: HeadlessAgent | undefined =
    headless !== undefined && isOnPath(headless.file, path)
      ? { name, speaks: headless.format, call: { file: headless.file, args: headless.args } }
      : undefined;
  if (call !== undefined) return { name, speaks: 'protocol', call, fallback, sessionExport, keepsTokens };
  if (fallback !== undefined) return fallback;
  const programs = [...protocol, ...(headless === undefined ? [] : [headless])].map(({ file }) => file);
  throw new RalphError(`The agent ${name} is not installed: PATH has no ${programs.join(', no ')}.`, {
    code: 'actor_failed',
    exitCode: ExitCode.actor,
    hint: `Install it: ${install}`,
  });
}

function unknownAgent(word: string): RalphError {
  const names = KNOWN_AGENTS.map(({ name }) => name);
  const meant = nearest(word, names);
  return new RalphError(
    `"${word}" is neither a known agent nor a program on PATH.` +
      (meant === undefined ? '' : ` Did you mean ${meant}?`),
    {
      code: 'actor_failed',
      exitCode: ExitCode.actor,
      hint: `Known agents: ${names.join(', ')}. Or set the command line of a program that speaks the Agent Client Protocol.`,
    },
  );
}

/** Programs that only run another one, whose name tells more. */
const RUNNERS = /^(?:node|nodejs|npx|bunx?|deno|tsx|python[\d.]*|uvx?|uv|ruby|sh|bash|zsh|env|exec|sudo)$/;
/** Words between a runner and the program: options, variables and subcommands. */
const BETWEEN = /^(?:-|\w+=|(?:run|exec|x|dlx)$)/;

/** The name of a command line's program for display, without folders and quotes: `mine.mjs` for `node lib/mine.mjs`. */
function nameOf(line: string): string {
  const words = line.split(/\s+/).map((word) => word.replaceAll(/["']/g, ''));
  const names = words.filter((word) => !BETWEEN.test(word)).map(lastPart);
  const program = names.find((name) => name !== '' && !RUNNERS.test(name)) ?? names[0];
  return (program || 'agent').slice(0, 100);
}

function lastPart(path: string): string {
  return path.split('/').at(-1) ?? '';
}

function isOnPath(program: string, path: string): boolean {
  return path.split(delimiter).some((folder) => folder !== '' && isProgram(join(folder, program)));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
