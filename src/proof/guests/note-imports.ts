import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** Receives the absolute path or the name of a module, and the absolute path of the file that imports it. */
export type NoteImport = (name: string, importer: string) => void;

/** Notes which files outside of `node_modules` import which modules, also by computed names. */
export function noteImports(note: NoteImport): void {
  module.registerHooks?.({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const importer = pathOf(context.parentURL);
      if (importer !== undefined && !importer.includes('/node_modules/')) {
        const name = /node_modules\//.test(found.url) ? specifier : (pathOf(found.url) ?? found.url);
        note(name, importer);
      }
      return found;
    },
  });
}

function pathOf(url: string | undefined): string | undefined {
  if (url === undefined || !url.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
