/** Folders and a file name, without white space. */
const PATH = /^(?:\.{0,2}\/)?(?:[\w@.()[\]+$,=-]+\/)*[\w@.()[\]+$,=-]+$/;
/** Extensions of a path without a folder; `items.length` is code. */
const EXTENSION =
  /\.(?:[cm]?[jt]sx?|json[c5]?|mdx?|markdown|css|s[ac]ss|less|html?|vue|svelte|astro|ya?ml|toml|txt|graphql|gql|sql|sh|xml|svg|csv|snap|hbs|ejs|prisma)$/i;
const LIST_MARK = /^(?:>\s*)*(?:[-*+]\s+|#{1,6}\s+|\d+[.)]\s+)*/;
const COMMENT = /^(?:\/\/|\/\*+|<!--|#|--)\s*|\s*(?:\*\/|-->)$/g;
const LABEL =
  /^(?:(?:the|new|updated|modified|full|complete|create|edit|update|modify|change)\s+)*(?:file\s?(?:name|path)?|path)\s*:\s*/i;
const REMARK = /\s+\([^)]*\)$/;

/** The path on a line that holds nothing else but decoration: heading, list mark, emphasis, quotes, `File:`, comment sign. */
export function pathOnLine(line: string): string | undefined {
  const bare = line
    .trim()
    .replace(LIST_MARK, '')
    .replace(COMMENT, '')
    .replace(/[*`"']/g, '');
  const named = bare.trim().replace(LABEL, '').replace(/:$/, '').replace(REMARK, '').trim();
  return isPath(named) ? named : undefined;
}

/** The path in a fence's info string: `ts src/a.ts`, `ts:src/a.ts`, `ts title="src/a.ts"`, `src/a.ts`. */
export function pathInInfo(info: string): string | undefined {
  return info
    .split(/[\s{}]+/)
    .map((word) =>
      word
        .replace(/^(?:title|file(?:_?name|_?path)?|path)=/i, '')
        .replace(/["'`]/g, '')
        .replace(/^.*:/, ''),
    )
    .find(isPath);
}

/** The paths in a sentence, in backticks or plain; each has a folder or a known extension. */
export function pathsInSentence(line: string): string[] {
  const words = line.split(/[\s`*"',;]+/).map((word) => word.replace(/^\(+|[).:!?]+$/g, ''));
  return [...new Set(words.filter(isPath))];
}

function isPath(text: string): boolean {
  return (
    PATH.test(text) && (text.includes('/') || EXTENSION.test(text)) && /\w/.test(text) && !text.endsWith('/')
  );
}
