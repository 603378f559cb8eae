import { loadConfig } from '../config/load.ts';
import type { TrustRequest } from '../config/trust.ts';
import { resolveSettings, type Settings } from '../config/settings.ts';
import { createModelClient } from '../agents/llm/create-client.ts';
import { ModelHealth } from '../agents/llm/model-health.ts';
import { Ledger } from '../agents/llm/ledger.ts';
import { checkModel } from '../agents/llm/providers.ts';
import type { LessonStore } from '../memory/lessons/contract.ts';
import { createLessonStore } from '../memory/lessons/store.ts';
import type { AskModel } from '../memory/passes/common/ask.ts';
import type { Config } from '../schema/generated.ts';
import { findRepositoryRoot } from '../platform/repository-root.ts';
import { askThrough } from './ask-model.ts';

/** A request to open memory outside a loop. */
export interface MemoryRequest {
  /** Absolute path in the repository. */
  readonly cwd: string;
  /** Settings from the command line, not checked yet. */
  readonly flags: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with a sentence for the user. */
  readonly warn: (text: string) => void;
  /** Asks the user to trust the configuration file; undefined where there is no terminal. */
  readonly confirm?: TrustRequest['confirm'];
}

/** Long-term memory of a repository for a command that runs outside a loop. */
export interface OpenMemory {
  readonly repositoryRoot: string;
  readonly settings: Settings;
  readonly lessons: LessonStore;
  /** The reflector's model; undefined where none is set, so that rules do the work. */
  readonly ask: AskModel | undefined;
}

/** Opens the memory of the repository around `cwd`. Throws RalphError for an invalid configuration or model. */
export async function openMemory({ cwd, flags, env, warn, confirm }: MemoryRequest): Promise<OpenMemory> {
  const repositoryRoot = findRepositoryRoot(cwd);
  const { config } = await loadConfig({
    folders: [repositoryRoot],
    flags,
    env,
    trust: { repositoryRoot, env, confirm },
  });
  const settings = resolveSettings(config);
  const lessons = createLessonStore({ repositoryRoot, onDamaged: warn });
  return { repositoryRoot, settings, lessons, ask: openAsk(repositoryRoot, settings, { env, warn }) };
}

function openAsk(
  repositoryRoot: string,
  { model, reflector, memoryModel, maxCostUsd, maxTokens }: Settings,
  { env, warn }: Pick<MemoryRequest, 'env' | 'warn'>,
): AskModel | undefined {
  const name = model.reflectorName ?? model.name;
  if ((reflector !== 'llm' && !memoryModel) || name === undefined) return undefined;
  checkModel({ name, baseUrl: model.baseUrl, env, folders: [repositoryRoot] });
  const client = createModelClient({
    ...model,
    env,
    folders: [repositoryRoot],
    health: new ModelHealth(),
    recorders: [],
    ledger: new Ledger({ maxCostUsd, maxTokens, timeLeftMs: () => undefined }),
    player: undefined,
    answeredBefore: undefined,
    channel: 'reflector',
    names: [name, ...model.fallbacks],
  });
  return askThrough(client, (event) => {
    if (event.type === 'warning') warn(event.text);
  });
}
