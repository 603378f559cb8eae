import { describe, expect, it } from 'vitest';
import { formatLikeBefore } from '../../../src/repair/fixers/prettier.ts';
import { linkModules } from '../../support/repositories.ts';
import { createRepo } from '../../support/repair-repo.ts';
import { checkPlan, contextWith } from './context.ts';

const plan = checkPlan({ name: 'lint', tool: 'eslint', bin: 'node_modules/eslint/bin/eslint.js' });
const clean = 'export const a = (x) => {\n  return x;\n};\n';
const edited = 'export const a = (x) => {\n  if ((x === null)) return   0;\n  return x;\n};\n';

describe('formatLikeBefore', () => {
  it("formats an edit with the repository's own prettier", async () => {
    const root = createRepo({ '.prettierrc.json': '{ "semi": false }' });
    linkModules(root, ['prettier']);
    const before = 'export const a = 1\n';
    const after = 'export const a =  (2);\n';
    expect(await formatLikeBefore(contextWith(root, plan, []), { file: 'a.js', before, after })).toBe(
      'export const a = 2\n',
    );
  });

  it('does not format a file that was not formatted before', async () => {
    const root = createRepo({});
    linkModules(root, ['prettier']);
    const file = { file: 'a.js', before: clean.replaceAll('  ', '\t\t'), after: edited };
    expect(await formatLikeBefore(contextWith(root, plan, []), file)).toBe(edited);
  });

  it('does not format if prettier is not installed', async () => {
    const root = createRepo({});
    const file = { file: 'a.js', before: clean, after: edited };
    expect(await formatLikeBefore(contextWith(root, plan, []), file)).toBe(edited);
  });
});
