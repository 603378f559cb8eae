import { describe, expect, it } from 'vitest';
import { lintCommandsOf } from '../../../src/repair/fixers/lint-commands.ts';

describe('lintCommandsOf', () => {
  it.each([
    ['standard', 'standard a.js', 'standard --fix a.js'],
    ['xo "src/**"', 'xo a.js', 'xo --fix a.js'],
    ['gts lint', 'gts lint a.js', 'gts fix a.js'],
    ['npx biome check .', 'biome check a.js', 'biome check --write a.js'],
    ['biome ci src', 'biome check a.js', 'biome check --write a.js'],
    [
      'biome lint --config-path=x',
      'biome lint --config-path=x a.js',
      'biome lint --write --config-path=x a.js',
    ],
    [
      "prettier --config ./p.js --check '*.{js,ts}'",
      'prettier --check --config ./p.js a.js',
      'prettier --write --config ./p.js a.js',
    ],
    ['oxfmt --check src test', 'oxfmt --check a.js', 'oxfmt a.js'],
    ['prettier . --list-different', 'prettier --check a.js', 'prettier --write a.js'],
  ])('reads %s', (command, check, fix) => {
    const commands = lintCommandsOf(command);
    expect(commands?.check(['a.js'])).toBe(check);
    expect(commands?.fix(['a.js'])).toBe(fix);
  });

  it.each(['make lint', 'xo && tsd', 'xo | tee out', 'node scripts/standard.js', 'xo $FILES'])(
    'does not know %s',
    (command) => {
      expect(lintCommandsOf(command)).toBeUndefined();
    },
  );
});
