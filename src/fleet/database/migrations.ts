import { MEMORY_TABLES } from '../memory/memory-tables.ts';
import type { Migration } from './migrate.ts';

/**
 * Tables of the fleet, beside those of pg-boss. `job` has what a job asks for and what became of it; whether it waits or
 * runs is in pg-boss's row of the same id. `lane` is the group of pg-boss's jobs that the same limits hold for. `fence`
 * counts the machines that have taken the job: the last one alone may write. A loop's files are kept in `loop_file`, those
 * that only grow in parts, and the objects of its snapshots in `loop_pack`.
 */
const QUEUE = `
CREATE SCHEMA IF NOT EXISTS ralph;
CREATE TABLE ralph.version (version int PRIMARY KEY, oldest int NOT NULL, at timestamptz NOT NULL DEFAULT now());

CREATE TABLE ralph.lane (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organisation text NOT NULL, repository text NOT NULL, model text NOT NULL, labels text[] NOT NULL,
  UNIQUE (organisation, repository, model, labels)
);
CREATE TABLE ralph.most (
  kind text NOT NULL CHECK (kind IN ('repository', 'organisation', 'model')),
  name text NOT NULL, most int NOT NULL CHECK (most >= 0), PRIMARY KEY (kind, name)
);
CREATE TABLE ralph.pause (
  kind text NOT NULL CHECK (kind IN ('all', 'repository', 'organisation')),
  name text NOT NULL, at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (kind, name)
);
CREATE TABLE ralph.pool (
  kind text NOT NULL CHECK (kind IN ('all', 'organisation', 'model')), name text NOT NULL,
  cost_usd double precision, tokens bigint,
  spent_usd double precision NOT NULL DEFAULT 0, spent_tokens bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, name)
);

CREATE TABLE ralph.job (
  id uuid PRIMARY KEY, key text UNIQUE, lane bigint NOT NULL REFERENCES ralph.lane,
  address text NOT NULL, ref text NOT NULL, task text NOT NULL, request jsonb NOT NULL, priority int NOT NULL,
  submitted_at timestamptz NOT NULL DEFAULT now(), started_at timestamptz, ended_at timestamptz,
  fence int NOT NULL DEFAULT 0, machines text[] NOT NULL DEFAULT '{}', worker uuid,
  base text, loop_id text, running jsonb,
  ended text CHECK (ended IN ('verified', 'unverified', 'unproven', 'failed', 'cancelled')), reason text,
  verdict jsonb, delivered jsonb, bundle bytea,
  reserved_usd double precision NOT NULL DEFAULT 0, reserved_tokens bigint NOT NULL DEFAULT 0,
  cost_usd double precision, tokens bigint
);
CREATE INDEX job_newest ON ralph.job (submitted_at DESC, id);
CREATE INDEX job_ended ON ralph.job (ended_at DESC) WHERE ended IS NOT NULL;
CREATE INDEX job_reserving ON ralph.job (lane) WHERE reserved_usd > 0 OR reserved_tokens > 0;

CREATE TABLE ralph.worker (
  id uuid PRIMARY KEY, name text NOT NULL, host text NOT NULL, pid int NOT NULL, version text NOT NULL,
  labels text[] NOT NULL, concurrency int NOT NULL, state text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(), seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE ralph.loop_file (
  job uuid NOT NULL REFERENCES ralph.job ON DELETE CASCADE, path text NOT NULL, part int NOT NULL,
  content bytea NOT NULL, PRIMARY KEY (job, path, part)
);
CREATE TABLE ralph.loop_pack (
  job uuid NOT NULL REFERENCES ralph.job ON DELETE CASCADE, part int NOT NULL, content bytea NOT NULL,
  PRIMARY KEY (job, part)
);
CREATE TABLE ralph.event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job uuid NOT NULL REFERENCES ralph.job ON DELETE CASCADE, at timestamptz NOT NULL DEFAULT now(),
  type text NOT NULL, event jsonb NOT NULL
);
CREATE INDEX event_of_job ON ralph.event (job, id);
`;

/**
 * `asked`: the most that the running model calls of a job may take. `lost`: that of calls whose reply never came, a part of what
 * the job has cost.
 */
const CALLS = `
ALTER TABLE ralph.job
  ADD COLUMN asked_usd double precision NOT NULL DEFAULT 0, ADD COLUMN asked_tokens bigint NOT NULL DEFAULT 0,
  ADD COLUMN lost_usd double precision NOT NULL DEFAULT 0, ADD COLUMN lost_tokens bigint NOT NULL DEFAULT 0;
CREATE INDEX job_asking ON ralph.job (id) WHERE asked_tokens > 0;
`;

/** Every version of the tables, in order. A released one is never changed: a later one changes the tables. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, oldest: 1, sql: QUEUE },
  { version: 2, oldest: 1, sql: MEMORY_TABLES },
  // Jobs that machines have begun, found without reading the queue.
  { version: 3, oldest: 1, sql: 'CREATE INDEX job_open ON ralph.job (id) WHERE fence > 0 AND ended IS NULL' },
  { version: 4, oldest: 1, sql: CALLS },
];
