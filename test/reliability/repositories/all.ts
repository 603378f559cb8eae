import type { Kind } from './kind.ts';
import { CONTENTS } from './kinds/contents.ts';
import { DAMAGED } from './kinds/damaged.ts';
import { FILE_KINDS } from './kinds/file-kinds.ts';
import { INDEX_STATES } from './kinds/index-states.ts';
import { NAMES } from './kinds/names.ts';
import { NESTED } from './kinds/nested.ts';
import { NO_REPOSITORY } from './kinds/no-repository.ts';
import { PACKAGES } from './kinds/packages.ts';
import { SHAPES } from './kinds/shapes.ts';
import { SURROUNDINGS } from './kinds/surroundings.ts';
import { UNFINISHED } from './kinds/unfinished.ts';

/** What a claim is about → the kinds that it is tried on. */
export const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  'no repository that could be worked in': NO_REPOSITORY,
  'something unfinished in the tree': UNFINISHED,
  'something damaged, locked or full': DAMAGED,
  'unusual repositories and places': SHAPES,
  'repositories within the repository': NESTED,
  'what index, ignore rules and hooks say': INDEX_STATES,
  'contents that a tool could change': CONTENTS,
  'names of files': NAMES,
  'links, special files and rights': FILE_KINDS,
  'packages and their managers': PACKAGES,
  'the machine around, many and large files': SURROUNDINGS,
};
