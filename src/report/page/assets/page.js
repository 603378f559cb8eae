// Keyboard navigation for attempts and matrix. The page works without it.
(() => {
  const attempts = [...document.querySelectorAll('details.attempt')];
  const summaryOf = (attempt) => attempt.querySelector('summary');

  const current = () => {
    const focused = document.activeElement?.closest?.('details.attempt');
    if (focused) return attempts.indexOf(focused);
    const top = innerHeight / 3;
    return attempts.findLastIndex((attempt) => attempt.getBoundingClientRect().top < top);
  };
  const go = (index) => {
    const attempt = attempts[Math.min(attempts.length - 1, Math.max(0, index))];
    if (!attempt) return;
    summaryOf(attempt).focus({ preventScroll: true });
    attempt.scrollIntoView({ block: 'start' });
  };

  const keys = {
    j: () => go(current() + 1),
    k: () => go(current() - 1),
    o: () => {
      const attempt = attempts[current()];
      if (attempt) attempt.open = !attempt.open;
    },
    e: () => {
      const open = attempts.some((attempt) => !attempt.open);
      for (const attempt of attempts) attempt.open = open;
    },
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName ?? '')) return;
    event.preventDefault();
    keys[event.key]();
  });

  // Opens the closed elements around a link target.
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    target.scrollIntoView({ block: 'start' });
  };
  addEventListener('hashchange', reveal);
  addEventListener('click', (event) => {
    const bar = event.target.closest?.('[data-to]');
    if (bar) location.hash = bar.dataset.to;
    const link = event.target.closest?.('a[href^="#"]');
    if (link && link.getAttribute('href') === location.hash) reveal();
  });
  reveal();

  const matrix = document.getElementById('matrix');
  if (!matrix) return;
  const status = document.getElementById('cell-status');
  const cellAt = (row, column) => matrix.tBodies[0].rows[row]?.cells[column];
  let active = cellAt(0, 1);
  if (active) active.tabIndex = 0;

  const describe = (cell) => {
    const row = cell.parentElement;
    const head = matrix.tHead.rows[0].cells[cell.cellIndex];
    const number = head.textContent.trim();
    const when = number === 'b' ? 'Baseline' : `Attempt ${number}`;
    const name = row.cells[0];
    status.textContent = `${when}: ${cell.textContent.trim() || 'not failing'}. ${name.textContent.trim()} — ${name.title}`;
    for (const marked of matrix.querySelectorAll('.on')) marked.classList.remove('on');
    head.classList.add('on');
    name.classList.add('on');
  };
  const activate = (cell) => {
    if (!cell || cell.cellIndex === 0) return;
    active.tabIndex = -1;
    active = cell;
    cell.tabIndex = 0;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  matrix.tBodies[0].addEventListener('pointerover', ({ target }) => {
    if (target.tagName === 'TD') describe(target);
  });
  matrix.tBodies[0].addEventListener('focusin', ({ target }) => {
    if (target.tagName === 'TD') describe(target);
  });
  const openAttempt = (cell) => matrix.tHead.rows[0].cells[cell.cellIndex].querySelector('a')?.click();
  matrix.tBodies[0].addEventListener('click', ({ target }) => {
    if (target.tagName === 'TD') openAttempt(target);
  });
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  matrix.addEventListener('keydown', (event) => {
    if (event.target.tagName !== 'TD') return;
    const row = event.target.parentElement.sectionRowIndex;
    const column = event.target.cellIndex;
    if (event.key === 'Enter') openAttempt(event.target);
    else if (event.key === 'Home') activate(cellAt(row, 1));
    else if (event.key === 'End')
      activate(matrix.tBodies[0].rows[row].cells[matrix.tHead.rows[0].cells.length - 1]);
    else if (Object.hasOwn(steps, event.key)) {
      const [down, right] = steps[event.key];
      activate(cellAt(row + down, column + right));
    } else return;
    event.preventDefault();
  });
})();
