/** The version of the tables. Increase it with every change; a database with another version is refused. */
export const schemaVersion = 3;

/** All state of the platform. Times are milliseconds since the epoch; `seq` is the order of creation. */
export const schema = `
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE credential (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, role TEXT NOT NULL, access_level TEXT, projects TEXT,
  client_id TEXT UNIQUE, client_secret TEXT
) STRICT;
CREATE TABLE token (
  token TEXT PRIMARY KEY, credential_id TEXT NOT NULL REFERENCES credential (id),
  expires_at INTEGER, revoked INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE project (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE, description TEXT,
  warehouse TEXT NOT NULL, invited INTEGER NOT NULL
) STRICT;
CREATE TABLE connection (
  project_id TEXT NOT NULL REFERENCES project (id), name TEXT NOT NULL,
  auth_provider TEXT NOT NULL, auth_type TEXT NOT NULL,
  PRIMARY KEY (project_id, name)
) STRICT;
CREATE TABLE environment (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL REFERENCES project (id), name TEXT NOT NULL,
  agent_id TEXT NOT NULL, agent_name TEXT NOT NULL, access_level TEXT NOT NULL, definition TEXT NOT NULL,
  UNIQUE (project_id, name)
) STRICT;
CREATE TABLE repository (
  project_id TEXT PRIMARY KEY REFERENCES project (id), provider TEXT NOT NULL,
  owner_name TEXT NOT NULL, repository_name TEXT NOT NULL
) STRICT;

CREATE TABLE streaming_pipeline (
  id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project (id), definition TEXT NOT NULL,
  command TEXT, commanded_at INTEGER, takes_ms INTEGER, fails INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE artifact (
  id INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL REFERENCES project (id), version_name TEXT NOT NULL,
  commit_hash TEXT NOT NULL, branch TEXT, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE artifact_file (
  artifact_id INTEGER NOT NULL REFERENCES artifact (id), path TEXT NOT NULL, sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL, PRIMARY KEY (artifact_id, path)
) STRICT;
CREATE TABLE deployment (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL, environment_name TEXT NOT NULL,
  version_name TEXT NOT NULL, artifact_id INTEGER NOT NULL REFERENCES artifact (id),
  enabled INTEGER NOT NULL, deployed_at INTEGER NOT NULL,
  UNIQUE (project_id, environment_name, version_name)
) STRICT;

CREATE TABLE execution (
  id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES project (id), environment_name TEXT NOT NULL,
  version_name TEXT NOT NULL, tag TEXT, finished INTEGER NOT NULL, state TEXT NOT NULL
) STRICT;
-- Spec §4.4 rule 2, guarded by the database itself: one unfinished execution per tag.
CREATE UNIQUE INDEX running_tag ON execution (project_id, environment_name, tag)
  WHERE tag IS NOT NULL AND finished = 0;

CREATE TABLE variable (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, project_id TEXT NOT NULL REFERENCES project (id),
  name TEXT NOT NULL, type TEXT NOT NULL, behaviour TEXT NOT NULL, description TEXT, value TEXT NOT NULL,
  double_resolution INTEGER NOT NULL, UNIQUE (project_id, name)
) STRICT;
CREATE TABLE variable_override (
  variable_id TEXT NOT NULL REFERENCES variable (id) ON DELETE CASCADE, environment_name TEXT NOT NULL,
  value TEXT NOT NULL, PRIMARY KEY (variable_id, environment_name)
) STRICT;

CREATE TABLE shared_artifact (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, prefix TEXT NOT NULL, version_name TEXT NOT NULL, enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL, commit_hash TEXT, branch TEXT, UNIQUE (prefix, version_name)
) STRICT;
CREATE TABLE shared_pipeline (
  artifact_seq INTEGER NOT NULL REFERENCES shared_artifact (seq), shared_id TEXT NOT NULL,
  source_pipeline TEXT NOT NULL, description TEXT, PRIMARY KEY (artifact_seq, shared_id)
) STRICT;
CREATE TABLE shared_file (
  artifact_seq INTEGER NOT NULL REFERENCES shared_artifact (seq), path TEXT NOT NULL, sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL, PRIMARY KEY (artifact_seq, path)
) STRICT;

-- Lists are in the order of their seq, which every index has as its last column.
CREATE INDEX environment_order ON environment (project_id);
CREATE INDEX variable_order ON variable (project_id);
CREATE INDEX deployment_order ON deployment (project_id);

CREATE TABLE effect (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, operation TEXT NOT NULL,
  effect TEXT NOT NULL, request_id TEXT NOT NULL,
  project_id TEXT, subject_type TEXT NOT NULL, subject_id TEXT NOT NULL, subject_name TEXT NOT NULL,
  description TEXT NOT NULL, event TEXT, actor_id TEXT NOT NULL, actor_email TEXT NOT NULL
) STRICT;
CREATE INDEX effect_time ON effect (at) WHERE event IS NOT NULL;
`;
