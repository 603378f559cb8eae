/** A line of a log about a function that adds two numbers, with changed fields. */
export function lineOf(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    task_id: 'Sample/add',
    prompt: 'def add(a, b):\n    """Adds two numbers."""\n',
    entry_point: 'add',
    canonical_solution: '    return a + b\n',
    test: 'def check(candidate):\n    assert candidate(2, 3) == 5\n    assert candidate(2, -3) == -1\n',
    solution: '    return a + b',
    is_solved: true,
    reflections: [],
    ...over,
  };
}

export const WRONG = '    return a - b';
export const RIGHT = '    return a + b';
