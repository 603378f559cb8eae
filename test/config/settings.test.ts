import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { resolveSettings } from '../../src/config/settings.ts';

test.each([
  [{}, 300_000],
  [{ maxTime: '3m' }, 60_000],
  [{ maxTime: '2h' }, 300_000],
  [{ maxTime: '3m', checkTimeout: '2m' }, 120_000],
])('a check may take a third of the whole time, or what the user says: %j', (config, expected) => {
  expect(resolveSettings(config).checkTimeoutMs).toBe(expected);
});

test.each([
  [{}, 60_000],
  [{ maxTime: '1m' }, 60_000],
  [{ maxTime: '3m' }, 90_000],
  [{ maxTime: '2h' }, 300_000],
  [{ maxTime: '3m', search: { maxTime: '10s' } }, 10_000],
])(
  'an attempt of the search may take half of the whole time, or what the user says: %j',
  (config, expected) => {
    expect(resolveSettings(config).search.maxTimeMs).toBe(expected);
  },
);

test('a value that is refused is shown bounded', async () => {
  const accept = ['y'.repeat(100_000)];
  const error = await loadConfig({ folders: [], flags: { accept }, env: {} }).catch(
    (thrown: Error) => thrown,
  );
  expect((error as Error).message).toMatch(/^--accept\.0 is "yyy.*… \(100002 characters\): /);
  expect((error as Error).message.length).toBeLessThan(400);
});

test.each(['model', 'reflectorModel', 'judge'])(
  '--%s without a provider is refused in words',
  async (key) => {
    const error = await loadConfig({ folders: [], flags: { [key]: 'gpt5' }, env: {} }).catch(
      (thrown: Error) => thrown,
    );
    expect((error as Error).message).toMatch(/ is "gpt5": it must be provider\/model, such as anthropic\//);
  },
);
