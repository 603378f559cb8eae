import type {
  ActorName,
  Config,
  Isolation,
  Omega,
  ReflectorName,
  RetryFrom,
  Strategy,
  WindowPolicy,
} from '../schema/generated.ts';
import { parseDurationMs } from '../util/duration.ts';

/** A configuration with every default filled in and every duration in milliseconds. */
export interface Settings {
  readonly actor: ActorName;
  readonly command: string | undefined;
  readonly reflector: ReflectorName;
  readonly strategy: Strategy;
  readonly maxIterations: number;
  /** Undefined: by verification type. */
  readonly omega: Omega | undefined;
  readonly windowPolicy: WindowPolicy;
  readonly windowTokens: number;
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
  readonly checkTimeoutMs: number;
  readonly isolation: Isolation;
  /** Undefined: the system's temporary directory. */
  readonly workspaceDir: string | undefined;
  readonly search: { readonly maxCandidates: number; readonly maxTimeMs: number };
}

const DEFAULTS = {
  reflector: 'rules',
  strategy: 'reflexion',
  maxIterations: 5,
  windowPolicy: 'fifo',
  windowTokens: 4000,
  retryFrom: 'best',
  carry: ['.env*'],
  checkTimeout: '5m',
  isolation: 'worktree',
  search: { maxCandidates: 10_000, maxTime: '60s' },
} as const satisfies Config;

/** Fills in the defaults. The configuration must be valid. */
export function resolveSettings(config: Config): Settings {
  const { search = {}, maxTime, checkTimeout = DEFAULTS.checkTimeout } = config;
  return {
    actor: config.actor ?? (config.command === undefined ? 'search' : 'command'),
    command: config.command,
    reflector: config.reflector ?? DEFAULTS.reflector,
    strategy: config.strategy ?? DEFAULTS.strategy,
    maxIterations: config.maxIterations ?? DEFAULTS.maxIterations,
    omega: config.omega,
    windowPolicy: config.windowPolicy ?? DEFAULTS.windowPolicy,
    windowTokens: config.windowTokens ?? DEFAULTS.windowTokens,
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
    checkTimeoutMs: parseDurationMs(checkTimeout)!,
    isolation: config.isolation ?? DEFAULTS.isolation,
    workspaceDir: config.workspaceDir,
    search: {
      maxCandidates: search.maxCandidates ?? DEFAULTS.search.maxCandidates,
      maxTimeMs: parseDurationMs(search.maxTime ?? DEFAULTS.search.maxTime)!,
    },
  };
}
