import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Lists every file below a folder with mode, owner and content, as one text. Folders with the name `ignored` are left out. */
export function inventoryOf(folder: string, ignored?: string): string {
  const lines: string[] = [];
  const visit = (path: string): void => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return void lines.push(`${path} missing`);
    lines.push(`${path} ${stat.mode} ${stat.uid}`);
    if (stat.isSymbolicLink()) lines.push(readlinkSync(path));
    if (stat.isFile()) lines.push(readFileSync(path, 'latin1'));
    if (stat.isDirectory()) {
      for (const name of readdirSync(path).sort()) if (name !== ignored) visit(join(path, name));
    }
  };
  visit(folder);
  return lines.join('\n');
}
