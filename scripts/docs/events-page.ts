/** Every event of a loop as a page of Markdown, from the types in src/events.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const SOURCE = join(import.meta.dirname, '..', '..', 'src', 'events.ts');

interface EventRow {
  readonly type: string;
  readonly fields: readonly string[];
  readonly comment: string;
}

/** A table of all events with their fields. */
export function renderEventsPage(): string {
  const text = readFileSync(SOURCE, 'utf8');
  const source = ts.createSourceFile('events.ts', text, ts.ScriptTarget.Latest, true);
  const rows = new Map<string, EventRow>();
  for (const statement of source.statements) {
    if (!ts.isTypeAliasDeclaration(statement) || !ts.isUnionTypeNode(statement.type)) continue;
    let end = statement.type.getFullStart();
    for (const member of statement.type.types) {
      const before = text.slice(end, member.getStart(source));
      end = member.getEnd();
      if (!ts.isTypeLiteralNode(member)) continue;
      const row = rowOf(member, before, source);
      if (!rows.has(row.type) || row.fields.length > rows.get(row.type)!.fields.length)
        rows.set(row.type, row);
    }
  }
  return [
    '# Events',
    '',
    'Generated from `src/events.ts` by `npm run generate`.',
    '',
    '`--format jsonl` prints each event as one line when it happens; `type` is its name. With `--tasks` each line begins with',
    'the key of its task, as `task`, and the last line is `{"type": "tasks_finished", "run": …}`. Fields with `?` are optional.',
    '',
    '| `type` | Other fields | |',
    '| --- | --- | --- |',
    ...[...rows.values()].map(
      ({ type, fields, comment }) =>
        `| \`${type}\` | ${fields.map((field) => `\`${field}\``).join(', ')} | ${comment.replaceAll('|', '\\|')} |`,
    ),
    '',
  ].join('\n');
}

function rowOf(member: ts.TypeLiteralNode, before: string, source: ts.SourceFile): EventRow {
  const properties = member.members.filter(ts.isPropertySignature);
  const nameOf = (property: ts.PropertySignature): string =>
    `${property.name.getText(source)}${property.questionToken === undefined ? '' : '?'}`;
  const type = properties.find((property) => nameOf(property) === 'type');
  return {
    type: type?.type?.getText(source).replaceAll("'", '') ?? '',
    fields: properties.filter((property) => property !== type).map(nameOf),
    comment: (/\/\*\*([^]*?)\*\//.exec(before)?.[1] ?? '')
      .replace(/^\s*\* ?/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  };
}
