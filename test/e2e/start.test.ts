import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesLoaded } from '../support/loaded.ts';
import { repositoryWith } from '../support/repositories.ts';

describe('the start of a command', () => {
  it.each([
    [['--version'], 200_000],
    [['reflections', 'search', 'x'], 400_000],
    [['status'], 300_000],
  ])('%j loads less than %i bytes of code', async (args, most) => {
    const files = await filesLoaded(repositoryWith({}), args);
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(most);
  });
});
