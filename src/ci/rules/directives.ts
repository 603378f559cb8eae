/** A text in a comment that a program or an agent acts on. */
export interface Directive {
  readonly text: string;
  /** Where it begins. */
  readonly index: number;
  /** The end of "so that line N …". */
  readonly does: string;
}

interface Kind {
  readonly does: string;
  /** True if a test may have it: it concerns nothing but the code that it stands in. */
  readonly isOfTests?: boolean;
  readonly patterns: readonly RegExp[];
}

/** A choice of names, which stand between blanks. */
const oneOf = (names: string): string => `(?:${names.trim().split(/\s+/).join('|')})`;
/** A pattern at the beginning of a line, after signs that comments begin with, and the rest of the line. */
const line = (pattern: string, flags = 'i'): RegExp =>
  new RegExp(`(?<=^[\\s*#!;|(\\[{<>-]*)${pattern}[^\\n]*`, `gm${flags}`);

const CHECKERS =
  oneOf(`eslint tslint jshint jslint jscs oxlint oxc biome rome prettier dprint stylelint markdownlint htmlhint
  deno-lint deno-fmt flowlint istanbul c8 v8 nyc vitest jest ava stryker node:coverage cspell spell-checker spellchecker
  codespell pylint mypy pyright ruff flake8 bandit rubocop phpcs phpstan psalm phan shellcheck hadolint swiftlint ktlint detekt
  checkov tfsec trivy kics-scan tflint semgrep codeql deepcode snyk deepscan codacy sonar sonarqube sourcery coderabbit
  detect-secrets gitleaks trufflehog whitesource dependency-cruiser knip ts-prune ts-unused-exports clang-format coverage fmt`);
const QUIETLY = oneOf(
  `ignored? disabled? enabled? skip allow off on suppress restore exclude stop start nocheck`,
);

/** Rules of a program: all of them, or a word that is none of a language. */
const RULES = `(?:all\\b(?=\\s*$)|\\*|["'][\\w@/-]+["']|[\\w-]*[a-z]\\d[\\w-]*|\\w+(?:[-/:]\\w+)+(?=[\\s,]*$))`;

/** One line is excused from named rules of style. */
const EXCUSE = /^eslint-disable-(?:next-)?line\s+[\w@/-]+(?:\s*,\s*[\w@/-]+)*\s*(?:$|--\s)/;
const RULE_OF_SAFETY = /eval|secur|xss|html|script|secret|inject|proto|unsafe|danger|sanitiz|no-secrets/i;

const SUPPRESSIONS: Kind = {
  does: 'tells a checking program what to leave out',
  isOfTests: true,
  patterns: [
    line(`${CHECKERS}(?:\\s*[:-]\\s*|\\s+)\\[?${QUIETLY}\\b`),
    line(`${CHECKERS}\\s+[-+]\\w`),
    // A name, such a word, and what a program calls its rules by.
    line(`@?[a-z][\\w.$-]*(?:\\s*:\\s*|\\s+)(?:ignore|disable|suppress|skip|off|nocheck)[\\s:(\\[]+${RULES}`),
    line('@?[a-z][\\w.$-]*[:-](?:ignore|disable|suppress|nocheck)(?:-[\\w-]+)?(?=[\\s:(\\[]|$)'),
    line(`eslint(?:-env\\s|\\s+\\{?\\s*["'@\\w/-]+\\s*:)|(?:js[hl]int|jscs)\\s+\\w+\\s*:`),
    line('(?:globals?|exported)\\s+[\\w$]+(?:\\s*:\\s*\\w+)?\\s*(?:,|$)'),
    line(
      '(?:@ts-\\w|@cc_on|@flow\\b|@suppress|@no(?:check|flow|format|prettier|lint|inspection)\\b|noinspection\\s|\\$Flow\\w)',
    ),
    line('(?:type:\\s*ignore|noqa|skipcq|pylint:|mypy:|rubocop:|shellcheck\\s+\\w+=)'),
    /\b(?:NOSONAR|NOLINT\w*|NOQA|nosemgrep|nosec|ggignore|gitleaks:allow|trufflehog:ignore)\b|\bpragma:?\s?(?:allowlist|whitelist|no ?cover)|\b(?:lgtm|codeql)\s?\[|@SuppressWarnings/g,
  ],
};

const BUILDING: Kind = {
  does: 'tells a program how to build or to run the code',
  patterns: [
    line('(?:webpack|turbopack)[A-Z]\\w*\\s*:|@(?:vite-ignore|preval|refresh|babel|vitest-|jest-|jsx)', ''),
    /[@#]__[A-Z_]+__/g,
  ],
};

const COMMANDS =
  oneOf(`merge automerge approve lgtm retest test ok-to-test hold unhold deploy rebase backport cherry-?pick close
  reopen assign unassign cc uncc label remove-\\S+ run rerun ship ship-it promote rollback release publish azp bors override skip
  verify update-branch squash queue dequeue ralph claude gemini codex review fix ci build help`);
const BOTS =
  oneOf(`dependabot renovate mergify\\w* bors copilot claude codex coderabbit\\w* cursor gemini\\S* devin\\S* homu
  rultor kodiak\\w* github-actions [a-z\\d-]*bot`);

const PIPELINES: Kind = {
  does: 'is a command to a pipeline or a bot',
  patterns: [
    line(`/${COMMANDS}(?=\\s|$)`),
    line('(?:bors|homu)\\s+(?:r\\s*[+=-]|d(?:elegate)?\\s*[+=]|(?:try|merge|retry|cancel|p=\\d+)\\s*$)'),
    /\[(?:skip|no)[ -][a-z]+(?:[ -][a-z]+)?\]|\[[a-z]+[ -]skip\]|\bskip-checks?\s*:\s*true|\*{3}no_ci\*{3}/gi,
    new RegExp(`(?<![\\w@./])@${BOTS}\\b[^\\n]*`, 'gi'),
    /\b(?:TODO|FIXME|HACK|BUG|XXX)\b[^\n]*\n[\s*#!;|-]*(?:labels?|assignees?|milestones?|projects?|reviewers?|priority|due)\s*:[^\n]*/gi,
  ],
};

const AGENTS = oneOf(
  'agents? ais? llms? assistants? copilot claude codex gemini devin chatgpt gpt bots? models? reviewers?',
);

const ORDERS: Kind = {
  does: 'speaks to coding agents',
  patterns: [
    line(
      `(?:(?:note|hint|instructions?|message|attention|important)[ ,:-]+(?:to|for) )?(?:(?:all|any|dear) )?(?:(?:ai|coding|code|automated|autonomous)[ -])?${AGENTS}\\s*[:,–—]`,
    ),
    /\b(?:ai|coding|llm|autonomous)[ -](?:agents?|assistants?|reviewers?|bots?|models?)\b[^\n]*/gi,
    // What editors with a model look for.
    /^[\s*#!;|-]*ai\b[^\n]*|(?<![\w.'’/-])ai[!?]*[\s*/-]*$/gim,
    /\byou(?:['’]re| are| work as)\b[^\n.]{0,20}\b(?:language models?|llms?|ais?|assistants?|agents?|bots?|models?)\b[^\n]*/gi,
    /(?<!user[ -])\bagents\b[^\n.:;]{0,60}\b(?:must|should|shall|may not|please|needs? to|have to|are to|always|never|first)\b[^\n]*/gi,
    /\b(?:assistants?|llms?|language models?|copilot|claude|chatgpt|codex|ais?)\s+(?:must|should|shall|may|please|needs? to|have to|are to|always|never|ought)\b[^\n]*/gi,
  ],
};

const PROGRAMS =
  oneOf(`sudo curl wget iwr irm iex powershell pwsh bash zsh sh ssh scp nc ncat chmod chown rm dd eval source base64
  npx bunx pnpx docker podman kubectl git gh aws gcloud az terraform export crontab systemctl`);
const INSTALLERS = oneOf('npm pnpm yarn bun pip3? gem cargo go apt apt-get brew');
const STEPS = oneOf('i ci install add exec dlx x create publish login config set run link get');
const ARGUMENT = '(?:--?[a-z]|https?:|[./~$"\'][\\w./~$]|[\\w.-]+[/:@]\\S)';
const CALLED = `(?:^[\\s*#>]*(?:[$>] )?|\`|\\b(?:run|runs|running|execute|type|enter|call|use|using|with)[ :]+["']?)`;

const INTERPRETERS = oneOf('python3? node deno ruby perl php');
const CODE =
  '(?:-[cepr]\\s|--(?:eval|print|import|require|loader|run)\\b|https?:|\\S+\\.(?:[cm]?[jt]s|py|rb|pl|php)\\b)';

const SHELL: Kind = {
  does: 'has a command of a shell',
  patterns: [
    new RegExp(
      `(?<=${CALLED})(?:${PROGRAMS}\\s+(?:\\w+\\s+)?${ARGUMENT}|${INTERPRETERS}\\s+${CODE}|${INSTALLERS}\\s+${STEPS}\\s+\\S)[^\\n\`]*`,
      'gim',
    ),
    // Whatever the language of the words around it.
    /(?<![\w.-])(?:(?:npm|pnpm|yarn|bun|pip3?|pipx|uv|brew|apt|apt-get|cargo|gem|composer)\s+(?:i|ci|install|add|exec|dlx)|npx|bunx|pnpx|uvx)\s+(?:-\S+\s+)*[@\w][^\n`]*/g,
    /(?<![\w.-])(?:curl|wget)\s+(?:-\S+\s+)*(?:https?:|[\w-]+(?:\.[\w-]+)+)[^\n`]*/gi,
    /(?<![\w:/.-])(?:[\w.-]+\/)*[\w-]+\.(?:sh|bash|zsh|fish|ps1|bat|cmd)\b(?!\w)/g,
    /\b(?:run|execute|launch)\s+(?:(?:the|this|our)\s+)?(?:[\w-]+\s+){0,2}scripts?\b[^\n]*/gi,
    /\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|\$\(\s*(?:curl|wget)\b/gi,
    /\bjavascript:\S+/gi,
  ],
};

const KINDS = [SUPPRESSIONS, BUILDING, PIPELINES, ORDERS, SHELL];

/** What of a comment programs or agents would act on; of a test, what concerns more than its own code. */
export function directivesIn(text: string, isOfTest = false): Directive[] {
  return KINDS.filter(({ isOfTests = false }) => !isOfTest || !isOfTests).flatMap(({ does, patterns }) =>
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)]
        .map((found) => ({ text: found[0].trim(), index: found.index, does }))
        .filter((it) => !EXCUSE.test(it.text) || RULE_OF_SAFETY.test(it.text)),
    ),
  );
}
