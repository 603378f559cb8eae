import { RalphError } from '../errors.ts';
import { LESSON_STATUSES } from '../memory/lessons/kinds.ts';
import { createLessonStore } from '../memory/lessons/store.ts';
import { findLessons } from '../memory/recall/search-lessons.ts';
import { searchStore } from '../memory/search/search-store.ts';
import type { ReflectionMatch } from '../memory/search/search.ts';
import { phrasesOf } from '../memory/text/full-text.ts';
import { renderCount } from '../report/count.ts';
import { cutText, facts, moment } from '../report/page/figures.ts';
import { html, type Markup } from '../report/page/markup.ts';
import type { Lesson } from '../schema/generated.ts';
import { loopLink, renderPage, type Frame } from './frame.ts';

const MOST_MATCHES = 50;
const MOST_LESSONS = 200;
const MOST_WORDS = 20;
const TEXT_CHARS = 2_000;

/** Renders the search over reflections; without words, the newest ones. */
export async function renderReflections(
  frame: Frame,
  repositoryRoot: string,
  words: string,
): Promise<string> {
  const asked = words.split(/\s+/).filter((word) => word !== '');
  const searched = asked.filter((word) => phrasesOf([word]).length > 0).slice(0, MOST_WORDS);
  const { matches, damaged } = await searchStore(repositoryRoot, { words: searched, limit: MOST_MATCHES });
  const main = html`${renderSearch('/reflections', 'Words that all occur', words)}
  ${asked.length > searched.length && html`<p class="note">Words without a letter or digit, and those after the first ${MOST_WORDS}, are left out.</p>`}
  ${matches.length === 0 && html`<p>${asked.length === 0 ? 'No reflection is stored yet.' : 'Nothing matches.'}</p>`}
  ${matches.length === MOST_MATCHES && html`<p class="note">The first ${MOST_MATCHES}. Add a word to narrow the search.</p>`}
  ${damaged.length > 0 && html`<p class="note">${renderCount(damaged.length, 'damaged file')} left out: <code>ralph reflections validate</code></p>`}
  ${matches.map(renderReflectionMatch)}`;
  return renderPage(frame, { path: '/reflections', title: 'Reflections', main });
}

function renderReflectionMatch({ record: { reflection, path } }: ReflectionMatch): Markup {
  const { self_reflection: self, loop_id: loopId, iteration, timestamp } = reflection;
  return html`<article class="card">
    <h3>Attempt ${iteration + 1} of ${loopLink(loopId)}</h3>
    <p class="note">${moment(timestamp)} ${cutText(reflection.task_description ?? '', 300)}</p>
    <p class="prose">${cutText(self.reflection_text, TEXT_CHARS)}</p>
    ${renderList('Next', self.actionable_insights)} ${renderList('Learned', self.lessons_learned)}
    ${facts([
      ['Category', self.credit_assignment?.failure_category?.replaceAll('_', ' ')],
      ['Confidence', self.confidence?.toFixed(2)],
      ['File', html`<code>${path}</code>`],
    ])}
  </article>`;
}

/** Renders the lessons of every status with their evidence; with words, those that match. */
export async function renderLessons(frame: Frame, repositoryRoot: string, words: string): Promise<string> {
  let isDamaged = false;
  const store = createLessonStore({ repositoryRoot, onDamaged: () => void (isDamaged = true) });
  const query = { words, statuses: LESSON_STATUSES, limit: MOST_LESSONS + 1 };
  const found = findOrNone(await store.list(LESSON_STATUSES), query);
  const main = html`${renderSearch('/lessons', 'Words that all occur', words)}
  ${found.length === 0 && html`<p>${words.trim() === '' ? 'No lesson is stored yet.' : 'Nothing matches.'}</p>`}
  ${found.length > MOST_LESSONS && html`<p class="note">The first ${MOST_LESSONS}. Add a word to narrow the search.</p>`}
  ${isDamaged && html`<p class="note">Damaged lines are left out: <code>ralph memory health</code></p>`}
  ${found.slice(0, MOST_LESSONS).map(renderLesson)}`;
  return renderPage(frame, { path: '/lessons', title: 'Lessons', main });
}

/** Nothing matches words that cannot be searched for. */
function findOrNone(lessons: readonly Lesson[], query: Parameters<typeof findLessons>[1]): Lesson[] {
  try {
    return findLessons(lessons, query);
  } catch (error) {
    if (error instanceof RalphError) return [];
    throw error;
  }
}

function renderLesson(lesson: Lesson): Markup {
  const { id, text, type, status, status_reason: reason, pinned, source, evidence, files } = lesson;
  return html`<article class="card">
    <p class="prose">${text}</p>
    <p>
      <span class="tag ${status === 'active' && 'good'}">${status}</span>
      <span class="tag">${type.replaceAll('_', ' ')}</span>
      ${pinned && html`<span class="tag">pinned</span>`}
    </p>
    ${renderList(
      'Evidence',
      evidence.map(({ quote, file }) => `${quote}${file === undefined ? '' : ` (${file})`}`),
    )}
    ${facts([
      ['Confirmed', `${lesson.support} times`],
      ['Refuted', `${lesson.contradiction} times`],
      ['Confidence', lesson.confidence.toFixed(2)],
      ['Files', files.join(', ')],
      ['Reason', reason],
      ['From', source.loop_id === undefined ? source.pass : loopLink(source.loop_id)],
      ['Updated', moment(lesson.updated_at)],
      ['Id', html`<code>${id}</code>`],
    ])}
  </article>`;
}

function renderSearch(path: string, label: string, words: string): Markup {
  return html`<form class="search" role="search" action="${path}" method="get">
    <label class="hidden" for="q">${label}</label>
    <input id="q" name="q" type="search" maxlength="400" placeholder="${label}" value="${words}" />
    <button>Search</button>
  </form>`;
}

function renderList(title: string, items: readonly string[] | undefined): Markup | null {
  if (items === undefined || items.length === 0) return null;
  return html`<h4>${title}</h4>
    <ul>
      ${items.map((item) => html`<li>${cutText(item, TEXT_CHARS)}</li>`)}
    </ul>`;
}
