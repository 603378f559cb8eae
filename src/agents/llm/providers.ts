import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { SHIPPED_PROVIDERS } from '../../schema/shipped-providers.ts';
import { ExitCode, messageOf, RalphError, usageError } from '../../errors.ts';
import { nearest } from '../../platform/text/nearest.ts';
import { modelAddress } from './model-address.ts';
import { parseModelName } from './model-name.ts';

export interface ProviderRequest {
  /** `provider/model`. */
  readonly name: string;
  readonly baseUrl: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
  /** Absolute folders in which an installed provider package is looked up, in this order. */
  readonly folders: readonly string[];
}

interface Provider {
  /** Imports the package when called. */
  readonly create: (options: ProviderOptions) => Promise<ModelFactory>;
  /** Environment variables that may hold the key, the documented one first; empty if a key is optional. */
  readonly keys: readonly string[];
}

interface ProviderOptions {
  readonly apiKey?: string;
  readonly baseURL?: string;
  readonly fetch: typeof fetch;
}

type ModelFactory = (model: string) => LanguageModelV4;

const SHIPPED = {
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'],
    create: async (options) => (await import('@ai-sdk/anthropic')).createAnthropic(options).languageModel,
  },
  openai: {
    keys: ['OPENAI_API_KEY'],
    create: async (options) => (await import('@ai-sdk/openai')).createOpenAI(options).languageModel,
  },
  google: {
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    create: async (options) =>
      (await import('@ai-sdk/google')).createGoogleGenerativeAI(options).languageModel,
  },
  'openai-compatible': {
    keys: [],
    create: async ({ baseURL = '', fetch, apiKey }) =>
      (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
        name: 'openai-compatible',
        baseURL,
        fetch,
        includeUsage: true,
        supportsStructuredOutputs: true,
        apiKey,
      }).languageModel,
  },
} satisfies Record<(typeof SHIPPED_PROVIDERS)[number], Provider>;

function shippedProvider(name: string): Provider | undefined {
  return Object.hasOwn(SHIPPED, name) ? SHIPPED[name as keyof typeof SHIPPED] : undefined;
}

/** Providers published as `@ai-sdk/<name>`; used if the user has installed the package. */
const PUBLISHED = [
  'xai',
  'mistral',
  'groq',
  'deepseek',
  'cohere',
  'togetherai',
  'fireworks',
  'cerebras',
  'perplexity',
  'azure',
  'amazon-bedrock',
  'google-vertex',
  'deepinfra',
  'baseten',
  'huggingface',
  'moonshotai',
  'alibaba',
];

/**
 * Options sent to every provider; each reads its own. Anthropic caches the longest known prefix; OpenAI stores no
 * conversation, so every request carries all of it.
 */
const PROVIDER_OPTIONS: SharedV4ProviderOptions = {
  anthropic: { cacheControl: { type: 'ephemeral' } },
  openai: { store: false },
};

/** The options for every provider, with those of the user, which take precedence. */
export function providerOptionsWith(given: SharedV4ProviderOptions): SharedV4ProviderOptions {
  const names = Object.keys({ ...PROVIDER_OPTIONS, ...given });
  return Object.fromEntries(names.map((name) => [name, { ...PROVIDER_OPTIONS[name], ...given[name] }]));
}

/** Throws RalphError if no request could succeed: unknown provider, missing key or address. */
export function checkModel({ name, baseUrl, env, folders }: Omit<ProviderRequest, 'fetch'>): void {
  const { provider } = parseModelName(name);
  if (baseUrl !== undefined && !URL.canParse(baseUrl)) {
    throw usageError(
      `${JSON.stringify(baseUrl)} is no address of a server.`,
      'Set one, such as --base-url http://127.0.0.1:11434/v1',
    );
  }
  const shipped = shippedProvider(provider);
  if (shipped === undefined) return void installedPackage(provider, folders);
  if (provider === 'openai-compatible' && baseUrl === undefined) {
    throw usageError(
      `The model "${name}" needs the address of its server.`,
      'Set one, such as --base-url http://127.0.0.1:11434/v1',
    );
  }
  if (shipped.keys.length > 0 && keyIn(env, shipped.keys) === undefined) {
    throw new RalphError(`The model "${name}" needs a key: ${shipped.keys[0]} is not set.`, {
      code: 'actor_failed',
      exitCode: ExitCode.actor,
      hint: `export ${shipped.keys[0]}=…   or run without a model: --actor search`,
    });
  }
}

/** Creates the AI SDK's model. Rejects with RalphError as `checkModel`, and if an installed package is unusable. */
export async function openModel(request: ProviderRequest): Promise<LanguageModelV4> {
  checkModel(request);
  const { name, env, baseUrl, fetch, folders } = request;
  const { provider, model } = parseModelName(name);
  const shipped = shippedProvider(provider);
  const keys = shipped?.keys.length === 0 ? ['OPENAI_COMPATIBLE_API_KEY'] : (shipped?.keys ?? []);
  const apiKey = keyIn(env, keys);
  const baseURL = modelAddress(name, baseUrl, env);
  const options = { fetch, apiKey, baseURL };
  const factory = await (shipped?.create(options) ?? createInstalled(provider, folders, options));
  return factory(model);
}

function keyIn(env: ProviderRequest['env'], names: readonly string[]): string | undefined {
  return names.map((name) => env[name]?.trim()).find((value) => value !== undefined && value !== '');
}

async function createInstalled(
  provider: string,
  folders: readonly string[],
  options: ProviderOptions,
): Promise<ModelFactory> {
  const path = installedPackage(provider, folders);
  try {
    const exports = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
    const create = Object.entries(exports).find(
      ([name, value]) => /^create[A-Z]/.test(name) && typeof value === 'function',
    );
    if (create === undefined) throw new Error('it exports no function that creates a provider');
    const made = (create[1] as (options: ProviderOptions) => { languageModel: ModelFactory })(options);
    return (model) => requireV4(made.languageModel(model), provider);
  } catch (error) {
    throw unusablePackage(provider, messageOf(error), error);
  }
}

/** Models of older packages return results in another shape. */
function requireV4(model: LanguageModelV4, provider: string): LanguageModelV4 {
  const version: string = model.specificationVersion;
  if (version === 'v4') return model;
  throw unusablePackage(provider, `its models implement specification ${version}, and v4 is required`);
}

function unusablePackage(provider: string, problem: string, cause?: unknown): RalphError {
  return new RalphError(`@ai-sdk/${provider} cannot be used: ${problem}.`, {
    code: 'actor_failed',
    exitCode: ExitCode.actor,
    hint: `Install it again: npm install --save-dev @ai-sdk/${provider}@latest`,
    cause,
  });
}

function installedPackage(provider: string, folders: readonly string[]): string {
  for (const folder of folders) {
    try {
      return createRequire(join(folder, 'package.json')).resolve(`@ai-sdk/${provider}`);
    } catch {
      // Not installed there.
    }
  }
  throw unknownProvider(provider, folders[0]!);
}

function unknownProvider(provider: string, folder: string): RalphError {
  const shipped = SHIPPED_PROVIDERS;
  const near = nearest(provider, [...shipped, ...PUBLISHED]);
  const install = PUBLISHED.includes(provider)
    ? `Install it in ${folder}: npm install --save-dev @ai-sdk/${provider}`
    : `Other providers are installed as packages, in ${folder}: npm install --save-dev @ai-sdk/${near !== undefined && PUBLISHED.includes(near) ? near : 'NAME'}`;
  return usageError(
    `Unknown provider "${provider}".${near === undefined || near === provider ? '' : ` Did you mean "${near}"?`}`,
    `Known: ${shipped.join(', ')}.\n${install}`,
  );
}
