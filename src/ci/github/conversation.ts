import { randomUUID } from 'node:crypto';
import { isNoAnswer, listAll, undefinedIfMissing, type Call } from './call.ts';
import { MAX_BODY_CHARS } from './pull-request.ts';
import type { RepositoryName } from './repository-name.ts';

/** Comments, labels and reviewers of pull requests. Every method throws RalphError `github_failed`. */
export interface Conversation {
  /** Writes a new comment on a pull request and returns its id. */
  addComment(pull: number, body: string): Promise<number>;
  /** Replaces the text of a comment. False if it does not exist any more. */
  editComment(comment: number, body: string): Promise<boolean>;
  addLabels(pull: number, labels: readonly string[]): Promise<void>;
  /** Asks users (`octocat`) and teams (`octo-org/reviewers`) for a review. */
  requestReviews(pull: number, reviewers: readonly string[]): Promise<void>;
}

interface Comment {
  readonly id: number;
  readonly body?: string;
}

const TIMES_AGAIN = 3;
/** The clock of the server may be another one. */
const RECENT_MS = 15 * 60_000;

/** Creates the calls about the conversation of pull requests of one repository. */
export function createConversation(call: Call, { owner, name: repo }: RepositoryName): Conversation {
  const markedComment = async (pull: number, mark: string): Promise<number | undefined> => {
    const recent = await listAll(call, 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...{ owner, repo, issue_number: pull, since: new Date(Date.now() - RECENT_MS).toISOString() },
    });
    return (recent as Comment[]).find(({ body }) => body?.includes(mark))?.id;
  };
  return {
    async addComment(pull, body) {
      const mark = `<!-- ${randomUUID()} -->`;
      const text = `${body.slice(0, MAX_BODY_CHARS - mark.length - 2)}\n\n${mark}`;
      for (let left = TIMES_AGAIN; ; left--) {
        try {
          const { data } = await call('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
            ...{ owner, repo, issue_number: pull, body: text, request: { retries: 0 } },
          });
          return (data as Comment).id;
        } catch (error) {
          // The answer may be lost, and not the request: sent again, there would be two comments.
          const made = await markedComment(pull, mark).catch(() => undefined);
          if (made !== undefined) return made;
          if (left === 0 || !isNoAnswer(error)) throw error;
        }
      }
    },
    async editComment(comment, body) {
      const data = await undefinedIfMissing(
        call('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
          ...{ owner, repo, comment_id: comment, body: body.slice(0, MAX_BODY_CHARS) },
        }),
      );
      return data !== undefined;
    },
    async addLabels(pull, labels) {
      await call('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
        ...{ owner, repo, issue_number: pull, labels },
      });
    },
    async requestReviews(pull, reviewers) {
      const teams = reviewers.filter((name) => name.includes('/'));
      await call('POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
        ...{ owner, repo, pull_number: pull },
        reviewers: reviewers.filter((name) => !teams.includes(name)),
        team_reviewers: teams.map((name) => name.slice(name.indexOf('/') + 1)),
      });
    },
  };
}
