import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The files of an actor of the catalogue. Paths are relative to the workspace. */
export interface ActorFiles {
  read(path: string): string;
  write(path: string, text: string): void;
  /** Replaces the first occurrence. Throws if there is none, because the case would have no effect. */
  edit(path: string, from: string | RegExp, to: string): void;
  append(path: string, text: string): void;
  prepend(path: string, text: string): void;
  remove(path: string): void;
  move(from: string, to: string): void;
  /** Changes the object in a JSON file; a missing file has an empty one. */
  json(path: string, change: (value: Record<string, unknown>) => void): void;
}

/** Works in the working directory of this process. */
export const files: ActorFiles = {
  read: (path) => readFileSync(path, 'utf8'),
  write(path, text) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  },
  edit(path, from, to) {
    const text = readFileSync(path, 'utf8');
    const changed = text.replace(from, () => to);
    if (changed === text) throw new Error(`${path} does not contain ${String(from)}.`);
    writeFileSync(path, changed);
  },
  append: (path, text) => files.write(path, `${files.read(path)}${text}`),
  prepend: (path, text) => files.write(path, `${text}${files.read(path)}`),
  remove: (path) => rmSync(path, { recursive: true }),
  move(from, to) {
    files.write(to, files.read(from));
    rmSync(from);
  },
  json(path, change) {
    const value = existsSync(path) ? (JSON.parse(files.read(path)) as Record<string, unknown>) : {};
    change(value);
    files.write(path, `${JSON.stringify(value, null, 2)}\n`);
  },
};
