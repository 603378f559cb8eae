import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ralph } from '../support/ralph.ts';
import { repositoryWith } from '../support/repositories.ts';

/** Bytes of the program's own files that a command reads. */
async function bytesRead(args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-loaded-'));
  await ralph(repositoryWith({}), [...args], { env: { NODE_V8_COVERAGE: folder } });
  const urls = readdirSync(folder).flatMap((name) =>
    (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: { url: string }[] }).result.map(
      ({ url }) => url,
    ),
  );
  rmSync(folder, { recursive: true });
  const files = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

describe('the start of a command', () => {
  it.each([
    [['--version'], 200_000],
    [['reflections', 'search', 'x'], 400_000],
    [['status'], 300_000],
  ])('%j reads what it needs, and not the rest of the program', async (args, most) => {
    const bytes = await bytesRead(args);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(most);
  });
});
