import { temporaryFolder, writeFiles, type Files } from '../../support/repositories.ts';

/** Programs of the packages that tests install; the files themselves are never run by the detection. */
const BINS: Readonly<Record<string, string | Record<string, string>>> = {
  vitest: { vitest: './vitest.mjs' },
  jest: './bin/jest.js',
  mocha: { mocha: './bin/mocha.js', _mocha: './bin/_mocha' },
  ava: { ava: 'entrypoints/cli.mjs' },
  typescript: { tsc: './bin/tsc', tsserver: './bin/tsserver' },
  eslint: { eslint: './bin/eslint.js' },
};

/** Package folders as a package manager leaves them: manifest alone. `name@version`; 1.0.0 without a version. */
export function installed(...packages: readonly string[]): Files {
  return Object.fromEntries(
    packages.map((text) => {
      const [name = '', version = '1.0.0'] = text.split('@');
      return [`node_modules/${name}/package.json`, { name, version, bin: BINS[name] ?? `./${name}.js` }];
    }),
  );
}

/** A folder with these files and no git: the detection reads nothing else. */
export function folderWith(files: Files): string {
  const root = temporaryFolder();
  writeFiles(root, files);
  return root;
}
