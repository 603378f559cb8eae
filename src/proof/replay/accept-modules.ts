import type NodeModule from 'node:module';

/**
 * Makes this process resolve and load what test runners also accept: missing extensions, TypeScript, JSON. `copy`: absolute path
 * of a copy of the repository below `node_modules`, whose sources are loaded so too. Its source text runs in another process, so
 * it must not refer to anything outside of its body.
 */
export function acceptModules(module: typeof NodeModule, copy: string | undefined): void {
  const fs = process.getBuiltinModule('node:fs');
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  (module as Partial<typeof module>).registerHooks?.({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (!/^\.\.?\/|^file:/.test(specifier)) throw error;
        const bare = specifier.replace(/\.[cm]?jsx?$/, '');
        const tries = [bare, specifier].flatMap((it) =>
          ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json', '/index.ts', '/index.js'].map(
            (end) => it + end,
          ),
        );
        for (const it of tries) {
          try {
            return next(it, context);
          } catch {
            // The next name.
          }
        }
        throw error;
      }
    },
    load(url, context, next) {
      const path = url.startsWith('file:') ? fileURLToPath(url) : '';
      const inside = copy !== undefined && path.startsWith(copy) ? path.slice(copy.length) : path;
      if (inside.includes('/node_modules/')) return next(url, context);
      if (
        /\.json$/.test(path) &&
        context.importAttributes['type'] === undefined &&
        !context.conditions.includes('require')
      )
        return {
          format: 'module',
          shortCircuit: true,
          source: `export default ${fs.readFileSync(path, 'utf8')}`,
        };
      if (!/\.m?tsx?$/.test(path)) return next(url, context);
      const source = module.stripTypeScriptTypes(fs.readFileSync(path, 'utf8'), { mode: 'transform' });
      return { format: 'module', shortCircuit: true, source };
    },
  });
}
