import type { Config } from '../schema/generated.ts';

/** One setting that a flag and a variable can give, beside the configuration file. */
export interface SettingSource {
  readonly key: keyof Config;
  /** As commander writes flags. */
  readonly flag: string;
  readonly description: string;
  /** Text from the command line or the environment → value; what is not valid is left for the schema to refuse. */
  readonly parse: (text: string, previous: unknown) => unknown;
  readonly repeatable?: boolean;
}

const asText = (text: string): unknown => text;
const asNumber = (text: string): unknown =>
  text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
const asFlag = (text: string): unknown =>
  text === '' || text === '1' || text === 'true' ? true : text === '0' || text === 'false' ? false : text;
const asOmega = (text: string): unknown => (text === 'auto' ? text : asNumber(text));
const asList = (text: string, previous: unknown): unknown => [
  ...((previous as string[] | undefined) ?? []),
  ...text.split(',').filter((item) => item !== ''),
];

/** Globs may hold commas in braces, so they are repeated instead of joined. */
const asGlobs = (text: string, previous: unknown): unknown => [
  ...((previous as string[] | undefined) ?? []),
  text,
];

/** `NAME=COMMAND` → one more entry; what has no `=` becomes an entry that the schema refuses. */
const asCheck = (text: string, previous: unknown): unknown => {
  const at = text.indexOf('=');
  return {
    ...(previous as object | undefined),
    [at < 0 ? text : text.slice(0, at)]: at < 0 ? '' : text.slice(at + 1),
  };
};

/** `tests=0.5,types=0.3` → numbers by name. */
const asWeights = (text: string): unknown =>
  Object.fromEntries(
    text.split(',').map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [name.trim(), asNumber(value)];
    }),
  );

/** Every setting with a flag; the variable of `maxIterations` is RALPH_MAX_ITERATIONS, and so on. */
export const SETTING_SOURCES: readonly SettingSource[] = [
  {
    key: 'actor',
    flag: '--actor <name>',
    description: 'who edits: search (offline, no model), react, cot, acp or command',
    parse: asText,
  },
  {
    key: 'command',
    flag: '--command <line>',
    description: 'program of the command actor; gets the prompt on stdin',
    parse: asText,
  },
  {
    key: 'agent',
    flag: '--agent <name>',
    description: 'a coding agent: claude, codex, gemini, opencode, … or a command line that speaks ACP',
    parse: asText,
  },
  {
    key: 'agentTimeout',
    flag: '--agent-timeout <duration>',
    description: 'time for one attempt of an agent (30m)',
    parse: asText,
  },
  {
    key: 'model',
    flag: '-m, --model <name>',
    description: 'provider/model, such as anthropic/…, openai/…, google/… or openai-compatible/…',
    parse: asText,
  },
  {
    key: 'baseUrl',
    flag: '--base-url <url>',
    description: "where the model's API is, such as http://127.0.0.1:11434/v1",
    parse: asText,
  },
  {
    key: 'fallbackModels',
    flag: '--fallback-model <name>',
    description: 'asked where the model before cannot answer; repeatable',
    parse: asList,
    repeatable: true,
  },
  {
    key: 'stream',
    flag: '--no-stream',
    description: 'ask for whole replies, for servers that cannot stream',
    parse: asFlag,
  },
  {
    key: 'modelTimeout',
    flag: '--model-timeout <duration>',
    description: 'silence within one reply at most (2m)',
    parse: asText,
  },
  {
    key: 'maxRetryDelay',
    flag: '--max-retry-delay <duration>',
    description: 'longest wait before a call that failed is made again (60s)',
    parse: asText,
  },
  {
    key: 'maxOutputTokens',
    flag: '--max-output-tokens <n>',
    description: 'tokens of one reply at most (8192)',
    parse: asNumber,
  },
  {
    key: 'maxSteps',
    flag: '--max-steps <n>',
    description: 'model calls of one attempt at most (50)',
    parse: asNumber,
  },
  {
    key: 'fixers',
    flag: '--fixers <kind>',
    description:
      'before a model or agent is asked: off, quick (eslint --fix, compiler fixes) or search (quick)',
    parse: asText,
  },
  {
    key: 'selfTests',
    flag: '--self-tests',
    description: 'let the model write tests of the task first, where nothing fails',
    parse: asFlag,
  },
  { key: 'reflector', flag: '--reflector <name>', description: 'who reflects: rules or llm', parse: asText },
  {
    key: 'reflectorModel',
    flag: '--reflector-model <name>',
    description: "model of the llm reflector (the actor's)",
    parse: asText,
  },
  {
    key: 'record',
    flag: '--record <file>',
    description: "keep the model's traffic in this file, secrets left out",
    parse: asText,
  },
  {
    key: 'replay',
    flag: '--replay <file>',
    description: "take the model's replies from this file; nothing is asked or paid",
    parse: asText,
  },
  {
    key: 'strategy',
    flag: '--strategy <name>',
    description: 'none, last-attempt, reflexion or last-attempt+reflexion',
    parse: asText,
  },
  {
    key: 'maxIterations',
    flag: '-i, --max-iterations <n>',
    description: 'attempts at most (5)',
    parse: asNumber,
  },
  {
    key: 'omega',
    flag: '--omega <n>',
    description: 'reflections in the next prompt, 1 to 10, or auto',
    parse: asOmega,
  },
  {
    key: 'windowPolicy',
    flag: '--window-policy <name>',
    description: 'which reflections: fifo (the newest), recency (newest first) or relevance_weighted',
    parse: asText,
  },
  {
    key: 'memory',
    flag: '--no-memory',
    description: 'neither recall nor learn lessons of other loops',
    parse: asFlag,
  },
  {
    key: 'validateLessons',
    flag: '--validate-lessons',
    description: 'check the lessons of a reflection against what happened before they are kept',
    parse: asFlag,
  },
  {
    key: 'memoryModel',
    flag: '--memory-model',
    description: 'let the model check, digest and consolidate memory too; rules do it otherwise',
    parse: asFlag,
  },
  {
    key: 'retryFrom',
    flag: '--retry-from <tree>',
    description: 'go on from best, last or base (best)',
    parse: asText,
  },
  {
    key: 'noRegressions',
    flag: '--no-regressions',
    description: 'accept what failed before; ask for nothing worse and something fixed',
    parse: asFlag,
  },
  {
    key: 'requireChange',
    flag: '--require-change',
    description: 'a green baseline is not enough: the actor must change something',
    parse: asFlag,
  },
  {
    key: 'checks',
    flag: '--check <name=command>',
    description: 'add or replace a check; repeatable',
    parse: asCheck,
    repeatable: true,
  },
  {
    key: 'skip',
    flag: '--skip <name>',
    description: 'leave a check out; repeatable',
    parse: asList,
    repeatable: true,
  },
  {
    key: 'weights',
    flag: '--weights <list>',
    description: 'shares of the reward, such as tests=0.5,types=0.3,lint=0.2',
    parse: asWeights,
  },
  {
    key: 'protect',
    flag: '--protect <glob>',
    description: 'more files that are put back before scoring; repeatable',
    parse: asGlobs,
    repeatable: true,
  },
  {
    key: 'allow',
    flag: '--allow <glob>',
    description: 'protected files that the task may change; repeatable',
    parse: asGlobs,
    repeatable: true,
  },
  {
    key: 'holdout',
    flag: '--holdout <command>',
    description: 'checks that the actor never sees: run once on a result that would be accepted',
    parse: asText,
  },
  {
    key: 'maxTime',
    flag: '--max-time <duration>',
    description: 'end after this time, such as 10m',
    parse: asText,
  },
  {
    key: 'maxCost',
    flag: '--max-cost <usd>',
    description: 'end before the model calls cost more',
    parse: asNumber,
  },
  {
    key: 'maxTokens',
    flag: '--max-tokens <n>',
    description: 'end before the model calls take more tokens, in and out',
    parse: asNumber,
  },
  {
    key: 'checkTimeout',
    flag: '--check-timeout <duration>',
    description: 'time for one check (5m)',
    parse: asText,
  },
  {
    key: 'isolation',
    flag: '--isolation <kind>',
    description: 'worktree (default) or in-place',
    parse: asText,
  },
  {
    key: 'sandbox',
    flag: '--sandbox <mode>',
    description: 'confine commands and checks: auto (default), strict or off',
    parse: asText,
  },
  {
    key: 'sandboxEngine',
    flag: '--sandbox-engine <name>',
    description: 'auto (default), bubblewrap or sandbox-runtime',
    parse: asText,
  },
  {
    key: 'allowNetwork',
    flag: '--allow-network',
    description: 'confined commands and checks reach the network',
    parse: asFlag,
  },
  {
    key: 'passEnv',
    flag: '--pass-env <name>',
    description: 'a variable that confined commands and checks get; repeatable',
    parse: asList,
    repeatable: true,
  },
  {
    key: 'sandboxRead',
    flag: '--sandbox-read <path>',
    description: 'a path that confined commands and checks may read; repeatable',
    parse: asGlobs,
    repeatable: true,
  },
  {
    key: 'sandboxWrite',
    flag: '--sandbox-write <path>',
    description: 'a path that confined commands and checks may write; repeatable',
    parse: asGlobs,
    repeatable: true,
  },
];

/** `maxIterations` → `RALPH_MAX_ITERATIONS`. */
export function variableOf(key: string): string {
  return `RALPH_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
