/** The actor's program: `node act.ts PROJECT NAME` makes the edits of the case NAME in its working directory. */
import { CATALOGUE } from './catalogue.ts';
import { PROJECTS, type ProjectName } from './projects.ts';
import { files } from './actor-files.ts';
import { drawnCaseNamed } from './drawn/index.ts';

const [project, name] = process.argv.slice(2) as [ProjectName, string];
const found = drawnCaseNamed(name) ?? CATALOGUE.find((it) => it.name === name);
if (found === undefined) throw new Error(`The catalogue has no case "${name}".`);
found.act(files, PROJECTS[project]);
