import { describe, expect, it } from 'vitest';
import { createSearchActor } from '../../../src/repair/index.ts';
import { readTypedMembers } from '../../../src/repair/fixers/typed-members.ts';
import type { AttemptContext } from '../../../src/ports/attempt.ts';
import { planFor } from '../../support/checks.ts';
import { contextFor, createRepo, testsBy } from '../../support/repair-repo.ts';

const TYPES = `export interface Person {
  readonly givenName: string;
  readonly familyName: string;
  readonly age: number;
  greet(): string;
  describe(): string;
}
`;
const SOURCE = `import type { Person } from './person.ts';

export function signature(person: Person): string {
  return person.givenName;
}
`;
const TESTS = `import { expect, it } from 'vitest';
import { signature } from '../src/signature.ts';

const person = { givenName: 'Ada', familyName: 'Lovelace', age: 36, greet: () => 'Hi', describe: () => 'A.' };
it('signs', () => expect(signature(person)).toBe('Lovelace'));
it('signs again', () => expect(signature({ ...person, familyName: 'King' })).toBe('King'));
`;
const CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: [],
  },
  include: ['src'],
};

function repo(): string {
  return createRepo({
    'tsconfig.json': CONFIG,
    'src/person.ts': TYPES,
    'src/signature.ts': SOURCE,
    'test/signature.test.ts': TESTS,
  });
}

const TYPE_CHECK = planFor('tsc', { args: ['--noEmit'], config: 'tsconfig.json' });

describe('readTypedMembers', { timeout: 120_000 }, () => {
  it('finds members with a fitting type that is declared in another file', async () => {
    const root = repo();
    const context = await contextFor(root, { checks: [TYPE_CHECK] });
    const members = await readTypedMembers(context, ['src/signature.ts', 'src/none.js']);
    expect([...members.keys()]).toEqual(['src/signature.ts']);
    expect([...members.get('src/signature.ts')!]).toEqual([[SOURCE.indexOf('givenName'), ['familyName']]]);
  });

  it('is empty without a type check or with an unreadable configuration', async () => {
    const root = repo();
    const none = (await contextFor(root, { checks: testsBy('vitest') })) satisfies AttemptContext;
    expect((await readTypedMembers(none, ['src/signature.ts'])).size).toBe(0);
    const lost = {
      ...none,
      project: { ...none.project, checks: [{ ...TYPE_CHECK, config: 'absent.json' }] },
    };
    expect((await readTypedMembers(lost, ['src/signature.ts'])).size).toBe(0);
  });

  it('lets the search propose a member that no source mentions', async () => {
    const root = repo();
    const context = await contextFor(root, { checks: [...testsBy('vitest'), TYPE_CHECK] });
    const trajectory = await createSearchActor().attempt(context);
    expect(trajectory).toMatchObject({ outcome: 'edited', accepted: { operator: 'typed-member' } });
    expect(trajectory.accepted?.edit).toContain('return person.familyName');
  });

  it('is necessary to find such a member', async () => {
    const root = repo();
    const trajectory = await createSearchActor({ maxCandidates: 1500 }).attempt(
      await contextFor(root, { checks: testsBy('vitest') }),
    );
    expect(trajectory.accepted?.edit ?? '').not.toContain('familyName');
  });
});
