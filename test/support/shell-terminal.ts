/** A program in a real terminal (tmux), for what only shows there: shells, questions. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { temporaryFolder } from './repositories.ts';

export const hasTmux = execaSync('tmux', ['-V'], { reject: false }).exitCode === 0;

/** A folder for PATH in which `ralph` and `ralph-reflexion` are the built program. */
export function programFolder(): string {
  const bin = join(temporaryFolder(), 'bin');
  mkdirSync(bin);
  const program = join(import.meta.dirname, '..', '..', 'bin', 'ralph.js');
  writeFileSync(join(bin, 'ralph'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  });
  symlinkSync(join(bin, 'ralph'), join(bin, 'ralph-reflexion'));
  return bin;
}

/** A real terminal with a real shell in it. */
export class ShellTerminal {
  readonly #socket = `ralph-test-${process.pid}-${Math.random().toString(36).slice(2)}`;

  constructor(cwd: string, command: readonly string[], env: Readonly<Record<string, string>>) {
    const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const size = ['-x', '100', '-y', '30'];
    this.#tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      ...size,
      '-c',
      cwd,
      '--',
      'env',
      ...settings,
      ...command,
    );
  }

  type(...keys: string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  async waitFor(pattern: RegExp): Promise<string> {
    for (let tries = 0; tries < 200; tries++) {
      const screen = this.#tmux('capture-pane', '-p');
      if (pattern.test(screen)) return screen;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${String(pattern)} did not come:\n${this.#tmux('capture-pane', '-p')}`);
  }

  close(): void {
    this.#tmux('kill-server');
  }

  #tmux(...args: string[]): string {
    return execaSync('tmux', ['-L', this.#socket, ...args], { stripFinalNewline: false }).stdout;
  }
}
