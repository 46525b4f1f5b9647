CREATE TABLE "conversations" ("id" TEXT PRIMARY KEY, "name" TEXT, "model" TEXT);
CREATE TABLE "schemas" ("id" TEXT PRIMARY KEY, "content" TEXT);
CREATE TABLE "responses" ("id" TEXT PRIMARY KEY, "model" TEXT, "prompt" TEXT,
  "system" TEXT, "prompt_json" TEXT, "options_json" TEXT, "response" TEXT,
  "response_json" TEXT, "conversation_id" TEXT REFERENCES "conversations"("id"),
  "duration_ms" INTEGER, "datetime_utc" TEXT, "input_tokens" INTEGER,
  "output_tokens" INTEGER, "token_details" TEXT,
  "schema_id" TEXT REFERENCES "schemas"("id"), "resolved_model" TEXT,
  "reasoning" TEXT);
CREATE TABLE "attachments" ("id" TEXT PRIMARY KEY, "type" TEXT, "path" TEXT,
  "url" TEXT, "content" BLOB);
CREATE TABLE "prompt_attachments" ("response_id" TEXT REFERENCES "responses"("id"),
  "attachment_id" TEXT REFERENCES "attachments"("id"), "order" INTEGER,
  PRIMARY KEY ("response_id", "attachment_id"));
CREATE TABLE "fragments" ("id" INTEGER PRIMARY KEY, "hash" TEXT, "content" TEXT,
  "datetime_utc" TEXT, "source" TEXT);
CREATE TABLE "prompt_fragments" ("response_id" TEXT REFERENCES "responses"("id"),
  "fragment_id" INTEGER REFERENCES "fragments"("id"), "order" INTEGER,
  PRIMARY KEY ("response_id", "fragment_id", "order"));
CREATE TABLE "system_fragments" ("response_id" TEXT REFERENCES "responses"("id"),
  "fragment_id" INTEGER REFERENCES "fragments"("id"), "order" INTEGER,
  PRIMARY KEY ("response_id", "fragment_id", "order"));
CREATE TABLE "tools" ("id" INTEGER PRIMARY KEY, "hash" TEXT, "name" TEXT,
  "description" TEXT, "input_schema" TEXT, "plugin" TEXT);
CREATE TABLE "tool_responses" ("tool_id" INTEGER REFERENCES "tools"("id"),
  "response_id" TEXT REFERENCES "responses"("id"),
  PRIMARY KEY ("tool_id", "response_id"));
CREATE TABLE "tool_calls" ("id" INTEGER PRIMARY KEY,
  "response_id" TEXT REFERENCES "responses"("id"),
  "tool_id" INTEGER REFERENCES "tools"("id"), "name" TEXT, "arguments" TEXT,
  "tool_call_id" TEXT);
CREATE TABLE "tool_instances" ("id" INTEGER PRIMARY KEY, "plugin" TEXT,
  "name" TEXT, "arguments" TEXT);
CREATE TABLE "tool_results" ("id" INTEGER PRIMARY KEY,
  "response_id" TEXT REFERENCES "responses"("id"),
  "tool_id" INTEGER REFERENCES "tools"("id"), "name" TEXT, "output" TEXT,
  "tool_call_id" TEXT, "instance_id" INTEGER REFERENCES "tool_instances"("id"),
  "exception" TEXT);
CREATE TABLE "tool_results_attachments" (
  "tool_result_id" INTEGER REFERENCES "tool_results"("id"),
  "attachment_id" TEXT REFERENCES "attachments"("id"), "order" INTEGER,
  PRIMARY KEY ("tool_result_id", "attachment_id"));

INSERT INTO conversations VALUES('old', 'Sum it up', 'm');
INSERT INTO fragments VALUES(1, 'h1', 'a novel', '2025-06-01', 'novel.txt'),
  (2, 'h2', 'be brief', '2025-06-01', NULL);
INSERT INTO attachments VALUES('a1', 'image/png', NULL, NULL, x'89504e47'),
  ('a2', 'image/jpeg', NULL, 'https://example.com/b.jpg', NULL),
  ('a3', 'audio/wav', '/tmp/c.wav', NULL, NULL);
INSERT INTO responses(id, model, prompt, system, response, conversation_id,
  datetime_utc, reasoning) VALUES
  ('r1', 'm', 'sum it up', 'and kind', '', 'old', '2025-06-01T10:00:00', 'hm'),
  ('r2', 'm', '', 'and kind', 'done', 'old', '2025-06-01T10:00:01', NULL),
  ('r3', 'm', 'and these?', '', 'a cat', 'old', '2025-06-01T10:00:02', NULL);
INSERT INTO system_fragments VALUES('r1', 2, 0);
INSERT INTO prompt_fragments VALUES('r1', 1, 0);
INSERT INTO tools VALUES(1, 't1', 'look', 'Look it up', '{}', NULL);
INSERT INTO tool_responses VALUES(1, 'r1');
INSERT INTO tool_calls VALUES(1, 'r1', 1, 'look', '{"at": 1}', 'call_1');
INSERT INTO tool_instances VALUES(1, NULL, 'Box', '{}');
INSERT INTO tool_results VALUES(1, 'r2', 1, 'look', '42', 'call_1', 1, NULL);
INSERT INTO tool_results_attachments VALUES(1, 'a1', 0);
INSERT INTO prompt_attachments VALUES('r3', 'a1', 0), ('r3', 'a2', 1),
  ('r3', 'a3', 2);
