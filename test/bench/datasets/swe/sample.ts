/** A line of a SWE-bench file, with changed fields. */
export function sweLine(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    instance_id: 'acme__adder-1',
    repo: 'acme/adder',
    base_commit: '0123456789abcdef',
    patch: '',
    test_patch: 'diff --git a/test/a.test.js b/test/a.test.js\n',
    problem_statement: 'It subtracts.',
    hints_text: '',
    FAIL_TO_PASS: '["adds"]',
    PASS_TO_PASS: ['loads'],
    ...over,
  };
}

/** A line of a Multi-SWE-bench file, with changed fields. */
export function multiSweLine(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    org: 'acme',
    repo: 'adder',
    number: 7,
    base: { label: 'acme:main', ref: 'main', sha: '0123456789abcdef' },
    resolved_issues: [{ number: 6, title: 'Wrong sum', body: 'It subtracts.' }],
    title: 'Fix the sum',
    body: '',
    fix_patch: 'diff --git a/a.js b/a.js\n',
    test_patch: 'diff --git a/test/a.test.js b/test/a.test.js\n',
    f2p_tests: { adds: { run: 'PASS', test: 'FAIL', fix: 'PASS' } },
    n2p_tests: { 'adds more': {} },
    s2p_tests: {},
    p2p_tests: { loads: {} },
    ...over,
  };
}
