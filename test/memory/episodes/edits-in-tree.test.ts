import { expect, it } from 'vitest';
import { hasEdits } from '../../../src/memory/episodes/edits-in-tree.ts';
import { readEarlierReflections } from '../../../src/memory/episodes/earlier-reflections.ts';
import { RALPH_PATHS } from '../../../src/platform/ralph-folder.ts';
import { temporaryFolder } from '../../support/repositories.ts';
import { put, sampleReflection } from '../sample.ts';

const PATCH = `diff --git a/src/a.js b/src/a.js
index 1111111..2222222 100644
--- a/src/a.js
+++ b/src/a.js
@@ -1,3 +1,3 @@
 // head
-const rate = 40;
+const rate = 60;
 // tail
`;
const ATTEMPT = { loop_id: 'ralph-sample', iteration: 0 };

/** A repository whose one file has these lines, and whose loop stored a patch. */
function repository(file: string, patch?: string): string {
  const root = temporaryFolder();
  put(root, 'src/a.js', file);
  if (patch !== undefined) put(root, RALPH_PATHS.inAttempt('ralph-sample', 1, 'patch.diff'), patch);
  return root;
}

it.each([
  ['the edit at its place', '// head\nconst rate = 60;\n// tail\n', true],
  ['the file as it was before', '// head\nconst rate = 40;\n// tail\n', false],
  ['the written line at another place', '// new\n// head\nconst rate = 60;\n// tail\n', undefined],
  ['neither line', '// head\nconst rate = 7;\n', false],
])('looks up whether the edits of an attempt are in the files: %s', (_, file, expected) => {
  expect(hasEdits(repository(file, PATCH), ATTEMPT)).toBe(expected);
});

it('does not know where no patch is stored', () => {
  expect(hasEdits(repository('x'), ATTEMPT)).toBeUndefined();
});

it('is a part of every earlier reflection that is read', async () => {
  const root = repository('// head\nconst rate = 40;\n// tail\n', PATCH);
  put(root, RALPH_PATHS.reflection('ralph-sample', 0), sampleReflection());
  const found = await readEarlierReflections(root, 'ralph-other');
  expect(found.map(({ isInTree }) => isInTree)).toEqual([false]);
});
