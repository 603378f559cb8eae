import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendLine } from '../../../src/platform/files/append-line.ts';
import { armFailpoint } from '../../../src/platform/files/failpoint.ts';
import { temporaryFolder } from '../../support/repositories.ts';

let path: string;
beforeEach(() => {
  path = join(temporaryFolder(), 'log.jsonl');
});
afterEach(() => armFailpoint(undefined));

describe('appendLine', () => {
  it('creates the file and appends to it', () => {
    appendLine(path, 'ä');
    appendLine(path, 'b');
    expect(readFileSync(path, 'utf8')).toBe('ä\nb\n');
  });

  it.each(['torn', '\0\0\0', 'x'.repeat(200_000)])('removes an incomplete line that a crash left', (torn) => {
    writeFileSync(path, `a\n${torn}`);
    appendLine(path, 'b');
    expect(readFileSync(path, 'utf8')).toBe('a\nb\n');
  });

  it.each(['append.opened', 'append.half', 'append.written'])(
    'leaves the file as it was where the disk refuses at %s, and goes on later',
    (point) => {
      writeFileSync(path, 'a\n');
      armFailpoint(`${point}:enospc`);
      expect(() => appendLine(path, 'lost')).toThrow(
        expect.objectContaining({ code: 'workspace_unwritable', exitCode: 4 }),
      );
      expect(readFileSync(path, 'utf8')).toBe('a\n');
      appendLine(path, 'b');
      expect(readFileSync(path, 'utf8')).toBe('a\nb\n');
    },
  );

  it('throws if the folder does not exist', () => {
    expect(() => appendLine(join(path, 'x'), 'a')).toThrow(expect.objectContaining({ exitCode: 4 }));
  });
});
