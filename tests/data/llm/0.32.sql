.read 0.31.sql
CREATE TABLE "messages" ("hash" TEXT PRIMARY KEY,
  "parent_hash" TEXT REFERENCES "messages"("hash"), "role" TEXT,
  "provider_metadata" TEXT);
CREATE TABLE "parts" ("id" INTEGER PRIMARY KEY,
  "message_hash" TEXT REFERENCES "messages"("hash"), "position" INTEGER,
  "type" TEXT, "tool_name" TEXT, "text" TEXT, "payload" TEXT);
CREATE TABLE "part_attachments" ("part_id" INTEGER REFERENCES "parts"("id"),
  "attachment_id" TEXT REFERENCES "attachments"("id"), "order" INTEGER,
  PRIMARY KEY ("part_id", "attachment_id", "order"));
CREATE TABLE "part_fragments" ("part_id" INTEGER REFERENCES "parts"("id"),
  "fragment_id" INTEGER REFERENCES "fragments"("id"), "order" INTEGER,
  PRIMARY KEY ("part_id", "fragment_id", "order"));
CREATE TABLE "threads" ("id" TEXT PRIMARY KEY, "name" TEXT,
  "tip_message_hash" TEXT REFERENCES "messages"("hash"),
  "forked_from" TEXT REFERENCES "threads"("id"), "datetime_utc" TEXT);
CREATE TABLE "turns" ("id" TEXT PRIMARY KEY,
  "thread_id" TEXT REFERENCES "threads"("id"),
  "parent_message_hash" TEXT REFERENCES "messages"("hash"),
  "tip_message_hash" TEXT REFERENCES "messages"("hash"), "model" TEXT,
  "resolved_model" TEXT, "options_json" TEXT,
  "schema_id" TEXT REFERENCES "schemas"("id"), "input_tokens" INTEGER,
  "output_tokens" INTEGER, "token_details" TEXT, "duration_ms" INTEGER,
  "datetime_utc" TEXT, "response_json" TEXT);
CREATE TABLE "turn_tools" ("turn_id" TEXT REFERENCES "turns"("id"),
  "tool_id" INTEGER REFERENCES "tools"("id"),
  "instance_id" INTEGER REFERENCES "tool_instances"("id"),
  PRIMARY KEY ("turn_id", "tool_id"));
CREATE TABLE "turn_fragments" ("turn_id" TEXT REFERENCES "turns"("id"),
  "fragment_id" INTEGER REFERENCES "fragments"("id"), "order" INTEGER,
  "kind" TEXT, PRIMARY KEY ("turn_id", "fragment_id", "kind", "order"));
CREATE TABLE "turn_search" ("id" INTEGER PRIMARY KEY,
  "turn_id" TEXT REFERENCES "turns"("id"), "prompt" TEXT, "response" TEXT);
CREATE TABLE "tool_instantiations" ("turn_id" TEXT REFERENCES "turns"("id"),
  "tool_call_id" TEXT, "instance_id" INTEGER REFERENCES "tool_instances"("id"),
  PRIMARY KEY ("turn_id", "tool_call_id"));

-- A thread with all kinds of parts.
INSERT INTO messages VALUES('b2:1', NULL, 'system', NULL),
  ('b2:2', 'b2:1', 'user', NULL), ('b2:3', 'b2:2', 'assistant', NULL),
  ('b2:4', 'b2:3', 'tool', NULL), ('b2:5', 'b2:4', 'assistant', NULL),
  ('b2:6', 'b2:5', 'user', NULL), ('b2:7', 'b2:6', 'assistant', NULL);
INSERT INTO parts(message_hash, position, type, tool_name, text, payload) VALUES
  ('b2:1', 0, 'text', NULL, 'be brief', NULL),
  ('b2:2', 0, 'text', NULL, NULL,
    '{"text_ref": [{"literal": "Read "}, {"fragment": 1}, {"literal": "\n读完了吗"}]}'),
  ('b2:3', 0, 'reasoning', NULL, 'hm', '{"redacted": false}'),
  ('b2:3', 1, 'text', NULL, 'I look.', NULL),
  ('b2:3', 2, 'tool_call', 'look',
    NULL, '{"name": "look", "arguments": {"z": 1.0, "a": "b"}, "tool_call_id": "call_9"}'),
  ('b2:3', 3, 'tool_call', 'look',
    NULL, '{"name": "look", "arguments": {}, "tool_call_id": "call_8"}'),
  ('b2:4', 0, 'tool_result', 'look', NULL,
    '{"name": "look", "output": "42", "tool_call_id": "call_9"}'),
  ('b2:4', 1, 'tool_result', 'look', NULL,
    '{"name": "look", "output": "a picture", "tool_call_id": "call_8", "attachments": [{"id": "a1"}]}'),
  ('b2:5', 0, 'text', NULL, 'A cat.', NULL),
  ('b2:6', 0, 'text', NULL, 'And?', NULL),
  ('b2:6', 1, 'attachment', NULL, NULL, '{"attachment": {"id": "a2"}}'),
  ('b2:7', 0, 'text', NULL, 'One.', NULL),
  ('b2:7', 1, 'text', NULL, 'Two.', NULL);
INSERT INTO part_fragments VALUES(2, 1, 0);
INSERT INTO part_attachments VALUES(8, 'a1', 0), (11, 'a2', 0);
INSERT INTO threads VALUES('t1', 'Read', 'b2:7', NULL, '2026-08-05 07:00:00+00:00');
INSERT INTO turns(id, thread_id, parent_message_hash, tip_message_hash, model,
  datetime_utc) VALUES
  ('u1', 't1', 'b2:2', 'b2:3', 'm', '2026-08-05 07:00:01+00:00'),
  ('u2', 't1', 'b2:4', 'b2:5', 'm', '2026-08-05 07:00:02+00:00'),
  ('u3', 't1', 'b2:6', 'b2:7', 'm', '2026-08-05 07:00:03+00:00');

-- A fork of it, and a thread that was named before anything was said.
INSERT INTO messages VALUES('b2:8', 'b2:5', 'user', NULL);
INSERT INTO parts(message_hash, position, type, text) VALUES
  ('b2:8', 0, 'text', 'Another way.');
INSERT INTO threads VALUES('t2', 'Read', 'b2:8', 't1', '2026-08-05 07:01:00+00:00'),
  ('t3', 'New', NULL, NULL, '2026-08-05 07:02:00+00:00');

-- A conversation of an older version, gone on with by this one.
INSERT INTO conversations VALUES('went-on', 'Hi', 'm');
INSERT INTO responses(id, model, prompt, system, response, conversation_id,
  datetime_utc) VALUES
  ('r4', 'm', 'hi', '', 'hello', 'went-on', '2025-06-02T10:00:00');
INSERT INTO messages VALUES('b2:a', NULL, 'user', NULL),
  ('b2:b', 'b2:a', 'assistant', NULL), ('b2:c', 'b2:b', 'user', NULL),
  ('b2:d', 'b2:c', 'assistant', NULL);
INSERT INTO parts(message_hash, position, type, text) VALUES
  ('b2:a', 0, 'text', 'hi'), ('b2:b', 0, 'text', 'hello'),
  ('b2:c', 0, 'text', 'bye'), ('b2:d', 0, 'text', 'see you');
INSERT INTO threads VALUES('went-on', 'Hi', 'b2:d', NULL, '2026-08-05 07:03:00+00:00');
INSERT INTO turns(id, thread_id, parent_message_hash, tip_message_hash, model,
  datetime_utc) VALUES
  ('u4', 'went-on', 'b2:c', 'b2:d', 'm', '2026-08-05 07:03:01+00:00');
