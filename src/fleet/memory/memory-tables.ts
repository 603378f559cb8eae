/**
 * Tables of memory. Each row belongs to an organisation, and a role that `ralph fleet grant` has made a member of one
 * reads and writes the rows of its organisations alone; the owner of the tables has all. `memory_reflection.terms` has
 * the searched terms of a reflection, and its category, files, failures and loop behind a mark (`search-terms.ts`); the
 * three texts have the terms in order, by their weight.
 */
export const MEMORY_TABLES = `
CREATE TABLE ralph.member (role text NOT NULL, organisation text NOT NULL, PRIMARY KEY (role, organisation));
CREATE FUNCTION ralph.organisations() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog AS 'SELECT organisation FROM ralph.member WHERE role = session_user';

CREATE TABLE ralph.memory_repository (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, organisation text NOT NULL, name text NOT NULL,
  reflections bigint NOT NULL DEFAULT 0, terms bigint NOT NULL DEFAULT 0,
  UNIQUE (organisation, name), UNIQUE (id, organisation)
);
CREATE TABLE ralph.memory_reflection (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, repository bigint NOT NULL, organisation text NOT NULL,
  path text COLLATE "C" NOT NULL, digest text NOT NULL, number bigint NOT NULL, source text NOT NULL,
  time bigint NOT NULL, iteration bigint NOT NULL, confidence double precision,
  length int NOT NULL, heavy text NOT NULL, middle text NOT NULL, light text NOT NULL, terms tsvector NOT NULL,
  record text NOT NULL, UNIQUE (repository, path),
  FOREIGN KEY (repository, organisation) REFERENCES ralph.memory_repository (id, organisation) ON DELETE CASCADE
);
CREATE INDEX memory_reflection_terms ON ralph.memory_reflection USING gin (terms);
CREATE INDEX memory_reflection_newest ON ralph.memory_reflection (repository, time DESC, iteration DESC, path);
CREATE INDEX memory_reflection_newest_of_all ON ralph.memory_reflection (organisation, time DESC, iteration DESC, path);
CREATE TABLE ralph.memory_file (
  repository bigint NOT NULL, organisation text NOT NULL, name text COLLATE "C" NOT NULL, PRIMARY KEY (repository, name),
  FOREIGN KEY (repository, organisation) REFERENCES ralph.memory_repository (id, organisation) ON DELETE CASCADE
);
CREATE TABLE ralph.memory_lesson (
  repository bigint NOT NULL, organisation text NOT NULL, id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY, lesson text NOT NULL, PRIMARY KEY (repository, id),
  FOREIGN KEY (repository, organisation) REFERENCES ralph.memory_repository (id, organisation) ON DELETE CASCADE
);
CREATE INDEX memory_lesson_of_all ON ralph.memory_lesson (organisation);
CREATE TABLE ralph.memory_audit (
  repository bigint NOT NULL, organisation text NOT NULL, seq bigint GENERATED ALWAYS AS IDENTITY, entry text NOT NULL,
  PRIMARY KEY (repository, seq),
  FOREIGN KEY (repository, organisation) REFERENCES ralph.memory_repository (id, organisation) ON DELETE CASCADE
);
CREATE TABLE ralph.memory_document (
  repository bigint NOT NULL, organisation text NOT NULL, name text NOT NULL, value text NOT NULL, PRIMARY KEY (repository, name),
  FOREIGN KEY (repository, organisation) REFERENCES ralph.memory_repository (id, organisation) ON DELETE CASCADE
);
CREATE TABLE ralph.memory_repair (
  repository bigint NOT NULL, organisation text NOT NULL, key text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY, operator text NOT NULL, repair text NOT NULL, PRIMARY KEY (repository, key),
  FOREIGN KEY (repository, organisation) REFERENCES ralph.memory_repository (id, organisation) ON DELETE CASCADE
);
CREATE INDEX memory_repair_operator ON ralph.memory_repair (operator, repository);

CREATE FUNCTION ralph.count_reflections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE ralph.memory_repository r SET reflections = r.reflections + c.number, terms = r.terms + c.length
  FROM (SELECT repository, count(*) AS number, sum(length) AS length FROM added GROUP BY 1) c WHERE c.repository = r.id;
  RETURN NULL;
END $$;
CREATE TRIGGER count_reflections AFTER INSERT ON ralph.memory_reflection
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION ralph.count_reflections();

CREATE FUNCTION ralph.operators_elsewhere(own bigint) RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog AS $$
  SELECT operator FROM ralph.memory_repair WHERE repository <> own AND operator ~ '^[a-z][a-z-]{2,40}$'
  GROUP BY operator ORDER BY count(DISTINCT repository) DESC, operator LIMIT 20 $$;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['repository', 'reflection', 'file', 'lesson', 'audit', 'document', 'repair'] LOOP
    EXECUTE format('ALTER TABLE ralph.%I ENABLE ROW LEVEL SECURITY', 'memory_' || name);
    EXECUTE format('CREATE POLICY of_organisation ON ralph.%I USING (organisation IN (SELECT ralph.organisations()))
      WITH CHECK (organisation IN (SELECT ralph.organisations()))', 'memory_' || name);
  END LOOP;
END $$;
`;
