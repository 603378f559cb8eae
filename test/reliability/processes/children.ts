/** A child that does not want to end with its parent; `TASK` stands for what it does. */
export const CHILDREN: Readonly<Record<string, string>> = {
  'in the background': 'TASK > /dev/null 2>&1 &',
  'holding the output': 'TASK &',
  'in a session of its own': 'setsid TASK > /dev/null 2>&1 &',
  'after a double fork': '(setsid TASK > /dev/null 2>&1 &) &',
  'deaf to TERM': `setsid sh -c "trap '' TERM INT HUP; while :; do TASK; done" > /dev/null 2>&1 &`,
  'under nohup': 'nohup TASK > /dev/null 2>&1 &',
};

/** How its parent ends. */
export const ENDINGS = ['by itself', 'by a time-out', 'by an abort'] as const;
export type Ending = (typeof ENDINGS)[number];
