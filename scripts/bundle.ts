/**
 * The program as it is started: `dist` and the packages that it loads, joined into a few files. Reading hundreds of
 * small files took a model session a quarter of a second of CPU time. What is run in processes and workers of its
 * own, and what programs import, stays in `dist` as it is.
 */
import { writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, sep } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';

const FOLDER = 'bundle';
/**
 * Parts of fewer bytes are joined with the one that most of the same commands need: each part that a command reads
 * costs it half a millisecond. Larger ones make commands read what they do not need.
 */
const SMALLEST_PART = 5_000;

/** Writes `<dist>/bundle/main.js`, the parts that it loads when they are needed, and `<dist>/cli/main.js` as the way to it. */
export async function bundleProgram(dist: string): Promise<void> {
  const commands = join(dist, 'cli', 'commands') + sep;
  const bundle = await rolldown({
    input: { main: `${dist}/cli/main.js` },
    platform: 'node',
    plugins: [keepPlaces(dist), lightHeaders(dist), takeBuiltins()],
  });
  await bundle.write({
    dir: `${dist}/${FOLDER}`,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'part-[hash].js',
    codeSplitting: {
      groups: [
        {
          name: 'part',
          // A command's own module is a part anyway: two that are joined would each read what the other needs.
          test: (id) => id.startsWith(dist + sep) && !id.startsWith(commands),
          entriesAware: true,
          entriesAwareMergeThreshold: SMALLEST_PART,
        },
      ],
    },
    minify: { codegen: true, compress: false, mangle: false },
  });
  await bundle.close();
  writeFileSync(`${dist}/cli/main.js`, `export { main } from '../${FOLDER}/main.js';\n`);
}

/** Modules find what lies beside them by `import.meta`: it goes on to mean the place that they had. */
function keepPlaces(dist: string): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(dist + sep) || !code.includes('import.meta.')) return null;
      const file = relative(dist, id);
      const place = (path: string): string =>
        `import.meta.dirname.replace(/${FOLDER}$/, ${JSON.stringify(path)})`;
      return code
        .replaceAll('import.meta.dirname', place(file.replace(/[\\/][^\\/]*$/, '')))
        .replaceAll('import.meta.filename', place(file))
        .replaceAll('import.meta.url', place(file));
    },
  };
}

/** The AI SDK builds a record of headers for each request: Node's own class would load all of its fetch for that. */
function lightHeaders(dist: string): Plugin {
  const from = JSON.stringify(join(dist, 'llm', 'http', 'header-map.js'));
  return {
    name: 'light-headers',
    transform: (code, id) =>
      /[\\/]@ai-sdk[\\/]provider-utils[\\/]/.test(id)
        ? `import { HeaderMap as Headers } from ${from};\n${code}`
        : null,
  };
}

/**
 * Node's own modules are taken as they are: for an import statement Node makes a module of each, and reads all that it
 * exports, which loads what is made on demand (the web's cryptography, fetch): 30 ms at a start.
 */
function takeBuiltins(): Plugin {
  return {
    name: 'take-builtins',
    renderChunk: (code) =>
      code.replace(
        /^import (?:(?:\* as )?([\w$]+)(?:, )?)?(\{[^}]*\})? ?from "([^"]+)";$/gm,
        (statement, whole: string | undefined, members: string | undefined, name: string) => {
          if (!isBuiltin(name)) return statement;
          const taken = `globalThis.process.getBuiltinModule(${JSON.stringify(name)})`;
          const names = [whole, members?.replaceAll(' as ', ': ')].filter((it) => it !== undefined);
          return names.map((it) => `const ${it} = ${taken};`).join(' ');
        },
      ),
  };
}
