/* SPDX-License-Identifier: MIT */
/*
 * The table of rules.  `ctx-clean --rules` prints it, and ctx-clean(1) has its
 * texts.  What is called recorded was said by the APIs to real requests; quotations
 * are the APIs' words.
 */
#include "decide/plan.h"

const struct ctx_fault_text ctx_fault_texts[CTX_F_N] = {
	[CTX_F_UNANSWERED] = { "unanswered-call",
	    "A tool call has no result. It is treated as --unanswered says.",
	    "tool call has no result", "all",
	    "OpenAI: \"An assistant message with 'tool_calls' must be followed "
	    "by tool messages responding to each 'tool_call_id'\"; Anthropic: "
	    "\"`tool_use` ids were found without `tool_result` blocks\"; "
	    "Bedrock: \"Expected toolResult blocks at messages.2.content for "
	    "the following Ids\"" },
	[CTX_F_ORPHAN] = { "orphan-result",
	    "A tool result does not answer an open call: there is no call "
	    "with its id, it comes before its call or after the next "
	    "assistant turn, or the call already has a result. In a session, "
	    "a result in the branch that is resumed answers only calls in it. "
	    "It is removed.",
	    "tool result does not answer an open call", "all",
	    "OpenAI: \"messages with role 'tool' must be a response to a "
	    "preceding message with 'tool_calls'\"; Responses: \"No tool call "
	    "found for function call output\"; Bedrock: \"The number of "
	    "toolResult blocks exceeds the number of toolUse blocks of "
	    "previous turn\"" },
	[CTX_F_MISPLACED] = { "misplaced-result",
	    "A tool result does not directly follow its call. It is moved "
	    "there.",
	    "tool result does not directly follow its call",
	    "openai, anthropic, gemini, bedrock, cohere, mistral, ollama",
	    "the same errors: only what follows directly counts" },
	[CTX_F_NOT_FIRST] = { "result-not-first",
	    "A tool result comes after other content of its message "
	    "(Anthropic, Bedrock). It is moved to the front.",
	    "tool result comes after other content", "anthropic, bedrock",
	    "Anthropic's guide to tool use: results come first in their "
	    "message" },
	[CTX_F_REUSED_ID] = { "reused-id",
	    "The id of a tool call was already used in the same turn "
	    "(OpenAI, Anthropic, Bedrock). The call and its result get a "
	    "suffix, '_2' and so on.",
	    "tool call id was already used in this turn",
	    "openai, anthropic, bedrock, cohere, ollama",
	    "Anthropic: \"`tool_use` ids must be unique\"; recorded: an id of "
	    "an earlier turn is taken" },
	[CTX_F_EMPTY_CALLS] = { "empty-tool-calls",
	    "A list of tool calls is empty (OpenAI). The member is removed.",
	    "list of tool calls is empty", "openai; not mistral, ollama",
	    "reported, not recorded, of OpenAI: an empty list is too short; "
	    "recorded: Mistral takes it" },
	[CTX_F_EMPTY_TEXT] = { "empty-text",
	    "A text block is empty (Anthropic, Bedrock). It is removed. "
	    "White space is accepted by Anthropic beside other blocks, and "
	    "by Bedrock in results.",
	    "text block is empty", "anthropic, bedrock",
	    "a text \"\" was never taken in the recorded requests; recorded: "
	    "white space beside other blocks is taken, and Gemini takes both; "
	    "Bedrock: \"The text field in the ContentBlock object at "
	    "messages.0.content.0 is blank\"" },
	[CTX_F_EMPTY_MESSAGE] = { "empty-message",
	    "A message has no content. It is removed.",
	    "message has no content", "openai, anthropic, gemini, bedrock",
	    "Anthropic: \"all messages must have non-empty content\" "
	    "(recorded); reported, not recorded, of Gemini: parts must not "
	    "be empty" },
	[CTX_F_FIRST_ROLE] = { "first-not-user",
	    "The first message is not from the user (Gemini; a warning for "
	    "Anthropic and Bedrock). It is left as it is; ctx-convert(1) can "
	    "fix it.",
	    "first message is not from the user",
	    "gemini; a warning for anthropic, bedrock",
	    "no recorded request to Gemini begins otherwise; recorded: "
	    "Claude Haiku 4.5 takes an assistant's, and Bedrock does" },
	[CTX_F_LONG_ID] = { "long-id",
	    "The id of a tool call is longer than the API allows: 40 bytes "
	    "(OpenAI), 64 (OpenAI Responses, Bedrock) or 9 (Mistral). It is "
	    "left as it is; ctx-convert(1) can fix it.",
	    "tool call id is too long",
	    "openai (40 bytes), openai-responses, bedrock (64), mistral (9)",
	    "reported, not recorded, of OpenAI: string too long; recorded: "
	    "OpenRouter takes 50" },
	[CTX_F_LONE_REASONING] = { "lone-reasoning",
	    "Reasoning that is a message of its own is not followed by the "
	    "item it belongs to (OpenAI Responses, session logs). It is "
	    "removed.",
	    "reasoning is not followed by the item it belongs to",
	    "openai-responses",
	    "recorded: \"was provided without its required following item\"" },
	[CTX_F_NOT_JSON] = { "not-json",
	    "The line is not JSON, or not UTF-8, or it is an export of chats "
	    "that only ctx-convert(1) reads. It is treated as --on-error "
	    "says.",
	    "line is not JSON", "all",
	    "a record is a line of JSON" },
	[CTX_F_SECRET] = { "leaked-secret",
	    "With --redact: a text contains a secret. The rule of ctx-"
	    "redact(7) that found it is named after a colon. A placeholder "
	    "replaces it.",
	    "text contains a secret", "with --redact",
	    "ctx-redact(7)" },
	[CTX_F_UNKNOWN] = { "unknown-record",
	    "A record, or an element of a conversation's list, is not a "
	    "message of any dialect: its role is unknown or missing, its "
	    "content is a number or an object, or it is a bare string or "
	    "number. It is left as it is. What the session logs of known "
	    "programs hold besides messages is no fault.",
	    "record is not a message of any dialect", "all",
	    "recorded: \"Please use a valid role: user, model.\" (Gemini); a "
	    "command that cannot read a record cannot repair it" },
	[CTX_F_NO_MESSAGE] = { "no-message",
	    "A conversation has no message besides a system prompt. Or a "
	    "file has records, but none of them is a message, so nothing in"
	    " it was checked; this is reported at the first line.",
	    "there is no message", "all",
	    "a log of a format that is not known would pass for a clean one" },
	[CTX_F_SURROGATE] = { "lone-surrogate",
	    "A string of a message has half a surrogate pair, as of an emoji "
	    "that was cut in two. For Anthropic, U+FFFD replaces the half; "
	    "elsewhere it is a warning, and ctx-convert(1) can fix it.",
	    "half a surrogate pair is no character",
	    "anthropic; a warning for the others",
	    "Anthropic: \"The request body is not valid JSON: no low surrogate "
	    "in string\" (anthropics/claude-code#3277); reported of DeepSeek "
	    "and Cerebras, too" },
	[CTX_F_NO_CONTENT] = { "no-content",
	    "A message has no content member, or null (OpenAI), or an empty "
	    "list (OpenAI, OpenAI Responses). ctx-convert(1) can fix it.",
	    "message has no content member, or none in it",
	    "openai, openai-responses, cohere, mistral, ollama",
	    "OpenAI's reference requires it; not recorded. Recorded: Mistral "
	    "takes an empty list" },
	[CTX_F_UNTYPED] = { "untyped-part",
	    "A part of a message has no type (OpenAI, Anthropic, OpenAI "
	    "Responses).",
	    "content part has no type",
	    "openai, anthropic, openai-responses, cohere, mistral",
	    "recorded: \"Missing required parameter: "
	    "'messages[1].content[0].type'\"" },
	[CTX_F_WRONG_ROLE] = { "wrong-role",
	    "A tool call is in a message that is not the assistant's, or a "
	    "result in one that is.",
	    "tool call or result is in a message of the wrong role", "all",
	    "Anthropic's reference names the role of each block; not "
	    "recorded" },
	[CTX_F_NO_ID] = { "no-id",
	    "A tool call, or the result of one with an id, has no id (OpenAI). "
	    "ctx-convert(1) can fix it.",
	    "tool call or result has no id", "openai, cohere, mistral",
	    "reported, not recorded, of OpenAI: a message of role tool must have "
	    "a tool_call_id; recorded: Writer takes calls without" },
	[CTX_F_BAD_ID] = { "bad-id",
	    "The id of a tool call is too short, or has characters that the"
	    " API refuses (Anthropic, Bedrock, Mistral). ctx-convert(1) can "
	    "fix it.",
	    "tool call id has characters or a length that the API refuses",
	    "anthropic, bedrock, mistral",
	    "Anthropic's reference: letters, digits, _ and -; Bedrock's: also "
	    ". and :; Mistral's: nine letters and digits, as are all recorded "
	    "ones" },
	[CTX_F_AFTER_RESULT] = { "user-after-result",
	    "A message of the user directly follows a tool result (Mistral). "
	    "In requests, ctx-convert(1) can fix it.",
	    "user's message directly follows a tool result", "mistral",
	    "reported, not recorded: \"Unexpected role 'user' after role "
	    "'tool'\"; in recorded requests, the assistant says OK first" },
	[CTX_F_ROLE] = { "role-refused",
	    "The model has no messages of this role (OpenAI, by model). "
	    "ctx-convert(1) can fix it.",
	    "the model has no messages of this role",
	    "openai, by model",
	    "recorded: \"'messages[0].role' does not support 'system' with "
	    "this model\"" },
	[CTX_F_INSIDE] = { "system-inside",
	    "A system message is not at the start (Anthropic, by model). "
	    "ctx-convert(1) can fix it.",
	    "system message is not at the start",
	    "anthropic, by model",
	    "reported, not recorded, of models before Claude Opus 4.8, "
	    "which was recorded to take it" },
	[CTX_F_PREFILL] = { "prefill",
	    "The last message is the assistant's, which the model does not "
	    "continue (Anthropic, by model).",
	    "last message is the assistant's", "anthropic, by model",
	    "recorded: \"This model does not support assistant message "
	    "prefill\"" },
	[CTX_F_MEDIA] = { "media-refused",
	    "The model does not take this kind of content (OpenAI, by "
	    "model), or not in a result (Bedrock, a file in S3).",
	    "the model does not take this kind of content",
	    "openai, by model; bedrock",
	    "recorded: \"Content blocks are expected to be either text or "
	    "image_url type\"; Bedrock: \"extraneous key [toolResult] is not "
	    "permitted\"" },
	[CTX_F_LOST_PARENT] = { "lost-parent",
	    "A record of a session follows one that is not in the file, so "
	    "that its program resumes nothing before it. It is made to follow "
	    "the last record before it that is not later by its time.",
	    "record follows one that is not in the file",
	    "claude-code, qwen-code, pi",
	    "reported: a session resumes without its past (anthropics/"
	    "claude-code#22107, #22526, #46603)" },
	[CTX_F_CHAIN_LOOP] = { "record-loop",
	    "Records of a session follow each other in a loop. The first one "
	    "is made to follow a record before it, or none.",
	    "record follows from itself", "claude-code, qwen-code, pi",
	    "the programs follow parents until there is none" },
	[CTX_F_TWICE_ID] = { "twice-record",
	    "Two records of a session have the same id, so that what follows "
	    "may follow either. It is left as it is.",
	    "id of a record is that of an earlier one",
	    "claude-code, qwen-code, pi",
	    "the programs find records by their ids" },
	[CTX_F_SECOND_ROOT] = { "second-root",
	    "A record of a session follows none, though others come before "
	    "it (a warning). It is left as it is.",
	    "record follows none, so what is before it is not resumed",
	    "claude-code, qwen-code, pi",
	    "a boundary names what it follows in logicalParentUuid" },
	[CTX_F_DEAD_BRANCH] = { "dead-branch",
	    "A branch of a session begins that is not the one that goes on (a "
	    "warning). --branches can drop it.",
	    "a branch begins that is not resumed",
	    "claude-code, qwen-code, pi",
	    "programs leave one when a message is edited or sent again" },
	[CTX_F_OTHER_SESSION] = { "other-session",
	    "A record names another session than the first one (a warning). "
	    "It is left as it is.",
	    "record is of another session", "claude-code, qwen-code",
	    "each file is one session" },
	[CTX_F_MEDIA_TYPE] = { "media-type",
	    "An image is of a format that the API does not read, or a file "
	    "is audio or video (OpenAI, OpenAI Responses). ctx-convert(1) can "
	    "fix it.",
	    "image or file is of a format that the API does not read",
	    "openai, anthropic, openai-responses, gemini, bedrock",
	    "the APIs' guides to images, audio and files" },
	[CTX_F_FILE_NAME] = { "file-name",
	    "The data of a file has no filename (OpenAI, OpenAI "
	    "Responses). ctx-convert(1) can fix it.",
	    "data of a file has no filename", "openai, openai-responses",
	    "reported, not recorded: 400 without it (openai/openai-agents-"
	    "python#1513); all recorded data has a name" },
	[CTX_F_BASE64] = { "bad-base64",
	    "The data of an image or file is not base64.",
	    "data is not base64", "all",
	    "the APIs' references; not recorded" },
	[CTX_F_CACHE_MARKS] = { "cache-marks",
	    "More than four blocks of a request have a 'cache_control' "
	    "(Anthropic).",
	    "more than four blocks have a cache_control", "anthropic",
	    "Anthropic's guide to prompt caching; not recorded" },
	[CTX_F_TOOL_NAME] = { "tool-name",
	    "The name of a tool, in its definition or in a call, is "
	    "missing, too long, or has characters that the API refuses.",
	    "name of a tool is missing, too long or has other characters than "
	    "the API takes",
	    "openai, anthropic, openai-responses, gemini, bedrock, mistral",
	    "the APIs' references give the characters and lengths; all "
	    "recorded names keep to them" },
	[CTX_F_TOOL_TWICE] = { "tool-twice",
	    "Two tools of a request have the same name.",
	    "two tools have the same name",
	    "all",
	    "reported, not recorded, of Anthropic: names must be unique" },
	[CTX_F_TOOL_SCHEMA] = { "tool-schema",
	    "The schema of a tool is not that of an object.",
	    "schema of a tool is not that of an object",
	    "all",
	    "the APIs' references: a schema of type object; not recorded" },
	[CTX_F_TOOL_CHOICE] = { "tool-choice",
	    "The 'tool_choice' of a request names a tool that is not "
	    "defined.",
	    "tool_choice names no tool of the request",
	    "all but gemini",
	    "the APIs' references; not recorded" }
};
