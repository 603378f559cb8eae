import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Every file below a folder with its mode and content, as one text; sockets without theirs, folders of one name left out. */
export function inventoryOf(folder: string, leaves?: string): string {
  const lines: string[] = [];
  const visit = (path: string): void => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return void lines.push(`${path} gone`);
    lines.push(`${path} ${stat.mode} ${stat.uid}`);
    if (stat.isSymbolicLink()) lines.push(readlinkSync(path));
    if (stat.isFile()) lines.push(readFileSync(path, 'latin1'));
    if (stat.isDirectory()) {
      for (const name of readdirSync(path).sort()) if (name !== leaves) visit(join(path, name));
    }
  };
  visit(folder);
  return lines.join('\n');
}
