/** Rooms of `src` and their imports as a Mermaid flowchart. */
import { cruise } from 'dependency-cruiser';

/** Rooms that all others import; their arrows would hide the rest. */
const COMMON = /^src\/(platform|schema)\/|^src\/(errors|events|ports)\.ts$/;

/** `src/agents/llm/client.ts` → `agents`; `src/index.ts` → `index`. */
function roomOf(path: string): string {
  return path
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .split('/')[0]!;
}

/** An arrow `A --> B` for each room A that imports room B, in alphabetical order. */
export async function renderRoomsDrawing(): Promise<string> {
  const { output } = await cruise(['src'], {
    tsPreCompilationDeps: true,
    includeOnly: { path: '^src/' },
    exclude: { path: '/schema/generated' },
  });
  if (typeof output === 'string')
    throw new Error(`dependency-cruiser returned text: ${output.slice(0, 200)}`);
  const arrows = output.modules
    .filter(({ source }) => !COMMON.test(source))
    .flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved }) => resolved.startsWith('src/') && !COMMON.test(resolved))
        .map(({ resolved }) => `  ${roomOf(source)} --> ${roomOf(resolved)}`),
    )
    .filter((arrow) => !/^ {2}(\S+) --> \1$/.test(arrow));
  return ['```mermaid', 'flowchart TD', ...new Set(arrows.sort()), '```'].join('\n');
}
