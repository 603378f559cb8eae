/**
 * Who may import whom, room by room; `npm run check:borders` holds it, and the drawing in
 * docs/explanation/architecture.md is made from it. Imports inside a room are free unless the room is listed in ROOMS_INSIDE.
 */

/** The contracts that every room may use. */
const CONTRACTS = ['errors', 'events', 'ports', 'schema'];

/** Rooms of `src`, from the ground up, with the rooms below that they may import. */
const ROOMS = {
  schema: ['platform', 'errors'],
  platform: ['errors'],
  prompts: [...CONTRACTS, 'platform'],
  config: [...CONTRACTS, 'platform', 'actors'],
  state: [...CONTRACTS, 'platform'],
  workspace: [...CONTRACTS, 'platform'],
  checks: [...CONTRACTS, 'platform', 'tools'],
  tools: ['ports', 'checks'],
  proof: [...CONTRACTS, 'platform', 'tools', 'checks', 'repair'],
  tasks: [...CONTRACTS, 'platform', 'prompts'],
  memory: [...CONTRACTS, 'platform', 'prompts'],
  repair: [...CONTRACTS, 'platform', 'tools'],
  agents: [...CONTRACTS, 'platform', 'prompts', 'repair', 'tools'],
  actors: [...CONTRACTS, 'config', 'agents', 'repair', 'workspace'],
  loop: [...CONTRACTS, 'platform'],
  report: [...CONTRACTS, 'platform', 'actors', 'loop', 'memory', 'state'],
  trace: [...CONTRACTS, 'platform'],
  mcp: [...CONTRACTS, 'platform', 'prompts', 'memory'],
  gate: [...CONTRACTS, 'platform', 'prompts', 'checks', 'loop'],
  compose: [
    ...CONTRACTS,
    ...['platform', 'config', 'state', 'workspace', 'checks', 'tools', 'proof', 'tasks', 'memory'],
    ...['repair', 'agents', 'actors', 'loop', 'mcp', 'prompts', 'gate'],
  ],
  ci: [...CONTRACTS, 'platform', 'prompts', 'loop', 'workspace', 'memory', 'report', 'compose'],
  fleet: [
    ...CONTRACTS,
    ...['platform', 'prompts', 'actors', 'config', 'state', 'tasks', 'memory', 'loop', 'workspace'],
    ...['report', 'trace', 'compose', 'ci', 'checks'],
  ],
  serve: [...CONTRACTS, 'platform', 'state', 'memory', 'report', 'fleet'],
  cli: [
    ...CONTRACTS,
    'platform',
    'actors',
    'config',
    'state',
    'tasks',
    'memory',
    'loop',
    'report',
    'trace',
    'compose',
    'ci',
    'gate',
    'fleet',
    'serve',
  ],
};

/** Rooms within a large room, from the ground up, with the rooms beside them that they may import. */
const ROOMS_INSIDE = {
  repair: {
    syntax: [],
    operators: ['syntax'],
    refuse: ['syntax'],
    localise: ['syntax'],
    trial: ['syntax', 'localise'],
    combine: ['syntax'],
    fixers: ['syntax', 'operators'],
    choose: ['syntax', 'refuse', 'localise', 'trial'],
    observe: ['syntax', 'localise', 'trial'],
    habits: ['syntax'],
    strategy: ['syntax', 'habits', 'refuse', 'operators', 'localise', 'trial', 'combine', 'fixers', 'choose'],
  },
  checks: {
    results: [],
    parsers: ['results'],
    reporters: ['results'],
    run: ['results', 'parsers'],
    score: ['results'],
    detect: ['run', 'results'],
    tools: ['results', 'parsers', 'reporters', 'run'],
    narrow: [],
  },
  memory: {
    text: [],
    files: [],
    episodes: ['files'],
    lessons: ['files', 'text'],
    search: ['episodes', 'text'],
    recall: ['files', 'lessons', 'search', 'text'],
    statistics: [],
    experiment: ['files', 'lessons', 'statistics'],
    passes: ['experiment', 'files', 'lessons', 'recall', 'text'],
    upkeep: ['files', 'lessons', 'passes'],
    exchange: ['episodes', 'search'],
    store: ['episodes', 'exchange', 'lessons', 'passes', 'recall', 'search'],
    analysis: ['episodes', 'experiment', 'files', 'search', 'statistics'],
  },
  platform: {
    text: [],
    redaction: ['text'],
    files: ['text', 'redaction', 'processes'],
    processes: ['text', 'sandbox'],
    sandbox: ['text', 'files', 'processes'],
    git: ['text', 'redaction', 'files', 'processes'],
  },
  workspace: {
    snapshots: [],
    dependencies: [],
    protect: ['snapshots', 'dependencies'],
    deliver: ['snapshots', 'protect'],
  },
};

/** Packages that one room alone may import, so that no other command loads them. */
const PACKAGES = {
  '(ai|@ai-sdk/[^/]+|@pydantic/genai-prices)/': ['agents/llm'],
  '@agentclientprotocol/': ['agents/acp'],
  '@modelcontextprotocol/': ['mcp'],
  '@octokit/': ['ci/github'],
  '@opentelemetry/': ['trace'],
  'pg(-boss)?/': ['fleet'],
  'commander/': ['cli'],
  'handlebars/': ['prompts'],
  'ajv(-formats)?/': ['schema'],
  'simple-git/': ['platform/git'],
  'execa/': ['platform', 'repair/fixers'],
  'get-tsconfig/': ['checks', 'platform/modules'],
  'eslint-community/regexpp/': ['repair'],
};

const CONTRACT_FILES = ['errors', 'events', 'index', 'actors', 'tools'];

/** `schema` → the folder's path as a regular expression; `errors` → the file's; `ports` → both. */
function pathOf(room) {
  if (room === 'ports') return '^src/ports(\\.ts$|/)';
  return CONTRACT_FILES.includes(room) ? `^src/${room}\\.ts$` : `^src/${room}/`;
}

function bordersOf(rooms, within = '') {
  return Object.entries(rooms).map(([room, allowed]) => ({
    name: `${within}${room}`,
    comment: `src/${within}${room} may import only: ${allowed.join(', ') || 'nothing beside it'}.`,
    severity: 'error',
    from: { path: pathOf(within + room) },
    to: {
      path: within === '' ? '^src/' : `^src/${within}[^/]+/`,
      pathNot: [room, ...allowed].map((other) => pathOf(within + other)),
    },
  }));
}

export default {
  forbidden: [
    ...bordersOf(ROOMS),
    ...Object.entries(ROOMS_INSIDE).flatMap(([room, rooms]) => bordersOf(rooms, `${room}/`)),
    ...Object.entries(PACKAGES).map(([name, rooms]) => ({
      name: `package ${name}`,
      comment: `Only ${rooms.join(', ')} may import ${name}.`,
      severity: 'error',
      from: { path: '^src/', pathNot: rooms.map(pathOf) },
      to: { path: `node_modules/(${name})`, dependencyTypesNot: ['type-only'] },
    })),
    {
      name: 'no-cycle',
      comment: 'Modules that need each other as values cannot be read one after the other.',
      severity: 'error',
      from: { path: '^(src|bench)/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-tests',
      comment: 'The program does not import its tests or scripts.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts)/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
