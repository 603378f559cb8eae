/** Shell commands that start a child which could outlive its parent; `TASK` stands for the child's command. */
export const CHILDREN: Readonly<Record<string, string>> = {
  'in the background': 'TASK > /dev/null 2>&1 &',
  'keeping the output open': 'TASK &',
  'in its own session': 'setsid TASK > /dev/null 2>&1 &',
  'after a double fork': '(setsid TASK > /dev/null 2>&1 &) &',
  'ignoring TERM': `setsid sh -c "trap '' TERM INT HUP; while :; do TASK; done" > /dev/null 2>&1 &`,
  'under nohup': 'nohup TASK > /dev/null 2>&1 &',
};

/** Ways in which the parent ends. */
export const ENDINGS = ['by itself', 'by a time-out', 'by an abort'] as const;
export type Ending = (typeof ENDINGS)[number];
