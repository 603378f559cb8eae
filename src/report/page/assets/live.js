// Follows running loops on the pages of `ralph serve`. The pages work without it.
(() => {
  const MOST_STEPS = 200;
  const room = document.querySelector('[data-events]');
  if (!room) return;
  const line = room.querySelector('[data-connection]');
  const say = (text) => {
    if (line.textContent !== text) line.textContent = text;
  };
  const cards = new Map();
  for (const card of room.querySelectorAll('[data-loop]')) cards.set(card.dataset.loop, card);

  const put = (card, name, text) => {
    const place = card.querySelector(`[data-${name}]`);
    if (place && place.textContent !== text) place.textContent = text;
  };
  const cardOf = (loop) => {
    const known = cards.get(loop);
    if (known) return known;
    const template = room.querySelector('template');
    if (!template) return null;
    const card = template.content.firstElementChild.cloneNode(true);
    card.dataset.loop = loop;
    const link = card.querySelector('a');
    if (link) {
      link.href = `/loops/${encodeURIComponent(loop)}`;
      link.textContent = loop;
    } else put(card, 'name', loop);
    template.after(card);
    cards.set(loop, card);
    return card;
  };
  const show = {
    state({ loop, task, status, attempts, reward }) {
      const card = cardOf(loop);
      if (!card) return;
      put(card, 'task', task);
      put(card, 'status', status);
      put(card, 'attempts', attempts);
      put(card, 'reward', reward);
    },
    step({ loop, seq, at, text }) {
      const card = cardOf(loop);
      const steps = card?.querySelector('[data-steps]');
      if (!steps || seq <= Number(steps.dataset.steps || -1)) return;
      steps.dataset.steps = seq;
      const item = document.createElement('li');
      item.textContent = `${at.slice(11, 19)} ${text}`;
      steps.prepend(item);
      while (steps.children.length > MOST_STEPS) steps.lastElementChild.remove();
    },
  };

  // Events of one frame are drawn together, and those of many loops in several frames.
  const DRAW_MS = 8;
  const FRAME_MS = 16;
  let waiting = [];
  let drawn = 0;
  const draw = () => {
    const until = performance.now() + DRAW_MS;
    while (drawn < waiting.length && performance.now() < until) {
      const [name, data] = waiting[drawn++];
      show[name](data);
    }
    if (drawn < waiting.length) return void setTimeout(draw, FRAME_MS);
    waiting = [];
    drawn = 0;
  };
  const source = new EventSource(room.dataset.events);
  for (const name of Object.keys(show))
    source.addEventListener(name, (event) => {
      if (waiting.length === 0) setTimeout(draw, FRAME_MS);
      waiting.push([name, JSON.parse(event.data)]);
    });
  // What the page shows beside the loops is read again when something of it has changed, one request at a time.
  let isReading = false;
  let isStale = false;
  const readAgain = async () => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale) {
      isStale = false;
      const answer = await fetch(location.href).catch(() => undefined);
      if (answer?.ok) renew(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    }
    isReading = false;
  };
  const renew = (page) => {
    for (const part of document.querySelectorAll('[data-part]')) {
      const now = page.querySelector(`[data-part="${part.dataset.part}"]`);
      if (now && now.innerHTML !== part.innerHTML) part.replaceChildren(...now.childNodes);
    }
  };
  source.addEventListener('changed', readAgain);
  source.addEventListener('open', () => say('Live: steps appear as they are saved.'));
  source.addEventListener('error', () => say('Not connected; trying again.'));
})();
