import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const layers = [
  'actors',
  'bench',
  'cli',
  'compose',
  'config',
  'evaluators',
  'integrations',
  'llm',
  'loop',
  'memory',
  'prompts',
  'reflectors',
  'report',
  'schema',
  'state',
  'tasks',
  'util',
  'workspace',
];
const roots = ['errors', 'events', 'index', 'ports'];

/** What each folder of src may import, beside itself; everything else is refused. */
const mayImport = {
  util: ['errors', 'events', 'schema'],
  schema: ['errors', 'util'],
  prompts: ['ports', 'errors', 'schema', 'util'],
  config: ['ports', 'errors', 'schema', 'util'],
  state: ['ports', 'events', 'errors', 'schema', 'util'],
  workspace: ['ports', 'events', 'errors', 'schema', 'util'],
  evaluators: ['ports', 'events', 'errors', 'schema', 'util'],
  tasks: ['errors', 'schema', 'util', 'prompts'],
  memory: ['ports', 'events', 'errors', 'schema', 'util', 'prompts'],
  report: ['ports', 'events', 'errors', 'schema', 'util'],
  // Reads a stored loop back for the reports; what renders it gets it whole.
  'report/data': ['report', 'loop', 'state', 'memory', 'ports', 'errors', 'schema', 'util'],
  llm: ['events', 'errors', 'schema', 'util'],
  actors: ['ports', 'events', 'errors', 'schema', 'util', 'prompts', 'llm'],
  reflectors: ['ports', 'events', 'errors', 'schema', 'util', 'prompts', 'llm'],
  loop: ['ports', 'events', 'errors', 'schema'],
  // Shows what is stored, as the command line does; what runs something is handed in by compose.
  integrations: ['memory', 'prompts', 'ports', 'errors', 'schema', 'util'],
  // Runs the whole of ralph on other people's bugs, so it wires like compose does.
  bench: [
    'actors',
    'compose',
    'config',
    'evaluators',
    'loop',
    'reflectors',
    'workspace',
    'ports',
    'events',
    'errors',
    'schema',
    'util',
  ],
  // Reading what is stored and showing it is no wiring: the rest goes through compose.
  cli: [
    'bench',
    'compose',
    'config',
    'loop',
    'errors',
    'events',
    'ports',
    'schema',
    'util',
    'state',
    'memory',
    'report',
    'tasks',
  ],
};

const boundaries = Object.entries(mayImport).map(([folder, allowed]) => {
  const message = `src/${folder} may import only: ${allowed.join(', ')}.`;
  const folders = layers.filter((layer) => layer !== folder && !allowed.includes(layer)).join('|');
  const files = roots.filter((root) => !allowed.includes(root)).join('|');
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: `^\\.\\./(.*/)?(${folders})/`, message },
            { regex: `^(\\.\\./)+(${files})\\.ts$`, message },
          ],
        },
      ],
    },
  };
});

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'test/fixtures/',
      'demo/',
      'coverage/',
      'src/schema/generated.ts',
      '.aiwg/',
    ],
  },
  js.configs.recommended,
  tseslint.configs.strict,
  tseslint.configs.stylistic,
  {
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        setTimeout: 'readonly',
        performance: 'readonly',
        URL: 'readonly',
      },
    },
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.name='process'][callee.property.name='exit']",
          message: 'Set process.exitCode in cli/main.ts instead.',
        },
      ],
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      '@typescript-eslint/no-empty-function': ['error', { allow: ['arrowFunctions'] }],
    },
  },
  ...boundaries,
  { files: ['scripts/**', 'bench/**', 'bin/**', 'reliability/**'], rules: { 'no-console': 'off' } },
  {
    // Runs in the reader's browser.
    files: ['src/report/page/assets/*.js'],
    languageOptions: {
      globals: {
        document: 'readonly',
        location: 'readonly',
        addEventListener: 'readonly',
        innerHeight: 'readonly',
      },
    },
  },
  { files: ['reliability/**/*.mjs'], languageOptions: { globals: { Buffer: 'readonly' } } },
  { files: ['eslint.config.js', '*.config.ts'], rules: { 'no-restricted-exports': 'off' } },
);
