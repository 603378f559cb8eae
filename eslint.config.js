import js from '@eslint/js';
import tseslint from 'typescript-eslint';

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
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
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
  { files: ['scripts/**', 'bench/**', 'bin/**', 'test/reliability/**'], rules: { 'no-console': 'off' } },
  {
    // Runs in the reader's browser.
    files: ['src/report/page/assets/*.js'],
    languageOptions: {
      globals: {
        document: 'readonly',
        DOMParser: 'readonly',
        EventSource: 'readonly',
        fetch: 'readonly',
        location: 'readonly',
        addEventListener: 'readonly',
        innerHeight: 'readonly',
      },
    },
  },
  { files: ['test/reliability/**/*.mjs'], languageOptions: { globals: { Buffer: 'readonly' } } },
  {
    files: ['eslint.config.js', '.dependency-cruiser.js', '*.config.ts'],
    rules: { 'no-restricted-exports': 'off' },
  },
);
