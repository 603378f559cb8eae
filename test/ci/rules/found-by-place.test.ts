import { expect, test } from 'vitest';
import { isFoundByPlace, type PackageFolder } from '../../../src/ci/rules/found-by-place.ts';

const folder = (dependencies: readonly string[], names: readonly string[] = [], at = '.'): PackageFolder => ({
  folder: at,
  dependencies,
  names,
});

test.each<[path: string, folders: readonly PackageFolder[]]>([
  ['middleware.ts', [folder(['next'])]],
  ['src/app/api/x/route.ts', [folder([], ['next.config.mjs'])]],
  ['apps/web/pages/api/x.js', [folder(['turbo']), folder(['next'], [], 'apps/web')]],
  ['api/x.js', [folder([], ['vercel.json'])]],
  ['netlify/edge-functions/x.js', [folder([], ['netlify.toml'])]],
  ['functions/x.js', [folder(['wrangler'])]],
  ['src/routes/x/+server.js', [folder(['@sveltejs/kit'])]],
  ['server/plugins/x.ts', [folder(['nuxt'])]],
  ['db/migrations/20260101_x.js', [folder(['knex'])]],
  ['src/commands/x.ts', [folder(['@oclif/core'])]],
  ['assets/editor/x.cs', [folder([], ['projectsettings'])]],
  ['shop/admin.py', [folder([], ['manage.py'])]],
])('%s is found by its place', (path, folders) => {
  expect(isFoundByPlace(path, folders)).toBe(true);
  expect(
    isFoundByPlace(
      path,
      folders.map((it) => ({ ...it, dependencies: ['@own/next'], names: ['src'] })),
    ),
  ).toBe(false);
});

test.each([
  ['lib/middleware/cors.js', ['next']],
  ['src/components/button.tsx', ['next', 'vercel']],
  ['src/sum.js', ['knex', '@sveltejs/kit', 'nuxt', 'wrangler', '@oclif/core', 'meteor', 'egg']],
])('%s is an ordinary source with %j', (path, dependencies) => {
  expect(isFoundByPlace(path, [folder(dependencies)])).toBe(
    path === 'src/sum.js' && dependencies.includes('none'),
  );
});
