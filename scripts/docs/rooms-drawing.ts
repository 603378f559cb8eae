/** Rooms of `src` and their imports, as a Mermaid flowchart made from the imports themselves. */
import { cruise } from 'dependency-cruiser';

/** Used by every room; their arrows would hide the others. */
const GROUND = /^src\/(platform|schema)\/|^src\/(errors|events|ports)\.ts$/;

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
  if (typeof output === 'string') throw new Error(`dependency-cruiser gave a text: ${output.slice(0, 200)}`);
  const arrows = output.modules
    .filter(({ source }) => !GROUND.test(source))
    .flatMap(({ source, dependencies }) =>
      dependencies
        .filter(({ resolved }) => resolved.startsWith('src/') && !GROUND.test(resolved))
        .map(({ resolved }) => `  ${roomOf(source)} --> ${roomOf(resolved)}`),
    )
    .filter((arrow) => !/^ {2}(\S+) --> \1$/.test(arrow));
  return ['```mermaid', 'flowchart TD', ...new Set(arrows.sort()), '```'].join('\n');
}
