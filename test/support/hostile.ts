/** Text that means harm, in every place that a loop has for text. */
import type { PlannedLoop } from './stored-loop.ts';
import { failingTest, patchOf } from './stored-loop.ts';

/** Sets the canary `window.__pwned` in a page that runs it, by one way or another. */
export const PAYLOADS = [
  '<script>window.__pwned=1</script>',
  '"><img src=x onerror="window.__pwned=1">',
  "'><svg onload='window.__pwned=1'>",
  '</title></style></script><script>window.__pwned=1</script>',
  '<a href="javascript:window.__pwned=1" autofocus onfocus=window.__pwned=1>x</a>',
  '<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>',
  '<meta http-equiv="refresh" content="0;url=https://evil.invalid/">',
  '<link rel=stylesheet href=https://evil.invalid/x.css><base href="https://evil.invalid/">',
  ']]><!--<script>window.__pwned=1</script>--><details open ontoggle=window.__pwned=1>',
] as const;

/** All payloads one behind the other, with what hides or turns text. */
export const HOSTILE = `${PAYLOADS.join(' ')} \u202Egnp.exe \u001B[2J\u0007 \u200B`;

/** A loop whose every text is hostile; `mark` makes it another one. */
export function hostileLoop(loopId: string, text = HOSTILE): PlannedLoop {
  const path = `src/${text.replace(/[\n\0]/g, '').slice(0, 200)}.ts`;
  const failure = failingTest(text, {
    ...{
      message: `${text}\n${text}`,
      file: path,
      line: 3,
      expected: text,
      received: text,
      stack_trace: text,
    },
    ...{ test_id: `${path} > ${text}`, fingerprint: 'aaaaaaaaaaaa' },
  });
  const check = { name: text.slice(0, 90), weight: 1, detail: text, command: text, output: text };
  return {
    loopId,
    task: `${text}\n${text}`,
    delivered: text,
    config: { agent: text },
    baseline: { checks: [{ ...check, score: 0 }], failures: [{ ...failure, check: check.name }] },
    attempts: [0.2, 0.5].map((score) => ({
      checks: [{ ...check, score }],
      failures: [
        { ...failure, check: check.name },
        {
          ...failure,
          check: check.name,
          type: 'lint_error',
          rule: text,
          fingerprint: `bbbbbbbbbbb${score * 10}`,
        },
      ],
      patch: patchOf(path, [{ line: 20, before: `${text}`, after: `// ${text} changed` }]),
      files: [{ path, kind: 'modified', linesAdded: 1, linesDeleted: 1 }],
      tampering: [{ kind: 'protected_edited', file: path, detail: text }],
      trajectory: {
        ...{ message: text, strategy: text, rationale: text },
        actions: [
          { type: 'code_modification', description: text, file_path: path },
          { type: 'command_execution', description: text, command: text },
        ],
      },
      reflection: {
        reflection_text: `${text} ${path}:20 ${text}`,
        causal_reasoning: text,
        credit_assignment: {
          failing_action_indices: [0],
          root_cause: `${path}:20 ${text}`,
          failure_category: 'logic_error',
        },
        actionable_insights: [text, `\`${path}:20\``],
        lessons_learned: [text],
      },
    })),
  };
}
