// SPDX-License-Identifier: MIT
// For each target a valid value and faults to plant in it: fifteen, so that a
// validator shows that it can fail.  A fault is [path, value]; without a value
// the member is removed.

const chat = {
	model: 'm',
	messages: [
		{ role: 'system', content: 's' },
		{ role: 'user', content: [{ type: 'text', text: 'u' },
			{ type: 'image_url', image_url: { url: 'https://h/a.png' } }] },
		{ role: 'assistant', content: null, tool_calls: [{ id: 'c1',
			type: 'function',
			function: { name: 'ls', arguments: '{}' } }] },
		{ role: 'tool', tool_call_id: 'c1', content: 'r' },
	],
	tools: [{ type: 'function', function: { name: 'ls', description: 'd',
		parameters: { type: 'object', properties: {} } } }],
};

const responses = {
	model: 'm',
	instructions: 's',
	input: [
		{ type: 'message', role: 'user', content: [
			{ type: 'input_text', text: 'u' },
			{ type: 'input_image', image_url: 'https://h/a.png' }] },
		{ type: 'reasoning', id: 'rs_1', summary: [
			{ type: 'summary_text', text: 't' }], encrypted_content: 'e' },
		{ type: 'function_call', call_id: 'c1', name: 'ls',
			arguments: '{}' },
		{ type: 'function_call_output', call_id: 'c1', output: 'r' },
	],
	tools: [{ type: 'function', name: 'ls', parameters: { type: 'object' } }],
};

const anthropic = {
	model: 'm',
	max_tokens: 9,
	system: 's',
	messages: [
		{ role: 'user', content: [{ type: 'text', text: 'u' },
			{ type: 'image', source: { type: 'base64',
				media_type: 'image/png', data: 'AAAA' } }] },
		{ role: 'assistant', content: [
			{ type: 'thinking', thinking: 't', signature: 's' },
			{ type: 'tool_use', id: 'c1', name: 'ls', input: {} }] },
		{ role: 'user', content: [
			{ type: 'tool_result', tool_use_id: 'c1', content: 'r' }] },
	],
	tools: [{ name: 'ls', input_schema: { type: 'object' } }],
};

const gemini = {
	systemInstruction: { parts: [{ text: 's' }] },
	contents: [
		{ role: 'user', parts: [{ text: 'u' },
			{ inline_data: { mime_type: 'image/png', data: 'AAAA' } }] },
		{ role: 'model', parts: [{ functionCall: { id: 'c1', name: 'ls',
			args: {} }, thoughtSignature: 'AAAA' }] },
		{ role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'ls',
			response: { output: 'r' } } }] },
	],
	tools: [{ functionDeclarations: [{ name: 'ls', description: 'd',
		parameters: { type: 'OBJECT' } }] }],
	generationConfig: { maxOutputTokens: 9 },
};

const ai = {
	messages: [
		{ role: 'system', content: 's' },
		{ role: 'user', content: [{ type: 'text', text: 'u' },
			{ type: 'file', data: 'AAAA', mediaType: 'image/png' }] },
		{ role: 'assistant', content: [{ type: 'reasoning', text: 't' },
			{ type: 'tool-call', toolCallId: 'c1', toolName: 'ls',
				input: {} }] },
		{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1',
			toolName: 'ls', output: { type: 'text', value: 'r' } }] },
	],
};

const stored = (type, data) => ({ type, data: { type, additional_kwargs: {},
	response_metadata: {}, ...data } });
const langchain = {
	messages: [
		stored('system', { content: 's' }),
		stored('human', { content: [{ type: 'text', text: 'u' }] }),
		stored('ai', { content: '', tool_calls: [{ id: 'c1', name: 'ls',
			args: {}, type: 'tool_call' }], invalid_tool_calls: [] }),
		stored('tool', { content: 'r', tool_call_id: 'c1' }),
	],
};

const FAULTS = {
	'openai': [chat, [
		['model'], ['messages'], ['messages/0/role', 'robot'],
		['messages/0/content', { text: 's' }], ['messages/1/name', 5],
		['messages/1/content/0/text'], ['messages/1/content/0/type', 'txt'],
		['messages/1/content/1/image_url', 'https://h/a.png'],
		['messages/1/ctx_kept', []], ['messages/2/tool_calls/0/id'],
		['messages/2/tool_calls/0/extra_content', {}],
		['messages/2/tool_calls/0/function/arguments', {}],
		['messages/3/tool_call_id'], ['messages/3/content', '\ud83d'],
		['tools/0/function/name'],
	]],
	'openai-responses': [responses, [
		['input', { role: 'user' }], ['input/0/role', 'tool'],
		['input/0/content'], ['input/0/content/0/type', 'text'],
		['input/0/content/0/cache_control', {}],
		['input/0/content/1/image_url', { url: 'https://h/a.png' }],
		['input/1/summary'], ['input/1/summary/0/type', 'text'],
		['input/2/call_id'], ['input/2/arguments', {}],
		['input/2/type', 'tool_use'], ['input/3/output', null],
		['input/3/tool_call_id', 'c1'], ['tools/0/parameters', 'object'],
		['messages', []],
	]],
	'anthropic': [anthropic, [
		['max_tokens'], ['max_tokens', '9'], ['system', { text: 's' }],
		['messages/0/role', 'tool'], ['messages/0/content/0/text'],
		['messages/0/content/1/source/media_type', 'image/bmp'],
		['messages/0/content/1/source/type', 'file_data'],
		['messages/0/name', 'n'], ['messages/1/content/0/signature'],
		['messages/1/content/1/id'], ['messages/1/content/1/index', 0],
		['messages/1/content/1/type', 'function'],
		['messages/2/content/0/tool_use_id'],
		['messages/2/content/0/content', { a: 1 }], ['tools/0/input_schema'],
	]],
	'gemini': [gemini, [
		['contents', { a: 1 }], ['contents/0/content', 'u'],
		['contents/0/parts/0/text', 5], ['contents/0/parts/0/type', 'text'],
		['contents/0/parts/1/text', 'u'],
		['contents/0/parts/1/inline_data/data', 'A'],
		['contents/0/parts/1/inlineData', { mimeType: 'image/png' }],
		['contents/1/parts/0/functionCall/name'],
		['contents/1/parts/0/functionCall/args', '{}'],
		['contents/1/parts/0/thoughtSignature', 'not base64'],
		['contents/2/parts/0/functionResponse/response'],
		['contents/2/parts/0/functionResponse/response', 'r'],
		['tools/0/functionDeclarations/0/parameters/type', 'DICT'],
		['generationConfig/maxOutputTokens', 1.5],
		['generationConfig/max_tokens', 9],
	]],
	'ai-sdk': [ai, [
		['messages/0/role', 'developer'], ['messages/0/content', []],
		['messages/1/content', null], ['messages/1/content/0/text'],
		['messages/1/content/0/type', 'input_text'],
		['messages/1/content/1/mediaType'], ['messages/1/content/1/data', 5],
		['messages/1/name', 'n'], ['messages/2/content/1/toolCallId'],
		['messages/2/content/1/toolName', null],
		['messages/2/content/1/args', {}], ['messages/3/content', 'r'],
		['messages/3/content/0/output', 'r'],
		['messages/3/content/0/output/type', 'media'],
		['messages/3/content/0/result', 'r'],
	]],
	'langchain': [langchain, [
		['messages/0/type', 'robot'], ['messages/0/type'],
		['messages/0/type', 'user'], ['messages/0/data', 's'],
		['messages/0/role', 'system'], ['messages/0/data/type', 'human'],
		['messages/0/data/parts', []], ['messages/1/content', 'u'],
		['messages/1/data/kwargs', {}], ['messages/2/tool_calls', []],
		['messages/2/data/reasoning', 't'], ['messages/3/data/tool_call_id'],
		['messages/3/data/tool_calls', []], ['messages/3/data/is_error', true],
		['messages/3/data/content', '\ud83d'],
	]],
};

function plant(value, path, fault) {
	const whole = structuredClone(value);
	const steps = path.split('/');
	const last = steps.pop();
	const owner = steps.reduce((at, step) => at[step], whole);

	if (fault.length === 0)
		delete owner[last];
	else
		[owner[last]] = fault;
	return whole;
}

// [fault, value]; the first one is none
export function* faults(target) {
	const [value, list] = FAULTS[target.split('@')[0]];

	yield ['none', value];
	for (const [path, ...fault] of list)
		yield [`${path} ${JSON.stringify(fault[0]) ?? 'removed'}`,
		    plant(value, path, fault)];
}
