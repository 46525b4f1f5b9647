// SPDX-License-Identifier: MIT
// The validators of what ctx-convert writes: for each, its name, the target of
// ctx-convert, where it is from, what it counts, and `check`, which returns
// what is wrong with a request or a conversation, or null.
import { readFileSync } from 'node:fs';
import { mapChatMessagesToStoredMessages, mapStoredMessagesToChatMessages }
    from '@langchain/core/messages';
import { fromProto } from './protojson.mjs';
import { fromType } from './types.mjs';
import { fromZod, unlike } from './zod.mjs';

// the versions of the AI SDK, and the target of ctx-convert for each
export const AI = [['ai5', 'ai-sdk@5'], ['ai6', 'ai-sdk'], ['ai7', 'ai-sdk']];

const json = (path) => JSON.parse(readFileSync(`node_modules/${path}`, 'utf8'));
const version = (name) => {
	const { name: own, version: v } = json(`${name}/package.json`);
	return `${own} ${v}`;
};

// What requests have that their API took (tests/schemas/run finds them in the
// recorded ones) and that the types refuse; types.mjs and protojson.mjs say
// what the words mean.  Nothing else is refused of what an API took.
const TOOK = {
	'openai': {
		any: [['ChatCompletionAssistantMessageParam', 'annotations'],
		    ['ChatCompletionToolMessageParam', 'name']],
		nullable: [['ChatCompletionCreateParamsNonStreaming', 'response_format'],
		    ['ChatCompletionCreateParamsNonStreaming', 'tool_choice']],
	},
	'openai-responses': {
		nullable: [['ResponseFunctionToolCall', 'status'],
		    ['ResponseCreateParamsNonStreaming', 'tool_choice']],
		optional: [['ResponseOutputMessage', 'id'],
		    ['ResponseOutputMessage', 'status'],
		    ['ResponseOutputMessage', 'type'],
		    ['ResponseOutputText', 'annotations'],
		    ['ResponseInputImage', 'detail'],
		    ['ResponseReasoningItem', 'id'],
		    ['FunctionTool', 'strict']],
	},
	'anthropic': {
		any: [['MessageCreateParamsStreaming', 'temperature'],
		    ['MessageCreateParamsNonStreaming', 'temperature']],
	},
	'gemini': {
		any: [['Part', 'toolCall'], ['Part', 'toolResponse'],
		    ['ExecutableCode', 'id'], ['CodeExecutionResult', 'id'],
		    ['ThinkingConfig', 'thinkingLevel'],
		    ['FunctionResponsePart', 'file_data'],
		    ['FileSearch', 'file_search_store_names'],
		    ['ToolConfig', 'includeServerSideToolInvocations']],
		optional: [['GenerateContentRequest', 'model'],	/* in the URL */
		    ['FileSearch', 'retrievalResources']],
		single: [['Content', 'parts']],
	},
};

// where a string is no Unicode text, because half of a pair of surrogates is
// missing
function broken(value, path) {
	if (typeof value === 'string')
		return value.isWellFormed() ? null : `${path}: half of a pair`;
	if (value === null || typeof value !== 'object')
		return null;
	for (const [key, member] of Object.entries(value)) {
		const why = broken(key, `${path}/${key}`) ??
		    broken(member, `${path}/${key}`);

		if (why)
			return why;
	}
	return null;
}

const ofType = (target, sdk, file, type) => ({ name: target, target,
	from: `${type} of ${version(sdk)}`,
	check: text(fromType(`node_modules/${sdk}/resources/${file}.d.ts`, type,
	    TOOK[target])) });

const text = (check) => (value) => check(value) ?? broken(value, '');

// check each message of a conversation
const each = (check) => ({ messages }) => {
	for (const [i, message] of messages.entries()) {
		const why = text(check)(message);

		if (why)
			return `/messages/${i}${why}`;
	}
	return null;
};

const ofAi = async ([name, target]) => ({ name, target,
	from: `modelMessageSchema of ${version(name)}`,
	check: each(fromZod((await import(name)).modelMessageSchema)) });

// LangChain's loader must take a message, know its members, and give all back.
function langchain(message) {
	try {
		const loaded = mapStoredMessagesToChatMessages([message]);
		const unknown = Object.keys(message.data).find((name) =>
		    name !== 'type' && !Object.hasOwn(loaded[0], name));
		const [back] = mapChatMessagesToStoredMessages(loaded);

		return unknown ? `/data: unknown member ${unknown}` :
		    unlike(message, JSON.parse(JSON.stringify(back)), '');
	} catch (e) {
		return `: ${e.message}`;
	}
}

const proto = 'google.ai.generativelanguage.v1beta.GenerateContentRequest';
export const validators = [
	ofType('openai', 'openai', 'chat/completions/completions',
	    'ChatCompletionCreateParams'),
	ofType('openai-responses', 'openai', 'responses/responses',
	    'ResponseCreateParams'),
	ofType('anthropic', '@anthropic-ai/sdk', 'beta/messages/messages',
	    'MessageCreateParams'),
	{ name: 'gemini', target: 'gemini',
		from: `GenerateContentRequest of ${
		    version('@google-ai/generativelanguage')}`,
		check: text(fromProto(json('@google-ai/generativelanguage/build/' +
		    'protos/protos.json'), proto, TOOK.gemini)) },
	...await Promise.all(AI.map(ofAi)),
	{ name: 'langchain', target: 'langchain',
		from: `the loader of ${version('@langchain/core')}`,
		check: each(langchain) },
];
