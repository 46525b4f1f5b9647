/* SPDX-License-Identifier: MIT */
/*
 * The table of rules.  `ctx-clean --rules` prints it.  What is called recorded
 * was said by the APIs to real requests; quotations are the APIs' words.
 */
#include "decide/plan.h"

#define REMOVED		"removed"
#define REPORTED	"reported"
#define CONVERT		"reported; see ctx-convert"

const struct ctx_fault_text ctx_fault_texts[CTX_F_N] = {
	[CTX_F_UNANSWERED] = { "unanswered-call",
	    "tool call has no result", "all", "see --unanswered",
	    "OpenAI: \"An assistant message with 'tool_calls' must be followed "
	    "by tool messages responding to each 'tool_call_id'\"; Anthropic: "
	    "\"`tool_use` ids were found without `tool_result` blocks\"" },
	[CTX_F_ORPHAN] = { "orphan-result",
	    "tool result does not answer an open call", "all", REMOVED,
	    "OpenAI: \"messages with role 'tool' must be a response to a "
	    "preceding message with 'tool_calls'\"; Responses: \"No tool call "
	    "found for function call output\"" },
	[CTX_F_MISPLACED] = { "misplaced-result",
	    "tool result does not directly follow its call",
	    "openai, anthropic, gemini", "moved",
	    "the same errors: only what follows directly counts" },
	[CTX_F_NOT_FIRST] = { "result-not-first",
	    "tool result comes after other content", "anthropic", "moved",
	    "Anthropic's guide to tool use: results come first in their "
	    "message" },
	[CTX_F_REUSED_ID] = { "reused-id",
	    "tool call id was already used in this turn", "openai, anthropic",
	    "renamed",
	    "Anthropic: \"`tool_use` ids must be unique\"; recorded: an id of "
	    "an earlier turn is taken" },
	[CTX_F_EMPTY_CALLS] = { "empty-tool-calls",
	    "list of tool calls is empty", "openai; not mistral, ollama", REMOVED,
	    "reported, not recorded, of OpenAI: an empty list is too short; "
	    "recorded: Mistral takes it" },
	[CTX_F_EMPTY_TEXT] = { "empty-text",
	    "text block is empty", "anthropic", REMOVED,
	    "a text \"\" was never taken in the recorded requests; recorded: "
	    "white space beside other blocks is taken, and Gemini takes both" },
	[CTX_F_EMPTY_MESSAGE] = { "empty-message",
	    "message has no content", "openai, anthropic, gemini", REMOVED,
	    "Anthropic: \"all messages must have non-empty content\" "
	    "(recorded); reported, not recorded, of Gemini: parts must not "
	    "be empty" },
	[CTX_F_FIRST_ROLE] = { "first-not-user",
	    "first message is not from the user",
	    "gemini; a warning for anthropic", CONVERT,
	    "no recorded request to Gemini begins otherwise; recorded: "
	    "Claude Haiku 4.5 takes an assistant's" },
	[CTX_F_LONG_ID] = { "long-id",
	    "tool call id is too long",
	    "openai (40 bytes), openai-responses (64), mistral (9)", CONVERT,
	    "reported, not recorded, of OpenAI: string too long; recorded: "
	    "OpenRouter takes 50" },
	[CTX_F_LONE_REASONING] = { "lone-reasoning",
	    "reasoning is not followed by the item it belongs to",
	    "openai-responses", REMOVED,
	    "recorded: \"was provided without its required following item\"" },
	[CTX_F_NOT_JSON] = { "not-json",
	    "line is not JSON", "all", "see --on-error",
	    "a record is a line of JSON" },
	[CTX_F_SECRET] = { "leaked-secret",
	    "text contains a secret", "with --redact", "replaced",
	    "ctx-redact(7)" },
	[CTX_F_UNKNOWN] = { "unknown-record",
	    "record is not a message of any dialect", "all", REPORTED,
	    "recorded: \"Please use a valid role: user, model.\" (Gemini); a "
	    "command that cannot read a record cannot repair it" },
	[CTX_F_NO_MESSAGE] = { "no-message",
	    "there is no message", "all", REPORTED,
	    "a log of a format that is not known would pass for a clean one" },
	[CTX_F_NO_CONTENT] = { "no-content",
	    "message has no content member", "openai", REPORTED,
	    "OpenAI's reference requires it; not recorded" },
	[CTX_F_UNTYPED] = { "untyped-part",
	    "content part has no type",
	    "openai, anthropic, openai-responses", REPORTED,
	    "recorded: \"Missing required parameter: "
	    "'messages[1].content[0].type'\"" },
	[CTX_F_WRONG_ROLE] = { "wrong-role",
	    "tool call or result is in a message of the wrong role", "all",
	    REPORTED,
	    "Anthropic's reference names the role of each block; not "
	    "recorded" },
	[CTX_F_NO_ID] = { "no-id",
	    "tool call has no id", "openai", CONVERT,
	    "reported, not recorded, of OpenAI: a message of role tool must have "
	    "a tool_call_id; recorded: Writer takes calls without" },
	[CTX_F_BAD_ID] = { "bad-id",
	    "tool call id has characters or a length that the API refuses",
	    "anthropic, mistral", CONVERT,
	    "Anthropic's reference: letters, digits, _ and -; Mistral's: "
	    "nine letters and digits, as are all recorded ones" },
	[CTX_F_ROLE] = { "role-refused",
	    "the model has no messages of this role",
	    "openai, by model", CONVERT,
	    "recorded: \"'messages[0].role' does not support 'system' with "
	    "this model\"" },
	[CTX_F_INSIDE] = { "system-inside",
	    "system message is not at the start",
	    "anthropic, by model", CONVERT,
	    "reported, not recorded, of models before Claude Opus 4.8, "
	    "which was recorded to take it" },
	[CTX_F_PREFILL] = { "prefill",
	    "last message is the assistant's", "anthropic, by model", REPORTED,
	    "recorded: \"This model does not support assistant message "
	    "prefill\"" },
	[CTX_F_MEDIA] = { "media-refused",
	    "the model does not take this kind of content",
	    "openai, by model", REPORTED,
	    "recorded: \"Content blocks are expected to be either text or "
	    "image_url type\"" },
	[CTX_F_MEDIA_TYPE] = { "media-type",
	    "image is of a format that the API does not read",
	    "openai, anthropic, openai-responses, gemini", REPORTED,
	    "the APIs' guides to images" },
	[CTX_F_BASE64] = { "bad-base64",
	    "data is not base64", "all", REPORTED,
	    "the APIs' references; not recorded" },
	[CTX_F_CACHE_MARKS] = { "cache-marks",
	    "more than four blocks have a cache_control", "anthropic",
	    REPORTED,
	    "Anthropic's guide to prompt caching; not recorded" },
	[CTX_F_TOOL_NAME] = { "tool-name",
	    "name of a tool is missing, too long or has other characters than "
	    "the API takes", "openai, anthropic, openai-responses, gemini",
	    REPORTED,
	    "the APIs' references give the characters and lengths; all "
	    "recorded names keep to them" },
	[CTX_F_TOOL_TWICE] = { "tool-twice",
	    "two tools have the same name",
	    "openai, anthropic, openai-responses, gemini", REPORTED,
	    "reported, not recorded, of Anthropic: names must be unique" },
	[CTX_F_TOOL_SCHEMA] = { "tool-schema",
	    "schema of a tool is not that of an object",
	    "openai, anthropic, openai-responses, gemini", REPORTED,
	    "the APIs' references: a schema of type object; not recorded" },
	[CTX_F_TOOL_CHOICE] = { "tool-choice",
	    "tool_choice names no tool of the request",
	    "openai, anthropic, openai-responses", REPORTED,
	    "the APIs' references; not recorded" }
};
