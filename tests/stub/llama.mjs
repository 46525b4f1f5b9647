// SPDX-License-Identifier: MIT
// OpenAI's chat completions, streamed or not, served by llama.cpp for tests.
//
//	llama.mjs NODE_MODULES MODEL.gguf KEY CONTEXT
//
// Listens on 127.0.0.1 at a free port, which it prints.  Exits when its
// standard input ends.
import http from "node:http";
import {pathToFileURL} from "node:url";

const [, , modules, modelPath, key, size] = process.argv;
const {getLlama} = await import(
	pathToFileURL(`${modules}/node-llama-cpp/dist/index.js`));
const llama = await getLlama({gpu: false, build: "never", skipDownload: true,
	logLevel: "error"});
const model = await llama.loadModel({modelPath});
const context = await model.createContext({contextSize: +size, threads: 1});

function send(res, status, value) {
	res.writeHead(status, {"content-type": "application/json"});
	res.end(JSON.stringify(value));
}

function refuse(res, status, message, type = "invalid_request_error") {
	send(res, status, {error: {message, type, code: null, param: null}});
}

// Generate the model's tokens until it ends or the limit is reached.
async function* generate(tokens, room, done) {
	const sequence = context.getSequence();
	let n = 0;

	try {
		for await (const token of sequence.evaluate(tokens,
			{temperature: 0})) {
			if (model.isEogToken(token)) {
				done("stop", n);
				return;
			}
			yield model.detokenize([token]);
			if (++n >= room) {
				done("length", n);
				return;
			}
		}
		done("stop", n);
	} finally {
		sequence.dispose();
	}
}

async function complete(res, q) {
	const prompt = q.messages.map(m => `${m.role}: ${m.content}\n`).join("") +
		"assistant:\n";
	const tokens = model.tokenize(prompt, true);
	const room = q.max_tokens ?? q.max_completion_tokens ?? 256;
	const event = value => res.write(`data: ${JSON.stringify(value)}\n\n`);
	let finish, usage, text = "";

	if (tokens.length >= +size)
		return refuse(res, 400, `request (${tokens.length} tokens) exceeds ` +
			`the available context size (${size} tokens), try increasing it`,
			"exceed_context_size_error");
	if (q.stream)
		res.writeHead(200, {"content-type": "text/event-stream"});
	for await (const piece of generate(tokens, room, (why, n) => {
		finish = why;
		usage = {prompt_tokens: tokens.length, completion_tokens: n};
	})) {
		text += piece;
		if (q.stream)
			event({choices: [{index: 0, delta: {content: piece},
				finish_reason: null}]});
	}
	if (!q.stream)
		return send(res, 200, {usage, choices: [{index: 0,
			finish_reason: finish,
			message: {role: "assistant", content: text}}]});
	event({choices: [{index: 0, delta: {}, finish_reason: finish}]});
	if (q.stream_options?.include_usage)
		event({choices: [], usage});
	res.end("data: [DONE]\n\n");
}

let last = Promise.resolve();
const server = http.createServer((req, res) => {
	const parts = [];

	if (req.headers.authorization !== `Bearer ${key}`)
		return refuse(res, 401, "Incorrect API key provided",
			"authentication_error");
	if (req.method !== "POST" || req.url !== "/v1/chat/completions")
		return refuse(res, 404, "no such page");
	req.on("data", part => parts.push(part));
	req.on("end", () => {
		last = last.then(() => complete(res,
			JSON.parse(Buffer.concat(parts).toString("utf8"))))
			.catch(e => refuse(res, 500, String(e), "server_error"));
	});
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.on("end", () => process.exit(0)).resume();
