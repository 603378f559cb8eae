import { expect, it } from 'vitest';
import { withPackageVariables } from '../../../../src/checks/detect/packages/package-variables.ts';

const MANIFEST = {
  name: 'kit',
  version: '1.2.3',
  config: { files: 'src/*.js test', port: 8080, shell: '$(id)', toString: undefined },
};

it.each([
  ['eslint $npm_package_config_files', 'eslint src/*.js test'],
  ['eslint "${npm_package_config_files}"', 'eslint "src/*.js test"'],
  [
    'serve -p $npm_package_config_port && echo $npm_package_name@$npm_package_version',
    'serve -p 8080 && echo kit@1.2.3',
  ],
])('%s is what npm runs', (script, expected) => {
  expect(withPackageVariables(script, MANIFEST)).toBe(expected);
});

it.each([
  "echo '$npm_package_name'",
  'echo $npm_package_config_shell',
  'echo $npm_package_config_none $npm_package_config_toString $npm_package_config',
  'echo $HOME $npm_config_user_agent',
])('%s stays', (script) => {
  expect(withPackageVariables(script, MANIFEST)).toBe(script);
});
