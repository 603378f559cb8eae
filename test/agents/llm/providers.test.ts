import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ExitCode } from '../../../src/errors.ts';
import { checkModel, openModel, type ProviderRequest } from '../../../src/agents/llm/providers.ts';
import { startWireServer, type WireFormat } from '../../support/wire/index.ts';
import { FORMATS, PROVIDER_OF } from './client-at.ts';
import { temporaryFolder } from './recorded.ts';

const BASE: ProviderRequest = { name: '', baseUrl: undefined, env: {}, fetch, folders: [] };

/** Installs `@ai-sdk/zzz` with this code in a folder's `node_modules`. */
function install(folder: string, code: string, version = '9.9.9'): void {
  const path = join(folder, 'node_modules', '@ai-sdk', 'zzz');
  mkdirSync(path, { recursive: true });
  const exports = { '.': { import: './index.mjs', default: './index.mjs' } };
  writeFileSync(
    join(path, 'package.json'),
    JSON.stringify({ name: '@ai-sdk/zzz', version, type: 'module', exports }),
  );
  writeFileSync(join(path, 'index.mjs'), code);
}

function packageOf(specification: string, provider = 'zzz'): string {
  return `export const zzz = 1;
    export function createZzz(options) {
      const languageModel = (modelId) => ({ specificationVersion: '${specification}', provider: '${provider}', modelId, options });
      return { languageModel };
    }`;
}

describe('an unknown provider', () => {
  it.each([
    ['antropic/x', 'Did you mean "anthropic"?', 'npm install --save-dev @ai-sdk/NAME'],
    ['opnai/x', 'Did you mean "openai"?', '@ai-sdk/NAME'],
    ['mistrall/x', 'Did you mean "mistral"?', 'npm install --save-dev @ai-sdk/mistral'],
    ['groq/x', 'Unknown provider "groq".', ': npm install --save-dev @ai-sdk/groq'],
    ['quite-something-else/x', 'Unknown provider "quite-something-else".', '@ai-sdk/NAME'],
    ['constructor/x', 'Unknown provider "constructor".', '@ai-sdk/NAME'],
    ['__proto__/x', 'Unknown provider "__proto__".', '@ai-sdk/NAME'],
  ])('%s is a usage error with a remedy', async (name, message, hint) => {
    const error = expect.objectContaining({
      exitCode: ExitCode.usage,
      message: expect.stringContaining(message) as string,
      hint: expect.stringContaining(hint) as string,
    }) as Error;
    expect(() => checkModel({ ...BASE, name })).toThrow(error);
    await expect(openModel({ ...BASE, name })).rejects.toEqual(error);
  });

  it('has no suggestion if no name is similar', () => {
    expect(() => checkModel({ ...BASE, name: 'quite-something-else/x' })).not.toThrow('Did you mean');
  });

  it('is reported with the known providers', () => {
    expect(() => checkModel({ ...BASE, name: 'nobody/x' })).toThrow(
      expect.objectContaining({
        hint: expect.stringContaining('Known: anthropic, openai, google, openai-compatible.') as string,
      }),
    );
  });
});

describe('a key', () => {
  it.each([
    ['anthropic/x', {}, 'ANTHROPIC_API_KEY'],
    ['openai/x', { ANTHROPIC_API_KEY: 'k' }, 'OPENAI_API_KEY'],
    ['openai/x', { OPENAI_API_KEY: '  ' }, 'OPENAI_API_KEY'],
    ['google/x', { GEMINI_API_KEY: '' }, 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ])('missing for %s in %o is reported with its variable', (name, env, variable) => {
    expect(() => checkModel({ ...BASE, name, env })).toThrow(
      expect.objectContaining({
        exitCode: ExitCode.actor,
        message: `The model "${name}" needs a key: ${variable} is not set.`,
        hint: expect.stringContaining(`export ${variable}=`) as string,
      }),
    );
  });

  it.each<[string, WireFormat, Record<string, string>, string, string]>([
    ['anthropic', 'anthropic', { ANTHROPIC_API_KEY: ' a-key ' }, 'x-api-key', 'a-key'],
    ['openai', 'openai-responses', { OPENAI_API_KEY: 'a-key' }, 'authorization', 'Bearer a-key'],
    [
      'google',
      'gemini',
      { GOOGLE_GENERATIVE_AI_API_KEY: 'one', GEMINI_API_KEY: 'two' },
      'x-goog-api-key',
      'one',
    ],
    ['google', 'gemini', { GEMINI_API_KEY: 'two' }, 'x-goog-api-key', 'two'],
    [
      'openai-compatible',
      'openai-chat',
      { OPENAI_COMPATIBLE_API_KEY: 'a-key' },
      'authorization',
      'Bearer a-key',
    ],
  ])('for %s (%s) in %o is sent', async (provider, format, env, header, value) => {
    const { headers } = await call(`${provider}/m`, format, env);
    expect(headers[header]).toBe(value);
  });

  it('is optional for openai-compatible, which never gets the key of OpenAI', async () => {
    const { headers } = await call('openai-compatible/m', 'openai-chat', { OPENAI_API_KEY: 'not-for-you' });
    expect(headers).not.toHaveProperty('authorization');
  });
});

describe('an address', () => {
  it.each(['http://[::', 'http://a b/v1'])('that is none is refused at once: %s', (baseUrl) => {
    expect(() => checkModel({ ...BASE, name: 'openai-compatible/qwen3', baseUrl })).toThrow(
      expect.objectContaining({
        exitCode: ExitCode.usage,
        message: `"${baseUrl}" is no address of a server.`,
      }),
    );
  });

  it('is required for openai-compatible', () => {
    expect(() => checkModel({ ...BASE, name: 'openai-compatible/qwen3' })).toThrow(
      expect.objectContaining({
        exitCode: ExitCode.usage,
        message: 'The model "openai-compatible/qwen3" needs the address of its server.',
        hint: expect.stringContaining('--base-url http://') as string,
      }),
    );
  });

  it.each(FORMATS)('and the model name are used unchanged (%s)', async (format) => {
    const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' };
    const { model, format: spoken } = await call(`${PROVIDER_OF[format]}/some-model:1`, format, env);
    expect([model, spoken]).toEqual(['some-model:1', format]);
  });
});

describe('an installed provider package', () => {
  it('is loaded from the first folder that has it', async () => {
    using first = temporaryFolder();
    using second = temporaryFolder();
    install(second.path, packageOf('v4', 'second'));
    const folders = [first.path, second.path];
    const request = { ...BASE, name: 'zzz/some/model', baseUrl: 'http://127.0.0.1:1/v1', folders };
    checkModel(request);
    expect(await openModel(request)).toMatchObject({
      provider: 'second',
      modelId: 'some/model',
      options: { baseURL: 'http://127.0.0.1:1/v1', fetch },
    });
    install(first.path, packageOf('v4', 'first'));
    expect(await openModel(request)).toMatchObject({ provider: 'first' });
  });

  it('gets no address and no key if none is set', async () => {
    using folder = temporaryFolder();
    install(folder.path, packageOf('v4'));
    const model: object = await openModel({ ...BASE, name: 'zzz/m', folders: [folder.path] });
    expect(model).toHaveProperty('options', { fetch });
  });

  it.each([
    ['cannot be loaded', 'import "./nowhere.mjs";', 'Cannot find module'],
    ['exports no provider', 'export const zzz = 1;', 'it exports no function that creates a provider'],
    [
      'fails when the provider is created',
      'export function createZzz() { throw new Error("no region"); }',
      'no region',
    ],
    [
      'implements another specification',
      packageOf('v2'),
      'its models implement specification v2, and v4 is required',
    ],
  ])('that %s is reported by name', async (_name, code, problem) => {
    using folder = temporaryFolder();
    install(folder.path, code);
    await expect(openModel({ ...BASE, name: 'zzz/m', folders: [folder.path] })).rejects.toMatchObject({
      exitCode: ExitCode.actor,
      message: expect.stringMatching(new RegExp(`^@ai-sdk/zzz cannot be used: .*${problem}`)) as string,
      hint: expect.stringContaining('npm install --save-dev @ai-sdk/zzz@latest') as string,
    });
  });
});

/** The request that the server receives for one call. */
async function call(name: string, format: WireFormat, env: ProviderRequest['env']) {
  const server = await startWireServer([{ text: 'Yes.' }]);
  try {
    const model = await openModel({ ...BASE, name, baseUrl: server.baseUrl(format), env });
    await model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Well?' }] }] });
    return server.requests[0]!;
  } finally {
    await server.close();
  }
}
