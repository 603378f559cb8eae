import { ACTORS } from '../actors.ts';
import { parseDurationMs } from '../platform/text/duration.ts';
import type {
  ActorName,
  Config,
  DefaultedSetting,
  InsightConfig,
  ReflectorName,
} from '../schema/generated.ts';
import { configProperties, type SettingKey, type SettingSchema } from './setting-list.ts';

/** A valid configuration with the defaults of the schema; settings without a default are present and undefined. */
type FilledConfig = { [Key in Exclude<SettingKey, DefaultedSetting>]: Config[Key] | undefined } & Required<
  Pick<Config, DefaultedSetting>
>;

/** Settings whose value the configuration spells otherwise than `Settings`: durations, and those grouped below. */
type ReshapedSetting =
  | 'actor'
  | 'fixers'
  | 'reflector'
  | 'maxCost'
  | 'search'
  | 'insights'
  | 'agentTimeout'
  | 'agentSilence'
  | 'maxTime'
  | 'proofTime'
  | 'checkTimeout'
  | 'model'
  | 'reflectorModel'
  | 'fallbackModels'
  | 'baseUrl'
  | 'stream'
  | 'modelTimeout'
  | 'maxRetryDelay'
  | 'maxOutputTokens'
  | 'reasoning'
  | 'temperature'
  | 'providerOptions'
  | 'maxSteps'
  | 'prices'
  | 'record'
  | 'replay'
  | 'sandbox'
  | 'sandboxEngine'
  | 'allowNetwork'
  | 'passEnv'
  | 'sandboxRead'
  | 'sandboxWrite'
  | 'limits';

/**
 * A configuration with every default filled in and every duration in milliseconds. Settings that are not named here
 * are as in `Config`.
 */
export interface Settings extends Readonly<Omit<FilledConfig, ReshapedSetting>> {
  readonly actor: ActorName;
  readonly fixers: NonNullable<Config['fixers']>;
  readonly reflector: ReflectorName;
  readonly agentTimeoutMs: number;
  readonly agentSilenceMs: number;
  readonly maxTimeMs: number | undefined;
  readonly checkTimeoutMs: number;
  readonly proofTimeMs: number;
  readonly maxCostUsd: number | undefined;
  readonly search: {
    readonly maxCandidates: number;
    readonly maxTimeMs: number;
    /** 0..1 */
    readonly minConfidence: number;
  };
  readonly insights: Required<InsightConfig>;
  readonly model: ModelSettings;
  readonly sandbox: SandboxSettings;
}

/** How commands and checks are confined. */
interface SandboxSettings {
  readonly mode: FilledConfig['sandbox'];
  readonly engine: FilledConfig['sandboxEngine'];
  readonly network: boolean;
  /** Names of variables. */
  readonly passEnv: readonly string[];
  /** Paths, relative to where ralph was started; `~` is the home. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Sizes in GiB and a number of processes; 0 is no limit. */
  readonly limits: FilledConfig['limits'];
}

/** How models are asked. Names are `provider/model`. */
interface ModelSettings {
  /** The actor's model; undefined if none is configured. */
  readonly name: string | undefined;
  /** The reflector's model; undefined means the actor's. */
  readonly reflectorName: string | undefined;
  readonly fallbacks: readonly string[];
  readonly baseUrl: string | undefined;
  readonly stream: boolean;
  /** Longest silence within one reply; a whole reply may take five times as long. */
  readonly timeoutMs: number;
  /** Longest wait before a call is made again, even if the server asks for a longer one. */
  readonly maxDelayMs: number;
  readonly maxOutputTokens: number;
  /** Undefined: the model's own default. */
  readonly reasoning: Config['reasoning'];
  /** 0..2; undefined: the model's own default. */
  readonly temperature: number | undefined;
  /** Options of the AI SDK's providers, by provider. */
  readonly providerOptions: NonNullable<Config['providerOptions']>;
  /** Most calls of one attempt. */
  readonly maxSteps: number;
  /** USD per million tokens, by `provider/model`. */
  readonly prices: NonNullable<Config['prices']>;
  /** Paths, relative to where ralph was started. */
  readonly record: string | undefined;
  readonly replay: string | undefined;
}

/**
 * A check that takes more than a third of the whole time leaves none to repair what it reports: the baseline, an attempt and
 * its confirmation each run it. A limit that the user names stays as it is.
 */
function checkLimit({ checkTimeout, maxTime }: Config, defaultMs: number): number {
  if (checkTimeout !== undefined || maxTime === undefined) return defaultMs;
  return Math.min(defaultMs, Math.ceil(parseDurationMs(maxTime)! / 3));
}

/** Longest attempt of the search where its limit follows from the whole time. */
const LONGEST_SEARCH_MS = 300_000;

/** Where the user limits the whole time and not the search's, an attempt may take half of it, from the default to 5 minutes. */
function searchLimit({ search, maxTime }: Config, defaultMs: number): number {
  if (search?.maxTime !== undefined || maxTime === undefined) return defaultMs;
  return Math.min(Math.max(defaultMs, Math.floor(parseDurationMs(maxTime)! / 2)), LONGEST_SEARCH_MS);
}

/** Fills in the defaults of a configuration, which must be valid. */
export function resolveSettings(config: Config): Settings {
  const filled = filledWith(config);
  const { agentTimeout, agentSilence, maxTime, checkTimeout, maxCost, search, insights, ...kept } = filled;
  const { proofTime, ...rest } = kept;
  const { model, reflectorModel, fallbackModels, baseUrl, stream, modelTimeout, ...others } = rest;
  const { maxRetryDelay, maxOutputTokens, reasoning, temperature, providerOptions, ...more } = others;
  const { maxSteps, prices, record, replay, ...unchanged } = more;
  const { sandbox, sandboxEngine, allowNetwork, passEnv, sandboxRead, sandboxWrite, limits, ...same } =
    unchanged;
  const actor = actorOf(config);
  const searchLimits = { ...defaultsOf<'search'>('search'), ...search };
  return {
    ...same,
    actor,
    fixers: config.fixers ?? ACTORS[actor].defaultFixers,
    reflector: config.reflector ?? defaultReflector(config),
    agentTimeoutMs: parseDurationMs(agentTimeout)!,
    agentSilenceMs: parseDurationMs(agentSilence)!,
    maxTimeMs: maxTime === undefined ? undefined : parseDurationMs(maxTime),
    checkTimeoutMs: checkLimit(config, parseDurationMs(checkTimeout)!),
    proofTimeMs: parseDurationMs(proofTime)!,
    maxCostUsd: maxCost,
    search: {
      maxCandidates: searchLimits.maxCandidates,
      maxTimeMs: searchLimit(config, parseDurationMs(searchLimits.maxTime)!),
      minConfidence: searchLimits.minConfidence,
    },
    insights: { ...defaultsOf<'insights'>('insights'), ...insights },
    model: {
      name: model,
      reflectorName: reflectorModel,
      fallbacks: fallbackModels,
      baseUrl,
      stream,
      timeoutMs: parseDurationMs(modelTimeout)!,
      maxDelayMs: parseDurationMs(maxRetryDelay)!,
      maxOutputTokens,
      reasoning,
      temperature,
      providerOptions,
      maxSteps,
      prices,
      record,
      replay,
    },
    sandbox: {
      mode: sandbox,
      engine: sandboxEngine,
      network: allowNetwork,
      passEnv,
      read: sandboxRead,
      write: sandboxWrite,
      limits,
    },
  };
}

function filledWith(config: Config): FilledConfig {
  const defaults = Object.entries(configProperties()).map(([key, schema]) => [key, schema.default]);
  const { $schema: _schema, ...given } = config;
  return { ...(Object.fromEntries(defaults) as FilledConfig), ...given };
}

/** The defaults of the keys within an object setting. */
function defaultsOf<Key extends 'search' | 'insights'>(key: Key): Required<NonNullable<Config[Key]>> {
  const { properties = {} } = configProperties()[key] as { properties?: Record<string, SettingSchema> };
  const entries = Object.entries(properties).map(([name, schema]) => [name, schema.default]);
  return Object.fromEntries(entries) as Required<NonNullable<Config[Key]>>;
}

/** The actor that settings ask for. */
export function actorOf({ actor, command, agent, model, replay }: Config): ActorName {
  if (actor !== undefined) return actor;
  if (command !== undefined) return 'command';
  if (agent !== undefined) return 'acp';
  return model !== undefined || replay !== undefined ? 'react' : 'search';
}

/** A recording of an agent or a command has no reflections of a model, unless one is named. */
function defaultReflector({ agent, command, model, reflectorModel, replay }: Config): ReflectorName {
  const recorded = agent === undefined && command === undefined ? replay : undefined;
  return [model, reflectorModel, recorded].every((name) => name === undefined) ? 'rules' : 'llm';
}
