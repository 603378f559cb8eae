import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ralph } from './ralph.ts';

/** Absolute paths of the files of code that the built `ralph` loads for these arguments. */
export async function filesLoaded(cwd: string, args: readonly string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-loaded-'));
  try {
    await ralph(cwd, [...args], { env: { NODE_V8_COVERAGE: folder } });
    const urls = readdirSync(folder).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
        result: { url: string }[];
      };
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    });
    return urls.map((url) => fileURLToPath(url));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** True where one of the files has this text in it. */
export function holdsText(files: readonly string[], text: string): boolean {
  return files.some((file) => readFileSync(file, 'utf8').includes(text));
}
