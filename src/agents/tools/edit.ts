import { writeFileSync } from 'node:fs';
import { plural } from '../../platform/text/plural.ts';
import { applyEdits, type Edit } from './apply-edits.ts';
import { toActionChanges, type LineChange } from './line-changes.ts';
import { placeOf } from './paths.ts';
import { refuseRedactionMarker } from './refuse-redaction-marker.ts';
import { readTextFile } from './text-file.ts';
import type { ToolRun } from './tool.ts';

export interface EditInput {
  readonly path: string;
  readonly edits: readonly Edit[];
}

const MAX_CHANGES_NAMED = 12;

/** The `edit` tool: replaces parts of a file, or writes nothing if one of them is not found. */
export const edit: ToolRun<EditInput> = ({ path, edits }, context) => {
  const place = placeOf(path, 'write', context);
  const { text, isUtf8 } = readTextFile(place);
  if (!isUtf8) throw new Error(`${place.shown} is not UTF-8 text; change it with bash.`);
  const outcome = applyEdits(text, edits);
  if (!outcome.ok) throw new Error(`Nothing was changed in ${place.shown}. ${outcome.problem}`);
  refuseRedactionMarker(place, text, outcome.text);
  writeFileSync(place.absolute, outcome.text);
  const ignored =
    outcome.ignored.length === 0 ? '' : ` Differences in ${outcome.ignored.join(' and ')} were ignored.`;
  return {
    text: `Changed ${place.shown}: ${describe(outcome.changes)}.${ignored}`,
    action: {
      type: 'code_modification',
      description: `Changed ${place.path}: ${describe(outcome.changes)}.`,
      file_path: place.path,
      changes: toActionChanges(outcome.changes),
    },
  };
};

function describe(changes: readonly LineChange[]): string {
  const more = changes.length - MAX_CHANGES_NAMED;
  const named = changes.slice(0, MAX_CHANGES_NAMED).map(describeOne);
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

/** One change, by its line numbers in the new text. */
function describeOne({ newLine, removed, added }: LineChange): string {
  if (added.length === 0) return `${plural(removed.length, 'line')} removed before line ${newLine}`;
  const last = newLine + added.length - 1;
  const lines = last === newLine ? `line ${newLine}` : `lines ${newLine}-${last}`;
  if (removed.length === 0) return `${lines} added`;
  return `${lines} ${added.length === 1 ? 'replaces' : 'replace'} ${plural(removed.length, 'line')}`;
}
