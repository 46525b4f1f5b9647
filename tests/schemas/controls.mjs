// SPDX-License-Identifier: MIT
// Messages that the SDKs make themselves: controls for the validators of
// targets that are not an API, so that nobody recorded what it took.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage,
	mapChatMessagesToStoredMessages } from '@langchain/core/messages';
import { AI } from './validators.mjs';

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';
const user = (...parts) => ({ role: 'user', parts });
const model = (...parts) => ({ role: 'assistant', parts });
const text = { type: 'text', text: 'é 😀', state: 'done' };
const tool = (more) => ({ type: 'tool-ls', toolCallId: 'c1', input: { a: 1 }, ...more });

// conversations of the AI SDK's user interface, one for each kind of part
const UI = [
	[{ role: 'system', parts: [text] }, user(text)],
	[user(text, { type: 'file', mediaType: 'image/png', url: PIXEL })],
	[user({ type: 'file', mediaType: 'application/pdf', filename: 'a.pdf',
		url: 'https://a.example/a.pdf' })],
	[user(text), model({ type: 'step-start' }, { type: 'reasoning', text: 't',
		providerMetadata: { anthropic: { signature: 's' } } }, text)],
	[user(text), model({ type: 'file', mediaType: 'image/png', url: PIXEL })],
	[user(text), model(text, tool({ state: 'output-available',
		output: { files: ['a'] } }))],
	[user(text), model(tool({ state: 'output-available', output: 'text' }),
		{ type: 'step-start' }, text)],
	[user(text), model(tool({ state: 'output-error', errorText: 'no' }))],
	[user(text), model(tool({ state: 'output-available', output: null,
		providerExecuted: true }))],
	[user(text), model({ ...tool({ state: 'output-available', output: 1 }),
		type: 'dynamic-tool', toolName: 'ls' })],
];

const call = { id: 'c1', name: 'ls', args: { a: 1 }, type: 'tool_call' };
const LANGCHAIN = [
	[new SystemMessage('s'), new HumanMessage('u')],
	[new HumanMessage({ content: 'u', name: 'n', id: 'i' })],
	[new HumanMessage({ content: [{ type: 'text', text: 'u' },
		{ type: 'image_url', image_url: { url: PIXEL } }] })],
	[new AIMessage({ content: '', tool_calls: [call] }),
		new ToolMessage({ content: 'r', tool_call_id: 'c1', name: 'ls' })],
	[new AIMessage({ content: '', tool_calls: [call], id: 'i',
		invalid_tool_calls: [{ id: 'c2', name: 'f', args: '{', error: 'e',
			type: 'invalid_tool_call' }] })],
	[new AIMessage({ content: [{ type: 'thinking', thinking: 't',
		signature: 's' }, { type: 'text', text: 'a' }],
		usage_metadata: { input_tokens: 1, output_tokens: 1,
			total_tokens: 2 } })],
	[new AIMessage({ content: 'a', additional_kwargs: { reasoning_content: 't' },
		response_metadata: { finish_reason: 'stop' } })],
	[new ToolMessage({ content: [{ type: 'text', text: 'r' }], status: 'error',
		tool_call_id: 'c1', artifact: { a: [1] } })],
];

// [validator, id, conversation]
export async function* controls() {
	for (const [name] of AI) {
		const { convertToModelMessages } = await import(name);

		for (const [i, ui] of UI.entries())
			yield [name, i,
			    { messages: await convertToModelMessages(ui) }];
	}
	for (const [i, messages] of LANGCHAIN.entries())
		yield ['langchain', i,
		    { messages: mapChatMessagesToStoredMessages(messages) }];
}
