import type {
  ActorName,
  Config,
  Fixers,
  InsightConfig,
  Isolation,
  Omega,
  Price,
  ReflectorName,
  RetryFrom,
  SandboxEngine,
  SandboxMode,
  Strategy,
  WindowPolicy,
} from '../schema/generated.ts';
import { ACTORS } from '../actors.ts';
import { parseDurationMs } from '../platform/text/duration.ts';

/** A configuration with every default filled in and every duration in milliseconds. */
export interface Settings {
  readonly actor: ActorName;
  readonly command: string | undefined;
  /** Name or command line of the agent of the acp actor. */
  readonly agent: string | undefined;
  /** One attempt of an agent at most, and how long it may say and do nothing. */
  readonly agentTimeoutMs: number;
  readonly agentSilenceMs: number;
  readonly model: ModelSettings;
  readonly fixers: Fixers;
  readonly selfTests: boolean;
  readonly reflector: ReflectorName;
  readonly strategy: Strategy;
  readonly maxIterations: number;
  /** Undefined: by verification type. */
  readonly omega: Omega | undefined;
  readonly windowPolicy: WindowPolicy;
  readonly windowTokens: number;
  /** Lessons of earlier loops are recalled, told and learned. */
  readonly memory: boolean;
  /** A model works on memory too, where there is one; else rules alone. */
  readonly memoryModel: boolean;
  /** The lessons of a reflection are checked before they are kept. */
  readonly validateLessons: boolean;
  /** A loop that has ended is looked at once more. */
  readonly microReflection: boolean;
  readonly insights: Required<InsightConfig>;
  readonly retryFrom: RetryFrom;
  readonly noRegressions: boolean;
  readonly requireChange: boolean;
  readonly checks: Readonly<Record<string, string>>;
  readonly skip: readonly string[];
  readonly weights: Readonly<Record<string, number>>;
  readonly protect: readonly string[];
  readonly allow: readonly string[];
  readonly carry: readonly string[];
  readonly maxTimeMs: number | undefined;
  readonly maxCostUsd: number | undefined;
  readonly maxTokens: number | undefined;
  readonly checkTimeoutMs: number;
  readonly isolation: Isolation;
  readonly sandbox: SandboxSettings;
  /** Command line of checks that the actor never sees. */
  readonly holdout: string | undefined;
  /** Undefined: the system's temporary directory. */
  readonly workspaceDir: string | undefined;
  readonly search: { readonly maxCandidates: number; readonly maxTimeMs: number };
}

/** What commands and checks are confined to. */
export interface SandboxSettings {
  readonly mode: SandboxMode;
  readonly engine: SandboxEngine;
  readonly network: boolean;
  /** Names of variables. */
  readonly passEnv: readonly string[];
  /** Paths, relative to where ralph was started; `~` is the home. */
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** How models are asked. Names are `provider/model`. */
export interface ModelSettings {
  /** The actor's; undefined: none is configured. */
  readonly name: string | undefined;
  /** The reflector's; undefined: the actor's. */
  readonly reflectorName: string | undefined;
  readonly fallbacks: readonly string[];
  readonly baseUrl: string | undefined;
  readonly stream: boolean;
  /** Silence within one reply at most; a whole reply may take five times as long. */
  readonly timeoutMs: number;
  /** The longest wait before a call is made again, whatever the server asks for. */
  readonly maxDelayMs: number;
  readonly maxOutputTokens: number;
  /** Calls of one attempt at most. */
  readonly maxSteps: number;
  /** USD for a million tokens, by `provider/model`. */
  readonly prices: Readonly<Record<string, Price>>;
  /** Paths, relative to where ralph was started. */
  readonly record: string | undefined;
  readonly replay: string | undefined;
}

const DEFAULTS = {
  agentTimeout: '30m',
  agentSilence: '5m',
  modelTimeout: '2m',
  maxRetryDelay: '60s',
  maxOutputTokens: 8192,
  maxSteps: 50,
  fixers: 'quick',
  strategy: 'reflexion',
  maxIterations: 5,
  windowPolicy: 'fifo',
  windowTokens: 4000,
  insights: { recent: 20, capacity: 10, reflectEvery: 15, threshold: 0.5 },
  retryFrom: 'best',
  carry: ['.env*'],
  checkTimeout: '5m',
  isolation: 'worktree',
  sandbox: 'auto',
  sandboxEngine: 'auto',
  search: { maxCandidates: 10_000, maxTime: '60s' },
} as const satisfies Config;

/** Fills in the defaults. The configuration must be valid. */
export function resolveSettings(config: Config): Settings {
  const { search = {}, maxTime, checkTimeout = DEFAULTS.checkTimeout } = config;
  const actor = config.actor ?? defaultActor(config);
  return {
    actor,
    command: config.command,
    agent: config.agent,
    agentTimeoutMs: parseDurationMs(config.agentTimeout ?? DEFAULTS.agentTimeout)!,
    agentSilenceMs: parseDurationMs(config.agentSilence ?? DEFAULTS.agentSilence)!,
    model: resolveModel(config),
    fixers: config.fixers ?? ACTORS[actor].defaultFixers,
    selfTests: config.selfTests ?? false,
    reflector: config.reflector ?? defaultReflector(config),
    strategy: config.strategy ?? DEFAULTS.strategy,
    maxIterations: config.maxIterations ?? DEFAULTS.maxIterations,
    omega: config.omega,
    windowPolicy: config.windowPolicy ?? DEFAULTS.windowPolicy,
    windowTokens: config.windowTokens ?? DEFAULTS.windowTokens,
    memory: config.memory ?? true,
    memoryModel: config.memoryModel ?? false,
    validateLessons: config.validateLessons ?? false,
    microReflection: config.microReflection ?? true,
    insights: { ...DEFAULTS.insights, ...config.insights },
    retryFrom: config.retryFrom ?? DEFAULTS.retryFrom,
    noRegressions: config.noRegressions ?? false,
    requireChange: config.requireChange ?? false,
    checks: config.checks ?? {},
    skip: config.skip ?? [],
    weights: config.weights ?? {},
    protect: config.protect ?? [],
    allow: config.allow ?? [],
    carry: config.carry ?? DEFAULTS.carry,
    maxTimeMs: maxTime === undefined ? undefined : parseDurationMs(maxTime),
    maxCostUsd: config.maxCost,
    maxTokens: config.maxTokens,
    checkTimeoutMs: parseDurationMs(checkTimeout)!,
    isolation: config.isolation ?? DEFAULTS.isolation,
    sandbox: {
      mode: config.sandbox ?? DEFAULTS.sandbox,
      engine: config.sandboxEngine ?? DEFAULTS.sandboxEngine,
      network: config.allowNetwork ?? false,
      passEnv: config.passEnv ?? [],
      read: config.sandboxRead ?? [],
      write: config.sandboxWrite ?? [],
    },
    holdout: config.holdout,
    workspaceDir: config.workspaceDir,
    search: {
      maxCandidates: search.maxCandidates ?? DEFAULTS.search.maxCandidates,
      maxTimeMs: parseDurationMs(search.maxTime ?? DEFAULTS.search.maxTime)!,
    },
  };
}

function defaultActor({ command, agent, model, replay }: Config): ActorName {
  if (command !== undefined) return 'command';
  if (agent !== undefined) return 'acp';
  return model !== undefined || replay !== undefined ? 'react' : 'search';
}

function defaultReflector({ model, reflectorModel, replay }: Config): ReflectorName {
  return [model, reflectorModel, replay].every((name) => name === undefined) ? 'rules' : 'llm';
}

function resolveModel(config: Config): ModelSettings {
  return {
    name: config.model,
    reflectorName: config.reflectorModel,
    fallbacks: config.fallbackModels ?? [],
    baseUrl: config.baseUrl,
    stream: config.stream ?? true,
    timeoutMs: parseDurationMs(config.modelTimeout ?? DEFAULTS.modelTimeout)!,
    maxDelayMs: parseDurationMs(config.maxRetryDelay ?? DEFAULTS.maxRetryDelay)!,
    maxOutputTokens: config.maxOutputTokens ?? DEFAULTS.maxOutputTokens,
    maxSteps: config.maxSteps ?? DEFAULTS.maxSteps,
    prices: config.prices ?? {},
    record: config.record,
    replay: config.replay,
  };
}
